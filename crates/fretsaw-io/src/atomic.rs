//! Atomic writing of files and folders: they appear complete or not at all.

use crate::{IoError, Problem};
use image::{ImageError, ImageResult};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::Builder;

/// The start of temporary names: hidden, and naming the program in case one is left after a crash.
const TEMPORARY_PREFIX: &str = ".fretsaw-";

/// The temporary files that [`write_file`] is writing now.
static TEMPORARY_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporary_files() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list is valid even if another thread panicked.
    TEMPORARY_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes half-written files, which have temporary names. For a process that is about to exit while
/// another of its threads may be writing; that write then fails.
pub fn remove_temporary_files() {
    for path in temporary_files().drain(..) {
        // Errors are ignored: the file may just have been renamed, and the process is about to exit.
        let _ = fs::remove_file(path);
    }
}

/// The target of a write.
#[derive(Debug)]
pub(crate) enum Target {
    /// A new or existing regular file, links resolved, and the folder it lies in.
    Regular { file: PathBuf, folder: PathBuf },
    /// A pipe or a device, which is written to and never replaced.
    Stream,
}

/// Finds the target of a file, with all checks that are possible without writing.
pub(crate) fn check_target(path: &Path) -> Result<Target, IoError> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(Problem::wrong_kind("a folder", "a file").at(path)),
        Ok(found) if !found.is_file() => Ok(Target::Stream),
        // The file behind a link is replaced, not the link.
        Ok(_) => {
            let file =
                fs::canonicalize(path).map_err(|cause| Problem::not_written(cause).at(path))?;
            let folder = folder_of(&file);
            Ok(Target::Regular { file, folder })
        }
        Err(_) => {
            let folder = existing_folder_of(path)?;
            Ok(Target::Regular { file: path.into(), folder })
        }
    }
}

/// Checks before a long computation whether a file can be written at this path.
///
/// # Errors
/// If it is a folder, or the folder it lies in does not exist or may not be written to.
pub fn check_file_target(path: &Path) -> Result<(), IoError> {
    match check_target(path)? {
        Target::Stream => Ok(()),
        Target::Regular { folder, .. } => check_may_write(path, &folder),
    }
}

/// Checks that a file can be created in this folder, by creating one and removing it. `path` is for
/// messages.
pub(crate) fn check_may_write(path: &Path, folder: &Path) -> Result<(), IoError> {
    // No process exits between the two.
    let _listed = temporary_files();
    let made = temporary_name(0o666).tempfile_in(folder);
    made.map(drop).map_err(|cause| Problem::not_written(cause).at(path))
}

/// The folder a path lies in; it must exist.
pub(crate) fn existing_folder_of(path: &Path) -> Result<PathBuf, IoError> {
    let folder = folder_of(path);
    match fs::metadata(&folder) {
        Ok(found) if found.is_dir() => Ok(folder),
        Ok(_) => Err(Problem::wrong_kind("a file", "a folder").at(folder)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Err(Problem::usage(format!(
            "cannot be written because the folder {} does not exist; create it or choose \
                 another",
            folder.display()
        ))
        .at(path)),
        // Among them: a part of the path further up is a file.
        Err(cause) => Err(Problem::not_written(cause).at(path)),
    }
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.into(),
        _ => PathBuf::from("."),
    }
}

/// Writes a text. The file appears whole or not at all; an existing file is replaced.
pub fn write_text(path: &Path, text: &str) -> Result<(), IoError> {
    write_bytes(path, text.as_bytes())
}

/// Writes bytes. The file appears whole or not at all; an existing file is replaced.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    write_file(path, |file| Ok(file.write_all(bytes)?))
}

/// Writes a file under a temporary name in its folder and renames it at the end.
///
/// After a failure of this program the target is as it was before. A failure of the machine may still
/// lose data, since nothing is forced to disk.
pub(crate) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> ImageResult<()>,
) -> Result<(), IoError> {
    let refused = |cause| Problem::not_written(cause).at(path);
    match check_target(path)? {
        Target::Stream => {
            let mut file = File::options().write(true).open(path).map_err(refused)?;
            fill(path, &mut file, write)
        }
        Target::Regular { file: target, folder } => {
            let mut temporary = {
                // Made and listed at once, so that none is missed.
                let mut listed = temporary_files();
                let made = temporary_name(0o666).tempfile_in(folder).map_err(refused)?;
                listed.push(made.path().into());
                made
            };
            let name = temporary.path().to_path_buf();
            let filled = fill(path, temporary.as_file_mut(), write);
            let written = filled.and_then(|()| {
                temporary.persist(target).map(drop).map_err(|failure| refused(failure.error))
            });
            temporary_files().retain(|listed| *listed != name);
            written
        }
    }
}

/// Writes a new file directly under its name, inside a folder that is itself temporary.
pub(crate) fn write_new_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> ImageResult<()>,
) -> Result<(), IoError> {
    let mut file = File::create_new(path).map_err(|cause| Problem::not_written(cause).at(path))?;
    fill(path, &mut file, write)
}

fn fill(
    path: &Path,
    file: &mut File,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> ImageResult<()>,
) -> Result<(), IoError> {
    let mut buffered = BufWriter::new(file);
    let written = write(&mut buffered).and_then(|()| Ok(buffered.flush()?));
    written.map_err(|failure| match failure {
        ImageError::IoError(cause) => Problem::not_written(cause).at(path),
        other => Problem::not_encoded(other).at(path),
    })
}

/// A builder of temporary files or folders with the permissions of ordinary ones.
#[cfg_attr(not(unix), expect(unused_variables, reason = "modes are a matter of Unix"))]
fn temporary_name(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    // Left alone, temporary files are for their owner only. The process's mask still applies.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder
}

/// Checks before a long computation that a folder can be created at this path, or exists and is empty.
pub fn check_output_folder(dir: &Path) -> Result<(), IoError> {
    match fs::metadata(dir) {
        Ok(found) if found.is_dir() => {
            let mut entries =
                fs::read_dir(dir).map_err(|cause| Problem::not_written(cause).at(dir))?;
            if entries.next().is_some() {
                let what =
                    "the folder exists and is not empty; name a new folder, or empty this one";
                return Err(Problem::usage(what).at(dir));
            }
            Ok(())
        }
        Ok(_) => Err(Problem::wrong_kind("a file", "a folder").at(dir)),
        Err(_) => existing_folder_of(dir).map(drop),
    }
}

/// Writes a folder and its contents. It appears whole or not at all.
///
/// A new folder is filled under a temporary name and renamed. An existing empty folder is kept, since
/// it may be a current directory or a mount point: its contents are written to a temporary folder
/// inside it and moved up, the file named `last` at the end.
///
/// # Errors
/// Those of `fill`, or if the folder is not empty or cannot be made.
pub fn write_folder(
    dir: &Path,
    last: &str,
    fill: impl FnOnce(&Path) -> Result<(), IoError>,
) -> Result<(), IoError> {
    check_output_folder(dir)?;
    let refused = |cause| Problem::not_written(cause).at(dir);
    let exists = fs::metadata(dir).is_ok();
    let stage_in = if exists { dir.to_path_buf() } else { existing_folder_of(dir)? };
    let stage = temporary_name(0o777).tempdir_in(stage_in).map_err(refused)?;
    fill(stage.path()).map_err(|failure| rename_in_error(failure, stage.path(), dir))?;
    if !exists {
        // From here on the name is not temporary: nothing is left to remove.
        fs::rename(stage.path(), dir).map_err(refused)?;
        let _ = stage.keep();
        return Ok(());
    }
    let mut names: Vec<_> = fs::read_dir(stage.path())
        .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect())
        .map_err(refused)?;
    names.sort_by_key(|name| (name == last, name.clone()));
    for (moved, name) in names.iter().enumerate() {
        if let Err(cause) = fs::rename(stage.path().join(name), dir.join(name)) {
            for name in &names[..moved] {
                // Move it back to the temporary folder, which is removed; errors are ignored.
                let _ = fs::rename(dir.join(name), stage.path().join(name));
            }
            return Err(refused(cause));
        }
    }
    stage.close().map_err(refused)
}

/// Puts the final path into an error, in place of the temporary one.
fn rename_in_error(failure: IoError, stage: &Path, dir: &Path) -> IoError {
    match failure.path.strip_prefix(stage) {
        Ok(inner) => IoError { path: dir.join(inner), ..failure },
        Err(_) => failure,
    }
}
