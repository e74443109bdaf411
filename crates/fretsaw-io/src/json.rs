//! What the three JSON documents have in common.

use crate::{IoError, Limits};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

/// Parses a document whose `format` field must be `format`. The path is for messages.
pub(crate) fn parse<T: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    format: &'static str,
) -> Result<T, IoError> {
    #[derive(Deserialize)]
    struct Tag {
        format: Option<serde_json::Value>,
    }

    let tag: Tag = serde_json::from_slice(bytes).map_err(|cause| json_error(path, &cause))?;
    let found = match tag.format {
        Some(serde_json::Value::String(found)) if found == format => {
            return serde_json::from_slice(bytes).map_err(|cause| json_error(path, &cause));
        }
        Some(found) => found.to_string(),
        None => "missing".into(),
    };
    Err(IoError::WrongFormat { path: path.into(), found, expected: format })
}

/// A document's bytes, within the limits.
pub(crate) fn read_bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>, IoError> {
    let refused = |cause| IoError::read(path, cause);
    let found = fs::metadata(path).map_err(refused)?;
    if found.is_dir() {
        return Err(IoError::IsAFolder { path: path.into() });
    }
    let max_bytes = limits.max_json_bytes;
    let too_large = |bytes| IoError::FileTooLarge { path: path.into(), bytes, max_bytes };
    if found.len() > max_bytes {
        return Err(too_large(found.len()));
    }
    // A pipe has no length, and a file may grow: the limit holds for what is read, too.
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(refused)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

fn json_error(path: &Path, failure: &serde_json::Error) -> IoError {
    if failure.is_data() {
        // The message names the value, what is expected instead, the line and the column.
        return IoError::bad_value(path, failure.to_string(), "correct the value");
    }
    IoError::JsonSyntax {
        path: path.into(),
        line: failure.line(),
        column: failure.column(),
        cause: failure.to_string(),
    }
}

/// Writes an object field by field: short fields on one line, long lists one item a line, so that
/// people can read and compare them.
pub(crate) struct ObjectWriter<W> {
    file: W,
    is_first: bool,
}

impl<W: Write> ObjectWriter<W> {
    pub(crate) const fn new(file: W) -> Self {
        Self { file, is_first: true }
    }

    pub(crate) fn field(
        &mut self,
        name: &str,
        value: &(impl Serialize + ?Sized),
    ) -> io::Result<()> {
        self.name(name)?;
        Ok(serde_json::to_writer(&mut self.file, value)?)
    }

    pub(crate) fn optional(
        &mut self,
        name: &str,
        value: Option<&(impl Serialize + ?Sized)>,
    ) -> io::Result<()> {
        value.map_or(Ok(()), |value| self.field(name, value))
    }

    pub(crate) fn list<T: Serialize>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
    ) -> io::Result<()> {
        self.name(name)?;
        self.file.write_all(b"[")?;
        let mut separator: &[u8] = b"\n    ";
        let mut end: &[u8] = b"]";
        for item in items {
            self.file.write_all(separator)?;
            serde_json::to_writer(&mut self.file, &item)?;
            separator = b",\n    ";
            end = b"\n  ]";
        }
        self.file.write_all(end)
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.write_all(if self.is_first { b"{}\n" } else { b"\n}\n" })
    }

    fn name(&mut self, name: &str) -> io::Result<()> {
        let start = if self.is_first { "{\n  " } else { ",\n  " };
        self.is_first = false;
        self.file.write_all(start.as_bytes())?;
        serde_json::to_writer(&mut self.file, name)?;
        self.file.write_all(b": ")
    }
}
