//! `fretsaw bench turns`

use super::bench::check_jobs_and_seeds;
use super::with_threads;
use crate::args::turns::BenchTurnsArgs;
use crate::failure::Failure;
use crate::stdout::print_line;
use fretsaw::puzzle::TurnSet;
use fretsaw_lab::turn_choice_run::TurnChoiceRun;

pub(super) fn run(args: &BenchTurnsArgs) -> Result<(), Failure> {
    check_jobs_and_seeds(args.jobs, args.seeds)?;
    let turns = args.turns.iter().map(|turns| turns.set()).collect::<Option<Vec<TurnSet>>>();
    let Some(turns) = turns else {
        return Err(Failure::Usage(
            "pieces cannot be turned by --turns auto; give none, half or quarter".into(),
        ));
    };
    let run = TurnChoiceRun {
        data: args.data.clone(),
        sets: args.sets.clone(),
        images: args.images.into(),
        turns,
        size: args.piece,
        cells: args.cells,
        num_seeds: args.seeds,
        jobs: args.jobs,
    };
    let (counts, wrong) = with_threads(args.threads, || run.run())??;
    print_line(counts)?;
    if wrong.is_empty() { Ok(()) } else { print_line(wrong) }
}
