//! No output is an input, and no two outputs are the same file. Checked before a solve.

use fretsaw_cli::failure::Failure;
use fretsaw_cli::input_args::InputArgs;
use fretsaw_io::{FileId, PuzzleInput, input_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files with the flags or words by which the user knows them.
pub(crate) type Named<'a> = Vec<(&'a str, PathBuf)>;

/// The files that a command reads and writes.
#[derive(Debug, Default)]
pub(crate) struct FileNames<'a> {
    /// The files that it reads. None of them is overwritten.
    pub(crate) inputs: Named<'a>,
    /// The files that it writes.
    pub(crate) outputs: Named<'a>,
    /// The picture whose name gets a number if there turn out to be several boards.
    pub(crate) numbered: Option<PathBuf>,
    /// Two flags, input or output, that may name the same file.
    pub(crate) may_be_same: Option<(&'a str, &'a str)>,
}

/// The files that a puzzle was read from, those that were skipped left out.
pub(crate) fn files_of(args: &InputArgs, input: &PuzzleInput) -> Named<'static> {
    let skipped = input.warnings.iter().filter(|warning| warning.is_skipped);
    let skipped: BTreeSet<&Path> = skipped.map(|warning| warning.path.as_path()).collect();
    // Several sheets that were scrambled alike, or a folder that has just gone, cannot be listed.
    let found = input_files(&args.paths, &args.limits.limits());
    let found = found.unwrap_or_else(|_| args.paths.clone());
    let used = found.into_iter().filter(|path| !skipped.contains(path.as_path()));
    used.map(|path| ("INPUT", path)).collect()
}

impl FileNames<'_> {
    /// Refuses an output that is an input, a truth or a puzzle file, or another output. Links, hard links, `.` and
    /// names that differ in case only are seen through.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let mut seen: BTreeMap<FileId, &str> = BTreeMap::new();
        for (flag, path) in self.outputs.iter().filter(|(_, path)| !is_stream(path)) {
            let earlier = seen.insert(FileId::of(path), flag);
            if let Some(earlier) = earlier.filter(|&earlier| !self.may_share(earlier, flag)) {
                return Err(same_file(path, earlier, flag));
            }
            check_is_no_document(path, flag)?;
        }
        for path in self.numbered.iter().flat_map(|out| existing_boards(out)) {
            if let Some(flag) = seen.insert(FileId::of(&path), "--out") {
                return Err(same_file(&path, "--out", flag));
            }
            check_is_no_document(&path, "--out")?;
        }
        let numbered = self.numbered.as_deref();
        for (flag, path) in &self.outputs {
            if *flag != "--out" && numbered.is_some_and(|out| is_board_of(out, path)) {
                return Err(same_file(path, "--out", flag));
            }
        }
        if !seen.keys().any(FileId::exists) {
            return Ok(());
        }
        for (name, path) in &self.inputs {
            let output = FileId::of_existing(path).and_then(|id| seen.get(&id).copied());
            if let Some(flag) = output.filter(|flag| !self.may_share(flag, name)) {
                return Err(Failure::Usage(format!(
                    "{}: {flag} would overwrite this file, which is read ({name}); give {flag} another name",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    fn may_share(&self, one: &str, other: &str) -> bool {
        self.may_be_same.is_some_and(|pair| pair == (one, other) || pair == (other, one))
    }
}

/// Whether a path is a pipe or a device, which is written to and not replaced, or a folder, which the check of each
/// output refuses.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}

fn same_file(path: &Path, one: &str, other: &str) -> Failure {
    Failure::Usage(format!(
        "{}: {one} and {other} name the same file; name two files",
        path.display()
    ))
}

/// Whether a path is that of a board of several whose picture is called `out`.
fn is_board_of(out: &Path, path: &Path) -> bool {
    let text = |path: &Path| -> Option<(String, String)> {
        let stem = path.file_stem()?.to_string_lossy().to_lowercase();
        Some((stem, path.extension().unwrap_or_default().to_string_lossy().to_lowercase()))
    };
    let folder = |path: &Path| FileId::of(&path.parent().unwrap_or(Path::new("")).join("."));
    let (Some((out_stem, out_ending)), Some((stem, ending))) = (text(out), text(path)) else {
        return false;
    };
    let number = stem.strip_prefix(&out_stem).and_then(|rest| rest.strip_prefix('-'));
    ending == out_ending
        && number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())
        })
        && folder(out) == folder(path)
}

/// The files that exist and would be overwritten if there were several boards, as many as needed.
fn existing_boards(out: &Path) -> Vec<PathBuf> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| match folder {
        Some(folder) => folder.join(entry.file_name()),
        None => entry.file_name().into(),
    });
    paths.filter(|path| is_board_of(out, path)).collect()
}

/// Refuses to overwrite a truth or a puzzle file, of whatever puzzle.
fn check_is_no_document(path: &Path, flag: &str) -> Result<(), Failure> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    let mut start = Vec::new();
    // What cannot be read is no document that anyone would miss.
    let _ = File::open(path).and_then(|file| file.take(256).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    for (format, what) in [("\"fretsaw-truth/", "a truth"), ("\"fretsaw-puzzle/", "a puzzle file")]
    {
        if start.contains(format) {
            return Err(Failure::Usage(format!(
                "{}: {flag} would overwrite {what}; give {flag} another name",
                path.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_boards_are_recognized() {
        let is_board = |path: &str| is_board_of(Path::new("a/solved.png"), Path::new(path));
        assert!(is_board("a/solved-1.png") && is_board("a/solved-12.PNG"));
        for other in
            ["a/solved.png", "a/solved-.png", "a/solved-x.png", "a/solved-1.jpg", "b/solved-1.png"]
        {
            assert!(!is_board(other), "{other}");
        }
    }
}
