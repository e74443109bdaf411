//! The right answer, for judging. No solver may see it.

use super::{Assembly, PieceId, PieceSet, QuarterTurn};
use rayon::prelude::*;
use std::collections::HashMap;

/// Ids of a piece's pixels after 0, 1, 2 and 3 clockwise turns; equal ids mean equal pixels.
///
/// With them a score can forgive exchanging pieces that are pixel for pixel the same.
pub type Looks = [u32; 4];

/// Why an assembly cannot serve as the truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundTruthError {
    /// A piece without a true place.
    #[error("the truth gives no place for piece {piece}")]
    MissingPiece {
        /// The first such piece.
        piece: usize,
    },
    /// Looks for more or fewer pieces than there are.
    #[error("the truth has looks for {looks} of {num_pieces} pieces; all or none are needed")]
    LooksCount {
        /// Pieces with looks.
        looks: usize,
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
}

/// The true assembly: every piece has its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundTruth {
    assembly: Assembly,
    looks: Option<Vec<Looks>>,
}

impl GroundTruth {
    /// The truth, with the looks of every piece if they are known.
    ///
    /// # Errors
    /// If a piece has no place, or looks are given for some pieces only.
    pub fn new(assembly: Assembly, looks: Option<Vec<Looks>>) -> Result<Self, GroundTruthError> {
        if let Some(piece) = assembly.unplaced().next() {
            return Err(GroundTruthError::MissingPiece { piece: piece.index() });
        }
        match &looks {
            Some(looks) if looks.len() != assembly.num_pieces() => {
                Err(GroundTruthError::LooksCount {
                    looks: looks.len(),
                    num_pieces: assembly.num_pieces(),
                })
            }
            _ => Ok(Self { assembly, looks }),
        }
    }

    /// Where every piece belongs.
    #[must_use]
    pub const fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The looks of each piece, by number, if known.
    #[must_use]
    pub fn looks(&self) -> Option<&[Looks]> {
        self.looks.as_deref()
    }
}

/// The looks of every piece: ids are given in order of first appearance.
///
/// Pieces of different shape never look the same, so the turned looks of an oblong piece differ
/// from all upright ones. Pixels are compared, not only their hashes; no copy of them is kept.
#[must_use]
pub fn looks_of(pieces: &PieceSet) -> Vec<Looks> {
    let hashes: Vec<[u64; 4]> = (0..pieces.num_pieces())
        .into_par_iter()
        .map(|index| QuarterTurn::ALL.map(|turn| hash_of(pieces, PieceId::new(index), turn)))
        .collect();
    // Who looks like this first, and the id given; several only if hashes collide.
    let mut firsts: HashMap<u64, Vec<(PieceId, QuarterTurn, u32)>> = HashMap::new();
    let mut num_looks = 0;
    let mut id_of = |piece: PieceId, turn: QuarterTurn| {
        let same_hash = firsts.entry(hashes[piece.index()][turn.index()]).or_default();
        let known = same_hash.iter().find(|&&(first, first_turn, _)| {
            lies_across(pieces, turn) == lies_across(pieces, first_turn)
                && values(pieces, piece, turn).eq(values(pieces, first, first_turn))
        });
        if let Some(&(_, _, id)) = known {
            return id;
        }
        let id = num_looks;
        num_looks += 1;
        same_hash.push((piece, turn, id));
        id
    };
    pieces.ids().map(|piece| QuarterTurn::ALL.map(|turn| id_of(piece, turn))).collect()
}

/// Whether the turn gives the piece another shape.
const fn lies_across(pieces: &PieceSet, turn: QuarterTurn) -> bool {
    turn.swaps_axes() && !pieces.shape().is_square()
}

/// The values of a turned piece: row by row, pixel by pixel, channel by channel.
fn values(pieces: &PieceSet, piece: PieceId, turn: QuarterTurn) -> impl Iterator<Item = u16> {
    let shape = pieces.shape();
    let turned = shape.turned(turn);
    (0..turned.height_px() as usize).flat_map(move |row| {
        (0..turned.width_px() as usize).flat_map(move |col| {
            let (row, col) = shape.pixel_before_turn(turn, row, col);
            let start = pieces.offset_of(piece, row, col);
            (start..start + pieces.channels()).map(|offset| pieces.samples().get(offset))
        })
    })
}

/// Equal for equal looks; that is all it has to be.
fn hash_of(pieces: &PieceSet, piece: PieceId, turn: QuarterTurn) -> u64 {
    values(pieces, piece, turn).fold(0, |hash: u64, value| {
        (hash.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceShape, Samples};

    fn looks(height_px: u32, width_px: u32, values: &[u8]) -> Vec<Looks> {
        let shape = PieceShape::new(height_px, width_px).unwrap();
        looks_of(&PieceSet::new(shape, 1, Samples::U8(values.to_vec())).unwrap())
    }

    #[test]
    fn equal_pixels_have_equal_looks_whatever_turned_them() {
        // The second piece is the first after one clockwise turn; the third is uniform.
        let looks = looks(2, 2, &[1, 2, 3, 4, 3, 1, 4, 2, 7, 7, 7, 7]);
        assert_eq!(looks, [[0, 1, 2, 3], [1, 2, 3, 0], [4, 4, 4, 4]]);
    }

    #[test]
    fn oblong_pieces_that_lie_across_never_look_like_upright_ones() {
        assert_eq!(looks(1, 2, &[5, 5, 5, 5]), [[0, 1, 0, 1]; 2]);
    }

    #[test]
    fn a_truth_places_every_piece_and_knows_all_looks_or_none() {
        let board = vec![crate::puzzle::Grid::new(1, 1).unwrap()];
        let nothing_placed = Assembly::new(1, board, []).unwrap();
        assert_eq!(
            GroundTruth::new(nothing_placed, None),
            Err(GroundTruthError::MissingPiece { piece: 0 })
        );
        let empty = Assembly::new(0, vec![], []).unwrap();
        assert_eq!(
            GroundTruth::new(empty, Some(vec![[0; 4]])),
            Err(GroundTruthError::LooksCount { looks: 1, num_pieces: 0 })
        );
    }
}
