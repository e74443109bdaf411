//! Text from outside, such as file names, made safe to print.

use std::borrow::Cow;
use std::path::Path;

/// The text with every character escaped that could move the cursor, colour the terminal, start a line of its own or
/// reverse the reading direction: `\u{1b}` for the escape character.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' => safe.push_str("\\n"),
            '\t' => safe.push_str("\\t"),
            '\r' => safe.push_str("\\r"),
            _ if is_unsafe(character) => safe.extend(character.escape_unicode()),
            _ => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

/// A path for messages.
pub(crate) fn printable_path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Whether a character is a control character, of the first or the second set, or changes the reading direction.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_the_terminal_is_escaped() {
        assert!(matches!(printable("Käse 1.png"), Cow::Borrowed("Käse 1.png")));
        assert_eq!(printable("\u{1b}[2Jx\n\ty\r"), "\\u{1b}[2Jx\\n\\ty\\r");
        assert_eq!(printable("a\u{9b}1m\u{7f}"), "a\\u{9b}1m\\u{7f}");
        assert_eq!(printable("gpj.\u{202e}png"), "gpj.\\u{202e}png");
    }
}
