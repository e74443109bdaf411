//! The scores by which answers are compared. Of all of them, higher is better.

use crate::graph::UnionFind;
use crate::puzzle::{
    Assembly, GroundTruth, Join, PieceClasses, PieceId, Placement, QuarterTurn, SideId,
    classes_of_join,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// How well an assembly agrees with the truth. Higher is better, and 1 is best.
///
/// The scores ending in `_px` accept an exchange of pieces that are pixel for pixel the same; they are
/// known if the truth has pixel classes. `neighbor_visual` also accepts an exchange of plain pieces that nobody can
/// tell apart by eye ([`visual_classes_of`](crate::puzzle::visual_classes_of)).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Pieces in the puzzle.
    pub pieces: usize,
    /// Pieces that the assembly places.
    pub placed: usize,
    /// Pieces at their true cell and turn / all pieces, best of the global turns that fit.
    pub direct: f64,
    /// True joins present in the assembly / all true joins.
    pub neighbor: f64,
    /// Largest group of pieces connected by true joins / all pieces.
    pub largest: f64,
    /// Whether `direct` is 1. Written as 0 or 1.
    #[serde(serialize_with = "as_integer", deserialize_with = "from_integer")]
    pub perfect: bool,
    /// Joins of the assembly with the pixels of a true join / all true joins, at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbor_px: Option<f64>,
    /// Cells with the pixels of the truth / all pieces, best of the global turns that fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct_px: Option<f64>,
    /// Whether `direct_px` is 1. Written as 0 or 1.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_integer",
        deserialize_with = "from_optional_integer"
    )]
    pub perfect_px: Option<bool>,
    /// Joins of the assembly that look like a true join / all true joins, at most 1. Known if the truth has visual
    /// classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbor_visual: Option<f64>,
}

fn as_integer<S: Serializer>(
    value: &(impl Copy + Into<Option<bool>>),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match (*value).into() {
        Some(value) => serializer.serialize_u8(u8::from(value)),
        None => serializer.serialize_none(),
    }
}

fn from_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(u8::deserialize(deserializer)? != 0)
}

fn from_optional_integer<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<bool>, D::Error> {
    Ok(Option::<u8>::deserialize(deserializer)?.map(|value| value != 0))
}

/// One figure a line: its name, padded to twelve characters, and its value with four decimals.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:12} {}", "pieces", self.pieces)?;
        write!(f, "{:12} {}", "placed", self.placed)?;
        let flag = |value: bool| f64::from(u8::from(value));
        for (name, value, decimals) in [
            ("direct", Some(self.direct), 4),
            ("neighbor", Some(self.neighbor), 4),
            ("largest", Some(self.largest), 4),
            ("perfect", Some(flag(self.perfect)), 0),
            ("neighbor_px", self.neighbor_px, 4),
            ("direct_px", self.direct_px, 4),
            ("perfect_px", self.perfect_px.map(flag), 0),
            ("neighbor_visual", self.neighbor_visual, 4),
        ] {
            if let Some(value) = value {
                write!(f, "\n{name:12} {value:.decimals$}")?;
            }
        }
        Ok(())
    }
}

/// Why an assembly cannot be scored against this truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreError {
    /// A truth without pieces.
    #[error("the truth has no pieces")]
    NoPieces,
    /// A piece that the truth does not know.
    #[error("piece {piece} is placed, but the truth has only {num_pieces} pieces")]
    StrayPiece {
        /// The first such piece.
        piece: usize,
        /// Pieces of the truth.
        num_pieces: usize,
    },
}

/// Score an assembly.
///
/// # Errors
/// If the truth has no pieces, or a placed piece is not in the truth.
pub fn score(truth: &GroundTruth, assembly: &Assembly) -> Result<Score, ScoreError> {
    let num_pieces = truth.assembly().num_pieces();
    if num_pieces == 0 {
        return Err(ScoreError::NoPieces);
    }
    if let Some(stray) = assembly.placements().find(|p| p.piece.index() >= num_pieces) {
        return Err(ScoreError::StrayPiece { piece: stray.piece.index(), num_pieces });
    }

    let num_true_joins = truth.assembly().joins().count().max(1);
    let joins: Vec<Join> = assembly.joins().collect();
    let are_true = true_joins(truth, &joins);
    let mut groups = UnionFind::new(num_pieces);
    for (join, _) in joins.iter().zip(&are_true).filter(|(_, is_true)| **is_true) {
        groups.union(join.first.piece().index(), join.second.piece().index());
    }
    let largest = (0..num_pieces).map(|piece| groups.size_of(piece)).max();

    let count = |are_right: Vec<bool>| are_right.into_iter().filter(|&is_right| is_right).count();
    let num_direct = count(direct_pieces(truth, assembly));
    let num_direct_px = direct_pieces_px(truth, assembly).map(count);
    let share = |count: usize| ratio(count, num_pieces);
    let share_of_joins = |classes: &[PieceClasses]| {
        ratio(count(joins_of_classes(truth, classes, &joins)), num_true_joins).min(1.0)
    };
    Ok(Score {
        pieces: num_pieces,
        placed: assembly.num_placed(),
        direct: share(num_direct),
        neighbor: ratio(count(are_true), num_true_joins),
        largest: share(largest.unwrap_or(0)),
        perfect: num_direct == num_pieces,
        neighbor_px: truth.pixel_classes().map(share_of_joins),
        direct_px: num_direct_px.map(share),
        perfect_px: num_direct_px.map(|num_direct_px| num_direct_px == num_pieces),
        neighbor_visual: truth.visual_classes().map(share_of_joins),
    })
}

/// Whether a part of an assembly is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Correctness {
    /// It is as in the truth.
    pub right: bool,
    /// It looks as in the truth, pixel for pixel. Where the truth has no pixel classes, the same as `right`.
    pub right_px: bool,
}

fn correctness(right: Vec<bool>, right_px: Option<Vec<bool>>) -> Vec<Correctness> {
    let right_px = right_px.unwrap_or_else(|| right.clone());
    let correct = |(right, right_px)| Correctness { right, right_px };
    right.into_iter().zip(right_px).map(correct).collect()
}

/// Which of these joins are right, as [`Score::neighbor`] and [`Score::neighbor_px`] count them.
pub fn correct_joins(truth: &GroundTruth, joins: &[Join]) -> Vec<Correctness> {
    let right_px = truth.pixel_classes().map(|classes| joins_of_classes(truth, classes, joins));
    correctness(true_joins(truth, joins), right_px)
}

/// Which pieces are right, by number, as [`Score::direct`] and [`Score::direct_px`] count them: each score after the
/// turn of the whole that is best for it.
pub fn correct_pieces(truth: &GroundTruth, assembly: &Assembly) -> Vec<Correctness> {
    correctness(direct_pieces(truth, assembly), direct_pieces_px(truth, assembly))
}

fn ratio(count: usize, all: usize) -> f64 {
    // Exact: counts stay far below 2^53.
    count as f64 / all as f64
}

/// The global turns after which the assembly's boards have the sizes of the truth's, in any
/// order.
fn turns_that_fit(truth: &Assembly, assembly: &Assembly) -> impl Iterator<Item = QuarterTurn> {
    let sorted_sizes = |boards: &Assembly, turn: QuarterTurn| {
        let mut sizes: Vec<_> = boards.boards().iter().map(|grid| grid.turned(turn)).collect();
        sizes.sort_unstable();
        sizes
    };
    let wanted = sorted_sizes(truth, QuarterTurn::ZERO);
    QuarterTurn::ALL.into_iter().filter(move |&turn| sorted_sizes(assembly, turn) == wanted)
}

/// The global turn of the assembly that puts most pieces where they belong: the gauge in which to
/// show it beside the truth. Zero if its boards do not fit the truth's after any turn.
pub fn best_turn(truth: &GroundTruth, assembly: &Assembly) -> QuarterTurn {
    let is_right = |found: &Placement| truth.assembly().place_of(found.piece) == Some(found.place);
    let num_direct = |turn| assembly.turned(turn).placements().filter(is_right).count();
    turns_that_fit(truth.assembly(), assembly)
        .max_by_key(|&turn| (num_direct(turn), std::cmp::Reverse(turn)))
        .unwrap_or_default()
}

/// The pieces that are right after the turn of the whole that makes most of them right.
fn best_pieces(
    truth: &GroundTruth,
    assembly: &Assembly,
    is_right: impl Fn(Placement) -> bool,
) -> Vec<bool> {
    let mut best = (0, vec![false; assembly.num_pieces()]);
    for turn in turns_that_fit(truth.assembly(), assembly) {
        let mut right = vec![false; assembly.num_pieces()];
        let mut num_right = 0;
        for placement in assembly.turned(turn).placements().filter(|&found| is_right(found)) {
            right[placement.piece.index()] = true;
            num_right += 1;
        }
        if num_right > best.0 {
            best = (num_right, right);
        }
    }
    best.1
}

/// The pieces with exactly their true board, cell and turn.
fn direct_pieces(truth: &GroundTruth, assembly: &Assembly) -> Vec<bool> {
    let is_right = |Placement { piece, place }| truth.assembly().place_of(piece) == Some(place);
    best_pieces(truth, assembly, is_right)
}

/// The pieces with the pixels of the piece that belongs to their place, if pixels are known.
fn direct_pieces_px(truth: &GroundTruth, assembly: &Assembly) -> Option<Vec<bool>> {
    let classes = truth.pixel_classes()?;
    let class = |piece: PieceId, turn: QuarterTurn| classes[piece.index()][turn.index()];
    Some(best_pieces(truth, assembly, |Placement { piece, place }| {
        // Boards may differ in size although all of them together fit.
        let board = truth.assembly().boards().get(place.board);
        let is_cell = board.is_some_and(|grid| grid.contains(place.cell));
        let wanted = || truth.assembly().piece_at(place.board, place.cell);
        let wanted = is_cell.then(wanted).flatten();
        let wanted = wanted.and_then(|piece| Some((piece, truth.assembly().place_of(piece)?.turn)));
        wanted.is_some_and(|(wanted, turn)| class(wanted, turn) == class(piece, place.turn))
    }))
}

/// Which of these joins are true.
fn true_joins(truth: &GroundTruth, joins: &[Join]) -> Vec<bool> {
    // A side touches at most one other, so the true joins are a table by side.
    let mut partner: Vec<Option<SideId>> = vec![None; truth.assembly().num_pieces() * 4];
    for join in truth.assembly().joins() {
        partner[join.first.index()] = Some(join.second);
    }
    joins.iter().map(|join| partner[join.first.index()] == Some(join.second)).collect()
}

/// Which of these joins have the classes of some true join.
fn joins_of_classes(truth: &GroundTruth, classes: &[PieceClasses], joins: &[Join]) -> Vec<bool> {
    let mut real: Vec<(u32, u32)> = truth
        .assembly()
        .joins()
        .flat_map(|Join { first, second }| {
            [classes_of_join(classes, first, second), classes_of_join(classes, second, first)]
        })
        .collect();
    real.sort_unstable();
    let is_real = |&Join { first, second }: &Join| {
        real.binary_search(&classes_of_join(classes, first, second)).is_ok()
    };
    joins.iter().map(is_real).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic;
    use crate::puzzle::{Cell, Grid, Place, PuzzleType};
    use proptest::prelude::*;

    #[test]
    fn the_truth_is_perfect_after_any_global_turn() {
        for puzzle_type in PuzzleType::ALL {
            let (_, _, truth) = synthetic::puzzle(3, 4, 6, puzzle_type, 5);
            for turn in QuarterTurn::ALL {
                let result = score(&truth, &truth.assembly().turned(turn)).unwrap();
                assert!(result.perfect);
                assert_eq!(
                    [result.direct, result.neighbor, result.largest].map(Some),
                    [Some(1.0), result.neighbor_px, result.direct_px]
                );
                assert_eq!((result.perfect_px, result.neighbor_visual), (Some(true), Some(1.0)));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn turning_an_assembly_changes_no_score(
            order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
            turns in prop::collection::vec(0_i64..4, 12),
            num_placed in 0_usize..=12,
        ) {
            let (_, grid, truth) = synthetic::puzzle(3, 4, 5, PuzzleType::Type2, 2);
            let placements = (0..num_placed).map(|index| Placement {
                piece: PieceId::new(order[index]),
                place: Place {
                    board: 0,
                    cell: grid.cell_at(index),
                    turn: QuarterTurn::from_clockwise(turns[index]),
                },
            });
            let assembly = Assembly::new(12, vec![grid], placements).unwrap();
            let expected = score(&truth, &assembly).unwrap();
            prop_assert_eq!(expected.placed, num_placed);
            for turn in QuarterTurn::ALL {
                prop_assert_eq!(score(&truth, &assembly.turned(turn)).unwrap(), expected);
            }
        }
    }

    #[test]
    fn a_piece_unknown_to_the_truth_is_refused() {
        let (_, _, truth) = synthetic::puzzle(1, 2, 4, PuzzleType::Type1, 0);
        let stray = Placement {
            piece: PieceId::new(2),
            place: Place { board: 0, cell: Cell { row: 0, col: 0 }, turn: QuarterTurn::ZERO },
        };
        let assembly = Assembly::new(3, vec![Grid::new(1, 2).unwrap()], [stray]).unwrap();
        assert_eq!(
            score(&truth, &assembly),
            Err(ScoreError::StrayPiece { piece: 2, num_pieces: 2 })
        );
        let nothing = GroundTruth::new(Assembly::new(0, vec![], []).unwrap(), None).unwrap();
        assert_eq!(score(&nothing, &assembly), Err(ScoreError::NoPieces));
    }

    #[test]
    fn a_hundred_thousand_pieces_are_scored_at_once() {
        let grid = Grid::new(250, 400).unwrap();
        let placements = (0..grid.num_cells()).map(|index| Placement {
            piece: PieceId::new(index),
            place: Place { board: 0, cell: grid.cell_at(index), turn: QuarterTurn::ZERO },
        });
        let assembly = Assembly::new(grid.num_cells(), vec![grid], placements).unwrap();
        // All pieces are equal.
        let truth =
            GroundTruth::new(assembly.clone(), Some(vec![[0; 4]; grid.num_cells()])).unwrap();
        let result = score(&truth, &assembly).unwrap();
        assert!(result.perfect);
        assert_eq!(result.neighbor_px, Some(1.0));
    }
}
