//! How sure an answer is of its seams and of its pieces.

use crate::judge::Judgement;
use crate::puzzle::{Assembly, Join};

/// A seam of an assembly, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeamConfidence {
    /// The two sides that touch.
    pub join: Join,
    /// 0 to 1, higher is surer.
    pub confidence: f64,
}

/// The confidence in every seam of an assembly, in the order of [`Assembly::joins`].
///
/// The judge's probability that the two sides belong together. Of a judge without probabilities:
/// `1 - ratio`, cut off at 0, where the ratio is Gallagher's; 0 means that other pieces would fit as
/// well.
#[must_use]
pub fn of_seams(assembly: &Assembly, judgement: &Judgement<'_>) -> Vec<SeamConfidence> {
    let of_seam = |Join { first, second }| {
        if judgement.has_probabilities() {
            judgement.pair_probability(first, second)
        } else {
            (1.0 - judgement.ratio(first, second)).max(0.0)
        }
    };
    assembly.joins().map(|join| SeamConfidence { join, confidence: of_seam(join) }).collect()
}

/// The confidence in each of `num_pieces` pieces, by number: the mean of its seams', 0 if it has none.
#[must_use]
pub fn of_pieces(num_pieces: usize, seams: &[SeamConfidence]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_u32); num_pieces];
    for SeamConfidence { join, confidence } in seams {
        for side in [join.first, join.second] {
            let (sum, num_seams) = &mut sums[side.piece().index()];
            *sum += confidence;
            *num_seams += 1;
        }
    }
    sums.into_iter()
        .map(|(sum, num_seams)| if num_seams == 0 { 0.0 } else { sum / f64::from(num_seams) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceId, Side, SideId};

    #[test]
    fn a_piece_is_as_sure_as_its_seams_on_average() {
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        let seam = |left, right, confidence| SeamConfidence {
            join: Join::new(side(left, Side::Right), side(right, Side::Left)),
            confidence,
        };
        let found = of_pieces(4, &[seam(0, 2, 0.5), seam(2, 1, 1.0)]);
        assert_eq!(found, [0.5, 1.0, 0.75, 0.0]);
    }
}
