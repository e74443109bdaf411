//! The flags of `run`, `report` and `compare`.

use super::puzzles::PuzzleArgs;
use crate::set_run::MethodKey;
use clap::Args as ClapArgs;
use fretsaw::{Effort, Matcher, Measure};
use fretsaw_cli::by_name::by_name;
use serde_json::Value;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab run --data sets --sets mit-432,mcgill-540 --measures mgc,seam --out results.jsonl
  fretsaw-lab run --data sets --sets mit-432 --efforts fast,normal,high --out results.jsonl
  fretsaw-lab run --data sets --sets mine --methods gcl --set iterations=0 --out results.jsonl
  fretsaw-lab run --data sets --sets pomeranz-3300 --cells 24x18 --out results.jsonl

Each set is a folder of pictures below --data. Runs that --out already holds are not repeated. Results
name the set of --cells 24x18 'mine (middle 24x18)'. --set changes every method that has the setting; names are
those of the settings in the results.")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// The results, one JSON line per run
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Average pictures of odd and of even number apart
    #[arg(long)]
    pub(crate) halves: bool,
    /// Methods
    #[arg(long, value_delimiter = ',', default_value = "fretsaw",
          value_parser = by_name(MethodKey::all(), MethodKey::name))]
    pub(crate) methods: Vec<MethodKey>,
    /// Efforts of the method 'fretsaw', each a run; not for type 3 [default: normal]
    #[arg(long, value_delimiter = ',', value_parser = by_name(Effort::ALL, Effort::name))]
    pub(crate) efforts: Vec<Effort>,
    /// Measures, each with every method [default: mgc; for 'fretsaw' seam, and mgc for type 3]
    #[arg(long, value_delimiter = ',', value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measures: Vec<Measure>,
    /// Matchers, for types 1 and 2 [default: learned with the measure seam, ratio with others]
    #[arg(long, value_delimiter = ',', value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matchers: Vec<Matcher>,
    /// A setting of a method, such as rounds=3, reading=text or update.solution-share=0.4
    #[arg(long = "set", value_name = "SETTING=VALUE", value_parser = parse_setting)]
    pub(crate) settings: Vec<(String, Value)>,
}

/// Parses "name=value"; a value that is not JSON is a text.
fn parse_setting(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("it must be SETTING=VALUE, as in rounds=3")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((name.into(), value))
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab report results.jsonl --out report

Writes report.html, one page that needs no other file; the same as report.md with plots in SVG; and
report.csv, a line per set, type, corruption, method, measure and matcher, and runs.csv, a line per run.")]
pub(crate) struct ReportArgs {
    /// The results, as 'fretsaw-lab run --out' writes them
    #[arg(value_name = "RESULTS")]
    pub(crate) results: PathBuf,
    /// The folder to write to; must be new or empty [default: results-report beside results.jsonl]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print mean scores of pictures of odd and of even number apart, too
    #[arg(long)]
    pub(crate) halves: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab compare before.jsonl after.jsonl
  fretsaw-lab compare results.jsonl results.jsonl --method-a gallagher --method-b yu

Pairs runs of the same set, image, seed, type, piece and corruption. If each file has one method, the
two are compared; if one has several, only runs of the same method are paired. The same goes for
measures and matchers. Differences are B less A.")]
pub(crate) struct CompareArgs {
    /// Results to compare with
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// Results to compare
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// The method to take from A, as reports print it: 'yu', or 'yu rounds 3' in quotes
    #[arg(long, value_name = "METHOD")]
    pub(crate) method_a: Option<String>,
    /// The method to take from B
    #[arg(long, value_name = "METHOD")]
    pub(crate) method_b: Option<String>,
    /// The measure to take from A
    #[arg(long, value_name = "MEASURE", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure_a: Option<Measure>,
    /// The measure to take from B
    #[arg(long, value_name = "MEASURE", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure_b: Option<Measure>,
    /// The matcher to take from A
    #[arg(long, value_name = "MATCHER", value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matcher_a: Option<Matcher>,
    /// The matcher to take from B
    #[arg(long, value_name = "MATCHER", value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matcher_b: Option<Matcher>,
    /// Print JSON; shares 0 to 1 instead of percent
    #[arg(long)]
    pub(crate) json: bool,
}
