//! `fretsaw-lab features`: what the matcher's networks are trained on: features of random puzzles, with the right answers.
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
use crate::jpeg_sheet::puzzle_from_sheet;
use crate::picture_changes::in_8_bits;
use crate::training_puzzle::Recipe;
use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use fretsaw::Settings;
use fretsaw::observer::Silent;
use fretsaw::picture::{Picture, Scrambled};
use fretsaw::puzzle::{GroundTruth, SideId};
use fretsaw::unstable::Measured;
use fretsaw::unstable::dissimilarity::Material;
use fretsaw::unstable::matching::{FeatureTable, LearnedMatcher};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::threads::with_threads;
use fretsaw_io::{Limits, read_picture};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The label of a side on the border.
const BORDER: u8 = 254;
/// The label of a side whose neighbour is not among its candidates.
const UNLISTED: u8 = 255;

/// Sides of a puzzle that are written; of a larger one as many at random, so that it does not weigh more
/// than many others.
const MAX_SIDES: usize = 4096;

/// Puzzles that are worked on before the next ones are begun, to bound the memory.
const AT_A_TIME: usize = 32;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab features --puzzles 100 --out features a.jpg b.jpg

training/README.md says how the matcher is trained with these.")]
pub(crate) struct FeaturesArgs {
    /// Pictures to cut puzzles from
    #[arg(required = true, value_name = "PICTURE")]
    pictures: Vec<PathBuf>,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many puzzles
    #[arg(long, default_value_t = 100, value_name = "N")]
    puzzles: u64,
    /// The seed of the first puzzle; the others follow
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    first_seed: u64,
    /// Networks trained so far: features are those of the next one
    #[arg(long, value_name = "FILE")]
    networks: Option<PathBuf>,
    /// A pixel network: features are those of networks for graphics, or with --worn or --bled for such
    /// pieces
    #[arg(long, value_name = "FILE")]
    pixel_network: Option<PathBuf>,
    /// Wear the pieces: erosion, light, JPEG, shift, tilt, blur and noise at random
    #[arg(long)]
    worn: bool,
    /// Save the scrambled sheet of each puzzle as JPEG; three in ten of the puzzles are worn, too
    #[arg(long, conflicts_with = "worn")]
    bled: bool,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(crate) fn run(args: &FeaturesArgs) -> Result<(), Failure> {
    let matcher = match &args.networks {
        None => LearnedMatcher::default(),
        Some(path) => read_networks(path)?,
    };
    let matcher = match &args.pixel_network {
        None => matcher,
        Some(path) => with_pixel_network(matcher, path)?,
    };
    Ok(with_threads(args.threads, || args.write(&matcher))??)
}

fn read_networks(path: &Path) -> anyhow::Result<LearnedMatcher> {
    let bytes =
        fs::read(path).with_context(|| format!("cannot read the networks {}", path.display()))?;
    LearnedMatcher::from_bytes(&bytes).with_context(|| path.display().to_string())
}

fn with_pixel_network(matcher: LearnedMatcher, path: &Path) -> anyhow::Result<LearnedMatcher> {
    let bytes = fs::read(path)
        .with_context(|| format!("cannot read the pixel network {}", path.display()))?;
    matcher.with_pixel_network(&bytes).with_context(|| path.display().to_string())
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

impl FeaturesArgs {
    /// Writes the files into the folder, which is made if it is not there.
    fn write(&self, matcher: &LearnedMatcher) -> anyhow::Result<()> {
        let folder = &self.out;
        let pictures = read_training_pictures(&self.pictures)?;
        let sizes: Vec<(usize, usize)> =
            pictures.iter().map(|picture| (picture.height_px(), picture.width_px())).collect();
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
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
        let seeds: Vec<u64> = (self.first_seed..self.first_seed + self.puzzles).collect();
        for seeds in seeds.chunks(AT_A_TIME) {
            let made = seeds.par_iter().map(|&seed| {
                let recipe = if self.worn {
                    Recipe::draw_worn(&sizes, seed)
                } else if self.bled {
                    Recipe::draw_bled(&sizes, seed)
                } else {
                    Recipe::draw(&sizes, seed, self.pixel_network.is_some())
                };
                let made = features_of(matcher, &pictures[recipe.picture], &recipe, self.bled);
                let made = made.with_context(|| format!("puzzle {seed}"))?;
                Ok(made.map(|(table, marks)| (recipe, table, marks)))
            });
            for (recipe, table, marks) in
                made.collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten()
            {
                ensure!(
                    described.features.is_empty() || described.features == table.names,
                    "puzzle {} has other features than those before it: its material was taken for another",
                    recipe.seed
                );
                for value in &table.values {
                    features.write_all(&value.to_le_bytes())?;
                }
                let listed: Vec<u8> = table.sides.iter().map(|(_, it)| small(it.len())).collect();
                lengths.write_all(&listed)?;
                labels.write_all(&marks)?;
                described.features = table.names;
                described.puzzles.push(DescribedPuzzle { num_sides: listed.len(), recipe });
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
}

/// The features of a puzzle, and the labels of its sides; `None` if it is of other material than the matcher is for,
/// or if its sheet cannot be read.
fn features_of(
    matcher: &LearnedMatcher,
    picture: &Picture,
    recipe: &Recipe,
    bled: bool,
) -> anyhow::Result<Option<(FeatureTable, Vec<u8>)>> {
    let Scrambled { pieces, grid, truth } = recipe.make(picture)?;
    let Some(puzzle) = puzzle_from_sheet(pieces, grid, recipe.sheet_jpeg)? else {
        return Ok(None);
    };
    let puzzle = puzzle.of_type(recipe.puzzle_type);
    let Measured { mut dissimilarity, turns, nearest } =
        Measured::new(&puzzle, &Settings::default(), &Silent)?;
    if bled {
        if !puzzle.colours_bleed {
            return Ok(None);
        }
        dissimilarity = dissimilarity.looked_into(Material::Bled, &puzzle.pieces);
    } else if recipe.is_worn() {
        dissimilarity = dissimilarity.looked_into(Material::Worn, &puzzle.compared_pieces());
    } else if matcher.sees_pixels() && dissimilarity.material() != Material::Graphics {
        return Ok(None);
    }
    let table = matcher.next_features(&dissimilarity, &nearest, turns, &Silent)?;
    let table = sample(table, recipe.seed);
    let labels = labels(&table.sides, &truth);
    Ok(Some((table, labels)))
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

/// The pictures of the files, in their order, brought to 8 bits.
fn read_training_pictures(files: &[PathBuf]) -> anyhow::Result<Vec<Picture>> {
    let read = |path: &PathBuf| {
        let picture = in_8_bits(&read_picture(path, &Limits::default())?.picture);
        ensure!(
            matches!(picture.channels(), 1 | 3),
            "{} has {} channels; training pictures have one or three",
            path.display(),
            picture.channels()
        );
        Ok(picture)
    };
    files.par_iter().map(read).collect()
}

/// A file's name and a digest of its content, to record what a network was trained on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct FileDigest {
    /// Without folders.
    name: String,
    /// The 64 bit FNV-1a hash of its bytes as 16 hexadecimal digits: readers of JSON may round a number.
    fnv1a: String,
}

/// The digests of the files, in their order.
fn digests(files: &[PathBuf]) -> anyhow::Result<Vec<FileDigest>> {
    let digest = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(FileDigest { name, fnv1a: format!("{:016x}", fnv1a(&bytes)) })
    };
    files.par_iter().map(digest).collect()
}

/// Not a cryptographic hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::picture::synthetic::demo_picture;
    use fretsaw::puzzle::Samples;

    #[test]
    fn files_come_back_in_their_order_with_digests_of_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let pictures = [demo_picture(10, 12, 1), demo_picture(8, 9, 2)];
        let files: Vec<PathBuf> =
            ["b.png", "a.png"].iter().map(|name| folder.path().join(name)).collect();
        for (file, picture) in files.iter().zip(&pictures) {
            fretsaw_io::write_picture(file, picture, None).unwrap();
        }
        assert_eq!(read_training_pictures(&files).unwrap(), pictures);
        let before = digests(&files).unwrap();
        assert_eq!(before[0].name, "b.png");
        assert_ne!(before[0].fnv1a, before[1].fnv1a);

        fs::write(&files[1], "foobar").unwrap();
        let after = digests(&files).unwrap();
        assert_eq!(after[0], before[0]);
        // From the test vectors of the hash's authors.
        assert_eq!(after[1].fnv1a, "85944171f73967e8");
        assert!(read_training_pictures(&files).is_err());
        assert!(digests(&[folder.path().join("none.png")]).is_err());
    }

    #[test]
    fn deep_files_become_8_bits_and_those_with_alpha_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("picture.png");
        let write = |channels: usize, samples: Samples| {
            let picture = Picture::new(1, 2, channels, samples).unwrap();
            fretsaw_io::write_picture(&file, &picture, None).unwrap();
        };
        write(1, Samples::U16(vec![0, 65535]));
        let read = read_training_pictures(std::slice::from_ref(&file)).unwrap();
        assert_eq!(read[0].samples(), &Samples::U8(vec![0, 255]));
        write(4, Samples::U8(vec![1, 2, 3, 255, 4, 5, 6, 7]));
        let error = read_training_pictures(std::slice::from_ref(&file)).unwrap_err();
        assert!(error.to_string().contains("picture.png has 4 channels"), "{error}");
    }
}
