//! The order in which pieces are solved: by their pixels, not as they were handed in.
//!
//! The order of the pieces breaks ties, numbers the streams of random moves, and decides which of two equal values
//! comes first. Were it that of the files, other names for the same files could give another picture. So
//! [`solve`](super::solve) sorts the pieces by a hash of their pixels, and gives the answer in the numbers handed in.
//! Pieces that are equal pixel for pixel keep their order: exchanging them changes no picture.

use super::{Puzzle, SolveError};
use crate::constraints::Constraints;
use crate::puzzle::{Assembly, Join, PieceId, PieceSet, Pin, Placement, Samples, SideId};
use crate::random::mix;
use crate::solution::{SeamConfidence, Solution};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The order of the pieces by their pixels.
pub(super) struct PieceOrder {
    /// By place in the order, the piece as handed in.
    handed_in: Vec<PieceId>,
    /// By piece as handed in, its place in the order.
    ordered: Vec<PieceId>,
}

impl PieceOrder {
    /// Sorts the pieces of a puzzle; of pictures that were scrambled alike by the pixels of all.
    pub(super) fn by_pixels(puzzle: &Puzzle) -> Self {
        let sets = || std::iter::once(&puzzle.pieces).chain(&puzzle.scrambled_alike);
        let pieces: Vec<PieceId> = puzzle.pieces.ids().collect();
        let hash = |&piece: &PieceId| {
            (sets().fold(0, |hash, set| mix(hash ^ hash_of_pixels(set, piece))), piece)
        };
        let mut hashes: Vec<(u64, PieceId)> = pieces.par_iter().map(hash).collect();
        hashes.sort_unstable();
        let handed_in: Vec<PieceId> = hashes.into_iter().map(|(_, piece)| piece).collect();
        let mut ordered = handed_in.clone();
        for (place, piece) in handed_in.iter().enumerate() {
            ordered[piece.index()] = PieceId::new(place);
        }
        Self { handed_in, ordered }
    }

    /// The puzzle with its pieces in this order.
    ///
    /// # Errors
    /// If there is no memory for a copy of the pixels.
    pub(super) fn puzzle(&self, puzzle: &Puzzle) -> Result<Puzzle, SolveError> {
        let set = |pieces: &Arc<PieceSet>| {
            let chosen = pieces.chosen(&self.handed_in);
            let bytes = pieces.samples().len() as u64 * u64::from(pieces.samples().bits() / 8);
            chosen.map(Arc::new).map_err(|_| SolveError::OutOfMemory { bytes })
        };
        let place = |piece: PieceId| self.ordered[piece.index()];
        let join = |join: &Join| renumbered(*join, place);
        let Constraints { pins, joins, forbidden } = &puzzle.constraints;
        Ok(Puzzle {
            pieces: set(&puzzle.pieces)?,
            scrambled_alike: puzzle.scrambled_alike.iter().map(set).collect::<Result<_, _>>()?,
            start: puzzle.start.as_ref().map(|start| start.renumbered(place)),
            constraints: Constraints {
                pins: pins.iter().map(|pin| Pin { piece: place(pin.piece), ..*pin }).collect(),
                joins: joins.iter().map(join).collect(),
                forbidden: forbidden.iter().map(join).collect(),
            },
            ..puzzle.clone()
        })
    }

    /// An assembly of the puzzle in this order, in the numbers handed in.
    pub(super) fn assembly(&self, assembly: &Assembly) -> Assembly {
        assembly.renumbered(|place| self.handed_in[place.index()])
    }

    /// The solution of the puzzle in this order, in the numbers handed in.
    pub(super) fn solution(&self, mut solution: Solution) -> Solution {
        let piece = |place: PieceId| self.handed_in[place.index()];
        solution.assembly = self.assembly(&solution.assembly);
        let of_join: BTreeMap<Join, f64> = solution
            .seams
            .iter()
            .map(|seam| (renumbered(seam.join, piece), seam.confidence))
            .collect();
        let seam = |join| of_join.get(&join).map(|&confidence| SeamConfidence { join, confidence });
        solution.seams = solution.assembly.joins().filter_map(seam).collect();
        solution.confidences =
            self.ordered.iter().map(|place| solution.confidences[place.index()]).collect();
        for group in &mut solution.interchangeable {
            group.iter_mut().for_each(|member| *member = piece(*member));
            group.sort_unstable();
        }
        solution.interchangeable.sort_unstable();
        for suggestion in &mut solution.suggestions {
            suggestion.piece = piece(suggestion.piece);
            for alternative in &mut suggestion.alternatives {
                alternative.piece = piece(alternative.piece);
            }
        }
        solution
    }
}

/// The join of the same sides of other pieces.
fn renumbered(join: Join, number: impl Fn(PieceId) -> PieceId) -> Join {
    let side = |side: SideId| SideId::new(number(side.piece()), side.side());
    Join::new(side(join.first), side(join.second))
}

/// A hash of the values of a piece, the same on every machine.
fn hash_of_pixels(pieces: &PieceSet, piece: PieceId) -> u64 {
    let length = pieces.samples_per_piece();
    let range = piece.index() * length..(piece.index() + 1) * length;
    // FNV-1a, value by value, and all bits mixed at the end.
    let add = |hash: u64, value: u64| (hash ^ value).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    let start = 0xcbf2_9ce4_8422_2325;
    mix(match pieces.samples() {
        Samples::U8(values) => values[range].iter().fold(start, |hash, &it| add(hash, it.into())),
        Samples::U16(values) => values[range].iter().fold(start, |hash, &it| add(hash, it.into())),
    })
}

impl Assembly {
    /// The same assembly with other numbers for the pieces, each of them once.
    fn renumbered(&self, number: impl Fn(PieceId) -> PieceId) -> Self {
        let moved = self
            .placements()
            .map(|placement| Placement { piece: number(placement.piece), ..placement });
        Self::new(self.num_pieces(), self.boards().to_vec(), moved)
            .unwrap_or_else(|error| unreachable!("numbers are exchanged one for one: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic;
    use crate::puzzle::{Cell, PuzzleType, Side};
    use crate::{Settings, Silent, solve};

    #[test]
    fn a_puzzle_is_the_same_in_every_order_handed_in() {
        let (pieces, grid, _) = synthetic::puzzle(4, 5, 8, PuzzleType::Type2, 3);
        let mut reversed: Vec<PieceId> = pieces.ids().collect();
        reversed.reverse();
        let one = Puzzle::new(pieces.clone()).board(grid);
        let other = Puzzle::new(pieces.chosen(&reversed).unwrap()).board(grid);
        let in_order = |puzzle: &Puzzle| PieceOrder::by_pixels(puzzle).puzzle(puzzle).unwrap();
        assert_eq!(in_order(&one).pieces, in_order(&other).pieces);
        let order = PieceOrder::by_pixels(&one);
        assert_ne!(order.handed_in, pieces.ids().collect::<Vec<_>>());
    }

    #[test]
    fn constraints_and_the_start_follow_their_pieces() {
        let (pieces, grid, truth) = synthetic::puzzle(3, 3, 8, PuzzleType::Type1, 3);
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        let puzzle = Puzzle::new(pieces).board(grid).start(truth.assembly().clone()).constraints(
            Constraints {
                pins: vec![Pin {
                    piece: PieceId::new(4),
                    cell: Cell { row: 1, col: 2 },
                    turn: None,
                }],
                joins: vec![Join::new(side(7, Side::Right), side(0, Side::Left))],
                forbidden: Vec::new(),
            },
        );
        let order = PieceOrder::by_pixels(&puzzle);
        let inner = order.puzzle(&puzzle).unwrap();
        let place = |piece: usize| order.ordered[piece];
        assert_eq!(inner.constraints.pins[0].piece, place(4));
        let join = Join::new(SideId::new(place(7), Side::Right), SideId::new(place(0), Side::Left));
        assert_eq!(inner.constraints.joins, [join]);
        let start = inner.start.unwrap();
        for piece in puzzle.pieces.ids() {
            let expected = truth.assembly().place_of(piece);
            assert_eq!(start.place_of(place(piece.index())), expected);
        }
    }

    #[test]
    fn other_file_orders_give_the_same_answer() {
        // Pieces of few pixels, so that ties and mistakes are many.
        for (seed, piece_px) in [(1, 3), (2, 4)] {
            let (pieces, grid, _) = synthetic::puzzle(4, 5, piece_px, PuzzleType::Type2, seed);
            let mut shuffled: Vec<PieceId> = pieces.ids().collect();
            shuffled.sort_by_key(|piece| mix(u64::from(piece.number()) ^ seed));
            let answer = |pieces: PieceSet| {
                let puzzle = Puzzle::new(pieces).of_type(PuzzleType::Type2).board(grid);
                solve(&puzzle, &Settings::default(), &Silent).unwrap()
            };
            let one = answer(pieces.clone());
            let other = answer(pieces.chosen(&shuffled).unwrap());
            for (number, &piece) in shuffled.iter().enumerate() {
                let there = other.assembly.place_of(PieceId::new(number));
                assert_eq!(one.assembly.place_of(piece), there, "{piece_px} px, piece {number}");
                assert_eq!(one.confidences[piece.index()], other.confidences[number]);
            }
        }
    }
}
