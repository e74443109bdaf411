//! Whether worn pieces are told from pieces that were cut cleanly.

use super::{print_tables, with_puzzles};
use crate::groups::group_by;
use crate::puzzle_args::PuzzleArgs;
use crate::puzzles::PuzzleKey;
use clap::Args as ClapArgs;
use fretsaw::Settings;
use fretsaw::observer::Silent;
use fretsaw::solution::WearEstimate;
use fretsaw::unstable::Measured;
use fretsaw::unstable::dissimilarity::{Material, SeamSteps};
use fretsaw::unstable::linalg::mean;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::table::Table;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose wear --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose wear --data sets --sets mit-432 --erode 2

Prints for how many puzzles of each set the pieces were found to be worn, and the least, mean and largest step \
across the seams of their best matches, divided by the step of pixels within pieces. Of the worn ones, also the mean \
estimates of the gap between pieces, of the spread of gains, and of how far neighbours are off along their seam.")]
pub(crate) struct WearArgs {
    #[command(flatten)]
    puzzles: PuzzleArgs,
}

/// A puzzle and what was found.
struct Found {
    key: PuzzleKey,
    material: Material,
    steps: SeamSteps,
    wear: Option<WearEstimate>,
}

/// The mean over the puzzles whose wear could be told, as text.
fn mean_of(found: &[&Found], value: impl Fn(&WearEstimate) -> f64) -> String {
    let values = found.iter().filter_map(|it| it.wear.as_ref()).map(value);
    mean(values).map_or_else(String::new, |mean| format!("{mean:.2}"))
}

pub(crate) fn diagnose(args: &WearArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = puzzles.puzzle_set(1)?.keys(&puzzles.data)?;
    let found = puzzles.on_threads(|| {
        with_puzzles(&puzzles.data, &keys, puzzles.jobs, |key, scrambled| {
            let (puzzle, _) = key.to_solve(scrambled)?;
            let measured = Measured::new(&puzzle, &Settings::default(), &Silent)?;
            let steps = SeamSteps::new(&measured.dissimilarity, &measured.nearest);
            let material = measured.dissimilarity.material();
            let wear = match material {
                Material::Worn => puzzle.estimate_wear(&Silent)?,
                _ => None,
            };
            Ok(Found { key: key.clone(), material, steps, wear })
        })
    })?;
    let mut table = Table::new(&[
        "set",
        "puzzles",
        "worn",
        "graphics",
        "least",
        "mean",
        "largest",
        "gap px",
        "gain %",
        "misfit px",
    ]);
    for (set, found) in group_by(&found, |found| found.key.set.clone()) {
        let count = |material| found.iter().filter(|it| it.material == material).count();
        let ratios: Vec<f64> = found.iter().map(|it| it.steps.ratio).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        table.push(vec![
            set,
            found.len().to_string(),
            count(Material::Worn).to_string(),
            count(Material::Graphics).to_string(),
            format!("{least:.2}"),
            format!("{:.2}", ratios.iter().sum::<f64>() / ratios.len() as f64),
            format!("{largest:.2}"),
            mean_of(&found, |wear| wear.gap_px),
            mean_of(&found, |wear| 100.0 * wear.gain_spread),
            mean_of(&found, |wear| wear.misfit_px),
        ]);
    }
    print_tables([table, Table::new(&[])])
}
