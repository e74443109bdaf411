//! Reading and writing JSON documents.

use crate::IoError;
use fretsaw::puzzle::MAX_PIECES;
use serde::de::{self, DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::cell::Cell;
use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;

/// Parses a document whose `format` field must be `format`. The path is for messages.
pub(crate) fn parse<T: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    format: &str,
) -> Result<T, IoError> {
    #[derive(Deserialize)]
    struct Tag {
        format: Option<SmallValue>,
    }

    #[derive(Deserialize)]
    struct SmallValue(#[serde(deserialize_with = "small_value")] Value);

    let tag: Tag = serde_json::from_slice(bytes).map_err(|cause| json_error(path, &cause))?;
    let found = match tag.format.map(|SmallValue(found)| found) {
        Some(Value::String(found)) if found == format => {
            return serde_json::from_slice(bytes).map_err(|cause| json_error(path, &cause));
        }
        None | Some(Value::Null) => "missing".into(),
        Some(found) => found.to_string(),
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

/// The most items of a list. A puzzle has at most a million pieces, and two seams for each.
const MAX_ITEMS: usize = 2 * MAX_PIECES;

/// The most values in a field of any form, and the most bytes of a text in it.
const MAX_VALUES: usize = 10_000;
const MAX_TEXT_BYTES: usize = 64 << 10;

/// Reads a list, which must not have more items than any puzzle needs: items in memory are larger than in the file.
pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Items<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element()? {
                if list.len() == MAX_ITEMS {
                    let what = format!("a list of more than {MAX_ITEMS} items is too long");
                    return Err(de::Error::custom(what));
                }
                list.push(item);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(Items(PhantomData))
}

/// Reads a value of any form that is not large.
pub(crate) fn small_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Small { left: &Cell::new(MAX_VALUES) }.deserialize(deserializer)
}

/// Reads a value of any form, and counts the values in it down.
#[derive(Clone, Copy)]
struct Small<'a> {
    left: &'a Cell<usize>,
}

impl Small<'_> {
    fn count<E: de::Error>(self, num_bytes: usize) -> Result<(), E> {
        let left = self.left.get().checked_sub(1).filter(|_| num_bytes <= MAX_TEXT_BYTES);
        self.left.set(left.ok_or_else(|| {
            E::custom(format!(
                "a field of more than {MAX_VALUES} values or with a text of more than {MAX_TEXT_BYTES} bytes is too \
                 large"
            ))
        })?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Small<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Small<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        self.count(0).map(|()| Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        self.count(0).map(|()| value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        self.count(0).map(|()| value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        self.count(0).map(|()| value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        self.count(0).map(|()| value.into())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        self.count(value.len()).map(|()| value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.count(0)?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.count(0)?;
        let mut object = serde_json::Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            self.count(name.len())?;
            object.insert(name, entries.next_value_seed(self)?);
        }
        Ok(Value::Object(object))
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
