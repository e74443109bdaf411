//! `fretsaw-lab features`

use crate::args::FeaturesArgs;
use crate::feature_export::FeatureExport;
use anyhow::Context;
use fretsaw::unstable::matching::LearnedMatcher;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::threads::with_threads;
use std::path::Path;

pub(super) fn run(args: &FeaturesArgs) -> Result<(), Failure> {
    let matcher = match &args.networks {
        None => LearnedMatcher::default(),
        Some(path) => read_networks(path)?,
    };
    let export = FeatureExport {
        pictures: args.pictures.clone(),
        first_seed: args.first_seed,
        num_puzzles: args.puzzles,
        matcher,
    };
    with_threads(args.threads, || export.write(&args.out))??;
    Ok(())
}

/// The networks in a file.
fn read_networks(path: &Path) -> Result<LearnedMatcher, Failure> {
    let bytes = std::fs::read(path)
        .with_context(|| format!("cannot read the networks {}", path.display()))?;
    let matcher = LearnedMatcher::from_bytes(&bytes).with_context(|| path.display().to_string())?;
    Ok(matcher)
}
