//! `fretsaw-lab run`

use crate::method_name::method_name;
use crate::puzzle_args::PuzzleArgs;
use crate::puzzle_args::check_matcher;
use crate::puzzles::PuzzleKey;
use crate::run_queue::{QueueOutcome, RunQueue};
use crate::set_run::{MethodKey, RunKey, SetRun};
use crate::summary::{summary, summary_of_halves};
use clap::Args as ClapArgs;
use fretsaw::Effort;
use fretsaw::settings::{Matcher, Measure};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab run --data sets --sets mit-432,mcgill-540 --measures mgc,seam --out results.jsonl
  fretsaw-lab run --data sets --sets mit-432 --efforts fast,normal,high --out results.jsonl
  fretsaw-lab run --data sets --sets mine --methods gcl --set iterations=0 --out results.jsonl
  fretsaw-lab run --data sets --sets pomeranz-3300 --cells 24x18 --out results.jsonl
  fretsaw-lab run --data sets --sets mit-432 --protocol lsej --erode 2 --out results.jsonl
  fretsaw-lab run --data sets --sets mine --erode 3% --light 10 --jpeg 85 --out results.jsonl
  fretsaw-lab run --data sets --sets mine --shard 2/8 --out results/2.jsonl

Each set is a folder of pictures below --data. Runs that --out already holds are not repeated. \
'report' and 'compare' merge the files of all parts in a folder. Results \
name the set of --cells 24x18 'mine (middle 24x18)'. --set changes every method that has the setting; names are \
those of the settings in the results.")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// The results, one JSON line per run
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Do only every N-th run from the I-th on, such as 2/8, for a job array; each part has an --out of its own
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub(crate) shard: Option<Shard>,
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

/// One of several parts of the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 0.
    part: usize,
    num_parts: usize,
}

/// Parses "2/8", the second of eight parts.
fn parse_shard(text: &str) -> Result<Shard, String> {
    let wrong = || format!("'{text}' is not a part such as 2/8, from 1/8 to 8/8");
    let (part, num_parts) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (part, num_parts) = (number(part)?, number(num_parts)?);
    match part {
        1.. if part <= num_parts => Ok(Shard { part: part - 1, num_parts }),
        _ => Err(wrong()),
    }
}

impl Shard {
    /// The runs of this part. Neighbours, which take about as long, go to different parts.
    fn of(self, keys: Vec<RunKey>) -> Vec<RunKey> {
        keys.into_iter().skip(self.part).step_by(self.num_parts).collect()
    }
}

/// Parses "name=value"; a value that is not JSON is a text.
fn parse_setting(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("it must be SETTING=VALUE, as in rounds=3")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((name.into(), value))
}

pub(super) fn run(args: &RunArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let puzzle_set = puzzles.puzzle_set(3)?;
    let is_fretsaw = |method: &MethodKey| matches!(method, MethodKey::Fretsaw { .. });
    let searches = args.methods.iter().any(is_fretsaw)
        && puzzles.set.types().iter().any(|puzzle_type| !puzzle_type.positions_known());
    if !args.efforts.is_empty() && !searches {
        return Err(Failure::Usage(
            "--efforts is for the method 'fretsaw' and types 1 and 2; leave it out, or give such \
             --methods and --types"
                .into(),
        ));
    }
    let with_efforts = |&method: &MethodKey| match method {
        MethodKey::Fretsaw { .. } if !args.efforts.is_empty() => {
            let effort = |&effort| MethodKey::Fretsaw { effort: Some(effort) };
            args.efforts.iter().map(effort).collect()
        }
        method => vec![method],
    };
    let mut methods: Vec<MethodKey> = args.methods.iter().flat_map(with_efforts).collect();
    for (setting, value) in &args.settings {
        set(&mut methods, setting, value)?;
    }
    let run = SetRun {
        measures: args.measures.clone(),
        matchers: args.matchers.clone(),
        ..SetRun::new(puzzle_set, &methods)
    };
    for puzzle_type in
        puzzles.set.types().into_iter().filter(|puzzle_type| !puzzle_type.positions_known())
    {
        for measure in run.methods.iter().flat_map(|&method| run.measures_of(method, puzzle_type)) {
            run.matchers.iter().try_for_each(|&matcher| check_matcher(matcher, measure))?;
        }
    }
    let keys = run.keys(&puzzles.data)?;
    let queue = RunQueue {
        data: puzzles.data.clone(),
        keys: match args.shard {
            Some(shard) => shard.of(keys),
            None => keys,
        },
        jobs: puzzles.jobs,
        repeats_disturbed: false,
    };
    let outcome = with_threads(puzzles.threads, || do_runs(&queue, &args.out, verbosity))??;
    if !outcome.records.is_empty() {
        let summary_of = if args.halves { summary_of_halves } else { summary };
        print_line(summary_of(&outcome.records))?;
    }
    failed_runs(&outcome.failures, &args.out)
}

/// Changes a setting of every method that has it.
fn set(methods: &mut [MethodKey], setting: &str, value: &Value) -> Result<(), Failure> {
    let mut is_known = false;
    for method in methods.iter_mut() {
        let changed = method.with(setting, value);
        if let Some(changed) =
            changed.map_err(|error| Failure::Usage(format!("--set: {error:#}")))?
        {
            (*method, is_known) = (changed, true);
        }
    }
    if is_known {
        return Ok(());
    }
    Err(Failure::Usage(format!("--set {setting}: none of --methods has such a setting")))
}

/// Does runs, and shows on a terminal which of them is on its turn and how long the rest will take.
pub(super) fn do_runs(
    queue: &RunQueue,
    out: &Path,
    verbosity: Verbosity,
) -> anyhow::Result<QueueOutcome> {
    let show = !verbosity.quiet && std::io::stderr().is_terminal();
    let target = if show { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta} left") {
        bar.set_style(style);
    }
    let report = |done: usize, total: usize, key: &RunKey| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.set_message(format!(
            "{} {} seed {}",
            key.puzzle.set, key.puzzle.image, key.puzzle.seed
        ));
        verbosity.detail(format!("{done}/{total} {key:?}"));
    };
    let outcome = queue.run(out, report);
    bar.finish_and_clear();
    outcome
}

/// Fails if runs did, and names the first few.
pub(super) fn failed_runs(failures: &[(RunKey, anyhow::Error)], out: &Path) -> Result<(), Failure> {
    const NAMED: usize = 5;
    if failures.is_empty() {
        return Ok(());
    }
    let mut message = format!(
        "{} runs failed; all others are in {}, and the same command tries the failed ones again:",
        failures.len(),
        out.display()
    );
    for (key, error) in failures.iter().take(NAMED) {
        let PuzzleKey { set, image, seed, .. } = &key.puzzle;
        message +=
            &format!("\n  {set} {image} seed {seed} {}: {error:#}", method_name(&key.method));
    }
    if failures.len() > NAMED {
        message += "\n  ...";
    }
    Err(Failure::Failed(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;

    #[test]
    fn every_run_is_in_one_part() {
        let keys: Vec<RunKey> = (0..10).map(|seed| record("1.png", seed, 0.5).key).collect();
        let seeds = |shard: &str| -> Vec<u64> {
            let part = parse_shard(shard).unwrap().of(keys.clone());
            part.iter().map(|key| key.puzzle.seed).collect()
        };
        assert_eq!(seeds("1/3"), [0, 3, 6, 9]);
        assert_eq!(seeds("2/3"), [1, 4, 7]);
        assert_eq!(seeds("3/3"), [2, 5, 8]);
        assert!(seeds("12/12").is_empty());
        for wrong in ["", "1", "0/3", "4/3", "a/3", "1/0", "-1/3", "1/2/3"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
