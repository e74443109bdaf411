//! Reordering and turning the pieces of a puzzle changes only their labels in the solution.

use crate::by_ratio;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{
    Grid, Join, PieceId, PieceSet, PuzzleType, QuarterTurn, Samples, SideId, TurnSet,
};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use fretsaw::{Method, Puzzle, solve};
use proptest::prelude::*;

/// The same pieces in another order, each turned clockwise by its turn.
pub(crate) struct Relabelled {
    pub(crate) pieces: PieceSet,
    /// For each new piece, the old one and the clockwise turn applied to it.
    old: Vec<(PieceId, QuarterTurn)>,
}

impl Relabelled {
    pub(crate) fn new(pieces: &PieceSet, order: &[usize], turns: &[QuarterTurn]) -> Self {
        let old: Vec<_> =
            order.iter().zip(turns).map(|(&index, &turn)| (PieceId::new(index), turn)).collect();
        let mut values = Vec::with_capacity(pieces.samples().len());
        for &(piece, turn) in &old {
            let turned = pieces.shape().turned(turn);
            for row in 0..turned.height_px() as usize {
                for col in 0..turned.width_px() as usize {
                    let (row, col) = pieces.shape().pixel_before_turn(turn, row, col);
                    for channel in 0..pieces.channels() {
                        let value = pieces.sample(piece, row, col, channel);
                        values.push(u8::try_from(value).unwrap());
                    }
                }
            }
        }
        let pieces = PieceSet::new(pieces.shape(), pieces.channels(), Samples::U8(values)).unwrap();
        Self { pieces, old }
    }

    /// After `q` turns side `s` of the old piece is side `s + q` of the new one.
    pub(crate) fn old_side(&self, new: SideId) -> SideId {
        let (piece, turn) = self.old[new.piece().index()];
        SideId::new(piece, new.side() - turn)
    }
}

/// The joins of the solution, sorted. They do not depend on the turn of the board.
fn joins(
    pieces: &PieceSet,
    puzzle_type: PuzzleType,
    grid: Grid,
    measure: Measure,
    back: impl Fn(SideId) -> SideId,
) -> Vec<Join> {
    let puzzle = Puzzle::new(pieces.clone()).of_type(puzzle_type).board(grid);
    let outcome = solve(&puzzle, &by_ratio(Method::default(), measure), &Silent).unwrap();
    let mut joins: Vec<Join> = outcome
        .assembly
        .joins()
        .map(|join| Join::new(back(join.first), back(join.second)))
        .collect();
    joins.sort();
    joins
}

/// An order of pieces and a turn for each.
pub(crate) fn relabelling(num: usize) -> impl Strategy<Value = (Vec<usize>, Vec<QuarterTurn>)> {
    let order = Just((0..num).collect::<Vec<usize>>()).prop_shuffle();
    let turns = prop::collection::vec((0..4_i64).prop_map(QuarterTurn::from_clockwise), num);
    (order, turns)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn shuffling_and_turning_the_pieces_changes_only_labels(
        (order, turns) in relabelling(30),
        seed in 1_u64..5,
    ) {
        for (puzzle_type, turns) in
            [(PuzzleType::Type1, vec![QuarterTurn::ZERO; 30]), (PuzzleType::Type2, turns)]
        {
            let (pieces, grid, _) = synthetic::puzzle(5, 6, 20, puzzle_type, seed);
            let other = Relabelled::new(&pieces, &order, &turns);
            for measure in [Measure::Mgc, Measure::Seam] {
                let expected = joins(&pieces, puzzle_type, grid, measure, |side| side);
                let found = joins(&other.pieces, puzzle_type, grid, measure, |side| {
                    other.old_side(side)
                });
                prop_assert!(found == expected, "{:?} {:?}", puzzle_type, measure);
            }
        }
    }

    #[test]
    fn candidates_and_their_values_are_the_same_sides_under_new_labels(
        (order, turns) in relabelling(48),
        seed in 1_u64..5,
    ) {
        let (pieces, _, _) = synthetic::puzzle(6, 8, 12, PuzzleType::Type2, seed);
        let other = Relabelled::new(&pieces, &order, &turns);
        for measure in Measure::ALL {
            let nearest_of = |pieces: &PieceSet| {
                let dissimilarity = Dissimilarity::new(pieces, measure).unwrap();
                let settings = NearestSettings::default();
                find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap()
            };
            let (before, after) = (nearest_of(&pieces), nearest_of(&other.pieces));
            for new in (0..after.num_sides()).map(SideId::from_index) {
                let sorted = |list: Vec<(f64, SideId)>| {
                    let mut list = list;
                    list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    list
                };
                let found = after.of(new).iter();
                let found = found.map(|c| (c.cost, other.old_side(c.side))).collect();
                let expected = before.of(other.old_side(new)).iter();
                let expected = expected.map(|c| (c.cost, c.side)).collect();
                prop_assert_eq!(sorted(found), sorted(expected));
            }
        }
    }
}
