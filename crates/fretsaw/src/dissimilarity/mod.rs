//! How badly two sides fit: from pieces to the k best candidates of each side.
//!
//! In: a [`PieceSet`]. Out: [`NearestSides`], exact, and the dissimilarity of any single pair on
//! demand. Lower is better.
//!
//! The 16 relative positions of two pieces are the 4 x 4 pairs of their sides, so all work is done
//! on the 4n sides. Each side's pixels are read outward and clockwise once; then how well side v fits
//! side u is a function of two strips of pixels, whatever the turns. The measures are MGC (the paper's:
//! `mgc.rs` names its equations), the seam measure (same form, better), SSD and (L_p)^q. The first three
//! are quadratic and run as tiles of one matrix product (`quadratic.rs`, `lower_bounds`); `nearest` finds
//! the candidates.
//!
//! Paper: \[HLW20\] section "Gallagher's MGC Metric". We compute the same numbers in another order. Cost:
//! O(n^2 k s) multiply-adds; memory O(n k s).
//!
//! The yardstick of speed is a bare single-precision product of the same shape, 4n x 4n by the measure's
//! numbers per side. `docs/scaling.md` prints how long finding the candidates takes in multiples of it. On
//! large puzzles most tiles need no product; on small ones the rest counts more, because shortlists, exact
//! pairs and packing grow about like n and the product like n^2.

mod boundary_profiles;
mod covariance;
mod lower_bounds;
mod lpq;
mod material;
mod mgc;
mod nearest;
mod pair_feature_source;
mod quadratic;
mod seam;
mod ssd;
mod strips;
mod telling_sides;
mod wear;

pub(crate) use boundary_profiles::{BANDS, ProfileMismatch};
pub use material::Material;
pub(crate) use material::{LONG_SIDE_PX, OPPONENT_CHANNELS, OpponentPixels};
pub(crate) use nearest::CANDIDATES_AFTER_STOP;
pub(crate) use nearest::find_nearest_among;
pub use nearest::{
    Candidate, NearestSettings, NearestSides, PartsError, TILE, find_nearest, find_nearest_part,
    merge_nearest_parts,
};
pub(crate) use pair_feature_source::{PairFeatureSource, PairMeasurements, SideTexture};
pub use telling_sides::TellingSides;
pub(crate) use telling_sides::distinct_sides;
pub use wear::SeamSteps;

use crate::puzzle::{PieceSet, PieceShape, SideId};
use boundary_profiles::BoundaryProfiles;
use lpq::Lpq;
use quadratic::Quadratic;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use strips::Strips;

/// A measure of how badly two sides fit. Of every measure, lower is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Mahalanobis gradient compatibility, the paper's: `sum_r |e_v(r') - e_u(r) - mu_u|^2` in the
    /// metric of `Sigma_u^-1`, plus the same with u and v exchanged \[Gal12, HLW20\].
    #[default]
    Mgc,
    /// The seam measure M: both sides extrapolate half a pixel outward and must meet, and so must
    /// their derivatives along the side; each in the metric of its own gradients.
    Seam,
    /// Sum of squared differences of the outermost lines, in 8-bit levels.
    Ssd,
    /// Pomeranz et al.'s prediction measure `(L_p)^q`, p = 3/10, q = 1/16 \[Pom11\].
    Lpq,
}

crate::named_enum!(Measure { Mgc: "mgc", Seam: "seam", Ssd: "ssd", Lpq: "lpq" });

/// Pieces that cannot be measured: gradients need two lines of pixels, and sides two pixels to compare along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "pieces of {} x {} pixels are too thin to compare: they must be at least 2 pixels wide and 2 pixels high",
    .0.width_px(), .0.height_px()
)]
pub struct DissimilarityError(pub PieceShape);

impl DissimilarityError {
    /// Refuses pieces that are too thin.
    fn check(shape: PieceShape) -> Result<(), Self> {
        if shape.width_px() < 2 || shape.height_px() < 2 {
            return Err(Self(shape));
        }
        Ok(())
    }
}

/// Sides are blank if they have the most frequent pixels, and at least this share of the sides of their length has
/// them.
const MIN_SHARE_OF_BLANK: f64 = 0.05;

/// A measure, prepared for all sides of a puzzle.
#[derive(Clone, Debug)]
pub struct Dissimilarity {
    measure: Measure,
    strips: Strips,
    kind: Kind,
    profiles: BoundaryProfiles,
    material: Material,
    /// For matchers that look deep into the pieces; none for photographs that were cut cleanly.
    pixels: Option<OpponentPixels>,
}

#[derive(Clone, Debug)]
enum Kind {
    Quadratic(Quadratic),
    Lpq(Lpq),
}

impl Dissimilarity {
    /// Prepare a measure for the sides of these pieces.
    pub fn new(pieces: &PieceSet, measure: Measure) -> Result<Self, DissimilarityError> {
        Self::profiled_while(pieces, measure, &|| true)
    }

    /// The same; once `goes_on`, which is asked often, says no, without what only the learned matcher needs.
    pub(crate) fn profiled_while(
        pieces: &PieceSet,
        measure: Measure,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, DissimilarityError> {
        DissimilarityError::check(pieces.shape())?;
        let strips = Strips::new(pieces);
        let kind = match measure {
            Measure::Mgc => Kind::Quadratic(Quadratic::new(mgc::terms(&strips))),
            Measure::Seam => Kind::Quadratic(Quadratic::new(seam::terms(&strips))),
            Measure::Ssd => Kind::Quadratic(Quadratic::new(ssd::terms(&strips))),
            Measure::Lpq => Kind::Lpq(Lpq::new(&strips)),
        };
        let (profiles, pixels) =
            (BoundaryProfiles::new(pieces, goes_on), OpponentPixels::of_graphics(pieces));
        let material = if pixels.is_some() { Material::Graphics } else { Material::Photograph };
        Ok(Self { measure, strips, kind, profiles, material, pixels })
    }

    /// Which measure it is.
    pub const fn measure(&self) -> Measure {
        self.measure
    }

    /// Number of sides, 4n.
    pub fn num_sides(&self) -> usize {
        self.strips.num_sides()
    }

    /// The number of a side's strip. Sides with equal pixels share it, and fit anything equally well.
    pub(crate) fn strip_of(&self, side: SideId) -> usize {
        self.strips.strip_of(side)
    }

    /// The strips of blank sides: of each length of sides the most frequent strip, if enough sides have it.
    pub(crate) fn blank_strips(&self) -> Vec<usize> {
        let mut by_length: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
        for side in (0..self.num_sides()).map(SideId::from_index) {
            let strip = self.strips.strip_of(side);
            let counts = by_length.entry(self.strips.length(strip)).or_default();
            *counts.entry(strip).or_default() += 1;
        }
        let most_frequent = |counts: &BTreeMap<usize, usize>| {
            let num_sides: usize = counts.values().sum();
            let of_count = |(strip, count): &(&usize, &usize)| (**count, Reverse(**strip));
            let (&strip, &count) = counts.iter().max_by_key(of_count)?;
            (count as f64 >= MIN_SHARE_OF_BLANK * num_sides as f64).then_some(strip)
        };
        by_length.values().filter_map(most_frequent).collect()
    }

    /// How badly two sides fit: lower is better. Symmetric. Infinite for sides of different length, which
    /// can never touch.
    pub fn value(&self, a: SideId, b: SideId) -> f64 {
        self.value_of_strips(self.strips.strip_of(a), self.strips.strip_of(b))
    }

    /// What the pieces are of. Photographs are taken to be cut cleanly until [`looked_into`](Self::looked_into) says otherwise.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// The same measure, of pieces of this material, whose pixels are looked into. Those of a compressed sheet have their true
    /// colours deep inside: the measure is then of their luma, and `pieces` have their colours.
    #[must_use]
    pub fn looked_into(mut self, material: Material, pieces: &PieceSet) -> Self {
        self.material = material;
        self.pixels.get_or_insert_with(|| OpponentPixels::of(pieces));
        self
    }

    /// The same measure, of pieces that are [worn](Material::Worn) if the best matches of a photograph say so.
    #[must_use]
    pub(crate) fn worn_if(self, pieces: &PieceSet, nearest: &NearestSides) -> Self {
        let are_worn = SeamSteps::new(&self, nearest).are_worn();
        if are_worn { self.looked_into_if_possible(Material::Worn, pieces) } else { self }
    }

    /// The same measure, [looked into](Self::looked_into) if the networks for such pieces can be used: pieces of a
    /// photograph, neither too small nor too many.
    #[must_use]
    pub(crate) fn looked_into_if_possible(self, material: Material, pieces: &PieceSet) -> Self {
        let may_be = self.material == Material::Photograph && material::can_look_deep(pieces);
        if may_be { self.looked_into(material, pieces) } else { self }
    }

    /// The pixels of the pieces, if they are of graphics, worn or bled.
    pub(crate) const fn pixels(&self) -> Option<&OpponentPixels> {
        self.pixels.as_ref()
    }

    /// Whether two sides have the same length.
    pub(crate) fn may_touch(&self, a: SideId, b: SideId) -> bool {
        let length = |side| self.strips.length(self.strips.strip_of(side));
        length(a) == length(b)
    }

    fn value_of_strips(&self, a: usize, b: usize) -> f64 {
        if self.strips.length(a) != self.strips.length(b) {
            return f64::INFINITY;
        }
        match &self.kind {
            Kind::Quadratic(measure) => measure.value(a, b),
            Kind::Lpq(measure) => measure.value(a, b),
        }
    }
}
