//! Reading and writing JSON documents.

use crate::IoError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

/// Parses a document whose `format` field must be `format`. The path is for messages.
pub(crate) fn parse<T: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    format: &str,
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
    Err(IoError::bad_value(
        path,
        format!("its \"format\" is {found}, but {format:?} is needed"),
        "name the right file, or one written by this version of fretsaw",
    ))
}

fn json_error(path: &Path, failure: &serde_json::Error) -> IoError {
    if failure.is_data() {
        // The message names the value, what is expected instead, the line and the column.
        return IoError::bad_value(path, failure, "correct the value");
    }
    let (line, column) = (failure.line(), failure.column());
    let what = format!("line {line}, column {column} is not JSON: {failure}");
    IoError::bad_value(path, what, "correct it or write the file again")
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
