//! What happened to worn pieces, by the joins that are likely right: how wide the gap between pieces is, how the
//! light differs from piece to piece, how far pieces are off along a seam.

mod gap;
mod light;

pub(crate) use light::{UnevenLight, uneven_light};

use crate::matching::MatchModel;
use crate::picture::EvenLight;
use crate::puzzle::{Join, PieceSet, SideId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Wear of pieces, as their likely joins tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WearEstimate {
    /// How many pixels are missing between two pieces. 0 if only the light differs.
    pub gap_px: f64,
    /// The standard deviation, from piece to piece, of the gain of the light.
    pub gain_spread: f64,
    /// The standard deviation, from piece to piece, of the offset of levels, as a share of white.
    pub offset_spread: f64,
    /// The standard deviation of how far two neighbours are off along their seam, in pixels.
    pub misfit_px: f64,
    /// The number of joins that told this.
    pub joins: usize,
}

/// Fewer joins tell nothing.
const MIN_JOINS: usize = 12;

/// Joins that are at least this likely tell.
pub(crate) const MIN_PROBABILITY: f64 = 0.5;

/// Two sides that may belong together, and how likely that is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LikelyJoin {
    pub(crate) join: Join,
    pub(crate) probability: f64,
}

impl WearEstimate {
    /// The wear of pieces by joins that are likely right; `None` if they are too few.
    pub(crate) fn new(pieces: &PieceSet, joins: &[LikelyJoin]) -> Option<Self> {
        if joins.len() < MIN_JOINS {
            return None;
        }
        let UnevenLight { correction, spread } = uneven_light(pieces, joins);
        let evened = correction.on(pieces)?;
        let gap = gap::gap(&evened, joins);
        Some(Self {
            gap_px: gap.width_px,
            gain_spread: spread[0],
            offset_spread: spread[1],
            misfit_px: gap.misfit_px,
            joins: joins.len(),
        })
    }
}

impl fmt::Display for WearEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a gap of about {:.1} px between pieces; light differs by {:.1} % in gain and {:.1} % of white in offset; \
             neighbours are off by {:.1} px along their seam",
            self.gap_px,
            100.0 * self.gain_spread,
            100.0 * self.offset_spread,
            self.misfit_px
        )
    }
}

/// The joins that a model makes likely: sides that are each other's likeliest match.
pub(crate) fn likely_joins(model: &MatchModel<'_>) -> Vec<LikelyJoin> {
    let candidates = model.candidates();
    let best = |side: SideId| candidates.of(side).first().map(|candidate| candidate.side);
    let sides = (0..candidates.num_sides()).map(SideId::from_index);
    let mutual =
        sides.filter_map(|a| best(a).filter(|&b| a < b && best(b) == Some(a)).map(|b| (a, b)));
    let joins = mutual.map(|(a, b)| LikelyJoin {
        join: Join { first: a, second: b },
        probability: model.pair_probability(a, b),
    });
    joins.filter(|it| it.probability >= MIN_PROBABILITY).collect()
}

/// What evens out the light of pieces, by joins that are likely right.
pub(crate) fn even_light(pieces: &PieceSet, joins: &[LikelyJoin]) -> EvenLight {
    uneven_light(pieces, joins).correction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::mean;
    use crate::picture::cut;
    use crate::picture::synthetic::demo_picture;
    use crate::puzzle::{PieceId, PieceShape, Samples, Side};

    const COLS: usize = 10;

    fn pieces() -> PieceSet {
        let picture = demo_picture(320, 320, 1);
        cut(&picture, PieceShape::new(32, 32).unwrap()).unwrap().pieces
    }

    /// The joins of a board on which pieces lie in order.
    fn true_joins(pieces: &PieceSet) -> Vec<LikelyJoin> {
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        let mut joins = Vec::new();
        for piece in 0..pieces.num_pieces() {
            if piece % COLS + 1 < COLS {
                joins.push(Join::new(side(piece, Side::Right), side(piece + 1, Side::Left)));
            }
            if piece + COLS < pieces.num_pieces() {
                joins.push(Join::new(side(piece, Side::Bottom), side(piece + COLS, Side::Top)));
            }
        }
        joins.into_iter().map(|join| LikelyJoin { join, probability: 1.0 }).collect()
    }

    /// The pieces without so many lines at each edge, each with its own gain.
    fn changed(pieces: &PieceSet, lost: usize, gain: impl Fn(usize) -> f64) -> PieceSet {
        let size = pieces.shape().width_px() as usize - 2 * lost;
        let mut values = Vec::new();
        for (number, piece) in pieces.ids().enumerate() {
            for at in 0..size * size * 3 {
                let (row, col) = (at / 3 / size + lost, at / 3 % size + lost);
                let value = f64::from(pieces.sample(piece, row, col, at % 3)) * gain(number);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped"
                )]
                values.push(value.round().clamp(0.0, 255.0) as u8);
            }
        }
        let size = u32::try_from(size).unwrap();
        PieceSet::new(PieceShape::new(size, size).unwrap(), 3, Samples::U8(values)).unwrap()
    }

    /// The mean difference of two sets of pieces, in levels.
    fn difference(a: &PieceSet, b: &PieceSet) -> f64 {
        let (a, b) = (a.samples(), b.samples());
        mean((0..a.len()).map(|at| f64::from(a.get(at).abs_diff(b.get(at))))).unwrap()
    }

    #[test]
    fn light_is_evened_out_and_even_light_is_left_alone() {
        let clean = pieces();
        let joins = true_joins(&clean);
        let gain = |piece: usize| [0.85, 1.0, 1.1, 0.95][piece % 4];
        let lit = changed(&clean, 0, gain);
        let UnevenLight { correction, spread } = uneven_light(&lit, &joins);
        assert!((0.04..0.15).contains(&spread[0]), "{spread:?}");
        let evened = correction.on(&lit).unwrap();
        // The whole may be lighter or darker than it was: the mean gain is 0.975.
        let wanted = changed(&clean, 0, |_| 0.975);
        let (before, after) = (difference(&lit, &wanted), difference(&evened, &wanted));
        assert!(after < 0.4 * before, "{before} {after}");
        let unchanged = uneven_light(&clean, &joins);
        let after = difference(&unchanged.correction.on(&clean).unwrap(), &clean);
        assert!(after < 1.0, "{after} {:?}", unchanged.spread);
    }

    #[test]
    fn wrong_joins_do_not_spoil_the_light() {
        let clean = pieces();
        let gain = |piece: usize| [0.9, 1.0, 1.1][piece % 3];
        let lit = changed(&clean, 0, gain);
        let mut joins = true_joins(&clean);
        // Every tenth join is of the wrong piece.
        for at in (0..joins.len()).step_by(10) {
            let Join { first, second } = joins[at].join;
            let other = PieceId::new((second.piece().index() + 37) % clean.num_pieces());
            joins[at].join = Join::new(first, SideId::new(other, second.side()));
        }
        let evened = even_light(&lit, &joins).on(&lit).unwrap();
        let (before, after) = (difference(&lit, &clean), difference(&evened, &clean));
        assert!(after < 0.6 * before, "{before} {after}");
    }

    #[test]
    fn the_gap_is_about_as_wide_as_what_was_lost() {
        let clean = pieces();
        let joins = true_joins(&clean);
        for lost in [0, 1, 2, 3] {
            let eroded = changed(&clean, lost, |piece| [0.95, 1.0, 1.05][piece % 3]);
            let wear = WearEstimate::new(&eroded, &joins).unwrap();
            let error = wear.gap_px - 2.0 * lost as f64;
            assert!(error.abs() < 1.0 + 0.25 * lost as f64, "{lost}: {wear}");
            // Slanted lines alone make up to a pixel.
            assert!(wear.misfit_px < 1.5, "{lost}: {wear}");
        }
        assert_eq!(WearEstimate::new(&clean, &joins[..5]), None);
    }
}
