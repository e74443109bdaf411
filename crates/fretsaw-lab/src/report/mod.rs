//! Reports of results: tables in Markdown and CSV, plots, and one page that holds all of it.
//!
//! The same runs give the same bytes, in whatever order they are.

pub(crate) mod chart;
pub(crate) mod plots;
pub(crate) mod tables;

use crate::groups::{Group, groups};
use crate::set_run::RunRecord;
use fretsaw_cli::table::Table;
use fretsaw_cli::table::escape;
use fretsaw_io::{IoError, write_folder, write_text};
use plots::Plot;
use std::fmt::Write;
use std::path::Path;

/// The page, written last.
const PAGE_NAME: &str = "report.html";

/// What a report is made of; a part of a document, too.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) heading: &'static str,
    /// What the table means.
    pub(crate) note: &'static str,
    pub(crate) table: Table,
}

/// The tables of a report; those without rows are left out.
pub(crate) fn sections(groups: &[Group<'_>]) -> Vec<Section> {
    let section = |heading, note, table| Section { heading, note, table };
    let settings_note = "How the runs were made. Where `jobs` is more than 1, several puzzles \
        shared the machine, and times are longer than those of one alone.";
    let all = [
        section("Scores", tables::SCORES_NOTE, tables::scores(groups)),
        section("Times", tables::TIMES_NOTE, tables::times(groups)),
        section("Spread over seeds", tables::SPREADS_NOTE, tables::spreads(groups)),
        section("Settings", settings_note, tables::settings(groups)),
    ];
    all.into_iter().filter(|section| !section.table.is_empty()).collect()
}

fn introduction(groups: &[Group<'_>]) -> String {
    let num_runs: usize = groups.iter().map(Group::num_runs).sum();
    format!("{num_runs} runs, reported by fretsaw {}.", env!("CARGO_PKG_VERSION"))
}

/// The report as Markdown; plots are referred to by the names of their files.
pub(crate) fn markdown(groups: &[Group<'_>], plots: &[Plot]) -> String {
    let mut text = format!("# Results\n\n{}\n", introduction(groups));
    // Writing to a string cannot fail.
    for Section { heading, note, table } in sections(groups) {
        let _ = write!(text, "\n## {heading}\n\n{note}\n\n{table}");
    }
    text.push_str("\n## Plots\n");
    for plot in plots {
        let _ = write!(text, "\n![{}]({}.svg)\n", plot.title, plot.name);
    }
    text
}

const STYLE: &str = "body{font-family:sans-serif;margin:2em;color:#222;background:#fff}\
table{border-collapse:collapse;font-size:90%}\
th,td{border:1px solid #ccc;padding:.2em .5em;text-align:left;white-space:nowrap}\
th{background:#eee}td:last-child{white-space:normal;overflow-wrap:anywhere}\
.wide{overflow-x:auto}figure{margin:1em 0}svg{max-width:100%;height:auto}";

/// The report as a page that needs no other file.
pub(crate) fn page(groups: &[Group<'_>], plots: &[Plot]) -> String {
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Results</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>Results</h1>\n<p>{}</p>\n",
        escape(&introduction(groups))
    );
    for Section { heading, note, table } in sections(groups) {
        let (heading, note) = (escape(heading), escape(&note.replace('`', "")));
        let _ = write!(
            text,
            "<h2>{heading}</h2>\n<p>{note}</p>\n<div class=\"wide\">\n{}</div>\n",
            table.html()
        );
    }
    text.push_str("<h2>Plots</h2>\n");
    for plot in plots {
        let _ = write!(text, "<figure>\n{}</figure>\n", plot.svg);
    }
    text.push_str("</body>\n</html>\n");
    text
}

/// The files of a report but for the plots, by name, the page last.
fn files(groups: &[Group<'_>], plots: &[Plot]) -> [(&'static str, String); 4] {
    [
        ("report.md", markdown(groups, plots)),
        ("report.csv", tables::group_figures(groups).csv()),
        ("runs.csv", tables::run_figures(groups).csv()),
        (PAGE_NAME, page(groups, plots)),
    ]
}

/// The bytes of the files of a report but for the plots, which its page holds, too.
pub(crate) fn num_bytes(records: &[RunRecord]) -> usize {
    let groups = groups(records);
    files(&groups, &plots::plots(&groups)).iter().map(|(_, text)| text.len()).sum()
}

/// Writes `report.md`, `report.csv`, `runs.csv`, the plots and `report.html` into a folder, which
/// must be new or empty. It appears whole or not at all.
pub(crate) fn write_report(dir: &Path, records: &[RunRecord]) -> Result<(), IoError> {
    let groups = groups(records);
    let plots = plots::plots(&groups);
    write_folder(dir, PAGE_NAME, |dir| {
        plots.iter().try_for_each(|plot| plot.write(dir))?;
        let files = files(&groups, &plots);
        files.iter().try_for_each(|(name, text)| write_text(&dir.join(name), text))
    })
}
