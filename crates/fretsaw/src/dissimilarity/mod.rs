//! How badly two sides fit: from pieces to the k best candidates of each side.
//!
//! In: a [`PieceSet`]. Out: [`NearestSides`], exact, and the dissimilarity of any single pair on
//! demand.
//!
//! The 16 relative positions of two pieces are the 4 x 4 pairs of their sides, so all work is done
//! in the space of the 4n sides: each side's pixels are read outward and clockwise once, and whether
//! side v fits side u is one question on two strips, whatever the turns. The measures are [`mgc`]
//! (the paper's), [`seam`] (same form, better), [`ssd`] and [`lpq`]; the first three are quadratic
//! and run as tiles of one matrix product ([`lower_bounds`], [`nearest`]).
//!
//! Paper: section "Gallagher's MGC Metric". We compute the same numbers in another order. Cost:
//! O(n^2 k s) multiply-adds; memory O(n k s).
//!
//! The measure of comparison is a bare single-precision product of the same shape, 4n x 4n by the
//! measure's numbers per side. With the learned matcher's 32 candidates, the k best take about one and a
//! half times that at 3300 pieces of 28 px and four fifths of it at 10,375, as most tiles need no product
//! (`fretsaw bench stage measure --measures seam --candidates 32`; `docs/scaling.md`). What is added to
//! the products that are left: the means, in which none is involved; shortlists; the exact pairs, which
//! mostly wait for memory; packing. Below a thousand pieces the ratio is four to nine, as all of these
//! but the means grow about like n, the product like n^2.
//!
//! [`mgc`]: Measure::Mgc
//! [`seam`]: Measure::Seam
//! [`ssd`]: Measure::Ssd
//! [`lpq`]: Measure::Lpq
//! [`lower_bounds`]: find_nearest
//! [`nearest`]: find_nearest

mod boundary_profiles;
mod covariance;
mod lower_bounds;
mod lpq;
mod mgc;
mod nearest;
mod pair_feature_source;
mod quadratic;
mod seam;
mod ssd;
mod strips;

pub(crate) use boundary_profiles::{BANDS, ProfileMismatch};
pub(crate) use nearest::find_nearest_among;
pub use nearest::{Candidate, NearestSettings, NearestSides, TILE, find_nearest};
pub(crate) use pair_feature_source::{PairFeatureSource, PairMeasurements, SideTexture};

use crate::puzzle::{PieceSet, SideId};
use boundary_profiles::BoundaryProfiles;
use lpq::Lpq;
use quadratic::Quadratic;
use serde::{Deserialize, Serialize};
use strips::Strips;

/// A way to say how badly two sides fit. Of all of them, lower is better.
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

impl Measure {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Mgc, Self::Seam, Self::Ssd, Self::Lpq];

    /// The lower-case name used on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mgc => "mgc",
            Self::Seam => "seam",
            Self::Ssd => "ssd",
            Self::Lpq => "lpq",
        }
    }
}

/// Why pieces cannot be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DissimilarityError {
    /// Gradients need two lines of pixels, and sides two pixels to compare along.
    #[error(
        "pieces of {width_px} x {height_px} pixels are too thin to compare: they must be at least 2 \
         pixels wide and 2 pixels high"
    )]
    TooThin {
        /// Columns of pixels.
        width_px: u32,
        /// Rows of pixels.
        height_px: u32,
    },
}

/// A measure, ready to be asked about any pair of a puzzle's sides.
#[derive(Clone, Debug)]
pub struct Dissimilarity {
    measure: Measure,
    strips: Strips,
    kind: Kind,
    profiles: BoundaryProfiles,
}

#[derive(Clone, Debug)]
enum Kind {
    Quadratic(Quadratic),
    Lpq(Lpq),
}

impl Dissimilarity {
    /// Prepare a measure for the sides of these pieces.
    ///
    /// # Errors
    /// If the pieces are too small for the measure.
    pub fn new(pieces: &PieceSet, measure: Measure) -> Result<Self, DissimilarityError> {
        let (width_px, height_px) = (pieces.shape().width_px(), pieces.shape().height_px());
        if width_px < 2 || height_px < 2 {
            return Err(DissimilarityError::TooThin { width_px, height_px });
        }
        let strips = Strips::new(pieces);
        let kind = match measure {
            Measure::Mgc => Kind::Quadratic(Quadratic::new(mgc::terms(&strips))),
            Measure::Seam => Kind::Quadratic(Quadratic::new(seam::terms(&strips))),
            Measure::Ssd => Kind::Quadratic(Quadratic::new(ssd::terms(&strips))),
            Measure::Lpq => Kind::Lpq(Lpq::new(&strips)),
        };
        Ok(Self { measure, strips, kind, profiles: BoundaryProfiles::new(pieces) })
    }

    /// Which measure it is.
    #[must_use]
    pub const fn measure(&self) -> Measure {
        self.measure
    }

    /// Number of sides, 4n.
    #[must_use]
    pub fn num_sides(&self) -> usize {
        self.strips.num_sides()
    }

    /// How badly two sides fit; the same whichever is named first. Infinite for sides of different
    /// length, which can never touch.
    #[must_use]
    pub fn value(&self, a: SideId, b: SideId) -> f64 {
        self.value_of_strips(self.strips.strip_of(a), self.strips.strip_of(b))
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
