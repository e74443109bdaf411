//! `fretsaw-lab figures`: everything that documents quote, measured and written into them.

mod steps;
mod worn;

use super::Args;
use super::run::{do_runs, failed_runs};
use crate::figures::{fragment_path, refresh, stamp};
use crate::provenance;
use crate::puzzle_args::check_jobs;
use crate::run_queue::RunQueue;
use anyhow::Context;
use clap::Args as ClapArgs;
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

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab figures --list
  fretsaw-lab figures --data sets --only matcher,energy
  fretsaw-lab figures --refresh

Each step writes docs/figures/NAME.md, or a whole document. Then every block of docs/*.md and README.md \
between '<!-- figures: NAME -->' and '<!-- end figures -->' is replaced by that file. Results are kept below \
--work, by commit and version of the networks: a step that was stopped continues, one that was done is \
skipped.")]
pub(crate) struct FiguresArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "refresh"])]
    pub(crate) data: Option<PathBuf>,
    /// The folder that keeps results
    #[arg(long, value_name = "DIR", default_value = "target/figures")]
    pub(crate) work: PathBuf,
    /// The folder of documents
    #[arg(long, value_name = "DIR", default_value = "docs")]
    pub(crate) docs: PathBuf,
    /// Steps [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// List the steps, and about how many minutes each takes on two cores
    #[arg(long)]
    pub(crate) list: bool,
    /// Measure nothing: only write docs/figures/*.md into the documents
    #[arg(long)]
    pub(crate) refresh: bool,
    /// Puzzles at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

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
