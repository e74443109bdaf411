//! Files of results: one JSON line per record.

use crate::set_run::{RunKey, RunRecord};
use anyhow::{Context, ensure};
use fretsaw_io::{IoError, ProblemKind, write_text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// What files of results hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Results {
    /// The runs, each once, in the order of the lines. Of a run that occurs twice the later line
    /// counts.
    pub(crate) records: Vec<RunRecord>,
    /// Lines that a later line of the same run replaced.
    pub(crate) num_replaced: usize,
}

pub(crate) fn read_results(path: &Path) -> anyhow::Result<Results> {
    results_of(read_lines(path)?.records)
}

/// The files of results that a path names: itself, or if it is a folder those in it that end in `.jsonl`, by name.
pub(crate) fn result_files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(|cause| IoError::read(path, cause))? {
        let file = entry.map_err(|cause| IoError::read(path, cause))?.path();
        if file.extension().is_some_and(|ending| ending == "jsonl") && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

#[derive(Debug)]
pub(crate) struct Lines<T> {
    pub(crate) records: Vec<T>,
    /// Whether the file ends within a line, because its writer was killed. That line is skipped.
    pub(crate) is_cut_off: bool,
    /// Bytes up to the end of the last whole line.
    whole_bytes: u64,
}

pub(crate) fn read_lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Lines<T>> {
    let refused = |cause: std::io::Error| IoError::read(path, cause);
    let file = File::open(path).map_err(refused)?;
    lines_of(path, BufReader::new(file))
}

/// The runs of a file of results in memory.
pub(crate) fn parse_results(bytes: &[u8]) -> anyhow::Result<Results> {
    results_of(lines_of(Path::new("results"), bytes)?.records)
}

/// The longest line of a file. A record takes some kilobytes; a file of another kind may be one line without an end.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The most bytes of a file, some hundred thousand runs.
const MAX_BYTES: u64 = 512 << 20;

/// Reads lines. The path is for messages.
fn lines_of<T: DeserializeOwned>(
    path: &Path,
    mut reader: impl BufRead,
) -> anyhow::Result<Lines<T>> {
    let refused = |cause: std::io::Error| IoError::read(path, cause);
    let mut lines = Lines { records: Vec::new(), is_cut_off: false, whole_bytes: 0 };
    // Bytes, as a line can be cut off within a character.
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let mut this_line = reader.by_ref().take(MAX_LINE_BYTES + 1);
        if this_line.read_until(b'\n', &mut line).map_err(refused)? == 0 {
            break;
        }
        let name = path.display();
        ensure!(
            line.len() as u64 <= MAX_LINE_BYTES,
            "{name} line {number}: longer than the limit of {MAX_LINE_BYTES} bytes, so it is not a line of results"
        );
        if !line.ends_with(b"\n") {
            lines.is_cut_off = true;
            break;
        }
        let record = serde_json::from_slice(&line);
        let record = record.with_context(|| format!("{name} line {number}: not a line of results"));
        lines.records.push(record?);
        lines.whole_bytes += line.len() as u64;
        ensure!(
            lines.whole_bytes <= MAX_BYTES,
            "{name}: more than the limit of {MAX_BYTES} bytes; divide it into several files"
        );
    }
    Ok(lines)
}

/// The runs of the lines of one or several files.
pub(crate) fn results_of(lines: Vec<RunRecord>) -> anyhow::Result<Results> {
    let mut results = Results::default();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for record in lines {
        let place = *places.entry(identity(&record.key)?).or_insert(results.records.len());
        match results.records.get_mut(place) {
            Some(earlier) => {
                *earlier = record;
                results.num_replaced += 1;
            }
            None => results.records.push(record),
        }
    }
    Ok(results)
}

/// Writes records, one JSON line each. An existing file is replaced.
pub(crate) fn write_lines(path: &Path, records: &[impl Serialize]) -> anyhow::Result<()> {
    let mut text = String::new();
    for record in records {
        text += &serde_json::to_string(record)?;
        text.push('\n');
    }
    Ok(write_text(path, &text)?)
}

/// A text that is the same for equal keys.
pub(crate) fn identity(key: &RunKey) -> anyhow::Result<String> {
    Ok(serde_json::to_string(key)?)
}

/// Appends records to a file.
#[derive(Debug)]
pub(crate) struct LineWriter {
    path: PathBuf,
    file: File,
}

impl LineWriter {
    /// Opens or creates a file, reads it, and removes an incomplete last line.
    pub(crate) fn open<T: DeserializeOwned>(path: &Path) -> anyhow::Result<(Self, Lines<T>)> {
        let is_missing = |error: &anyhow::Error| {
            let cause = error.downcast_ref::<IoError>();
            cause.is_some_and(|cause| cause.problem.kind == ProblemKind::NoSuchInput)
        };
        let lines = match read_lines(path) {
            Err(error) if is_missing(&error) => {
                Lines { records: Vec::new(), is_cut_off: false, whole_bytes: 0 }
            }
            other => other.with_context(|| {
                format!("cannot append to {}; use another --out", path.display())
            })?,
        };
        let cannot_write = || format!("cannot write {}", path.display());
        if lines.is_cut_off {
            let file = OpenOptions::new().write(true).open(path).with_context(cannot_write)?;
            file.set_len(lines.whole_bytes).with_context(cannot_write)?;
        }
        let file =
            OpenOptions::new().create(true).append(true).open(path).with_context(cannot_write)?;
        Ok((Self { path: path.into(), file }, lines))
    }

    pub(crate) fn append(&mut self, record: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        self.file
            .write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;

    fn line(record: &RunRecord) -> String {
        serde_json::to_string(record).unwrap() + "\n"
    }

    #[test]
    fn a_line_cut_off_within_a_character_is_removed_before_the_next_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.jsonl");
        let records = [record("öl.png", 1, 0.5), record("öl.png", 2, 0.6)];
        let second = line(&records[1]);
        let cut = second.find('ö').unwrap() + 1;
        let mut bytes = line(&records[0]).into_bytes();
        bytes.extend(&second.as_bytes()[..cut]);
        std::fs::write(&path, bytes).unwrap();

        let (mut writer, found) = LineWriter::open::<RunRecord>(&path).unwrap();
        assert!(found.is_cut_off);
        assert_eq!(found.records, records[..1]);
        writer.append(&records[1]).unwrap();
        let found = read_lines::<RunRecord>(&path).unwrap();
        assert_eq!((found.is_cut_off, &found.records[..]), (false, &records[..]));
    }

    #[test]
    fn a_line_that_does_not_end_is_refused_before_it_fills_the_memory() {
        let endless = std::io::BufReader::new(std::io::repeat(b'1'));
        let refused = lines_of::<RunRecord>(Path::new("r.jsonl"), endless).unwrap_err().to_string();
        assert!(
            refused.contains("r.jsonl line 1") && refused.contains("1048576 bytes"),
            "{refused}"
        );
        // A cut-off line within the limit is passed over as usual.
        let cut_off = vec![b'1'; usize::try_from(MAX_LINE_BYTES).unwrap()];
        let found = lines_of::<RunRecord>(Path::new("r.jsonl"), &cut_off[..]).unwrap();
        assert!(found.is_cut_off && found.records.is_empty());
    }

    #[test]
    fn a_run_counts_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.jsonl");
        let records = [0.5, 0.6].map(|neighbor| record("1.png", 1, neighbor));
        std::fs::write(&path, records.each_ref().map(line).concat()).unwrap();
        let found = read_results(&path).unwrap();
        assert_eq!((found.num_replaced, &found.records[..]), (1, &records[1..]));
    }
}
