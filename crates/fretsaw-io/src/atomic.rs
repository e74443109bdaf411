//! Atomic writing of files and folders: they appear complete or not at all.

use crate::{IoError, Problem, faults};
use image::{ImageError, ImageResult};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
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
    /// A new or existing regular file, links resolved, the folder it lies in, and the permissions of an existing file,
    /// which the new one gets.
    Regular { file: PathBuf, folder: PathBuf, permissions: Option<Permissions> },
    /// A pipe or a device, which is written to and never replaced.
    Stream,
}

/// Finds the target of a file, with all checks that are possible without writing.
pub(crate) fn check_target(path: &Path) -> Result<Target, IoError> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(Problem::wrong_kind("a folder", "a file").at(path)),
        Ok(found) if !found.is_file() => Ok(Target::Stream),
        // The file behind a link is replaced, not the link.
        Ok(found) => {
            let file =
                fs::canonicalize(path).map_err(|cause| Problem::not_written(cause).at(path))?;
            check_may_replace(path, &file, &found.permissions())?;
            let folder = folder_of(&file);
            Ok(Target::Regular { file, folder, permissions: Some(found.permissions()) })
        }
        Err(cause) => {
            if path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| is_separator(byte)) {
                return Err(Problem::usage(
                    "ends like the name of a folder, but a file is needed; leave out the last character",
                )
                .at(path));
            }
            let folder = existing_folder_of(path)?;
            match cause.kind() {
                io::ErrorKind::NotFound => {
                    Ok(Target::Regular { file: path.into(), folder, permissions: None })
                }
                io::ErrorKind::InvalidFilename => {
                    Err(Problem::usage("the name is too long for a file; give a shorter one")
                        .at(path))
                }
                _ => Err(Problem::not_written(cause).at(path)),
            }
        }
    }
}

fn is_separator(byte: u8) -> bool {
    std::path::is_separator(char::from(byte))
}

/// Refuses to replace a file that may not be written to, although its folder may be.
fn check_may_replace(path: &Path, file: &Path, permissions: &Permissions) -> Result<(), IoError> {
    let may_be_written = || File::options().append(true).open(file).is_ok();
    if permissions.readonly() || !may_be_written() {
        let what = "exists and is read-only; name another file, or allow writing to it";
        return Err(Problem::usage(what).at(path));
    }
    Ok(())
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

/// Writes what `write` writes. The file appears whole or not at all; an existing file is replaced.
pub fn write_streamed(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), IoError> {
    write_file(path, |file| Ok(write(file)?))
}

/// A file that is being written.
pub(crate) type Output<'a> = BufWriter<Faulty<'a>>;

/// A file whose operations may fail on purpose.
pub(crate) struct Faulty<'a>(&'a mut File);

impl Write for Faulty<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        faults::step()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for Faulty<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        faults::step()?;
        self.0.seek(to)
    }
}

/// Writes a file under a temporary name in its folder, forces it to disk, and renames it at the end.
///
/// After a failure of this program or of the machine the target is as it was before, or whole and new.
pub(crate) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut Output<'_>) -> ImageResult<()>,
) -> Result<(), IoError> {
    let refused = |cause| Problem::not_written(cause).at(path);
    match check_target(path)? {
        Target::Stream => {
            let mut file = File::options().write(true).open(path).map_err(refused)?;
            fill(path, &mut file, write)
        }
        Target::Regular { file: target, folder, permissions } => {
            let mut temporary = {
                // Made and listed at once, so that none is missed.
                let mut listed = temporary_files();
                faults::step().map_err(refused)?;
                let made = temporary_name(0o666).tempfile_in(&folder).map_err(refused)?;
                listed.push(made.path().into());
                made
            };
            let name = temporary.path().to_path_buf();
            let filled = fill(path, temporary.as_file_mut(), write);
            let written = filled.and_then(|()| {
                // The content before the name, so that the name never stands for half a file.
                synced(temporary.as_file(), permissions).map_err(refused)?;
                faults::step().map_err(refused)?;
                temporary.persist(target).map_err(|failure| refused(failure.error))
            });
            temporary_files().retain(|listed| *listed != name);
            written?;
            sync_folder(&folder).map_err(refused)
        }
    }
}

/// Gives a file its permissions, if they are known, and forces it to disk.
fn synced(file: &File, permissions: Option<Permissions>) -> io::Result<()> {
    if let Some(permissions) = permissions {
        faults::step()?;
        file.set_permissions(permissions)?;
    }
    faults::step()?;
    file.sync_all()
}

/// Forces the names in a folder to disk, where the system can do that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    faults::step()?;
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot, and a folder may be written but not read.
        Err(cause)
            if matches!(
                cause.kind(),
                io::ErrorKind::InvalidInput
                    | io::ErrorKind::Unsupported
                    | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        outcome => outcome,
    }
}

/// Writes a new file directly under its name, inside a folder that is itself temporary.
pub(crate) fn write_new_file(
    path: &Path,
    write: impl FnOnce(&mut Output<'_>) -> ImageResult<()>,
) -> Result<(), IoError> {
    faults::step().map_err(|cause| Problem::not_written(cause).at(path))?;
    let mut file = File::create_new(path).map_err(|cause| Problem::not_written(cause).at(path))?;
    fill(path, &mut file, write)
}

fn fill(
    path: &Path,
    file: &mut File,
    write: impl FnOnce(&mut Output<'_>) -> ImageResult<()>,
) -> Result<(), IoError> {
    let mut buffered = BufWriter::new(Faulty(file));
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
    faults::step().map_err(refused)?;
    let stage = temporary_name(0o777).tempdir_in(stage_in).map_err(refused)?;
    fill(stage.path()).map_err(|failure| rename_in_error(failure, stage.path(), dir))?;
    if !exists {
        // From here on the name is not temporary: nothing is left to remove.
        faults::step().and_then(|()| fs::rename(stage.path(), dir)).map_err(refused)?;
        let _ = stage.keep();
        return Ok(());
    }
    let mut names: Vec<_> = fs::read_dir(stage.path())
        .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect())
        .map_err(refused)?;
    names.sort_by_key(|name| (name == last, name.clone()));
    for (moved, name) in names.iter().enumerate() {
        let renamed =
            faults::step().and_then(|()| fs::rename(stage.path().join(name), dir.join(name)));
        if let Err(cause) = renamed {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::with_fault_at;
    use crate::limits::read_bytes;

    fn names(dir: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
        let mut names: Vec<String> =
            fs::read_dir(dir).unwrap().map(|entry| name(entry).unwrap()).collect();
        names.sort();
        names
    }

    /// Fails every operation of a task in turn, and calls `check` with each outcome. Returns how many there were.
    fn fail_each<T>(run: impl Fn() -> T, check: impl Fn(u32, T)) -> u32 {
        for number in 0.. {
            let (outcome, has_failed) = with_fault_at(number, &run);
            if !has_failed {
                return number;
            }
            check(number, outcome);
        }
        unreachable!("tasks end")
    }

    #[test]
    fn whatever_fails_leaves_the_old_file_or_the_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answer.txt");
        // More than the buffer holds, so that there are several writes.
        let new = "new".repeat(10_000);
        let write = || {
            write_streamed(&path, |file| {
                new.as_bytes().chunks(5000).try_for_each(|chunk| file.write_all(chunk))
            })
        };
        fs::write(&path, "old").unwrap();
        let num_operations = fail_each(write, |number, outcome| {
            let message = outcome.unwrap_err().to_string();
            assert!(message.contains("answer.txt") && message.contains("on purpose"), "{message}");
            let found = fs::read_to_string(&path).unwrap();
            assert!(found == "old" || found == new, "operation {number}: {} bytes", found.len());
            assert_eq!(names(dir.path()), ["answer.txt"], "operation {number}");
        });
        // Creating, some writes, permissions, sync, rename, and the sync of the folder.
        assert!(num_operations >= 8, "{num_operations}");
        assert_eq!(fs::read_to_string(&path).unwrap(), new);
    }

    #[test]
    fn whatever_fails_leaves_no_folder_or_a_whole_one() {
        let dir = tempfile::tempdir().unwrap();
        for exists in [false, true] {
            let path = dir.path().join(format!("folder {exists}"));
            if exists {
                fs::create_dir(&path).unwrap();
            }
            let fill = |stage: &Path| {
                write_new_file(&stage.join("a"), |file| Ok(file.write_all(b"a")?))?;
                write_new_file(&stage.join("z"), |file| Ok(file.write_all(b"z")?))
            };
            let num_operations = fail_each(
                || write_folder(&path, "z", fill),
                |number, outcome| {
                    assert!(outcome.is_err(), "operation {number}");
                    assert_eq!(path.exists(), exists, "operation {number}");
                    if exists {
                        assert!(names(&path).is_empty(), "operation {number}");
                    }
                },
            );
            assert!(num_operations >= 6, "{num_operations}");
            assert_eq!(names(&path), ["a", "z"]);
        }
    }

    #[test]
    fn a_read_that_fails_is_an_error_that_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("document.json");
        fs::write(&path, "{}").unwrap();
        let num_operations = fail_each(
            || read_bytes(&path, 100),
            |_, outcome| assert!(outcome.unwrap_err().to_string().contains("document.json")),
        );
        assert!(num_operations >= 2, "{num_operations}");
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_mode_and_a_read_only_one_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answer.txt");
        for mode in [0o600, 0o640, 0o664] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            write_text(&path, "new").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        for refused in [check_file_target(&path), write_text(&path, "newer")] {
            let refused = refused.unwrap_err();
            assert!(refused.is_usage() && refused.to_string().contains("read-only"), "{refused}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn a_name_that_is_too_long_is_refused_beforehand() {
        let dir = tempfile::tempdir().unwrap();
        let refused = check_file_target(&dir.path().join("n".repeat(300))).unwrap_err();
        assert!(refused.is_usage() && refused.to_string().contains("too long"), "{refused}");
    }
}
