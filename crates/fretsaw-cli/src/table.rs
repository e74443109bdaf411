//! Tables in Markdown (with aligned columns, for terminals), CSV and HTML.

pub use fretsaw_view::report::escape;
use std::fmt;

/// Rows of text under a heading.
#[derive(Clone, Debug)]
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these column names.
    pub fn new(heading: &[&str]) -> Self {
        Self { heading: heading.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// An empty table with these column names, separated by bars.
    pub fn with_columns(names: &str) -> Self {
        Self::new(&names.split('|').map(str::trim).collect::<Vec<_>>())
    }

    /// A table of rows that name their columns, which are the same in all.
    pub fn of_rows<N: AsRef<str>>(rows: impl IntoIterator<Item = Vec<(N, String)>>) -> Self {
        let mut table = Self::new(&[]);
        for row in rows {
            let (names, entries): (Vec<N>, _) = row.into_iter().unzip();
            table.heading = names.iter().map(|name| name.as_ref().to_owned()).collect();
            table.push(entries);
        }
        table
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as CSV (RFC 4180, but lines end with a line feed). Entries with commas, quotes or line feeds
    /// are quoted. An entry that a spreadsheet would take for a formula begins with an apostrophe.
    pub fn csv(&self) -> String {
        let quoted = |entry: &String| {
            let entry = &without_formula(entry);
            if entry.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", entry.replace('"', "\"\""))
            } else {
                entry.clone()
            }
        };
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        self.lines().map(line).collect()
    }

    /// The table as HTML.
    pub fn html(&self) -> String {
        let row = |row: &Vec<String>, tag: &str| {
            let entry = |entry: &String| format!("<{tag}>{}</{tag}>", escape(entry));
            format!("<tr>{}</tr>\n", row.iter().map(entry).collect::<String>())
        };
        let body: String = self.rows.iter().map(|entries| row(entries, "td")).collect();
        let heading = row(&self.heading, "th");
        format!("<table>\n<thead>\n{heading}</thead>\n<tbody>\n{body}</tbody>\n</table>\n")
    }

    /// The heading and the rows.
    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.heading).chain(&self.rows)
    }

    /// Adds a row with one entry per column.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

/// A share in percent, with two digits.
pub fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// A share in percent; a dash if there is none.
pub fn percent_or_dash(share: Option<f64>) -> String {
    share.map_or_else(|| "-".into(), percent)
}

/// An entry in Markdown: bars would end the cell, line breaks the row, and `<` may begin HTML.
fn in_markdown(entry: &str) -> String {
    let mut cell = String::with_capacity(entry.len());
    for character in entry.chars() {
        match character {
            '|' | '<' => cell.extend(['\\', character]),
            '\n' | '\r' => cell.push(' '),
            _ => cell.push(character),
        }
    }
    cell
}

/// The entry, with an apostrophe before it if a spreadsheet would take it for a formula.
fn without_formula(entry: &str) -> String {
    let may_be_formula = entry.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let is_harmless = entry == "-" || entry.parse::<f64>().is_ok();
    if may_be_formula && !is_harmless { format!("'{entry}") } else { entry.to_string() }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.heading.len())
            .map(|col| {
                self.lines()
                    .filter_map(|row| row.get(col))
                    .map(|entry| in_markdown(entry).chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for (index, row) in self.lines().enumerate() {
            for (entry, width) in row.iter().zip(&widths) {
                write!(f, "| {:<width$} ", in_markdown(entry))?;
            }
            writeln!(f, "|")?;
            if index == 0 {
                for width in &widths {
                    write!(f, "|{:-<1$}", "", width + 2)?;
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new(&["set", "N"]);
        table.push(vec!["mit-432".into(), "95.2".into()]);
        assert_eq!(
            table.to_string(),
            "| set     | N    |\n|---------|------|\n| mit-432 | 95.2 |\n"
        );
    }
    #[test]
    fn special_characters_are_escaped() {
        let mut table = Table::new(&["set", "±"]);
        table.push(vec!["a|b, \"<c>\"".into(), "1".into()]);
        let text = table.to_string();
        assert_eq!(text, "| set          | ± |\n|--------------|---|\n| a\\|b, \"\\<c>\" | 1 |\n");
        assert_eq!(table.csv(), "set,±\n\"a|b, \"\"<c>\"\"\",1\n");
        assert!(table.html().contains("<td>a|b, &quot;&lt;c&gt;&quot;</td><td>1</td>"));
    }

    #[test]
    fn a_spreadsheet_finds_no_formula_and_a_row_stays_a_row() {
        let mut table = Table::new(&["name", "value"]);
        table.push(vec!["=cmd|' /C calc'!A0".into(), "-0.5".into()]);
        table.push(vec!["@SUM(A1)".into(), "-".into()]);
        assert_eq!(table.csv(), "name,value\n'=cmd|' /C calc'!A0,-0.5\n'@SUM(A1),-\n");
        let mut table = Table::new(&["name"]);
        table.push(vec!["a\n| b".into()]);
        assert_eq!(table.to_string(), "| name   |\n|--------|\n| a \\| b |\n");
    }
}
