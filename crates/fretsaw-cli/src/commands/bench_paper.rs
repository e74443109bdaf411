//! `fretsaw bench paper`

use super::bench::{check_jobs_and_seeds, do_runs, failed_runs, read_runs};
use super::{Talk, with_threads};
use crate::args::BenchPaperArgs;
use crate::failure::Failure;
use fretsaw_io::{IoError, check_file_target};
use fretsaw_lab::paper::document::{plots_folder, write_document};
use fretsaw_lab::paper::{Experiment, PaperRun};
use fretsaw_lab::results::read_results;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &BenchPaperArgs, talk: Talk) -> Result<(), Failure> {
    check_jobs_and_seeds(args.jobs, args.seeds)?;
    let report = report_path(args)?;
    let is_chosen = |experiment: &Experiment| {
        args.only.is_empty() || args.only.iter().any(|&arg| Experiment::from(arg) == *experiment)
    };
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
                let outcome = with_threads(args.threads, || do_runs(&queue, &args.out, talk))??;
                failures.extend(outcome.failures);
            }
            (read_results(&args.out)?.records, failures)
        }
        _ => (read_runs(&args.out, talk)?, Vec::new()),
    };
    write_document(&report, &paper, &records)?;
    talk.say(report.display());
    failed_runs(&failures, &args.out)
}

/// Where the document goes, if it can be written there.
fn report_path(args: &BenchPaperArgs) -> Result<PathBuf, Failure> {
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
        return Err(IoError::WrongKind { path: folder, found, needed }.into());
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
