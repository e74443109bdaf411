//! `fretsaw-lab features`

use crate::feature_export::FeatureExport;
use anyhow::Context;
use clap::Args as ClapArgs;
use fretsaw::unstable::matching::LearnedMatcher;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::threads::with_threads;
use std::path::{Path, PathBuf};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab features --puzzles 100 --out features a.jpg b.jpg

training/README.md says how the matcher is trained with these.")]
pub(crate) struct FeaturesArgs {
    /// Pictures to cut puzzles from
    #[arg(required = true, value_name = "PICTURE")]
    pub(crate) pictures: Vec<PathBuf>,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// How many puzzles
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) puzzles: u64,
    /// The seed of the first puzzle; the others follow
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    pub(crate) first_seed: u64,
    /// Networks trained so far: features are those of the next one
    #[arg(long, value_name = "FILE")]
    pub(crate) networks: Option<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

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
