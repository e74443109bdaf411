//! The scores by which answers are compared. Of all of them, higher is better.

use crate::puzzle::{
    Assembly, GroundTruth, Join, PieceClasses, Placement, QuarterTurn, SideId, classes_of_join,
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

    // A side touches at most one other, so the true joins are a table by side.
    let mut true_partner: Vec<Option<SideId>> = vec![None; num_pieces * 4];
    let mut num_true_joins = 0;
    for join in truth.assembly().joins() {
        true_partner[join.first.index()] = Some(join.second);
        num_true_joins += 1;
    }
    let is_true = |join: &Join| true_partner[join.first.index()] == Some(join.second);
    let mut num_good_joins = 0;
    let mut groups = Groups::new(num_pieces);
    for join in assembly.joins().filter(is_true) {
        num_good_joins += 1;
        groups.unite(join.first.piece().index(), join.second.piece().index());
    }

    let mut num_direct = 0;
    let mut num_direct_px = 0;
    for turn in turns_that_fit(truth.assembly(), assembly) {
        let turned = assembly.turned(turn);
        num_direct = num_direct.max(count_direct(truth, &turned));
        if let Some(classes) = truth.pixel_classes() {
            num_direct_px = num_direct_px.max(count_direct_px(truth, classes, &turned));
        }
    }
    let share = |count: usize| ratio(count, num_pieces);
    let true_joins_or_one = num_true_joins.max(1);
    let share_of_joins = |classes: &[PieceClasses]| {
        ratio(count_joins_of_classes(truth, classes, assembly), true_joins_or_one).min(1.0)
    };
    Ok(Score {
        pieces: num_pieces,
        placed: assembly.num_placed(),
        direct: share(num_direct),
        neighbor: ratio(num_good_joins, true_joins_or_one),
        largest: share(groups.largest()),
        perfect: num_direct == num_pieces,
        neighbor_px: truth.pixel_classes().map(share_of_joins),
        direct_px: truth.pixel_classes().map(|_| share(num_direct_px)),
        perfect_px: truth.pixel_classes().map(|_| num_direct_px == num_pieces),
        neighbor_visual: truth.visual_classes().map(share_of_joins),
    })
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
    turns_that_fit(truth.assembly(), assembly)
        .max_by_key(|&turn| (count_direct(truth, &assembly.turned(turn)), std::cmp::Reverse(turn)))
        .unwrap_or_default()
}

/// Pieces with exactly their true board, cell and turn.
fn count_direct(truth: &GroundTruth, assembly: &Assembly) -> usize {
    assembly
        .placements()
        .filter(|&Placement { piece, place }| truth.assembly().place_of(piece) == Some(place))
        .count()
}

/// True places where the assembly has the same pixels.
fn count_direct_px(truth: &GroundTruth, classes: &[PieceClasses], assembly: &Assembly) -> usize {
    let class = |Placement { piece, place }: Placement| classes[piece.index()][place.turn.index()];
    truth
        .assembly()
        .placements()
        .filter(|&wanted| {
            // Boards may differ in size although all of them together fit.
            let (board, cell) = (wanted.place.board, wanted.place.cell);
            if !assembly.boards().get(board).is_some_and(|grid| grid.contains(cell)) {
                return false;
            }
            let Some(piece) = assembly.piece_at(board, cell) else { return false };
            let Some(place) = assembly.place_of(piece) else { return false };
            class(Placement { piece, place }) == class(wanted)
        })
        .count()
}

/// Joins of the assembly with the classes of some true join.
fn count_joins_of_classes(
    truth: &GroundTruth,
    classes: &[PieceClasses],
    assembly: &Assembly,
) -> usize {
    let mut real: Vec<(u32, u32)> = truth
        .assembly()
        .joins()
        .flat_map(|Join { first, second }| {
            [classes_of_join(classes, first, second), classes_of_join(classes, second, first)]
        })
        .collect();
    real.sort_unstable();
    assembly
        .joins()
        .filter(|join| {
            real.binary_search(&classes_of_join(classes, join.first, join.second)).is_ok()
        })
        .count()
}

/// Disjoint groups of pieces (union by size with path halving).
struct Groups {
    parent: Vec<usize>,
    size: Vec<usize>,
}

impl Groups {
    fn new(num_pieces: usize) -> Self {
        Self { parent: (0..num_pieces).collect(), size: vec![1; num_pieces] }
    }

    fn find(&mut self, mut piece: usize) -> usize {
        while self.parent[piece] != piece {
            self.parent[piece] = self.parent[self.parent[piece]];
            piece = self.parent[piece];
        }
        piece
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (small, large) = if self.size[a] < self.size[b] { (a, b) } else { (b, a) };
        self.parent[small] = large;
        self.size[large] += self.size[small];
    }

    fn largest(&self) -> usize {
        self.size.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cell, Grid, PieceId, Place, PuzzleType};
    use crate::synthetic;
    use proptest::prelude::*;

    #[test]
    fn the_truth_is_perfect_after_any_global_turn() {
        for puzzle_type in [PuzzleType::Type1, PuzzleType::Type2, PuzzleType::Type3] {
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
