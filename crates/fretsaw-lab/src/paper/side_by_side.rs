//! Tables of our figures beside the paper's, summed up in a sentence.

use super::published::Figure;
use fretsaw_cli::table::Table;
use std::fmt;

/// A figure of ours, and the paper's where it prints one.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// What the figure is of: an entry for each of [`SideBySide::labels`].
    pub(super) labels: Vec<String>,
    /// Images and runs that ours is of.
    pub(super) counts: (usize, usize),
    pub(super) paper: Option<Figure>,
    pub(super) ours: Figure,
}

/// How figures are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contrast {
    /// By their difference; more is better.
    More,
    /// By their difference; less is better.
    Less,
    /// By their ratio; less is better.
    Faster,
}

#[derive(Clone, Debug)]
pub(super) struct SideBySide {
    /// Names of the columns that say what a figure is of.
    pub(super) labels: &'static [&'static str],
    /// Names of the columns of the paper's figures and of ours.
    pub(super) columns: [&'static str; 2],
    pub(super) contrast: Contrast,
    pub(super) rows: Vec<Row>,
}

fn figure_text(Figure { value, deviation, decimals }: Figure) -> String {
    let deviation = deviation.map_or_else(String::new, |d| format!(" ± {d:.decimals$}"));
    format!("{value:.decimals$}{deviation}")
}

impl SideBySide {
    pub(super) fn new(labels: &'static [&'static str], contrast: Contrast, rows: Vec<Row>) -> Self {
        Self { labels, columns: ["paper", "fretsaw"], contrast, rows }
    }

    fn contrast_text(&self, paper: Figure, ours: Figure) -> String {
        match self.contrast {
            Contrast::More | Contrast::Less => format!("{:+.2}", ours.value - paper.value),
            Contrast::Faster => format!("{:.1}", paper.value / ours.value),
        }
    }

    /// Better is 1, the same as far as the table shows is 0, worse is -1.
    fn standing(&self, paper: Figure, ours: Figure) -> i8 {
        let gain = match self.contrast {
            Contrast::More => ours.value - paper.value,
            Contrast::Less | Contrast::Faster => paper.value - ours.value,
        };
        if gain.abs() < 0.005 {
            0
        } else if gain > 0.0 {
            1
        } else {
            -1
        }
    }

    fn table(&self) -> Table {
        let contrast = match self.contrast {
            Contrast::More | Contrast::Less => "difference",
            Contrast::Faster => "times as fast",
        };
        let mut heading = self.labels.to_vec();
        heading.extend(["images", "runs"]);
        heading.extend(self.columns);
        heading.push(contrast);
        let mut table = Table::new(&heading);
        for Row { labels, counts, paper, ours } in &self.rows {
            let mut entries = labels.clone();
            entries.extend([counts.0.to_string(), counts.1.to_string()]);
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
            entries.push(or_dash(paper.map(figure_text)));
            entries.push(figure_text(*ours));
            entries.push(or_dash(paper.map(|paper| self.contrast_text(paper, *ours))));
            table.push(entries);
        }
        table
    }

    /// How many of the paper's figures are surpassed, and which are not.
    fn in_words(&self) -> String {
        let (better, worse) = match self.contrast {
            Contrast::More => ("Above", "below"),
            Contrast::Less => ("Smaller (better) than", "larger (worse)"),
            Contrast::Faster => ("Faster than", "slower"),
        };
        let (mut num_better, mut num_equal, mut num_figures) = (0, 0, 0);
        let mut fall_short = Vec::new();
        for Row { labels, paper, ours, .. } in &self.rows {
            let Some(paper) = *paper else { continue };
            num_figures += 1;
            match self.standing(paper, *ours) {
                0 => num_equal += 1,
                1 => num_better += 1,
                _ => {
                    let contrast = self.contrast_text(paper, *ours);
                    fall_short.push(format!("{} ({contrast})", labels.join(" ")));
                }
            }
        }
        if self.rows.is_empty() {
            return "There are too few runs for a figure.".into();
        }
        if num_figures == 0 {
            return "The paper has no figures for these sets.".into();
        }
        let fall_short = if fall_short.is_empty() { "none".into() } else { fall_short.join(", ") };
        format!(
            "{better} the paper in {num_better} of {num_figures} figures; equal in {num_equal}; \
             {worse} in: {fall_short}."
        )
    }
}

/// The table, and what it comes to.
impl fmt::Display for SideBySide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.table(), self.in_words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, paper: Option<f64>, ours: f64) -> Row {
        let paper = paper.map(|value| Figure { value, deviation: Some(2.0), decimals: 1 });
        let ours = Figure::new(ours, 2);
        Row { labels: vec!["mine".into(), label.into()], counts: (20, 60), paper, ours }
    }

    fn table(contrast: Contrast, rows: Vec<Row>) -> SideBySide {
        SideBySide::new(&["set", "score"], contrast, rows)
    }

    #[test]
    fn figures_that_fall_short_are_named() {
        let rows = vec![
            row("direct", Some(90.0), 91.25),
            row("neighbor", Some(95.0), 94.5),
            row("largest", Some(93.0), 93.001),
            row("perfect", None, 7.0),
        ];
        let more = table(Contrast::More, rows.clone());
        assert_eq!(
            more.in_words(),
            "Above the paper in 1 of 3 figures; equal in 1; below in: mine neighbor (-0.50)."
        );
        let text = more.table().to_string();
        assert!(text.contains("| 90.0 ± 2.0 | 91.25   | +1.25      |"), "{text}");
        assert!(text.contains("| -          | 7.00    | -          |"), "{text}");
        let less = table(Contrast::Less, rows);
        assert!(less.in_words().ends_with("larger (worse) in: mine direct (+1.25)."));
        let faster = table(Contrast::Faster, vec![row("yu", Some(60.0), 0.5)]);
        assert!(faster.table().to_string().contains("| 120.0 "));
        assert_eq!(
            faster.in_words(),
            "Faster than the paper in 1 of 1 figures; equal in 0; slower in: none."
        );
        let none = table(Contrast::More, Vec::new());
        assert_eq!(none.in_words(), "There are too few runs for a figure.");
        let own = table(Contrast::More, vec![row("perfect", None, 7.0)]);
        assert_eq!(own.in_words(), "The paper has no figures for these sets.");
    }
}
