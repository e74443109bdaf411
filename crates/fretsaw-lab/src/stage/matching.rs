//! Times of matchers, against the measure stage before them.

use fretsaw::observer::Silent;
use fretsaw::puzzle::PuzzleType;
use fretsaw::synthetic;
use fretsaw::unstable::Measured;
use fretsaw::unstable::dissimilarity::{Measure, NearestSettings};
use fretsaw::unstable::matching::Matcher;
use fretsaw::{Puzzle, Settings};
use fretsaw_cli::table::Table;
use std::time::Instant;

/// What to measure.
#[derive(Clone, Debug)]
pub(crate) struct MatchBench {
    /// Numbers of pieces.
    pub(crate) pieces: Vec<u32>,
    /// Pixels along a side.
    pub(crate) piece_px: u32,
    /// The measure.
    pub(crate) measure: Measure,
    /// The matchers; each must [know](Matcher::knows) the measure.
    pub(crate) matchers: Vec<Matcher>,
    /// Numbers of threads.
    pub(crate) threads: Vec<usize>,
    /// Each time is the best of this many.
    pub(crate) repeats: usize,
}

/// Run and tabulate. The measure stage is timed with as many candidates as the matcher wants.
pub(crate) fn run(bench: &MatchBench) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "pieces | threads | matcher | \
         candidates | measure s | match s | match / measure",
    );
    for &num_pieces in &bench.pieces {
        let (rows, cols) = board_of(num_pieces);
        let puzzle_type = PuzzleType::Type2;
        let (pieces, _, _) = synthetic::puzzle(rows, cols, bench.piece_px, puzzle_type, 1);
        let puzzle = Puzzle::new(pieces).of_type(puzzle_type);
        for &threads in &bench.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            // Matchers that need the same candidates share them.
            let mut measured: Vec<(NearestSettings, Measured, f64)> = Vec::new();
            for &matcher in &bench.matchers {
                let settings = Settings {
                    measure: Some(bench.measure),
                    matcher: Some(matcher),
                    ..Settings::default()
                };
                let candidates = settings.candidates();
                let known = measured.iter().position(|(of, ..)| *of == candidates);
                let place = if let Some(place) = known {
                    place
                } else {
                    let measure = || Ok(Measured::new(&puzzle, &settings, &Silent)?);
                    let (found, seconds) = best_of(bench.repeats, || pool.install(measure))?;
                    measured.push((candidates, found, seconds));
                    measured.len() - 1
                };
                let (_, measured, measure_secs) = &measured[place];
                let match_sides = || Ok(measured.matched(&settings, &Silent).map(drop)?);
                let (_, match_secs) = best_of(bench.repeats, || pool.install(match_sides))?;
                table.push(vec![
                    num_pieces.to_string(),
                    threads.to_string(),
                    matcher.name().into(),
                    candidates.num_candidates.to_string(),
                    format!("{measure_secs:.3}"),
                    format!("{match_secs:.3}"),
                    format!("{:.2}", match_secs / measure_secs),
                ]);
            }
        }
    }
    Ok(table)
}

/// The result, and the least seconds of so many runs, at least one.
fn best_of<T>(repeats: usize, run: impl Fn() -> anyhow::Result<T>) -> anyhow::Result<(T, f64)> {
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
