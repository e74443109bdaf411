//! Times of matchers, against the measure stage before them.

use super::{PIECE_PX, check_pieces};
use crate::puzzle_args::check_positive;
use clap::Args as ClapArgs;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::PuzzleType;
use fretsaw::settings::Matcher;
use fretsaw::unstable::Measured;
use fretsaw::unstable::dissimilarity::{Measure, NearestSettings};
use fretsaw::{Puzzle, Settings};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::table::Table;
use fretsaw_cli::threads::MAX_THREADS;
use std::time::Instant;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage match --pieces 432,3300 --matchers loops,learned --threads 1,2

The measure stage finds as many candidates as the matcher needs.")]
pub(crate) struct MatchArgs {
    /// Numbers of pieces
    #[arg(long, value_delimiter = ',', default_values = ["432", "805", "3300", "22755"])]
    pub(crate) pieces: Vec<u32>,
    /// Matchers [default: all that know the measure]
    #[arg(long, value_delimiter = ',', value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matchers: Vec<Matcher>,
    /// The measure
    #[arg(long, default_value = "seam", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure: Measure,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_values = ["1", "2"])]
    pub(crate) threads: Vec<usize>,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
}

pub(crate) fn run(args: &MatchArgs) -> Result<Table, Failure> {
    let matchers = matchers_for(args.measure, &args.matchers)?;
    check_pieces(&args.pieces)?;
    if !args.threads.iter().all(|threads| (1..=MAX_THREADS).contains(threads)) {
        return Err(Failure::Usage(format!("--threads must be 1 to {MAX_THREADS} each")));
    }
    check_positive("--repeats", args.repeats)?;
    Ok(table(args, &matchers)?)
}

/// A row per number of pieces, threads and matcher. The measure stage finds as many candidates as the matcher
/// needs.
pub(crate) fn table(args: &MatchArgs, matchers: &[Matcher]) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "pieces | threads | matcher | \
         candidates | measure s | match s | match / measure",
    );
    for &num_pieces in &args.pieces {
        let (rows, cols) = board_of(num_pieces);
        let puzzle_type = PuzzleType::Type2;
        let (pieces, _, _) = synthetic::puzzle(rows, cols, PIECE_PX, puzzle_type, 1);
        let puzzle = Puzzle::new(pieces).of_type(puzzle_type);
        for &threads in &args.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            // Matchers that need the same candidates share them.
            let mut measured: Vec<(NearestSettings, Measured, f64)> = Vec::new();
            for &matcher in matchers {
                let settings = Settings {
                    measure: Some(args.measure),
                    matcher: Some(matcher),
                    ..Settings::default()
                };
                let candidates = settings.candidates();
                let known = measured.iter().position(|(of, ..)| *of == candidates);
                let place = if let Some(place) = known {
                    place
                } else {
                    let measure = || Ok(Measured::new(&puzzle, &settings, &Silent)?);
                    let (found, seconds) = best_of(args.repeats, || pool.install(measure))?;
                    measured.push((candidates, found, seconds));
                    measured.len() - 1
                };
                let (_, measured, measure_secs) = &measured[place];
                let match_sides = || Ok(measured.matched(&settings, &Silent).map(drop)?);
                let (_, match_secs) = best_of(args.repeats, || pool.install(match_sides))?;
                table.push(row! {
                    num_pieces, threads, matcher.name(), candidates.num_candidates,
                    format!("{measure_secs:.3}"), format!("{match_secs:.3}"),
                    format!("{:.2}", match_secs / measure_secs),
                });
            }
        }
    }
    Ok(table)
}

/// The matchers that were asked for, or all that know the measure.
pub(crate) fn matchers_for(
    measure: Measure,
    asked_for: &[Matcher],
) -> Result<Vec<Matcher>, Failure> {
    if asked_for.is_empty() {
        return Ok(Matcher::ALL.into_iter().filter(|matcher| matcher.knows(measure)).collect());
    }
    match asked_for.iter().find(|matcher| !matcher.knows(measure)) {
        None => Ok(asked_for.to_vec()),
        Some(matcher) => Err(Failure::Usage(format!(
            "the matcher '{}' does not know the measure '{}'; give another --measure, or other --matchers",
            matcher.name(),
            measure.name()
        ))),
    }
}

/// The result, and the least seconds of so many runs, at least one.
pub(crate) fn best_of<T>(
    repeats: usize,
    run: impl Fn() -> anyhow::Result<T>,
) -> anyhow::Result<(T, f64)> {
    let timed = || {
        let start = Instant::now();
        let result = std::hint::black_box(run()?);
        anyhow::Ok((result, start.elapsed().as_secs_f64()))
    };
    let (result, mut least) = timed()?;
    for _ in 1..repeats {
        least = least.min(timed()?.1);
    }
    Ok((result, least))
}

/// Rows and columns of the board of exactly so many pieces that is nearest to a square.
pub(crate) fn board_of(num_pieces: u32) -> (u32, u32) {
    let is_fit = |rows: &u32| num_pieces.is_multiple_of(*rows);
    let rows = (1..=num_pieces.isqrt()).rev().find(is_fit).unwrap_or(1);
    (rows, num_pieces / rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_exactly_the_pieces_asked_for() {
        assert_eq!(board_of(432), (18, 24));
        assert_eq!(board_of(805), (23, 35));
        assert_eq!(board_of(3300), (55, 60));
        assert_eq!(board_of(22755), (123, 185));
        assert_eq!((board_of(1), board_of(7)), ((1, 1), (1, 7)));
    }
}
