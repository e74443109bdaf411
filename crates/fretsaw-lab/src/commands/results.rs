//! `fretsaw-lab report` and `fretsaw-lab compare`

use crate::compare::{self, Selection};
use crate::report::write_report;
use crate::results::{read_lines, result_files, results_of};
use crate::set_run::RunRecord;
use crate::summary::summary_of_halves;
use clap::Args as ClapArgs;
use fretsaw::settings::{Matcher, Measure};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::check_output_folder;
use std::path::{Path, PathBuf};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab report results.jsonl --out report

Writes report.html, one page that needs no other file; the same as report.md with plots in SVG; and \
report.csv, a line per set, type, corruption, method, measure and matcher, and runs.csv, a line per run.")]
pub(crate) struct ReportArgs {
    /// The results, as 'fretsaw-lab run --out' writes them, or a folder of such files
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

Pairs runs of the same set, image, seed, type, piece and corruption. If each file has one method, the \
two are compared; if one has several, only runs of the same method are paired. The same goes for \
measures and matchers. Differences are B less A.")]
pub(crate) struct CompareArgs {
    /// Results to compare with: a file, or a folder of files
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

pub(super) fn report(args: &ReportArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let out = args.out.clone().unwrap_or_else(|| {
        let mut name = args.results.file_stem().unwrap_or_default().to_owned();
        name.push("-report");
        args.results.with_file_name(name)
    });
    check_output_folder(&out)?;
    let runs = read_runs(&args.results, verbosity)?;
    write_report(&out, &runs)?;
    if args.halves {
        print_line(summary_of_halves(&runs))?;
    }
    verbosity.say(format!("{} runs: {}", runs.len(), out.join("report.html").display()));
    Ok(())
}

pub(super) fn compare(args: &CompareArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let (a, b) = (read_runs(&args.a, verbosity)?, read_runs(&args.b, verbosity)?);
    let [of_a, of_b] = [
        (&args.method_a, args.measure_a, args.matcher_a),
        (&args.method_b, args.measure_b, args.matcher_b),
    ]
    .map(|(method, measure, matcher)| Selection { method: method.clone(), measure, matcher });
    let comparison = compare::compare(&a, &of_a, &b, &of_b)
    .map_err(|error| {
        Failure::Usage(format!(
            "{error}; choose with --method-a, --method-b, --measure-a, --measure-b, --matcher-a and \
             --matcher-b"
        ))
    })?;
    if args.json {
        print_line(serde_json::to_string(&comparison).map_err(anyhow::Error::from)?)
    } else {
        print_line(comparison)
    }
}

/// The runs of a file of results, or of all files of a folder; at least one.
pub(super) fn read_runs(path: &Path, verbosity: Verbosity) -> Result<Vec<RunRecord>, Failure> {
    let mut all = Vec::new();
    for file in result_files(path)? {
        let lines = read_lines(&file)?;
        if lines.is_cut_off {
            verbosity.warn(format!(
                "{}: the last line is cut off and is passed over; 'run' with this --out would \
                 do its run again",
                file.display()
            ));
        }
        all.extend(lines.records);
    }
    let results = results_of(all)?;
    let name = path.display();
    if results.num_replaced > 0 {
        verbosity.warn(format!(
            "{name}: {} lines are of runs that a later line holds too; the later one counts",
            results.num_replaced
        ));
    }
    if results.records.is_empty() {
        let out = if path.is_dir() { path.join("1.jsonl") } else { path.into() };
        return Err(Failure::Failed(format!(
            "{name}: holds no runs; fill it with 'fretsaw-lab run --out {}'",
            out.display()
        )));
    }
    Ok(results.records)
}
