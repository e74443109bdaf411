//! `fretsaw bench matcher` and `fretsaw bench stage matcher`

use super::bench::MAX_BOARD_PIECES;
use super::{MAX_THREADS, Talk, with_threads};
use crate::args::MatcherArg;
use crate::args::judge::{BenchJudgeArgs, StageJudgeArgs};
use crate::failure::Failure;
use crate::stdout::print_line;
use fretsaw::dissimilarity::Measure;
use fretsaw::matching::{LearnedMatcher, Matcher};
use fretsaw::puzzle::PuzzleType;
use fretsaw_io::{check_file_target, check_output_folder};
use fretsaw_lab::judge_run::{
    Condition, JudgeRun, Reduction, plots, summary, write_plots, write_records,
};
use fretsaw_lab::stage_judge::{self, JudgeBench};

/// More were never of use.
const MOST_CANDIDATES: usize = 100;

pub(super) fn run(args: &BenchJudgeArgs, talk: Talk) -> Result<(), Failure> {
    let measure = args.measure.into();
    let matchers = judges_for(measure, &args.matchers)?;
    let puzzle_type = PuzzleType::from(args.puzzle_type);
    if puzzle_type.positions_known() {
        return Err(Failure::Usage(
            "positions of type 3 puzzles are known, and so are neighbours: use --type 1 or 2"
                .into(),
        ));
    }
    if args.seeds == 0 {
        return Err(Failure::Usage("--seeds must be at least 1".into()));
    }
    if !(0.0..=1.0).contains(&args.corrupt) {
        return Err(Failure::Usage("--corrupt must be between 0 and 1".into()));
    }
    if !(args.shrink > 0.0 && args.shrink <= 1.0) {
        return Err(Failure::Usage("--shrink must be above 0 and at most 1".into()));
    }
    let num_networks = LearnedMatcher::shipped().num_networks();
    if args.networks.is_some_and(|networks| !(1..=num_networks).contains(&networks)) {
        return Err(Failure::Usage(format!("--networks must be 1 to {num_networks}")));
    }
    if args.candidates.is_some_and(|candidates| !(2..=MOST_CANDIDATES).contains(&candidates)) {
        return Err(Failure::Usage(format!("--candidates must be 2 to {MOST_CANDIDATES}")));
    }
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    if let Some(dir) = &args.plots {
        check_output_folder(dir)?;
    }
    let run = JudgeRun {
        data: args.data.clone(),
        sets: args.sets.clone(),
        images: args.images.into(),
        matchers,
        measure,
        puzzle_type,
        shape: args.piece,
        num_seeds: args.seeds,
        condition: Condition { corrupt: args.corrupt, grey: args.grey, shrink: args.shrink },
        reduction: Reduction { networks: args.networks, candidates: args.candidates },
    };
    let records = with_threads(args.threads, || run.run())??;
    if let Some(out) = &args.out {
        write_records(out, &records)?;
    }
    if let Some(dir) = &args.plots {
        let plots = plots(&records);
        if plots.is_empty() {
            talk.warn("none of the judges has probabilities: there is nothing to plot");
        } else {
            write_plots(dir, &plots)?;
        }
    }
    print_line(summary(&records))
}

pub(super) fn stage(args: &StageJudgeArgs) -> Result<(), Failure> {
    let measure = args.measure.into();
    let matchers = judges_for(measure, &args.matchers)?;
    if !args.pieces.iter().all(|&pieces| (2..=MAX_BOARD_PIECES).contains(&pieces.into())) {
        return Err(Failure::Usage(format!("--pieces must be 2 to {MAX_BOARD_PIECES} each")));
    }
    if !args.threads.iter().all(|threads| (1..=MAX_THREADS).contains(threads)) {
        return Err(Failure::Usage(format!("--threads must be 1 to {MAX_THREADS} each")));
    }
    if args.repeats == 0 {
        return Err(Failure::Usage("--repeats must be at least 1".into()));
    }
    let bench = JudgeBench {
        pieces: args.pieces.clone(),
        piece_px: 28,
        measure,
        matchers,
        threads: args.threads.clone(),
        repeats: args.repeats,
    };
    print_line(stage_judge::run(&bench)?)
}

/// The matchers that were asked for, or all that know the measure.
fn judges_for(measure: Measure, asked_for: &[MatcherArg]) -> Result<Vec<Matcher>, Failure> {
    if asked_for.is_empty() {
        return Ok(Matcher::ALL.into_iter().filter(|matcher| matcher.knows(measure)).collect());
    }
    let matchers: Vec<Matcher> = asked_for.iter().map(|&matcher| matcher.into()).collect();
    match matchers.iter().find(|matcher| !matcher.knows(measure)) {
        None => Ok(matchers),
        Some(matcher) => Err(Failure::Usage(format!(
            "the judge '{}' does not know the measure '{}'; give another --measure, or other --judges",
            matcher.name(),
            measure.name()
        ))),
    }
}
