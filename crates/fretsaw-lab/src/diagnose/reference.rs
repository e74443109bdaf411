//! Placing pieces by a reference: the same picture in another size and quality.

use super::{fretsaw_runs, with_puzzles};
use crate::groups::{Scene, group_by};
use crate::picture_changes::{in_8_bits, recompressed, resized};
use crate::puzzle_args::PuzzleArgs;
use crate::puzzles::PuzzleKey;
use crate::reference_changes::ReferenceChange;
use crate::set_run::RunKey;
use anyhow::{Context, bail, ensure};
use clap::Args as ClapArgs;
use fretsaw::Effort;
use fretsaw::evaluation::{Score, score};
use fretsaw::observer::Silent;
use fretsaw::picture::{Picture, Scrambled};
use fretsaw::puzzle::{Assembly, PieceSet, Samples};
use fretsaw::unstable::methods::reference::ReferenceError;
use fretsaw::{Puzzle, SolveError, solve};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::{self, Table};
use image::imageops::FilterType;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::time::Instant;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose reference --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose reference --data sets --sets mit-432 --scale 0.25 --quality 50 --foreign 5 --hide-size
  fretsaw-lab diagnose reference --data sets --sets mcgill-540 --protocol panel --width 300 --changes sepia,old --light 10

Every picture, scaled, changed and compressed, is the reference for its own pieces. 'direct', 'neighbor' and \
'neighbor_px' are means in percent, and 0 where the reference was refused; 'likeness' is the least, the median and \
the largest, in percent; the rest but the seconds are counts: of references that were refused, of answers that are \
told to be doubtful, of boards that are perfect by pixels, of boards whose size is right, of foreign pieces and of \
the pictures' own that were left out.

Changes of references: sepia, brown tones instead of colours; faded, half the contrast and no black; dark and bright, too \
little and too much light; uneven, light that falls to one corner and to the edges; cast, more red and less blue; blur of 2 \
pixels; jpeg, compressed once more with quality 15; crop, up to 3 % missing along every edge; old, the scan of an old \
photograph: crop, sepia, uneven, faded, blur of 1 pixel and grain.")]
pub(crate) struct ReferenceArgs {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    #[command(flatten)]
    kind: ReferenceKind,
    /// What happened to references, each a row
    #[arg(long, value_name = "CHANGES", value_delimiter = ',', default_value = "none",
          value_parser = by_name(ReferenceChange::ALL, ReferenceChange::name))]
    changes: Vec<ReferenceChange>,
}

/// What references are like, and what is made harder.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct ReferenceKind {
    /// The reference's size against the picture's
    #[arg(long, value_name = "FACTOR", default_value_t = 0.5)]
    pub(crate) scale: f64,
    /// The reference's width in pixels, instead of --scale
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) width: Option<u32>,
    /// The quality of its JPEG compression
    #[arg(long, value_name = "QUALITY", default_value_t = 75, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) quality: u8,
    /// Mix in so many pieces of the next picture of the set
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) foreign: usize,
    /// Do not tell the solver the size of the board
    #[arg(long)]
    pub(crate) hide_size: bool,
    /// Take the next picture of the set as the reference: a wrong one
    #[arg(long)]
    pub(crate) wrong: bool,
}

/// The largest scale of references: larger ones add no information.
const MAX_SCALE: f64 = 4.0;

pub(crate) fn diagnose(args: &ReferenceArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    puzzles.check_positions_unknown()?;
    let keys = fretsaw_runs(&puzzles.puzzle_set(1)?, &[Effort::default()], &puzzles.data)?;
    if !(args.kind.scale > 0.0 && args.kind.scale <= MAX_SCALE) {
        return Err(Failure::Usage(format!("--scale must be above 0 and at most {MAX_SCALE}")));
    }
    let run = || {
        let of_change = |&change| run(&puzzles.data, &keys, args.kind, change, puzzles.jobs);
        let records = args.changes.iter().map(of_change).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(records.concat())
    };
    print_line(summary(&puzzles.on_threads(run)?))
}

/// What came of a puzzle.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceRecord {
    pub(crate) key: RunKey,
    pub(crate) change: ReferenceChange,
    /// How much the pieces look like the reference.
    pub(crate) likeness: f64,
    /// Whether the reference was refused: nothing was placed.
    pub(crate) is_refused: bool,
    /// Whether the answer is told to be doubtful.
    pub(crate) is_doubtful: bool,
    /// Its scores, of the picture's own pieces.
    pub(crate) score: Score,
    pub(crate) size_is_right: bool,
    /// Foreign pieces that were left out.
    pub(crate) foreign_out: usize,
    /// The picture's own pieces that were left out.
    pub(crate) own_out: usize,
    pub(crate) seconds: f64,
}

/// Solves these puzzles, so many at a time; none may be of type 3. Records are in the order of the keys.
pub(crate) fn run(
    data: &Path,
    keys: &[RunKey],
    kind: ReferenceKind,
    change: ReferenceChange,
    jobs: usize,
) -> anyhow::Result<Vec<ReferenceRecord>> {
    with_puzzles(data, keys, jobs, |key, own| {
        let at = keys.iter().position(|other| other.puzzle.image == key.puzzle.image).unwrap_or(0);
        // The next picture of the same set, the first after the last.
        let others = (1..keys.len()).map(|step| &keys[(at + step) % keys.len()].puzzle);
        let other = others
            .into_iter()
            .find(|other| other.set == key.puzzle.set && other.image != key.puzzle.image);
        solved(data, key, own, other, kind, change)
    })
}

fn solved(
    data: &Path,
    key: &RunKey,
    Scrambled { pieces, grid, truth }: Scrambled,
    other: Option<&PuzzleKey>,
    kind: ReferenceKind,
    change: ReferenceChange,
) -> anyhow::Result<ReferenceRecord> {
    let num_own = pieces.num_pieces();
    let other = || other.context("another picture is needed, and the set has none");
    let pieces = match kind.foreign {
        0 => pieces,
        count => with_some_of(&pieces, &other()?.make(data)?.pieces, count, key.puzzle.seed)?,
    };
    let shown = if kind.wrong { other()? } else { &key.puzzle };
    let reference = reference_of(&shown.read_board(data)?, kind, change, key.puzzle.seed)?;
    let mut puzzle = Puzzle::new(pieces).of_type(key.puzzle.puzzle_type).reference(reference);
    if !kind.hide_size {
        puzzle = puzzle.board(grid);
    }
    let start = Instant::now();
    let found = solve(&puzzle, &key.settings(), &Silent);
    let seconds = start.elapsed().as_secs_f64();
    let (found, likeness, is_refused) = match found {
        Ok(found) => (found.assembly, found.likeness.unwrap_or_default(), false),
        Err(SolveError::Reference(ReferenceError::NothingAlike { likeness })) => {
            (Assembly::new(puzzle.pieces.num_pieces(), vec![grid], [])?, likeness, true)
        }
        Err(error) => return Err(error.into()),
    };
    let own = found.placements().filter(|found| found.piece.index() < num_own);
    let own = Assembly::new(num_own, found.boards().to_vec(), own)?;
    let out = found.unplaced().count();
    let own_out = num_own - own.num_placed();
    Ok(ReferenceRecord {
        key: key.clone(),
        change,
        likeness: likeness.share,
        is_refused,
        is_doubtful: !is_refused && likeness.is_doubtful(),
        score: score(&truth, &own)?,
        size_is_right: found.boards() == [grid],
        foreign_out: out - own_out,
        own_out,
        seconds,
    })
}

/// The pieces, and some of others at random.
fn with_some_of(
    pieces: &PieceSet,
    others: &PieceSet,
    count: usize,
    seed: u64,
) -> anyhow::Result<PieceSet> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let len = pieces.shape().num_pixels() * pieces.channels();
    ensure!(pieces.channels() == others.channels(), "the next picture has other channels");
    let chosen: Vec<usize> = (0..count).map(|_| rng.random_range(0..others.num_pieces())).collect();
    let samples = match (pieces.samples(), others.samples()) {
        (Samples::U8(own), Samples::U8(foreign)) => Samples::U8(joined(own, foreign, &chosen, len)),
        (Samples::U16(own), Samples::U16(foreign)) => {
            Samples::U16(joined(own, foreign, &chosen, len))
        }
        _ => bail!("the next picture has another depth"),
    };
    Ok(PieceSet::new(pieces.shape(), pieces.channels(), samples)?)
}

/// All values, and those of some others, `len` each.
fn joined<T: Copy>(own: &[T], others: &[T], chosen: &[usize], len: usize) -> Vec<T> {
    let chosen = chosen.iter().flat_map(|&other| &others[other * len..(other + 1) * len]);
    own.iter().chain(chosen).copied().collect()
}

/// The picture in another size, changed, as JPEG makes it.
fn reference_of(
    picture: &Picture,
    kind: ReferenceKind,
    change: ReferenceChange,
    seed: u64,
) -> anyhow::Result<Picture> {
    ensure!(picture.channels() == 3, "references are made of pictures in colour");
    let scale = match kind.width {
        None => kind.scale,
        Some(width_px) => f64::from(width_px) / picture.width_px() as f64,
    };
    let small = resized(&in_8_bits(picture), scale, FilterType::Lanczos3)?;
    recompressed(&change.of(&small, seed)?, kind.quality, (0, 0))
}

/// Means by set, type and change, shares in percent.
pub(crate) fn summary(records: &[ReferenceRecord]) -> Table {
    let mut table = Table::with_columns(
        "set | type | reference | runs | refused | doubtful | likeness | direct | neighbor | \
         neighbor_px | perfect_px | size right | foreign out | own out | seconds",
    );
    let mut groups =
        group_by(records, |record| (Scene::of(&record.key.puzzle), record.change as usize));
    groups.sort_by(|(a, _), (b, _)| a.cmp(b));
    for ((scene, change), group) in groups {
        let mean = |of: &dyn Fn(&ReferenceRecord) -> f64| {
            group.iter().map(|record| of(record)).sum::<f64>() / group.len() as f64
        };
        let percent = |of: fn(&Score) -> f64| table::percent(mean(&|record| of(&record.score)));
        let count = |of: fn(&ReferenceRecord) -> usize| {
            group.iter().map(|record| of(record)).sum::<usize>().to_string()
        };
        table.push(row! {
            scene.pictures(), scene.type_number, ReferenceChange::ALL[change].name(), group.len(),
            count(|record| usize::from(record.is_refused)),
            count(|record| usize::from(record.is_doubtful)), likenesses(&group),
            percent(|score| score.direct), percent(|score| score.neighbor),
            percent(|score| score.neighbor_px.unwrap_or(score.neighbor)),
            count(|record| usize::from(record.score.perfect_px == Some(true))),
            count(|record| usize::from(record.size_is_right)), count(|record| record.foreign_out),
            count(|record| record.own_out), format!("{:.3}", mean(&|record| record.seconds)),
        });
    }
    table
}

/// The least, the median and the largest likeness, in percent.
fn likenesses(group: &[&ReferenceRecord]) -> String {
    let mut all: Vec<f64> = group.iter().map(|record| 100.0 * record.likeness).collect();
    all.sort_by(f64::total_cmp);
    format!("{:.0}, {:.0}, {:.0}", all[0], all[all.len() / 2], all[all.len() - 1])
}
