//! Tables in Markdown, columns aligned for reading in a terminal too.

use std::fmt;

/// Rows of text under a heading.
#[derive(Clone, Debug)]
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these column names.
    #[must_use]
    pub fn new(heading: &[&str]) -> Self {
        Self { heading: heading.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Add a row with one entry a column.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

/// Characters of an entry in Markdown.
fn width(entry: &str) -> usize {
    entry.chars().count() + entry.matches('|').count()
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = || std::iter::once(&self.heading).chain(&self.rows);
        let widths: Vec<usize> = (0..self.heading.len())
            .map(|col| {
                lines().filter_map(|row| row.get(col)).map(|entry| width(entry)).max().unwrap_or(0)
            })
            .collect();
        for (index, row) in lines().enumerate() {
            for (entry, width) in row.iter().zip(&widths) {
                // A bar would end the cell.
                write!(f, "| {:<width$} ", entry.replace('|', "\\|"))?;
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
}
