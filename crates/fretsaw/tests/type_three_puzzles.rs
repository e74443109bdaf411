//! Puzzles of type 3 for tests of this crate and of the paper's.

use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::{Assembly, Grid, GroundTruth, PieceShape, PuzzleType, QuarterTurn};

pub(crate) const TYPE: PuzzleType = PuzzleType::Type3;

/// The turns of a full board, by piece. Asserts that every piece is in its given cell.
pub(crate) fn turns_in_order(assembly: &Assembly, grid: Grid) -> Vec<QuarterTurn> {
    assert_eq!(assembly.num_placed(), assembly.num_pieces());
    let turns = assembly.placements().map(|placement| {
        assert_eq!(grid.index_of(placement.place.cell), placement.piece.index());
        placement.place.turn
    });
    turns.collect()
}

/// The share of right turns. A common turn counts as wrong, because the positions determine it.
pub(crate) fn share_right(truth: &GroundTruth, turns: &[QuarterTurn]) -> f64 {
    let placements = truth.assembly().placements();
    let right = placements.filter(|found| found.place.turn == turns[found.piece.index()]).count();
    right as f64 / turns.len() as f64
}

/// A landscape of 10 x 14 pieces with sides corrupted at this rate.
pub(crate) fn corrupted(corrupt_rate: f64) -> Scrambled {
    let pieces = cut(&demo_picture(10 * 28, 14 * 28, 5), PieceShape::new(28, 28).unwrap()).unwrap();
    let settings = ScrambleSettings { corrupt_rate, ..ScrambleSettings::new(TYPE, 5) };
    scramble(&pieces, &settings).unwrap()
}

/// A landscape of pieces of 32 x 20 pixels.
pub(crate) fn oblong() -> Scrambled {
    let pieces = cut(&demo_picture(200, 320, 2), PieceShape::new(20, 32).unwrap()).unwrap();
    scramble(&pieces, &ScrambleSettings::new(TYPE, 2)).unwrap()
}
