//! `fretsaw-lab figures`: everything that documents quote, measured and written into them.

mod steps;

use super::run::{do_runs, failed_runs};
use crate::args::Args;
use crate::args::documents::FiguresArgs;
use crate::args::puzzles::check_jobs;
use crate::figures::{fragment_path, refresh, stamp};
use crate::provenance;
use crate::run_queue::RunQueue;
use anyhow::Context;
use clap::Parser;
use fretsaw::unstable::matching::NETWORK_VERSION;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::Table;
use fretsaw_cli::threads::{all_threads, with_threads};
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::write_text;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use steps::{STEPS, Step, Work};

/// Where pictures and results are, and how many puzzles are done at a time.
struct Lab<'a> {
    data: &'a Path,
    work: PathBuf,
    docs: &'a Path,
    jobs: usize,
    threads: usize,
}

pub(super) fn run(args: &FiguresArgs, verbosity: Verbosity) -> Result<(), Failure> {
    check_jobs(args.jobs)?;
    if args.list {
        return print_line(list());
    }
    let chosen = chosen_steps(&args.only)?;
    if let (Some(data), false) = (&args.data, args.refresh) {
        let commit = provenance::commit().unwrap_or("unknown");
        if commit == "unknown" || commit.ends_with("-dirty") {
            verbosity.warn("not built from a commit: results of other sources may be taken up");
        }
        let lab = Lab {
            data,
            work: args.work.join(format!("{commit}-networks{NETWORK_VERSION}")),
            docs: &args.docs,
            jobs: args.jobs,
            threads: args.threads.unwrap_or_else(all_threads),
        };
        let folders = [&lab.work, &args.docs.join("figures")];
        for folder in folders {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        for step in chosen {
            verbosity.say(format!("{}: about {} minutes", step.name, step.minutes));
            lab.take(step, verbosity)?;
        }
    }
    for path in refresh(&args.docs)? {
        verbosity.say(path.display());
    }
    Ok(())
}

/// The steps in a table.
fn list() -> Table {
    let mut table = Table::new(&["step", "minutes", "measures"]);
    for Step { name, minutes, about, .. } in &STEPS {
        table.push(vec![(*name).into(), minutes.to_string(), (*about).into()]);
    }
    table
}

fn chosen_steps(only: &[String]) -> Result<Vec<&'static Step>, Failure> {
    let is_known = |name: &&String| STEPS.iter().any(|step| step.name == **name);
    if let Some(name) = only.iter().find(|name| !is_known(name)) {
        return Err(Failure::Usage(format!("there is no step '{name}'; --list lists them")));
    }
    let is_chosen = |step: &&Step| only.is_empty() || only.iter().any(|name| name == step.name);
    Ok(STEPS.iter().filter(is_chosen).collect())
}

impl Lab<'_> {
    /// Does a step, unless its fragment is there.
    fn take(&self, step: &Step, verbosity: Verbosity) -> Result<(), Failure> {
        let kept = self.work.join(format!("{}.md", step.name));
        if !kept.is_file() {
            let text = match step.work {
                Work::Document(command) => return self.write_document(command),
                Work::Runs(runs, render) => {
                    let mut keys = Vec::new();
                    for run in runs() {
                        keys.extend(run.keys(self.data)?);
                    }
                    let (data, jobs) = (self.data.into(), self.jobs);
                    let queue = RunQueue { data, keys, jobs, repeats_disturbed: false };
                    // One file, so that steps share runs.
                    let out = self.work.join("runs.jsonl");
                    let run = || do_runs(&queue, &out, verbosity);
                    let outcome = with_threads(Some(self.threads), run)??;
                    failed_runs(&outcome.failures, &out)?;
                    render(&outcome.records)
                }
                Work::Tables(tables) => with_threads(Some(self.threads), || tables(self))??,
            };
            let stamp = with_threads(Some(self.threads), || stamp(step.about))?;
            write_text(&kept, &format!("{text}\n{stamp}"))?;
        }
        let text = fs::read_to_string(&kept).with_context(|| kept.display().to_string())?;
        Ok(write_text(&fragment_path(self.docs, step.name), &text)?)
    }

    /// Has another command write a document. It knows itself what is done already.
    fn write_document(&self, command: fn(&Lab<'_>) -> Vec<OsString>) -> Result<(), Failure> {
        let name = OsString::from("fretsaw-lab");
        let args = Args::try_parse_from(std::iter::once(name).chain(command(self)));
        super::run(&args.map_err(|error| Failure::Failed(error.to_string()))?)
    }
}
