//! Which pieces look the same, as they are or turned.

use super::{PieceId, PieceSet, QuarterTurn, TurnSet};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Ids of a piece's pixels after 0, 1, 2 and 3 clockwise turns; equal ids mean equal pixels.
///
/// With them a score can forgive exchanging pieces that are pixel for pixel the same.
pub type PieceClasses = [u32; 4];

/// Gives ids to looks, in order of first appearance.
///
/// Pieces of different shape never look the same, so the turned looks of an oblong piece differ
/// from all upright ones. Pixels are compared, not only their hashes; no copy of them is kept.
struct LookIds<'a> {
    pieces: &'a PieceSet,
    /// Who looks like this first, and the id given; several only if hashes collide.
    firsts: HashMap<u64, Vec<(PieceId, QuarterTurn, u32)>>,
    num_looks: u32,
}

impl<'a> LookIds<'a> {
    fn new(pieces: &'a PieceSet) -> Self {
        Self { pieces, firsts: HashMap::new(), num_looks: 0 }
    }

    /// The id of a piece's look after a turn; `hash` is its [`hash_of`].
    fn id_of(&mut self, piece: PieceId, turn: QuarterTurn, hash: u64) -> u32 {
        let pieces = self.pieces;
        let same_hash = self.firsts.entry(hash).or_default();
        let known = same_hash.iter().find(|&&(first, first_turn, _)| {
            lies_across(pieces, turn) == lies_across(pieces, first_turn)
                && values(pieces, piece, turn).eq(values(pieces, first, first_turn))
        });
        if let Some(&(_, _, id)) = known {
            return id;
        }
        let id = self.num_looks;
        self.num_looks += 1;
        same_hash.push((piece, turn, id));
        id
    }
}

/// The looks of every piece: ids are given in order of first appearance.
///
/// Pieces of different shape never look the same, so the turned looks of an oblong piece differ
/// from all upright ones.
#[must_use]
pub fn pixel_classes_of(pieces: &PieceSet) -> Vec<PieceClasses> {
    let hashes: Vec<[u64; 4]> = (0..pieces.num_pieces())
        .into_par_iter()
        .map(|index| QuarterTurn::ALL.map(|turn| hash_of(pieces, PieceId::new(index), turn)))
        .collect();
    let mut ids = LookIds::new(pieces);
    let mut looks = |piece: PieceId| {
        QuarterTurn::ALL.map(|turn| ids.id_of(piece, turn, hashes[piece.index()][turn.index()]))
    };
    pieces.ids().map(&mut looks).collect()
}

/// The pieces that could be exchanged without anyone seeing it: groups of two and more that are pixel
/// for pixel the same, some of them perhaps turned by a turn of the set. Pieces are in order of their
/// numbers, and so are groups by their first pieces.
///
/// Takes time in proportion to the pixels, unless hashes collide.
#[must_use]
pub fn interchangeable(pieces: &PieceSet, turns: TurnSet) -> Vec<Vec<PieceId>> {
    let sums: Vec<u64> = (0..pieces.num_pieces())
        .into_par_iter()
        .map(|index| sum_of(pieces, PieceId::new(index)))
        .collect();
    let mut by_sum: BTreeMap<u64, Vec<PieceId>> = BTreeMap::new();
    for piece in pieces.ids() {
        by_sum.entry(sums[piece.index()]).or_default().push(piece);
    }
    // Most pieces have no like, and their pixels need not be turned to know it.
    let mut groups = Vec::new();
    for alike in by_sum.into_values().filter(|alike| alike.len() > 1) {
        let mut ids = LookIds::new(pieces);
        let mut by_look: BTreeMap<u32, Vec<PieceId>> = BTreeMap::new();
        for piece in alike {
            // The turns are a group: pieces that have one look in common have all, and so the
            // smallest.
            let looks = turns.turns().iter().map(|&turn| {
                let hash = hash_of(pieces, piece, turn);
                ids.id_of(piece, turn, hash)
            });
            if let Some(look) = looks.min() {
                by_look.entry(look).or_default().push(piece);
            }
        }
        groups.extend(by_look.into_values().filter(|group| group.len() > 1));
    }
    groups.sort();
    groups
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

/// An odd number whose multiples look random.
const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mixed(hash: u64, value: u16) -> u64 {
    (hash.rotate_left(5) ^ value as u64).wrapping_mul(MIXER)
}

/// Equal for equal looks; that is all it has to be.
fn hash_of(pieces: &PieceSet, piece: PieceId, turn: QuarterTurn) -> u64 {
    values(pieces, piece, turn).fold(0, mixed)
}

/// The sum over the pixels of a hash of each: the same however the piece is turned.
fn sum_of(pieces: &PieceSet, piece: PieceId) -> u64 {
    let start = pieces.offset_of(piece, 0, 0);
    let channels = pieces.channels();
    (0..pieces.shape().num_pixels())
        .map(|pixel| {
            let first = start + pixel * channels;
            (first..first + channels)
                .fold(MIXER, |hash, offset| mixed(hash, pieces.samples().get(offset)))
        })
        .fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceShape, Samples};

    fn pieces(height_px: u32, width_px: u32, values: &[u8]) -> PieceSet {
        let shape = PieceShape::new(height_px, width_px).unwrap();
        PieceSet::new(shape, 1, Samples::U8(values.to_vec())).unwrap()
    }

    #[test]
    fn equal_pixels_have_equal_looks_whatever_turned_them() {
        // The second piece is the first after one clockwise turn; the third is uniform.
        let looks = pixel_classes_of(&pieces(2, 2, &[1, 2, 3, 4, 3, 1, 4, 2, 7, 7, 7, 7]));
        assert_eq!(looks, [[0, 1, 2, 3], [1, 2, 3, 0], [4, 4, 4, 4]]);
    }

    #[test]
    fn oblong_pieces_that_lie_across_never_look_like_upright_ones() {
        assert_eq!(pixel_classes_of(&pieces(1, 2, &[5, 5, 5, 5])), [[0, 1, 0, 1]; 2]);
    }

    fn groups(pieces: &PieceSet, turns: TurnSet) -> Vec<Vec<usize>> {
        let numbers = |group: Vec<PieceId>| group.into_iter().map(PieceId::index).collect();
        interchangeable(pieces, turns).into_iter().map(numbers).collect()
    }

    #[test]
    fn pieces_are_interchangeable_by_the_turns_of_the_puzzle() {
        // Number 1 is number 0 after one turn and number 4 after two; 2 and 5 are the same as they
        // are; 3 has the pixels of 0 in another order, which no turn gives.
        let pieces =
            pieces(2, 2, &[1, 2, 3, 4, 3, 1, 4, 2, 7, 7, 7, 8, 2, 1, 3, 4, 4, 3, 2, 1, 7, 7, 7, 8]);
        assert_eq!(groups(&pieces, TurnSet::None), [vec![2, 5]]);
        assert_eq!(groups(&pieces, TurnSet::Half), [vec![0, 4], vec![2, 5]]);
        assert_eq!(groups(&pieces, TurnSet::Quarter), [vec![0, 1, 4], vec![2, 5]]);
    }

    #[test]
    fn oblong_pieces_are_interchangeable_after_half_a_turn() {
        let pieces = pieces(1, 3, &[1, 2, 3, 3, 2, 1, 2, 1, 3]);
        assert_eq!(groups(&pieces, TurnSet::Half), [vec![0, 1]]);
        assert_eq!(groups(&pieces, TurnSet::None), Vec::<Vec<usize>>::new());
    }
}
