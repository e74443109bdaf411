//! A puzzle with a known answer, made of a cut picture.

use super::corrupt::corrupt;
use super::{Cut, gather};
use crate::puzzle::{
    Assembly, Grid, GroundTruth, PieceId, PieceSet, Place, Placement, PuzzleType, QuarterTurn,
};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How to scramble.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrambleSettings {
    /// Whether pieces are shuffled, turned or both.
    pub puzzle_type: PuzzleType,
    /// Same seed, same puzzle.
    pub seed: u64,
    /// The probability, 0 to 1, that a side of a piece is corrupted. The paper uses up to 0.14.
    pub corrupt_rate: f64,
    /// How many pieces to leave out.
    pub drop: usize,
}

impl ScrambleSettings {
    /// All pieces, none corrupted.
    pub const fn new(puzzle_type: PuzzleType, seed: u64) -> Self {
        Self { puzzle_type, seed, corrupt_rate: 0.0, drop: 0 }
    }
}

/// A scrambled puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrambled {
    /// The pieces as handed out.
    pub pieces: PieceSet,
    /// The size of the board.
    pub grid: Grid,
    /// Where each piece belongs, and its pixel classes.
    pub truth: GroundTruth,
}

/// Why a picture cannot be scrambled this way.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ScrambleError {
    /// Not a probability.
    #[error("a corruption rate of {0} is not between 0 and 1")]
    CorruptRate(f64),
    /// Nothing would be left.
    #[error("cannot leave out {drop} of {num_pieces} pieces: at least one must stay")]
    DropsEverything {
        /// Pieces to leave out.
        drop: usize,
        /// Pieces there are.
        num_pieces: usize,
    },
    /// In type 3 puzzles the order gives the positions, so no piece may be missing.
    #[error("a type 3 puzzle gives positions by the order of its pieces, so none can be left out")]
    DropFromKnownPositions,
    /// The pieces are not those of the grid.
    #[error("{num_pieces} pieces do not fill a grid of {num_cells} cells")]
    PiecesDoNotFillGrid {
        /// Pieces there are.
        num_pieces: usize,
        /// Cells there are.
        num_cells: usize,
    },
    /// No memory for a second copy of the values.
    #[error("there is not enough memory for the pieces")]
    OutOfMemory,
}

/// The purpose of a random number.
///
/// Each purpose has its own stream. So the same seed gives the same order at every corruption rate, and a
/// higher rate corrupts the same sides and more.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Order,
    Turns,
    CorruptedSides,
    CorruptedValues,
}

pub(super) fn rng_for(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(purpose as u64);
    rng
}

/// Make a puzzle of a cut picture: corrupt, leave out, shuffle and turn pieces.
///
/// All orders and all turns that the type allows are equally likely. The truth's turns are the
/// clockwise turns that bring the pieces *as handed out* upright.
///
/// ```
/// use fretsaw::picture::{self, ScrambleSettings};
/// use fretsaw::puzzle::{PieceShape, PuzzleType};
/// use fretsaw::picture::synthetic;
///
/// let picture = synthetic::demo_picture(64, 96, 1);
/// let cut = picture::cut(&picture, PieceShape::new(16, 16)?)?;
/// let settings = ScrambleSettings::new(PuzzleType::Type2, 7);
/// let scrambled = picture::scramble(&cut, &settings)?;
/// let solved = picture::render(&scrambled.pieces, scrambled.truth.assembly(), 0)?;
/// assert_eq!(solved, picture);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the settings are out of range, or pieces of a type 3 puzzle are to be left out.
pub fn scramble(cut: &Cut, settings: &ScrambleSettings) -> Result<Scrambled, ScrambleError> {
    let &ScrambleSettings { puzzle_type, seed, corrupt_rate, drop } = settings;
    let num_pieces = cut.pieces.num_pieces();
    let shape = cut.pieces.shape();
    if num_pieces != cut.grid.num_cells() {
        let num_cells = cut.grid.num_cells();
        return Err(ScrambleError::PiecesDoNotFillGrid { num_pieces, num_cells });
    }
    if !(0.0..=1.0).contains(&corrupt_rate) {
        return Err(ScrambleError::CorruptRate(corrupt_rate));
    }
    if drop > 0 && puzzle_type.positions_known() {
        return Err(ScrambleError::DropFromKnownPositions);
    }
    if drop >= num_pieces {
        return Err(ScrambleError::DropsEverything { drop, num_pieces });
    }

    // order[i] is the true number of the i-th piece handed out.
    let mut order: Vec<PieceId> = cut.pieces.ids().collect();
    if !puzzle_type.positions_known() {
        order.shuffle(&mut rng_for(seed, Purpose::Order));
    }
    // The order is random already: leaving out its end leaves out a random choice.
    order.truncate(num_pieces - drop);

    let allowed = puzzle_type.turns(shape).turns();
    let mut rng = rng_for(seed, Purpose::Turns);
    let turns: Vec<QuarterTurn> =
        order.iter().map(|_| allowed[rng.random_range(0..allowed.len())]).collect();

    let corrupted;
    let upright = if corrupt_rate > 0.0 {
        corrupted = corrupt(&cut.pieces, corrupt_rate, seed);
        &corrupted
    } else {
        &cut.pieces
    };
    let pieces = handed_out(upright, &order, &turns)?;
    let placements =
        order.iter().zip(&turns).enumerate().map(|(index, (&true_piece, &turn))| Placement {
            piece: PieceId::new(index),
            place: Place { board: 0, cell: cut.grid.cell_at(true_piece.index()), turn: -turn },
        });
    let assembly = Assembly::new(order.len(), vec![cut.grid], placements)
        .expect("an order names each cell at most once");
    let truth = GroundTruth::of_pieces(assembly, &pieces)
        .expect("every piece handed out was given a place and pixel classes");
    Ok(Scrambled { pieces, grid: cut.grid, truth })
}

/// The pieces in the given order, each turned clockwise by its turn.
fn handed_out(
    upright: &PieceSet,
    order: &[PieceId],
    turns: &[QuarterTurn],
) -> Result<PieceSet, ScrambleError> {
    let shape = upright.shape();
    let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
    // One run is one pixel.
    let starts = order.iter().zip(turns).flat_map(|(&piece, &turn)| {
        (0..height_px).flat_map(move |row| {
            (0..width_px).map(move |col| {
                let (row, col) = shape.pixel_before_turn(turn, row, col);
                Some(upright.offset_of(piece, row, col))
            })
        })
    });
    let num_runs = order.len() * shape.num_pixels();
    let samples = gather(upright.samples(), upright.channels(), num_runs, starts)
        .map_err(|_| ScrambleError::OutOfMemory)?;
    Ok(PieceSet::new(shape, upright.channels(), samples)
        .expect("a choice of the pieces of a set, at least one"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::picture::{Picture, cut, render};
    use crate::puzzle::{Cell, PieceShape, Samples};
    use proptest::prelude::*;
    // Named, as proptest's prelude has one of the same name.
    use rand::Rng;

    const TYPES: [PuzzleType; 3] = [PuzzleType::Type1, PuzzleType::Type2, PuzzleType::Type3];

    /// A picture of noise: no two pieces are equal.
    pub(in crate::picture) fn noise(
        height_px: usize,
        width_px: usize,
        channels: usize,
        deep: bool,
    ) -> Picture {
        let mut rng = ChaCha8Rng::seed_from_u64(99);
        let len = height_px * width_px * channels;
        let samples = if deep {
            Samples::U16((0..len).map(|_| rng.random()).collect())
        } else {
            Samples::U8((0..len).map(|_| rng.random()).collect())
        };
        Picture::new(height_px, width_px, channels, samples).unwrap()
    }

    pub(in crate::picture) fn cut_noise(rows: usize, cols: usize, channels: usize) -> Cut {
        cut(&noise(rows * 4, cols * 4, channels, false), PieceShape::new(4, 4).unwrap()).unwrap()
    }

    /// Pixel by pixel, without the code under test.
    pub(in crate::picture) fn value(
        picture: &Picture,
        row: usize,
        col: usize,
        channel: usize,
    ) -> u16 {
        picture.samples().get(picture.offset_of(row, col) + channel)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn painting_the_truth_gives_back_the_cropped_picture(
            (rows, cols) in (1_usize..5, 1_usize..5),
            (height_px, width_px) in (1_u32..6, 1_u32..6),
            square in any::<bool>(),
            (extra_rows, extra_cols) in (0_usize..6, 0_usize..6),
            channels in prop::sample::select(vec![1_usize, 3, 5]),
            deep in any::<bool>(),
            puzzle_type in prop::sample::select(TYPES.to_vec()),
            seed in any::<u64>(),
        ) {
            let width_px = if square { height_px } else { width_px };
            let shape = PieceShape::new(height_px, width_px).unwrap();
            let (height_px, width_px) = (height_px as usize, width_px as usize);
            let picture = noise(
                rows * height_px + extra_rows % height_px,
                cols * width_px + extra_cols % width_px,
                channels,
                deep,
            );
            let cut = cut(&picture, shape).unwrap();
            prop_assert_eq!(cut.crop.right_px, extra_cols % width_px);
            prop_assert_eq!(cut.crop.bottom_px, extra_rows % height_px);
            let puzzle = scramble(&cut, &ScrambleSettings::new(puzzle_type, seed)).unwrap();
            let truth = puzzle.truth.assembly();
            let painted = render(&puzzle.pieces, truth, 0).unwrap();
            prop_assert_eq!(painted.height_px(), rows * height_px);
            prop_assert_eq!(painted.width_px(), cols * width_px);
            prop_assert_eq!(painted.channels(), channels);
            for row in 0..painted.height_px() {
                for col in 0..painted.width_px() {
                    for c in 0..channels {
                        prop_assert_eq!(value(&painted, row, col, c), value(&picture, row, col, c));
                    }
                }
            }

            // Turning the assembly turns the picture: one clockwise turn brings the pixel at
            // (row, col) to row `col`, counted from the right column `row`.
            let mut before = painted;
            for turns in 1..4 {
                let turned = truth.turned(QuarterTurn::from_clockwise(turns));
                let after = render(&puzzle.pieces, &turned, 0).unwrap();
                prop_assert_eq!(after.height_px(), before.width_px());
                for row in 0..before.height_px() {
                    for col in 0..before.width_px() {
                        let col_after = before.height_px() - 1 - row;
                        prop_assert_eq!(
                            value(&before, row, col, 0),
                            value(&after, col, col_after, 0)
                        );
                    }
                }
                before = after;
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_puzzle_and_another_seed_another() {
        let cut = cut_noise(5, 6, 3);
        for puzzle_type in TYPES {
            let settings =
                ScrambleSettings { corrupt_rate: 0.2, ..ScrambleSettings::new(puzzle_type, 5) };
            let first = scramble(&cut, &settings).unwrap();
            assert_eq!(first, scramble(&cut, &settings).unwrap());
            let other = ScrambleSettings { seed: 6, ..settings };
            assert_ne!(first.truth, scramble(&cut, &other).unwrap().truth);
        }
    }

    #[test]
    fn puzzle_types_determine_shuffling_and_turning() {
        let cut = cut_noise(5, 6, 1);
        for puzzle_type in TYPES {
            let puzzle = scramble(&cut, &ScrambleSettings::new(puzzle_type, 1)).unwrap();
            let in_order = |p: &Placement| cut.grid.index_of(p.place.cell) == p.piece.index();
            let upright = |p: &Placement| p.place.turn == QuarterTurn::ZERO;
            let all_in_order = puzzle.truth.assembly().placements().all(|p| in_order(&p));
            let all_upright = puzzle.truth.assembly().placements().all(|p| upright(&p));
            assert_eq!(all_in_order, puzzle_type == PuzzleType::Type3);
            assert_eq!(all_upright, puzzle_type == PuzzleType::Type1);
        }
    }

    #[test]
    fn positions_and_turns_are_uniform() {
        let cut = cut_noise(2, 3, 1);
        let num_seeds = 3000_u32;
        // counts[piece][cell][turn of the truth]
        let mut counts = [[[0_u32; 4]; 6]; 6];
        for seed in 0..u64::from(num_seeds) {
            let settings = ScrambleSettings::new(PuzzleType::Type2, seed);
            for placement in scramble(&cut, &settings).unwrap().truth.assembly().placements() {
                let cell = cut.grid.index_of(placement.place.cell);
                counts[placement.piece.index()][cell][placement.place.turn.index()] += 1;
            }
        }
        let expected = f64::from(num_seeds) / 24.0;
        for cells in counts {
            let chi_square: f64 = cells
                .as_flattened()
                .iter()
                .map(|&count| (f64::from(count) - expected).powi(2) / expected)
                .sum();
            // 23 degrees of freedom: mean 23, standard deviation 6.8.
            assert!(chi_square < 23.0 + 4.0 * 6.8, "chi-square {chi_square}");
        }
    }

    #[test]
    fn oblong_pieces_are_only_turned_by_half_turns() {
        let picture = noise(20, 60, 1, false);
        let cut = cut(&picture, PieceShape::new(4, 6).unwrap()).unwrap();
        let puzzle = scramble(&cut, &ScrambleSettings::new(PuzzleType::Type2, 1)).unwrap();
        let turns: Vec<_> =
            puzzle.truth.assembly().placements().map(|p| p.place.turn.clockwise()).collect();
        assert!(turns.contains(&0) && turns.contains(&2));
        assert!(!turns.contains(&1) && !turns.contains(&3));
    }

    #[test]
    fn dropped_pieces_leave_holes_in_the_truth() {
        let cut = cut_noise(4, 5, 3);
        let settings = ScrambleSettings { drop: 3, ..ScrambleSettings::new(PuzzleType::Type2, 11) };
        let puzzle = scramble(&cut, &settings).unwrap();
        assert_eq!(puzzle.pieces.num_pieces(), 17);
        assert_eq!(puzzle.grid.num_cells(), 20);
        let painted = render(&puzzle.pieces, puzzle.truth.assembly(), 0).unwrap();
        assert_eq!(painted.channels(), 4);
        let mut num_clear = 0;
        for row in 0..painted.height_px() {
            for col in 0..painted.width_px() {
                let alpha = value(&painted, row, col, 3);
                let cell = cut.grid.cell_at(row / 4 * 5 + col / 4);
                let filled = puzzle.truth.assembly().piece_at(0, cell).is_some();
                assert_eq!(alpha, if filled { 255 } else { 0 });
                if !filled {
                    num_clear += 1;
                    assert_eq!(value(&painted, row, col, 0), 0);
                }
            }
        }
        assert_eq!(num_clear, 3 * 16);
    }

    #[test]
    fn holes_in_pictures_of_other_channel_counts_are_zero() {
        let cut = cut_noise(2, 2, 2);
        let settings = ScrambleSettings { drop: 1, ..ScrambleSettings::new(PuzzleType::Type1, 0) };
        let puzzle = scramble(&cut, &settings).unwrap();
        let painted = render(&puzzle.pieces, puzzle.truth.assembly(), 0).unwrap();
        assert_eq!(painted.channels(), 2);
        let hole =
            cut.grid.cells().find(|&cell| puzzle.truth.assembly().piece_at(0, cell).is_none());
        let Cell { row, col } = hole.unwrap();
        assert_eq!(value(&painted, row as usize * 4 + 1, col as usize * 4 + 1, 1), 0);
    }

    #[test]
    fn impossible_settings_are_refused() {
        let mut cut = cut_noise(2, 2, 1);
        let type2 = ScrambleSettings::new(PuzzleType::Type2, 0);
        for corrupt_rate in [-0.1, 1.5, f64::NAN] {
            assert!(matches!(
                scramble(&cut, &ScrambleSettings { corrupt_rate, ..type2 }),
                Err(ScrambleError::CorruptRate { .. })
            ));
        }
        assert_eq!(
            scramble(&cut, &ScrambleSettings { drop: 4, ..type2 }),
            Err(ScrambleError::DropsEverything { drop: 4, num_pieces: 4 })
        );
        let type3 = ScrambleSettings { puzzle_type: PuzzleType::Type3, drop: 1, ..type2 };
        assert_eq!(scramble(&cut, &type3), Err(ScrambleError::DropFromKnownPositions));
        cut.grid = Grid::new(3, 3).unwrap();
        assert!(matches!(scramble(&cut, &type2), Err(ScrambleError::PiecesDoNotFillGrid { .. })));
    }
}
