//! Pixel classes: pieces that are equal pixel for pixel, as they are or turned, share a class.

use super::{PieceId, PieceSet, QuarterTurn, Side, SideId, TurnSet};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// The pixel classes of a piece after 0, 1, 2 and 3 clockwise turns. Equal classes mean equal pixels.
///
/// With them a score can accept an exchange of pieces that are pixel for pixel the same.
pub type PieceClasses = [u32; 4];

/// Numbers the pixel classes in order of first appearance.
///
/// Pieces of different shape are never equal, so the classes of an oblong piece after a quarter turn
/// differ from all upright ones. Pixels are compared, not only their hashes; no copy of them is kept.
struct ClassNumbers<'a> {
    pieces: &'a PieceSet,
    /// By hash, the first piece of a class, its turn, and the class; several only if hashes collide.
    firsts: HashMap<u64, Vec<(PieceId, QuarterTurn, u32)>>,
    num_classes: u32,
}

impl<'a> ClassNumbers<'a> {
    fn new(pieces: &'a PieceSet) -> Self {
        Self { pieces, firsts: HashMap::new(), num_classes: 0 }
    }

    /// The class of a piece after a turn.
    fn class_of(&mut self, piece: PieceId, turn: QuarterTurn, hash: u64) -> u32 {
        let pieces = self.pieces;
        let same_hash = self.firsts.entry(hash).or_default();
        let known = same_hash.iter().find(|&&(first, first_turn, _)| {
            lies_across(pieces, turn) == lies_across(pieces, first_turn)
                && values(pieces, piece, turn).eq(values(pieces, first, first_turn))
        });
        if let Some(&(_, _, class)) = known {
            return class;
        }
        let class = self.num_classes;
        self.num_classes += 1;
        same_hash.push((piece, turn, class));
        class
    }
}

/// The pixel classes of every piece, numbered in order of first appearance.
///
/// Pieces of different shape are never equal, so the classes of an oblong piece after a quarter turn
/// differ from all upright ones.
pub fn pixel_classes_of(pieces: &PieceSet) -> Vec<PieceClasses> {
    let hashes: Vec<[u64; 4]> = (0..pieces.num_pieces())
        .into_par_iter()
        .map(|index| QuarterTurn::ALL.map(|turn| hash_of(pieces, PieceId::new(index), turn)))
        .collect();
    let mut numbers = ClassNumbers::new(pieces);
    let mut classes = |piece: PieceId| {
        let hashes = hashes[piece.index()];
        QuarterTurn::ALL.map(|turn| numbers.class_of(piece, turn, hashes[turn.index()]))
    };
    pieces.ids().map(&mut classes).collect()
}

/// The pixel classes of two pieces that touch, turned so that side `left` faces right and touches side
/// `right`. Equal pairs of classes mean joins that are equal pixel for pixel.
pub fn classes_of_join(classes: &[PieceClasses], left: SideId, right: SideId) -> (u32, u32) {
    let class =
        |side: SideId, facing: Side| classes[side.piece().index()][(facing - side.side()).index()];
    (class(left, Side::Right), class(right, Side::Left))
}

/// The pieces that can be exchanged without a visible change: groups of two or more that are pixel for
/// pixel the same after turns of the set. Pieces are in order of their numbers, and groups in order of
/// their first pieces.
///
/// The time is proportional to the number of pixels, unless hashes collide.
pub fn interchangeable(pieces: &PieceSet, turns: TurnSet) -> Vec<Vec<PieceId>> {
    let sums: Vec<u64> = (0..pieces.num_pieces())
        .into_par_iter()
        .map(|index| sum_of(pieces, PieceId::new(index)))
        .collect();
    let mut by_sum: BTreeMap<u64, Vec<PieceId>> = BTreeMap::new();
    for piece in pieces.ids() {
        by_sum.entry(sums[piece.index()]).or_default().push(piece);
    }
    // Pieces with different sums are different after any turn; most pieces need no other test.
    let mut groups = Vec::new();
    for alike in by_sum.into_values().filter(|alike| alike.len() > 1) {
        let mut numbers = ClassNumbers::new(pieces);
        let mut by_class: BTreeMap<u32, Vec<PieceId>> = BTreeMap::new();
        for piece in alike {
            // The turns are a group: pieces that share one class share all, and so the smallest.
            let classes = turns.turns().iter().map(|&turn| {
                let hash = hash_of(pieces, piece, turn);
                numbers.class_of(piece, turn, hash)
            });
            if let Some(class) = classes.min() {
                by_class.entry(class).or_default().push(piece);
            }
        }
        groups.extend(by_class.into_values().filter(|group| group.len() > 1));
    }
    groups.sort();
    groups
}

/// Whether the turn gives the piece another shape.
pub(super) const fn lies_across(pieces: &PieceSet, turn: QuarterTurn) -> bool {
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

/// Equal for equal pixels.
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
    fn equal_pixels_have_equal_classes_after_any_turn() {
        // The second piece is the first after one clockwise turn; the third is uniform.
        let classes = pixel_classes_of(&pieces(2, 2, &[1, 2, 3, 4, 3, 1, 4, 2, 7, 7, 7, 7]));
        assert_eq!(classes, [[0, 1, 2, 3], [1, 2, 3, 0], [4, 4, 4, 4]]);
    }

    #[test]
    fn oblong_pieces_after_a_quarter_turn_never_equal_upright_ones() {
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
