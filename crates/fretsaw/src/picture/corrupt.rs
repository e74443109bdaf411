//! The paper's corruption of the sides of pieces.

use super::scramble::{Purpose, rng_for};
use crate::puzzle::{PieceId, PieceSet, Samples, Side};
use rand::Rng;

/// The paper's corruption (\[HLW20\], section "Numerical Experiments"): each side of each piece,
/// with probability `rate` and independently, has its outermost line replaced by values drawn
/// uniformly and one by one from all values of the picture.
///
/// Neighbouring sides share a corner pixel; where both are corrupted the later one stays.
pub(super) fn corrupt(pieces: &PieceSet, rate: f64, seed: u64) -> PieceSet {
    let mut sides = rng_for(seed, Purpose::CorruptedSides);
    let mut values = rng_for(seed, Purpose::CorruptedValues);
    let original = pieces.samples();
    let mut samples = original.clone();
    for piece in pieces.ids() {
        for side in Side::ALL {
            if sides.random::<f64>() >= rate {
                continue;
            }
            for offset in outermost_line(pieces, piece, side) {
                let source = values.random_range(0..original.len());
                match (&mut samples, original) {
                    (Samples::U8(to), Samples::U8(from)) => to[offset] = from[source],
                    (Samples::U16(to), Samples::U16(from)) => to[offset] = from[source],
                    _ => unreachable!("a clone has the depth of its original"),
                }
            }
        }
    }
    PieceSet::new(pieces.shape(), pieces.channels(), samples)
        .expect("as many values as a set of pieces had")
}

/// The offsets of all values, s x k of them, of the line of pixels at a side.
fn outermost_line(pieces: &PieceSet, piece: PieceId, side: Side) -> impl Iterator<Item = usize> {
    let shape = pieces.shape();
    (0..shape.side_length_px(side)).flat_map(move |along| {
        let (row, col) = shape.pixel_at_side(side, 0, along);
        let start = pieces.offset_of(piece, row, col);
        start..start + pieces.channels()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scramble::tests::cut_noise;
    use crate::picture::{Picture, ScrambleSettings, cut, scramble};
    use crate::puzzle::{PieceShape, PuzzleType};

    #[test]
    fn corruption_touches_only_outermost_lines_at_about_the_given_rate() {
        let rate = 0.1;
        // Values below 100 in the picture, so that a replaced value is one of them too.
        let values = (0..120 * 120_usize).map(|i| u8::try_from(i * i % 97).unwrap()).collect();
        let picture = Picture::new(120, 120, 1, Samples::U8(values)).unwrap();
        let cut = cut(&picture, PieceShape::new(6, 6).unwrap()).unwrap();
        let type1 = ScrambleSettings::new(PuzzleType::Type1, 3);
        let clean = scramble(&cut, &type1).unwrap();
        let settings = ScrambleSettings { corrupt_rate: rate, ..type1 };
        let corrupted = scramble(&cut, &settings).unwrap();
        assert_eq!(clean.truth.assembly(), corrupted.truth.assembly());
        let mut num_sides = 0;
        for piece in clean.pieces.ids() {
            let differs = |row: usize, col: usize| {
                let now = corrupted.pieces.sample(piece, row, col, 0);
                assert!(now < 97);
                now != clean.pieces.sample(piece, row, col, 0)
            };
            assert!(!(1..5).any(|row| (1..5).any(|col| differs(row, col))));
            for side in Side::ALL {
                // Without the corners, which belong to two sides.
                let changed = (1..5).any(|along| {
                    let (row, col) = cut.pieces.shape().pixel_at_side(side, 0, along);
                    differs(row, col)
                });
                num_sides += u32::from(changed);
            }
        }
        // 1600 sides at 0.1: 160 expected, standard deviation 12.
        assert!((112..=208).contains(&num_sides), "{num_sides} sides");
    }

    #[test]
    fn at_rate_one_every_side_is_corrupted() {
        let cut = cut_noise(3, 3, 3);
        let settings =
            ScrambleSettings { corrupt_rate: 1.0, ..ScrambleSettings::new(PuzzleType::Type3, 3) };
        let puzzle = scramble(&cut, &settings).unwrap();
        let clean = scramble(&cut, &ScrambleSettings { corrupt_rate: 0.0, ..settings }).unwrap();
        for piece in cut.pieces.ids() {
            for side in Side::ALL {
                let line = |set: &PieceSet| {
                    outermost_line(set, piece, side)
                        .map(|offset| set.samples().get(offset))
                        .collect::<Vec<_>>()
                };
                assert_ne!(line(&puzzle.pieces), line(&clean.pieces));
            }
        }
    }
}
