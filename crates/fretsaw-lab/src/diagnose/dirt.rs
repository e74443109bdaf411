//! Whether dirt along the edges of pieces is told from pieces that are clean.

use super::{print_tables, with_puzzles};
use crate::groups::group_by;
use crate::puzzle_args::PuzzleArgs;
use clap::Args as ClapArgs;
use fretsaw::preparation::{EdgeDirt, RawPieces, edge_dirt};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::table::Table;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose dirt --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose dirt --data sets --sets mit-432 --edge-line 1

Prints how many puzzles of each set have dirt along the edges of their pieces, how deep it is, and the largest step of \
pixels near the edges and the largest part of it that does not cancel over all pieces, both divided by the steps further \
in. Clean pieces have steps of about 1, of which all cancels.")]
pub(crate) struct DirtArgs {
    #[command(flatten)]
    puzzles: PuzzleArgs,
}

pub(crate) fn diagnose(args: &DirtArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = puzzles.puzzle_set(1)?.keys(&puzzles.data)?;
    let found = puzzles.on_threads(|| {
        with_puzzles(&puzzles.data, &keys, puzzles.jobs, |key, scrambled| {
            Ok((key.set.clone(), edge_dirt(&RawPieces::from(scrambled.pieces))))
        })
    })?;
    let mut table =
        Table::new(&["set", "puzzles", "with dirt", "mean depth", "largest step", "largest bias"]);
    for (set, found) in group_by(&found, |(set, _)| set.clone()) {
        let depths: Vec<usize> =
            found.iter().map(|(_, dirt)| dirt.depth_px).filter(|&depth| depth > 0).collect();
        let largest = |of: fn(&EdgeDirt) -> f64| {
            let largest = found.iter().map(|(_, dirt)| of(dirt)).fold(0.0, f64::max);
            format!("{largest:.2}")
        };
        let mean_depth = match depths.len() {
            0 => String::new(),
            number => format!("{:.1}", depths.iter().sum::<usize>() as f64 / number as f64),
        };
        table.push(vec![
            set,
            found.len().to_string(),
            depths.len().to_string(),
            mean_depth,
            largest(|dirt| dirt.step),
            largest(|dirt| dirt.bias),
        ]);
    }
    print_tables([table, Table::new(&[])])
}
