//! Printing that survives a closed pipe, and text from outside that cannot change the terminal.

use crate::failure::Failure;
use serde::Serialize;
use std::fmt::{Display, Write as _};
use std::io::{ErrorKind, Write};

/// Prints a line to standard output. A closed pipe (`| head`) is not a failure. Control characters other than line
/// breaks and tabs are escaped.
///
/// # Errors
/// If standard output cannot be written for another reason.
pub fn print_line(line: impl Display) -> Result<(), Failure> {
    print_raw(safe(&line.to_string()))
}

/// Prints a value as JSON on one line, in characters that cannot change the terminal.
///
/// # Errors
/// If the value cannot be written as JSON, or standard output cannot be written.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value).map_err(anyhow::Error::from)?;
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        // All of them lie within strings, where JSON has this notation for them.
        if is_safe(character) {
            escaped.push(character);
        } else {
            let _ = write!(escaped, "\\u{:04x}", u32::from(character));
        }
    }
    print_raw(escaped)
}

/// Prints a line with escape sequences of our own.
///
/// # Errors
/// As [`print_line`].
pub fn print_raw(line: impl Display) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match writeln!(stdout, "{line}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints a line to standard error, if that can be written: a message that nobody can read must not end a solve.
/// Control characters are escaped as in [`print_line`].
pub fn tell(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", safe(&line.to_string()));
}

/// The text, line by line, in characters that cannot change the terminal.
fn safe(text: &str) -> String {
    let mut rest = text;
    let mut safe = String::with_capacity(text.len());
    while let Some(at) = rest.find(['\n', '\t']) {
        safe.push_str(&fretsaw_io::printable(&rest[..at]));
        safe.push_str(&rest[at..=at]);
        rest = &rest[at + 1..];
    }
    safe + &fretsaw_io::printable(rest)
}

fn is_safe(character: char) -> bool {
    matches!(
        fretsaw_io::printable(character.encode_utf8(&mut [0; 4])),
        std::borrow::Cow::Borrowed(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tabs_stay_and_other_control_characters_are_escaped() {
        assert_eq!(safe("a\n\tb\u{1b}[1m\n"), "a\n\tb\\u{1b}[1m\n");
        assert!(is_safe('ä') && !is_safe('\u{9b}') && !is_safe('\u{202e}'));
    }
}
