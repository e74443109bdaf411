//! `fretsaw-lab paper`

use super::results::read_runs;
use super::run::{do_runs, failed_runs};
use crate::args::documents::PaperArgs;
use crate::args::puzzles::check_jobs;
use crate::paper::document::{plots_folder, write_document};
use crate::paper::{Experiment, PaperRun};
use crate::results::read_results;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{Problem, check_file_target};
use std::path::{Path, PathBuf};

pub(super) fn run(args: &PaperArgs, verbosity: Verbosity) -> Result<(), Failure> {
    check_jobs(args.jobs)?;
    if args.seeds == 0 {
        return Err(Failure::Usage("--seeds must be at least 1".into()));
    }
    let report = report_path(args)?;
    let is_chosen =
        |experiment: &Experiment| args.only.is_empty() || args.only.contains(experiment);
    let paper = PaperRun {
        experiments: Experiment::ALL.into_iter().filter(is_chosen).collect(),
        sets: args.sets.clone(),
        num_seeds: args.seeds,
    };
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
    if path.extension().is_none_or(|ending| ending != "md") {
        return Err(Failure::Usage(format!(
            "--report is {}; its name must end in .md",
            path.display()
        )));
    }
    check_file_target(&path)?;
    let folder = plots_folder(&path);
    if folder.exists() && !folder.is_dir() {
        let (found, needed) = ("a file", "a folder for the plots");
        return Err(Problem::WrongKind { found, needed }.at(folder).into());
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
