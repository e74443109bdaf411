//! How much memory a solve takes, before it begins.
//!
//! Every module says of its tables how large they are, from their types and how many sides and
//! candidates there are; [`estimate`] adds up what is there at the same time. Numbers that depend on the
//! picture are taken as they usually are: no two sides are the same, and few sides need more candidates
//! than they are given at first.
//!
//! The estimate is made for the default method, which it was held against (`docs/scaling.md`). Of the
//! others it knows that they take the same stages but the search; the paper's method, which measures the
//! turned pieces again, takes these twice.

use crate::boards::grown_footprint;
use crate::dissimilarity::{Dissimilarity, NearestSettings, NearestSides, nearest_footprint};
use crate::footprint::{Footprint, SidesSize};
use crate::locations::matches::CandidateMatches;
use crate::puzzle::{PieceShape, PuzzleType, Samples};
use crate::search;
use crate::search::costs::SeamCosts;
use crate::solve::{Method, Puzzle, Settings};
use serde::Serialize;

/// What the memory of a solve depends on, besides the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleSize {
    /// Pieces.
    pub num_pieces: usize,
    /// The size of each.
    pub shape: PieceShape,
    /// Values a pixel.
    pub channels: usize,
    /// Bytes of a value, 1 or 2.
    pub sample_bytes: usize,
    /// What is unknown.
    pub puzzle_type: PuzzleType,
    /// Cells of the board, at least as many as pieces.
    pub num_cells: usize,
}

impl PuzzleSize {
    /// The size of a puzzle that is at hand.
    #[must_use]
    pub fn of(puzzle: &Puzzle<'_>) -> Self {
        let pieces = puzzle.pieces;
        Self {
            num_pieces: pieces.num_pieces(),
            shape: pieces.shape(),
            channels: pieces.channels(),
            sample_bytes: match pieces.samples() {
                Samples::U8(_) => size_of::<u8>(),
                Samples::U16(_) => size_of::<u16>(),
            },
            puzzle_type: puzzle.puzzle_type,
            num_cells: puzzle
                .grid
                .map_or(pieces.num_pieces(), |grid| grid.num_cells().max(pieces.num_pieces())),
        }
    }
}

/// How much memory a solve takes, in bytes: what each stage has in use at its worst moment, without what
/// it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryEstimate {
    /// The pieces, there all the time.
    pub pixels: u64,
    /// What the measure knows of every side, there all the time.
    pub sides: u64,
    /// Comparing all sides: the factors of the product, and the lists so far.
    pub measure: u64,
    /// The candidates of every side, there from then on.
    pub candidates: u64,
    /// Judging them.
    pub matcher: u64,
    /// What the matcher says, there from then on.
    pub model: u64,
    /// Putting pieces together: all matches.
    pub assemble: u64,
    /// What seams cost, there while boards are searched.
    pub costs: u64,
    /// Searching boards.
    pub search: u64,
    /// Small blocks that were given up and not yet used again, at most.
    pub unused: u64,
    /// The most that there is at one time. Less than the sum: stages come one after the other.
    pub peak: u64,
}

/// Estimates the memory of [`solve`](crate::solve::solve) on so many threads.
///
/// Not in it: the program itself and what each thread takes for itself, some 20 MB.
///
/// ```
/// use fretsaw::memory::{PuzzleSize, estimate};
/// use fretsaw::puzzle::{PieceShape, PuzzleType};
/// use fretsaw::solve::Settings;
///
/// let size = PuzzleSize {
///     num_pieces: 3300,
///     shape: PieceShape::new(28, 28)?,
///     channels: 3,
///     sample_bytes: 1,
///     puzzle_type: PuzzleType::Type2,
///     num_cells: 3300,
/// };
/// let found = estimate(&size, &Settings::default(), 2);
/// assert_eq!(found.pixels, 3300 * 28 * 28 * 3);
/// assert!(found.peak > 100_000_000 && found.peak < 400_000_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn estimate(size: &PuzzleSize, settings: &Settings, num_threads: usize) -> MemoryEstimate {
    let sides = SidesSize {
        num_sides: 4 * size.num_pieces,
        length_px: size.shape.width_px().max(size.shape.height_px()) as usize,
        channels: size.channels,
    };
    let num_values = size.num_pieces * size.shape.num_pixels() * size.channels;
    let mut timeline = Timeline::default();
    let pixels = (num_values * size.sample_bytes) as u64;
    timeline.keep(pixels);
    let measure = settings.measure_for(size.puzzle_type);
    let prepare = Dissimilarity::footprint(sides, measure);
    timeline.pass(prepare);
    let mut found = MemoryEstimate { pixels, sides: prepare.kept, ..MemoryEstimate::default() };
    if !size.puzzle_type.positions_known() {
        let candidates =
            settings.candidates.map_or(settings.matcher.candidates(), NearestSettings::of);
        let turns = size.puzzle_type.turns(size.shape);
        let nearest = nearest_footprint(sides, turns, &candidates, measure.num_terms());
        timeline.pass(nearest);
        let matcher = settings.matcher.footprint(sides, candidates.num_candidates);
        timeline.pass(matcher);
        if settings.method == Method::Gcl {
            // The same again, for the pieces turned.
            timeline.keep(pixels);
            [prepare, nearest, matcher].into_iter().for_each(|stage| timeline.pass(stage));
        }
        let listed = settings.matcher.judged_candidates(candidates.num_candidates);
        let is_grown = settings.method == Method::Fretsaw && search::is_large(size.num_cells);
        let assemble = if is_grown {
            grown_footprint(size.num_pieces)
        } else {
            CandidateMatches::footprint(sides.num_sides, listed)
        };
        if !is_grown {
            timeline.pass(Footprint { kept: 0, ..assemble });
        }
        found.measure = nearest.tables + nearest.blocks;
        found.candidates = NearestSides::bytes(sides.num_sides, candidates.num_candidates);
        found.matcher = matcher.tables + matcher.blocks;
        found.model = matcher.kept;
        found.assemble = assemble.tables + assemble.blocks;
        if settings.method == Method::Fretsaw {
            let costs = SeamCosts::footprint(sides.num_sides, listed);
            timeline.pass(costs);
            if is_grown {
                timeline.pass(assemble);
            }
            let work = settings.fretsaw.effort.work();
            found.costs = costs.kept;
            found.search = search::bytes(size.num_cells, &work, num_threads);
            timeline.pass(Footprint { tables: found.search, ..Footprint::default() });
        }
    }
    MemoryEstimate { unused: timeline.blocks, peak: timeline.peak, ..found }
}

/// What is there when.
#[derive(Default)]
struct Timeline {
    kept: u64,
    /// The most that small blocks ever took: they are not given back.
    blocks: u64,
    peak: u64,
}

impl Timeline {
    fn keep(&mut self, bytes: u64) {
        self.kept += bytes;
        self.peak = self.peak.max(self.kept + self.blocks);
    }

    fn pass(&mut self, stage: Footprint) {
        self.blocks = self.blocks.max(stage.blocks);
        self.peak = self.peak.max(self.kept + stage.tables + self.blocks);
        self.keep(stage.kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::Measure;
    use crate::matching::Matcher;
    use crate::methods::fretsaw::FretsawSettings;

    fn size(num_pieces: usize) -> PuzzleSize {
        PuzzleSize {
            num_pieces,
            shape: PieceShape::new(28, 28).unwrap(),
            channels: 3,
            sample_bytes: 1,
            puzzle_type: PuzzleType::Type2,
            num_cells: num_pieces,
        }
    }

    fn peak(size: &PuzzleSize) -> u64 {
        estimate(size, &Settings::default(), 2).peak
    }

    #[test]
    fn estimates_grow_with_the_puzzle_and_hold_its_pixels() {
        let mut before = 0;
        for num_pieces in [2, 10, 100, 432, 1024, 3300, 4096, 5015, 22_755, 100_000, 1_000_000] {
            let found = estimate(&size(num_pieces), &Settings::default(), 2);
            assert!(found.peak > before, "{num_pieces}: {found:?}");
            assert_eq!(found.pixels, (num_pieces * 28 * 28 * 3) as u64);
            assert!(found.peak >= found.pixels + found.sides + found.measure, "{found:?}");
            assert!(found.peak >= found.pixels + found.sides + found.candidates + found.matcher);
            before = found.peak;
        }
    }

    #[test]
    fn all_that_is_larger_takes_more() {
        let usual = size(500);
        let shape = PieceShape::new(28, 56).unwrap();
        for larger in [
            PuzzleSize { shape, ..usual },
            PuzzleSize { channels: 4, ..usual },
            PuzzleSize { sample_bytes: 2, ..usual },
            PuzzleSize { num_cells: 700, ..usual },
        ] {
            assert!(peak(&larger) > peak(&usual), "{larger:?}");
        }
        for smaller in [PuzzleType::Type1, PuzzleType::Type3] {
            assert!(peak(&PuzzleSize { puzzle_type: smaller, ..size(9000) }) < peak(&size(9000)));
        }
        assert!(
            estimate(&size(50_000), &Settings::default(), 8).peak > peak(&size(50_000)),
            "threads search regions of their own"
        );
    }

    #[test]
    fn every_combination_of_settings_has_an_estimate() {
        for method in Method::ALL {
            for matcher in Matcher::ALL {
                for measure in Measure::ALL {
                    for effort in crate::methods::fretsaw::Effort::ALL {
                        let settings = Settings {
                            method,
                            matcher,
                            measure: Some(measure),
                            fretsaw: FretsawSettings { effort },
                            ..Settings::default()
                        };
                        let found = estimate(&size(432), &settings, 1);
                        assert!(found.peak > found.pixels + found.sides);
                        assert_eq!(found.search > 0, method == Method::Fretsaw);
                    }
                }
            }
        }
    }

    #[test]
    fn a_puzzle_at_hand_tells_its_size() {
        let (pieces, grid, _) = crate::synthetic::puzzle(4, 5, 28, PuzzleType::Type2, 1);
        let puzzle = Puzzle::new(&pieces, PuzzleType::Type2, Some(grid));
        assert_eq!(PuzzleSize::of(&puzzle), size(20));
    }
}
