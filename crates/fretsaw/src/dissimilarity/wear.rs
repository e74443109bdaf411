//! Whether the pieces of a photograph are worn: whether more than one step of pixels lies between them.
//!
//! In a picture that was cut cleanly, the step from one piece to the next is like the step from one line of pixels to
//! the next within a piece. Lines that were lost at the edges, light that differs from piece to piece and pieces that
//! were compressed one by one make it larger. The steps of the best matches tell, even where a part of them is wrong.
//!
//! `fretsaw-lab diagnose wear` prints the steps of sets of puzzles.

use super::{Dissimilarity, NearestSides};
use crate::linalg::{mean, median};
use crate::puzzle::SideId;

/// Pieces are worn if the typical step between them is so many times as large as the step within them.
const MIN_STEP_RATIO: f64 = 1.25;
/// Sides whose mean step is below so many 8-bit levels are too flat to tell.
const MIN_STEP: f64 = 1.0;
/// The fewest matches that tell.
const MIN_MATCHES: usize = 12;

/// The steps of pixels across the seams of mutual best matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeamSteps {
    /// Mutual best matches whose sides are not flat.
    pub num_matches: usize,
    /// The median of the step across a seam, divided by the steps on both sides of it. About 1 for clean cuts.
    pub ratio: f64,
}

impl SeamSteps {
    /// The steps of the best matches among these candidates.
    pub fn new(dissimilarity: &Dissimilarity, nearest: &NearestSides) -> Self {
        let best = |side: SideId| nearest.of(side).first().map(|candidate| candidate.side);
        let sides = (0..nearest.num_sides()).map(SideId::from_index);
        let matches =
            sides.filter_map(|a| best(a).filter(|&b| a < b && best(b) == Some(a)).map(|b| (a, b)));
        let ratios: Vec<f64> =
            matches.filter_map(|(a, b)| step_ratio(dissimilarity, a, b)).collect();
        Self { num_matches: ratios.len(), ratio: median(ratios) }
    }

    /// Whether pieces with these steps are worn.
    pub fn are_worn(&self) -> bool {
        self.num_matches >= MIN_MATCHES && self.ratio >= MIN_STEP_RATIO
    }
}

/// The mean step across the seam of two sides, divided by the mean step within their pieces; `None` for flat sides.
fn step_ratio(dissimilarity: &Dissimilarity, a: SideId, b: SideId) -> Option<f64> {
    let strips = &dissimilarity.strips;
    let [a, b] = [a, b].map(|side| strips.strip_of(side));
    let length = strips.length(a);
    let within = |strip| mean(strips.outward_gradient(strip).iter().map(|step| step.abs()));
    let within = f64::midpoint(within(a)?, within(b)?);
    // The neighbour's line is read backwards, channel by channel.
    let channels =
        strips.line(a, 0).chunks_exact(length).zip(strips.line(b, 0).chunks_exact(length));
    let steps = channels.flat_map(|(a, b)| a.iter().zip(b.iter().rev()));
    let across = mean(steps.map(|(a, b)| f64::from(a.abs_diff(*b))))?;
    (within >= MIN_STEP * strips.unit).then(|| across / within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Measure, NearestSettings, find_nearest};
    use crate::observer::Silent;
    use crate::picture::cut;
    use crate::picture::synthetic::demo_picture;
    use crate::puzzle::{PieceSet, PieceShape, Samples, TurnSet};

    fn steps_of(pieces: &PieceSet) -> SeamSteps {
        let dissimilarity = Dissimilarity::new(pieces, Measure::Seam).unwrap();
        let settings = NearestSettings { num_candidates: 8, max_candidates: 8 };
        let nearest = find_nearest(&dissimilarity, TurnSet::None, &settings, &Silent).unwrap();
        SeamSteps::new(&dissimilarity, &nearest)
    }

    /// The pieces without so many lines at each edge, each with its own gain in percent.
    fn changed(pieces: &PieceSet, lost: usize, gain: impl Fn(usize) -> u16) -> PieceSet {
        let size = pieces.shape().width_px() as usize - 2 * lost;
        let mut values = Vec::new();
        for (number, piece) in pieces.ids().enumerate() {
            for at in 0..size * size * 3 {
                let (row, col) = (at / 3 / size + lost, at / 3 % size + lost);
                let value = pieces.sample(piece, row, col, at % 3) * gain(number) / 100;
                values.push(u8::try_from(value.min(255)).unwrap());
            }
        }
        let size = u32::try_from(size).unwrap();
        PieceSet::new(PieceShape::new(size, size).unwrap(), 3, Samples::U8(values)).unwrap()
    }

    #[test]
    fn lost_edges_and_uneven_light_are_noticed_and_clean_cuts_are_not_called_worn() {
        let picture = demo_picture(280, 280, 1);
        let clean = cut(&picture, PieceShape::new(28, 28).unwrap()).unwrap().pieces;
        assert!(!steps_of(&clean).are_worn(), "{:?}", steps_of(&clean));
        let eroded = changed(&clean, 2, |_| 100);
        assert!(steps_of(&eroded).are_worn(), "{:?}", steps_of(&eroded));
        let lit = changed(&clean, 0, |piece| [85, 100, 112][piece % 3]);
        assert!(steps_of(&lit).are_worn(), "{:?}", steps_of(&lit));
    }
}
