//! How to solve: the method, the measure, the matcher, the seed.

use crate::dissimilarity::{Measure, NearestSettings};
use crate::locations::LocationSolver;
use crate::matching::Matcher;
use crate::methods::fretsaw::Effort;
use crate::methods::yu::YuSettings;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::sync::Arc;

/// Which method assembles the pieces, with its settings.
#[derive(Clone, Debug)]
pub enum Method {
    /// The default: starts from boards of other methods and searches for better ones. It returns its best
    /// board so far when asked to stop.
    Fretsaw(Effort),
    /// The linear programs of Yu, Russell and Agapito, the best board of several variants \[YRA16\].
    Yu(YuSettings),
    /// Gallagher's tree of best matches, trimmed to the frame and filled \[Gal12\].
    Gallagher,
    /// A method of another crate, such as the paper's in `fretsaw-gcl`.
    Other(Arc<dyn LocationSolver>),
}

impl Default for Method {
    fn default() -> Self {
        Self::Fretsaw(Effort::default())
    }
}

impl Method {
    /// The names of the methods of this crate.
    pub const NAMES: [&'static str; 3] = ["fretsaw", "yu", "gallagher"];

    /// The method of this name with its default settings. `fretsaw_gcl::method_by_name` knows this crate's
    /// names and its own.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "fretsaw" => Some(Self::default()),
            "yu" => Some(Self::Yu(YuSettings::default())),
            "gallagher" => Some(Self::Gallagher),
            _ => None,
        }
    }

    /// The name used on the command line and in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fretsaw(_) => "fretsaw",
            Self::Yu(_) => "yu",
            Self::Gallagher => "gallagher",
            Self::Other(solver) => solver.name(),
        }
    }

    /// Whether it is [`Method::Fretsaw`], which alone serves several boards, constraints and early stops.
    pub const fn is_fretsaw(&self) -> bool {
        matches!(self, Self::Fretsaw(_))
    }
}

/// How to solve.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The method that assembles pieces whose positions are unknown.
    pub method: Method,
    /// The measure of how badly two sides fit. Default: [`Measure::Seam`], which the learned matcher was
    /// trained on; where positions are known nothing is matched, and it is the paper's [`Measure::Mgc`].
    pub measure: Option<Measure>,
    /// What turns measured candidates into match probabilities. Default: [`default_matcher`] of the measure.
    pub matcher: Option<Matcher>,
    /// Candidates per side, at least 2. Default: as many as the matcher wants, [`Matcher::candidates`].
    pub num_candidates: Option<usize>,
    /// Breaks ties. The same seed gives the same answer.
    pub seed: u64,
}

impl Settings {
    /// The measure as set, or the default.
    pub fn measure(&self, positions_known: bool) -> Measure {
        self.measure.unwrap_or(if positions_known { Measure::Mgc } else { Measure::Seam })
    }

    /// The matcher as set, or the default for the measure.
    pub fn matcher(&self) -> Matcher {
        self.matcher.unwrap_or_else(|| default_matcher(self.measure(false)))
    }

    /// How many candidates each side gets: as set, or as many as the matcher wants.
    pub fn candidates(&self) -> NearestSettings {
        self.num_candidates.map_or(self.matcher().candidates(), NearestSettings::of)
    }
}

/// The matcher to go with a measure: the learned one if it was trained on the measure, otherwise the ratio.
pub const fn default_matcher(measure: Measure) -> Matcher {
    if Matcher::Learned.knows(measure) { Matcher::Learned } else { Matcher::Ratio }
}

/// As recorded in files: the method's name and its settings side by side.
impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Settings", 7)?;
        record.serialize_field("method", self.method.name())?;
        match &self.method {
            Method::Fretsaw(effort) => record.serialize_field("effort", effort)?,
            Method::Yu(settings) => record.serialize_field("yu", settings)?,
            Method::Gallagher => {}
            Method::Other(solver) => {
                record.serialize_field(solver.name(), &format!("{solver:?}"))?;
            }
        }
        record.serialize_field("measure", &self.measure)?;
        record.serialize_field("matcher", &self.matcher())?;
        record.serialize_field("candidates", &self.num_candidates)?;
        record.serialize_field("seed", &self.seed)?;
        record.end()
    }
}
