//! Flags of the methods 'yu' and 'gcl', and checks of flags that must go together.

use crate::by_name::by_name;
use crate::failure::Failure;
use clap::Args as ClapArgs;
use clap::builder::TypedValueParser;
use fretsaw::SolveError;
use fretsaw::puzzle::PuzzleType;
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::unstable::locations::fill::Filling;
use fretsaw::unstable::locations::ranking::Ranking;
use fretsaw::unstable::matching::Matcher;
use fretsaw::unstable::methods::yu::{Variant, YuSettings};
use fretsaw_gcl::alternatives::quadratic_assignment::QapForm;
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_gcl::type_two::{GclSettings, Keep, LocationChoice, Reading};
use fretsaw_gcl::update::UpdateSettings;

/// Settings of the method 'yu'.
#[derive(Clone, Copy, Debug, ClapArgs)]
#[command(next_help_heading = "Method 'yu'")]
pub struct YuArgs {
    /// How boards are compared
    #[arg(long, default_value = "count",
          value_parser = by_name([Ranking::Count, Ranking::Inverse], Ranking::name))]
    ranking: Ranking,
    /// How holes are filled
    #[arg(long, default_value = "clearest-winner",
          value_parser = by_name([Filling::ClearestWinner, Filling::MostNeighbors], Filling::name))]
    filling: Filling,
    /// Linear programs per variant, at most
    #[arg(long, value_name = "N", default_value_t = YuSettings::default().rounds)]
    rounds: usize,
}

impl YuArgs {
    /// The settings with one variant, or with all of them.
    #[must_use]
    pub fn settings(self, variant: Option<Variant>) -> YuSettings {
        YuSettings {
            variant,
            ranking: self.ranking,
            filling: self.filling,
            rounds: self.rounds,
            ..YuSettings::default()
        }
    }
}

/// Settings of the method 'gcl'.
#[derive(Clone, Copy, Debug, ClapArgs)]
#[command(next_help_heading = "Method 'gcl'")]
pub struct GclArgs {
    /// Updates of the connection graph by the solution
    #[arg(long, value_name = "N", default_value_t = GclSettings::default().iterations)]
    iterations: usize,
    /// What finds positions for the turned pieces
    #[arg(long, value_name = "SOLVER", default_value = "yu",
          value_parser = by_name(LocationChoice::ALL, LocationChoice::name))]
    locations: LocationChoice,
    /// Which solution to return
    #[arg(long, value_name = "WHICH", default_value = "smallest-err",
          value_parser = by_name([Keep::SmallestErr, Keep::Last], Keep::name))]
    keep: Keep,
    /// What tells good seams from bad ones in updates
    #[arg(long, value_name = "HOW", default_value = "ratio",
          value_parser = by_name([Reading::Ratio, Reading::Text], Reading::name))]
    reading: Reading,
    /// Start from the second eigenvector as well, and return the better of two solutions
    #[arg(long)]
    second_start: bool,
    /// Share of the solution's adjacencies in updated affinities, 0 to 1; for '--reading text'
    #[arg(long, value_name = "SHARE", default_value_t = GclSettings::default().update.solution_share)]
    solution_share: f64,
    /// Let updated graphs go through the 4-loops again
    #[arg(long)]
    loops_again: bool,
}

impl GclArgs {
    /// The settings with the rotation method given, if one is.
    ///
    /// # Errors
    /// If a flag is out of its range, or does not go with the others.
    pub fn settings(self, rotations: Option<RotationChoice>) -> Result<GclSettings, Failure> {
        if !(0.0..=1.0).contains(&self.solution_share) {
            return Err(Failure::Usage(format!(
                "--solution-share is {}; it must be between 0 and 1",
                self.solution_share
            )));
        }
        if self.solution_share > 0.0 && self.reading == Reading::Ratio {
            return Err(Failure::Usage(
                "--solution-share is for --reading text; leave it out, or give that reading".into(),
            ));
        }
        let default = GclSettings::default();
        Ok(GclSettings {
            iterations: self.iterations,
            rotations: rotations.unwrap_or(default.rotations),
            locations: self.locations,
            keep: self.keep,
            reading: self.reading,
            second_start: self.second_start,
            loops_again: self.loops_again,
            update: UpdateSettings { solution_share: self.solution_share, ..default.update },
            ..default
        })
    }
}

/// A parser of the forms of the method 'assignment'.
pub fn qap_form() -> impl TypedValueParser<Value = QapForm> {
    by_name([QapForm::Directed, QapForm::Undirected, QapForm::UndirectedDiagonal], QapForm::name)
}

/// Refuses a rotation method where positions are unknown, unless 'gcl' can use it.
///
/// # Errors
/// If it is refused.
pub fn check_rotations(choice: RotationChoice, uses_gcl: bool) -> Result<(), Failure> {
    if uses_gcl && choice.fits(PuzzleType::Type2) {
        return Ok(());
    }
    let name = choice.name();
    Err(Failure::Usage(if uses_gcl {
        format!("--rotations {name} is for --type 3, whose positions are known; give another")
    } else {
        format!(
            "--rotations {name} is for --method gcl and for --type 3; leave it out, or give one"
        )
    }))
}

/// Refuses a matcher that does not know a measure, before any work is done.
///
/// # Errors
/// If it is refused.
pub fn check_matcher(matcher: Matcher, measure: Measure) -> Result<(), Failure> {
    if matcher.knows(measure) {
        return Ok(());
    }
    Err(Failure::Usage(SolveError::UnknownMeasure { matcher, measure }.to_string()))
}
