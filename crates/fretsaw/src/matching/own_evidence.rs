//! What a puzzle of graphics teaches about itself, beside what the networks know.

use super::inside_statistics::InsideStatistics;
use super::line_pitch::LinePitch;
use crate::puzzle::SideId;

/// Evidence for pairs of sides.
#[derive(Debug, Default)]
pub(super) struct OwnEvidence {
    /// The evidence of lines, if pieces are not turned.
    pub(super) pitch: Option<LinePitch>,
    /// The evidence of seams inside pieces, if sides are long.
    pub(super) inside: Option<InsideStatistics>,
}

impl OwnEvidence {
    /// How much the networks are trusted about a side, from 0 to 1.
    pub(super) fn trust_in_networks(&self, side: SideId) -> f32 {
        self.inside.as_ref().map_or(1.0, |inside| inside.trust_in_networks(side))
    }

    /// The logarithm of how much likelier it is that two sides touch, as seen from the first.
    pub(super) fn log_ratio(&self, side: SideId, other: SideId) -> f32 {
        let of_lines = self.pitch.as_ref().map_or(0.0, |pitch| pitch.log_ratio(side, other));
        let of_inside = self.inside.as_ref().map_or(0.0, |inside| inside.log_ratio(side, other));
        of_lines + of_inside
    }
}
