//! The share of right turns of every way to find turns, over sets of pictures.

use crate::images::{Images, images_of};
use anyhow::Context;
use fretsaw::connection_graph::construction::ConstructionSettings;
use fretsaw::dissimilarity::{Dissimilarity, Measure, find_nearest};
use fretsaw::evaluation::{TurnScore, score_turns};
use fretsaw::matching::Matcher;
use fretsaw::methods::rotation_choice::{RotationChoice, find_turns};
use fretsaw::methods::turn_in_place::turn_in_place;
use fretsaw::observer::Silent;
use fretsaw::picture::{CutSize, ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{PuzzleType, QuarterTurn};
use fretsaw_cli::table::Table;
use fretsaw_io::{Limits, read_picture};
use rayon::prelude::*;
use std::path::PathBuf;

/// What to run: every combination.
#[derive(Clone, Debug)]
pub struct RotationRun {
    /// The folder that holds one folder per set.
    pub data: PathBuf,
    /// Names of the sets.
    pub sets: Vec<String>,
    /// Which pictures of them.
    pub images: Images,
    /// Measures.
    pub measures: Vec<Measure>,
    /// The matcher, for type 2. It must know the measures.
    pub matcher: Matcher,
    /// Type 2 or type 3.
    pub puzzle_type: PuzzleType,
    /// The ways to find turns.
    pub choices: Vec<RotationChoice>,
    /// The size of pieces.
    pub size: CutSize,
    /// Seeds 1 to this are used.
    pub num_seeds: u64,
    /// Rates of corrupted sides.
    pub corrupt_rates: Vec<f64>,
    /// How connection graphs are constructed.
    pub construction: ConstructionSettings,
}

impl RotationRun {
    /// Run and tabulate: per set, corruption and measure, for each choice the mean share of right
    /// turns by piece and by pixels, in percent.
    ///
    /// Pictures are done in parallel; every single one runs on one thread.
    ///
    /// # Errors
    /// If pictures cannot be read or a choice does not fit the type.
    pub fn run(&self) -> anyhow::Result<Table> {
        let mut heading = vec!["set", "corrupt", "measure"];
        heading.extend(self.choices.iter().map(|choice| choice.name()));
        let mut table = Table::new(&heading);
        for set in &self.sets {
            let images = images_of(&self.data.join(set), self.images)?;
            for &corrupt in &self.corrupt_rates {
                for &measure in &self.measures {
                    let jobs: Vec<(&String, u64)> = images
                        .iter()
                        .flat_map(|image| (1..=self.num_seeds).map(move |seed| (image, seed)))
                        .collect();
                    let scores: Vec<Vec<TurnScore>> = jobs
                        .par_iter()
                        .map(|(image, seed)| self.run_one(set, image, *seed, corrupt, measure))
                        .collect::<anyhow::Result<_>>()?;
                    let mut row = vec![set.clone(), corrupt.to_string(), measure.name().into()];
                    row.extend((0..self.choices.len()).map(|choice| {
                        let mean = |of: &dyn Fn(&TurnScore) -> f64| {
                            let sum: f64 = scores.iter().map(|run| of(&run[choice])).sum();
                            100.0 * sum / scores.len() as f64
                        };
                        format!(
                            "{:.2} / {:.2}",
                            mean(&|score| score.right),
                            mean(&|score| score.right_px.unwrap_or(score.right))
                        )
                    }));
                    table.push(row);
                }
            }
        }
        Ok(table)
    }

    fn run_one(
        &self,
        set: &str,
        image: &str,
        seed: u64,
        corrupt_rate: f64,
        measure: Measure,
    ) -> anyhow::Result<Vec<TurnScore>> {
        let path = self.data.join(set).join(image);
        let picture = read_picture(&path, &Limits::default())?.picture;
        let cut = cut(&picture, self.size.shape_in(picture.size()))
            .with_context(|| path.display().to_string())?;
        let scrambled = scramble(
            &cut,
            &ScrambleSettings { corrupt_rate, ..ScrambleSettings::new(self.puzzle_type, seed) },
        )?;
        let pieces = &scrambled.pieces;
        let turns = self.puzzle_type.turns(pieces.shape());
        let dissimilarity = Dissimilarity::new(pieces, measure)?;
        let construction = ConstructionSettings { seed, ..self.construction };
        let found: Vec<Vec<QuarterTurn>> = if self.puzzle_type.positions_known() {
            let turned = |&choice: &RotationChoice| {
                let assembly =
                    turn_in_place(&dissimilarity, scrambled.grid, turns, choice, seed, &Silent)?;
                Ok(assembly.placements().map(|placement| placement.place.turn).collect())
            };
            self.choices.iter().map(turned).collect::<anyhow::Result<_>>()?
        } else {
            let candidates = self.matcher.candidates();
            let nearest = find_nearest(&dissimilarity, turns, &candidates, &Silent)?;
            let model = self.matcher.match_sides(&dissimilarity, &nearest, turns, &Silent)?;
            let turned = |&choice: &RotationChoice| {
                let (_, rotations, _) = find_turns(&model, turns, choice, &construction, &Silent)?;
                Ok(rotations.turns().to_vec())
            };
            self.choices.iter().map(turned).collect::<anyhow::Result<_>>()?
        };
        Ok(found.iter().map(|turns| score_turns(&scrambled.truth, turns)).collect())
    }
}
