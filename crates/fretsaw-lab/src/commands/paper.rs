//! `fretsaw-lab paper`

use super::check_report;
use super::results::read_runs;
use super::run::{do_runs, failed_runs};
use crate::paper::document::{plots_folder, write_document};
use crate::paper::{Experiment, PaperRun};
use crate::puzzle_args::{check_jobs, check_positive};
use crate::results::read_results;
use clap::Args as ClapArgs;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::Problem;
use std::path::{Path, PathBuf};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab paper --data sets --out results.jsonl --jobs 2
  fretsaw-lab paper --data sets --out results.jsonl --only comparison,times --sets mit-432
  fretsaw-lab paper --out results.jsonl --report-only

Runs that RESULTS already holds are not repeated, and runs that several experiments share are done \
once. Runs of 'times' are done one at a time, whatever --jobs says, and are repeated if they were \
not. Sets of the paper take part in an experiment where they do in the paper, other sets always. The \
document shows the experiments and sets that are chosen.")]
pub(crate) struct PaperArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR", required_unless_present = "report_only")]
    pub(crate) data: Option<PathBuf>,
    /// The results, one JSON line per run
    #[arg(long, value_name = "RESULTS")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) paper: PaperRun,
    /// The document to write, ending in .md; plots go to a folder of its name without that ending.
    /// Default: beside RESULTS, results-reproduction.md for results.jsonl
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Run nothing: write the document from what RESULTS holds
    #[arg(long)]
    pub(crate) report_only: bool,
    /// Puzzles to solve at a time, but for 'times'
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

pub(super) fn run(args: &PaperArgs, verbosity: Verbosity) -> Result<(), Failure> {
    check_jobs(args.jobs)?;
    check_positive("--seeds", args.paper.num_seeds)?;
    let report = report_path(args)?;
    let is_chosen = |experiment: &Experiment| args.paper.experiments.contains(experiment);
    let experiments = Experiment::ALL.into_iter().filter(is_chosen).collect();
    let paper = PaperRun { experiments, ..args.paper.clone() };
    let (records, failures) = match &args.data {
        Some(data) if !args.report_only => {
            check_sets(&paper, data)?;
            let mut failures = Vec::new();
            for queue in paper.queues(data, args.jobs)? {
                let outcome =
                    with_threads(args.threads, || do_runs(&queue, &args.out, verbosity))??;
                failures.extend(outcome.failures);
            }
            (read_results(&args.out)?.records, failures)
        }
        _ => (read_runs(&args.out, verbosity)?, Vec::new()),
    };
    write_document(&report, &paper, &records)?;
    verbosity.say(report.display());
    failed_runs(&failures, &args.out)
}

/// Where the document goes, if it can be written there.
fn report_path(args: &PaperArgs) -> Result<PathBuf, Failure> {
    let path = args.report.clone().unwrap_or_else(|| {
        let mut name = args.out.file_stem().unwrap_or_default().to_owned();
        name.push("-reproduction.md");
        args.out.with_file_name(name)
    });
    check_report(&path)?;
    let folder = plots_folder(&path);
    if folder.exists() && !folder.is_dir() {
        let (found, needed) = ("a file", "a folder for the plots");
        return Err(Problem::wrong_kind(found, needed).at(folder).into());
    }
    Ok(path)
}

/// Refuses to begin what would end at a set that is not there.
fn check_sets(paper: &PaperRun, data: &Path) -> Result<(), Failure> {
    let sets = paper.sets_in_use();
    if sets.is_empty() {
        return Err(Failure::Usage(
            "none of --sets takes part in the experiments of --only; choose others".into(),
        ));
    }
    for set in sets {
        let folder = data.join(set);
        if !folder.is_dir() {
            return Err(Failure::Usage(format!(
                "{}: no such folder; --data must hold one folder of pictures for each of {}. \
                 'docs/datasets.md' tells where to find the paper's sets; --sets chooses some of \
                 them, or others",
                folder.display(),
                paper.sets.join(", ")
            )));
        }
    }
    Ok(())
}
