//! What the matcher's networks are trained on: features of random puzzles, with the right answers.
//!
//! A folder gets four files, all little-endian and without headings:
//!
//! * `features.f32`: a row of numbers for each candidate of each side of each puzzle;
//! * `lengths.u8`: for each side that the network matches, the number of its candidates;
//! * `labels.u8`: for each side which of its candidates is its true neighbour, or [`BORDER`], or
//!   [`UNLISTED`];
//! * `export.json`: names of the features, digests of the pictures, and each puzzle's recipe and
//!   number of sides.

use crate::diagnose::matcher_counts::true_neighbors;
use crate::training_pictures::{FileDigest, digests, read_training_pictures};
use crate::training_puzzle::Recipe;
use anyhow::Context;
use fretsaw::observer::Silent;
use fretsaw::picture::{Picture, Scrambled};
use fretsaw::puzzle::{GroundTruth, SideId};
use fretsaw::unstable::Measured;
use fretsaw::unstable::matching::{FeatureTable, LearnedMatcher};
use fretsaw::{Puzzle, Settings};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The label of a side on the border.
pub(crate) const BORDER: u8 = 254;
/// The label of a side whose neighbour is not among its candidates.
pub(crate) const UNLISTED: u8 = 255;

/// Sides of a puzzle that are written; of a larger one as many at random, so that it does not weigh more
/// than many others.
const MAX_SIDES: usize = 4096;

/// Puzzles that are worked on before the next ones are begun, to bound the memory.
const AT_A_TIME: usize = 32;

#[derive(Clone, Debug)]
pub(crate) struct FeatureExport {
    /// The pictures to cut puzzles from.
    pub(crate) pictures: Vec<PathBuf>,
    /// Seeds from this one on are used, one for each puzzle.
    pub(crate) first_seed: u64,
    pub(crate) num_puzzles: u64,
    /// The networks trained so far: features are those of the next one.
    pub(crate) matcher: LearnedMatcher,
}

#[derive(Serialize)]
struct Described {
    features: Vec<&'static str>,
    pictures: Vec<FileDigest>,
    puzzles: Vec<DescribedPuzzle>,
}

#[derive(Serialize)]
struct DescribedPuzzle {
    num_sides: usize,
    recipe: Recipe,
}

struct PuzzleFeatures {
    recipe: Recipe,
    table: FeatureTable,
    lengths: Vec<u8>,
    labels: Vec<u8>,
}

impl FeatureExport {
    /// Write the files into a folder, which is made if it is not there.
    pub(crate) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let pictures = read_training_pictures(&self.pictures)?;
        let sizes: Vec<(usize, usize)> =
            pictures.iter().map(|picture| (picture.height_px(), picture.width_px())).collect();
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let create = |name: &str| {
            let path = folder.join(name);
            let file = File::create(&path).with_context(|| path.display().to_string())?;
            anyhow::Ok(BufWriter::new(file))
        };
        let mut features = create("features.f32")?;
        let mut lengths = create("lengths.u8")?;
        let mut labels = create("labels.u8")?;
        let mut described =
            Described { features: Vec::new(), pictures: digests(&self.pictures)?, puzzles: vec![] };
        let seeds: Vec<u64> = (self.first_seed..self.first_seed + self.num_puzzles).collect();
        for seeds in seeds.chunks(AT_A_TIME) {
            let made: Vec<PuzzleFeatures> = seeds
                .par_iter()
                .map(|&seed| {
                    let recipe = Recipe::draw(&sizes, seed);
                    let picture = &pictures[recipe.picture];
                    self.puzzle(picture, recipe).with_context(|| format!("puzzle {seed}"))
                })
                .collect::<anyhow::Result<_>>()?;
            for puzzle in made {
                for value in &puzzle.table.values {
                    features.write_all(&value.to_le_bytes())?;
                }
                lengths.write_all(&puzzle.lengths)?;
                labels.write_all(&puzzle.labels)?;
                described.features = puzzle.table.names;
                described.puzzles.push(DescribedPuzzle {
                    num_sides: puzzle.lengths.len(),
                    recipe: puzzle.recipe,
                });
            }
        }
        features.flush()?;
        lengths.flush()?;
        labels.flush()?;
        let mut file = create("export.json")?;
        serde_json::to_writer(&mut file, &described)?;
        file.flush()?;
        Ok(())
    }

    fn puzzle(&self, picture: &Picture, recipe: Recipe) -> anyhow::Result<PuzzleFeatures> {
        let Scrambled { pieces, truth, .. } = recipe.make(picture)?;
        let puzzle = Puzzle::new(pieces).of_type(recipe.puzzle_type);
        let measured = Measured::new(&puzzle, &Settings::default(), &Silent)?;
        let (dissimilarity, nearest) = (&measured.dissimilarity, &measured.nearest);
        let turns = measured.turns;
        let table = self.matcher.next_features(dissimilarity, nearest, turns, &Silent)?;
        let table = sample(table, recipe.seed);
        Ok(PuzzleFeatures {
            recipe,
            lengths: table.sides.iter().map(|(_, listed)| small(listed.len())).collect(),
            labels: labels(&table.sides, &truth),
            table,
        })
    }
}

/// At most [`MAX_SIDES`] sides of a table, in their order.
fn sample(table: FeatureTable, seed: u64) -> FeatureTable {
    if table.sides.len() <= MAX_SIDES {
        return table;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen: Vec<usize> = (0..table.sides.len()).collect();
    chosen.shuffle(&mut rng);
    chosen.truncate(MAX_SIDES);
    chosen.sort_unstable();
    let FeatureTable { names, values, sides } = table;
    let ends: Vec<usize> = sides
        .iter()
        .scan(0, |end, (_, listed)| {
            *end += listed.len() * names.len();
            Some(*end)
        })
        .collect();
    let values = chosen.iter().flat_map(|&side| {
        let len = sides[side].1.len() * names.len();
        &values[ends[side] - len..ends[side]]
    });
    FeatureTable {
        values: values.copied().collect(),
        sides: chosen.iter().map(|&side| sides[side].clone()).collect(),
        names,
    }
}

/// For each side, which of its candidates is right.
fn labels(sides: &[(SideId, Vec<SideId>)], truth: &GroundTruth) -> Vec<u8> {
    let neighbors = true_neighbors(truth.assembly());
    let label = |(side, listed): &(SideId, Vec<SideId>)| match neighbors[side.index()] {
        None => BORDER,
        Some(neighbor) => listed.iter().position(|&side| side == neighbor).map_or(UNLISTED, small),
    };
    sides.iter().map(label).collect()
}

/// Lists have some dozens of candidates.
#[expect(clippy::cast_possible_truncation, reason = "far below 254")]
const fn small(number: usize) -> u8 {
    number as u8
}
