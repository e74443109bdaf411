//! Puzzles whose boards are unknown: of unknown size, with missing or foreign pieces, or several in one
//! heap.

use super::FretsawArgs;
use crate::groups::group_by;
use crate::images::{Images, images_of};
use crate::pools::share_threads;
use crate::puzzles::PuzzleKey;
use crate::set_run::RunKey;
use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use fretsaw::evaluation::{Score, score};
use fretsaw::observer::Silent;
use fretsaw::picture::{Crop, Cut, ScrambleSettings, Scrambled, mix, scramble};
use fretsaw::puzzle::{Grid, PieceSet, QuarterTurn, Samples};
use fretsaw::{KnownBoards, Puzzle, solve};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::{Table, percent};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::time::Instant;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose boards --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose boards --data sets --sets mit-432 --tell-size --missing 0.1
  fretsaw-lab diagnose boards --data sets --sets pomeranz-805 --mixes 10

Solves heaps of pieces with the method 'fretsaw', which is told neither the size nor the number of boards \
unless asked for.
boards            columns x rows of the true boards, and of those found
placed, left out  pieces on boards, and pieces that belong to a picture and were left out
neighbor          true adjacencies of the pieces that are there / all of them, in percent
neighbor_px       the same, forgiving the exchange of pieces that are the same pixel for pixel")]
pub(crate) struct BoardsArgs {
    #[command(flatten)]
    runs: FretsawArgs,
    #[command(flatten)]
    settings: BoardsSettings,
    /// Mix pictures: so many heaps of two to five pictures of a set, drawn at random
    #[arg(long, value_name = "COUNT")]
    mixes: Option<usize>,
}

/// What the solver knows, and what is wrong with the heap.
#[derive(Clone, Copy, Debug, Default, ClapArgs)]
pub(crate) struct BoardsSettings {
    /// Tell the solver the size of the board, if there is one board
    #[arg(long)]
    pub(crate) tell_size: bool,
    /// Tell the solver the number of boards
    #[arg(long)]
    pub(crate) tell_count: bool,
    /// Leave out this share of the pieces
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(crate) missing: f64,
    /// Add so many pieces of another picture to each heap
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) foreign: usize,
}

pub(crate) fn diagnose(args: &BoardsArgs) -> Result<(), Failure> {
    let (keys, puzzles) = (args.runs.keys()?, &args.runs.puzzles);
    if !(0.0..1.0).contains(&args.settings.missing) {
        return Err(Failure::Usage("--missing must be from 0 to below 1".into()));
    }
    let heaps: Vec<Heap> = match args.mixes {
        None => keys.into_iter().map(|key| vec![key]).collect(),
        Some(count) => mixes(&keys, count),
    };
    let run = || run(&puzzles.data, &heaps, args.settings, puzzles.jobs);
    print_line(table(&puzzles.on_threads(run)?))
}

/// A heap of pieces: the pictures that they come from.
pub(crate) type Heap = Vec<RunKey>;

/// Heaps of pictures that differ in nothing else, so many of each kind.
pub(crate) fn mixes(keys: &[RunKey], count: usize) -> Vec<Heap> {
    let rest = |key: &RunKey| {
        let mut rest = key.clone();
        rest.puzzle.image.clear();
        rest
    };
    let kinds = group_by(keys, rest).into_iter();
    let heaps = kinds.flat_map(|(kind, alike)| {
        let alike: Heap = alike.into_iter().cloned().collect();
        draw_mixes(&alike, count, kind.puzzle.seed)
    });
    heaps.collect()
}

/// Heaps of two to five pictures of a set each, drawn at random.
fn draw_mixes(keys: &[RunKey], count: usize, seed: u64) -> Vec<Heap> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let most = keys.len().min(5);
    (0..count)
        .map(|_| {
            let size = random.random_range(most.min(2)..=most);
            let mut heap = keys.to_vec();
            heap.shuffle(&mut random);
            heap.truncate(size);
            heap
        })
        .collect()
}

/// What came of a heap.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoardsRecord {
    pub(crate) heap: Heap,
    pub(crate) true_boards: Vec<Grid>,
    pub(crate) found_boards: Vec<Grid>,
    /// The scores, of the pieces that are there and belong.
    pub(crate) score: Score,
    /// Foreign pieces that were left out, and pieces that belong and were.
    pub(crate) left_out: (usize, usize),
    pub(crate) seconds: f64,
}

impl BoardsRecord {
    /// Whether as many boards were found as there are.
    pub(crate) fn has_right_count(&self) -> bool {
        self.true_boards.len() == self.found_boards.len()
    }

    /// Whether the boards found have the sizes of those there are, lying or standing.
    pub(crate) fn has_right_sizes(&self) -> bool {
        let sorted = |boards: &[Grid]| {
            let lying = |grid: &Grid| (*grid).max(grid.turned(QuarterTurn::from_clockwise(1)));
            let mut sizes: Vec<Grid> = boards.iter().map(lying).collect();
            sizes.sort_unstable();
            sizes
        };
        sorted(&self.true_boards) == sorted(&self.found_boards)
    }
}

/// Solves heaps with the method fretsaw, so many at a time.
pub(crate) fn run(
    data: &Path,
    heaps: &[Heap],
    settings: BoardsSettings,
    jobs: usize,
) -> anyhow::Result<Vec<BoardsRecord>> {
    share_threads(jobs, heaps, |heap| {
        let name = || {
            heap.first().map_or_else(String::new, |key| key.puzzle.path(data).display().to_string())
        };
        solved(data, heap, settings).with_context(name)
    })
}

fn solved(data: &Path, heap: &Heap, settings: BoardsSettings) -> anyhow::Result<BoardsRecord> {
    let key = heap.first().context("a heap of no pictures")?;
    let mut puzzles = Vec::new();
    for key in heap {
        puzzles.push(key.puzzle.make_without(data, settings.missing)?);
    }
    let true_boards: Vec<Grid> = puzzles.iter().map(|puzzle| puzzle.grid).collect();
    let num_boards = true_boards.len();
    puzzles.extend(foreign_pieces(data, heap, settings.foreign)?);
    let (pieces, truth) = mix(&puzzles, key.puzzle.seed)?;
    let grid = (settings.tell_size && num_boards == 1).then(|| true_boards[0]);
    let boards = KnownBoards {
        rows: grid.map(|grid| grid.rows()),
        cols: grid.map(|grid| grid.cols()),
        count: settings.tell_count.then_some(num_boards),
    };
    let puzzle = Puzzle::new(pieces).of_type(key.puzzle.puzzle_type).boards(boards);
    let start = Instant::now();
    let found = solve(&puzzle, &key.settings(), &Silent)?.assembly;
    let seconds = start.elapsed().as_secs_f64();
    let board_of = |piece| truth.assembly().place_of(piece).map_or(0, |place| place.board);
    let foreign = found.unplaced().filter(|&piece| board_of(piece) >= num_boards).count();
    Ok(BoardsRecord {
        heap: heap.clone(),
        true_boards,
        found_boards: found.boards().to_vec(),
        left_out: (foreign, found.unplaced().count() - foreign),
        score: score(&truth, &found)?,
        seconds,
    })
}

/// So many pieces of a picture of the same set that is not in the heap, drawn at random, each of them a
/// puzzle of its own.
fn foreign_pieces(data: &Path, heap: &Heap, count: usize) -> anyhow::Result<Vec<Scrambled>> {
    let Some(key) = heap.first().map(|key| &key.puzzle).filter(|_| count > 0) else {
        return Ok(Vec::new());
    };
    let images = images_of(&data.join(&key.set), Images::All)?;
    let is_other = |image: &&String| heap.iter().all(|key| key.puzzle.image != **image);
    let image = images.iter().find(is_other).context("no other picture in the set")?.clone();
    let all = PuzzleKey { image, ..key.clone() }.make(data)?.pieces;
    ensure!(count <= all.num_pieces(), "a picture has only {} pieces", all.num_pieces());
    let len = all.shape().num_pixels() * all.channels();
    let alone = |index: usize| {
        let range = index * len..(index + 1) * len;
        let samples = match all.samples() {
            Samples::U8(values) => Samples::U8(values[range].to_vec()),
            Samples::U16(values) => Samples::U16(values[range].to_vec()),
        };
        let pieces = PieceSet::new(all.shape(), all.channels(), samples)?;
        let cut = Cut { pieces, grid: Grid::new(1, 1)?, crop: Crop::default() };
        Ok(scramble(&cut, &ScrambleSettings::new(key.puzzle_type, key.seed))?)
    };
    // Scrambled pieces are in random order already.
    (0..count).map(alone).collect()
}

const COLUMNS: &str = "heap | boards | found | sizes right | placed | left out | foreign left out | \
     neighbor | neighbor_px | perfect_px | seconds";

/// A line for each heap, and one for all of them; shares are in percent.
pub(crate) fn table(records: &[BoardsRecord]) -> Table {
    let mut table = Table::with_columns(COLUMNS);
    let sizes = |boards: &[Grid]| {
        let size = |grid: &Grid| format!("{}x{}", grid.cols(), grid.rows());
        boards.iter().map(size).collect::<Vec<_>>().join(" ")
    };
    let yes = |is_so: bool| if is_so { "yes" } else { "no" }.to_owned();
    for record in records {
        let images: Vec<&str> = record.heap.iter().map(|key| key.puzzle.image.as_str()).collect();
        let set = record.heap.first().map_or("", |key| key.puzzle.set.as_str());
        let score = &record.score;
        table.push(row! {
            format!("{set} {}", images.join(" ")), sizes(&record.true_boards),
            sizes(&record.found_boards), yes(record.has_right_sizes()), score.placed,
            record.left_out.1, record.left_out.0, percent(score.neighbor),
            percent(score.neighbor_px.unwrap_or(0.0)), yes(score.perfect_px == Some(true)),
            format!("{:.2}", record.seconds),
        });
    }
    table.push(means("all", records));
    table
}

/// A line with the means of each of these lists of heaps, under its name.
pub(crate) fn summary(lists: &[(String, Vec<BoardsRecord>)]) -> Table {
    let mut table = Table::with_columns(COLUMNS);
    lists.iter().for_each(|(name, records)| table.push(means(name, records)));
    table
}

fn means(name: &str, records: &[BoardsRecord]) -> Vec<String> {
    let mean = |value: &dyn Fn(&BoardsRecord) -> f64| {
        records.iter().map(value).sum::<f64>() / records.len().max(1) as f64
    };
    let count = |is_so: &dyn Fn(&BoardsRecord) -> bool| {
        records.iter().filter(|record| is_so(record)).count()
    };
    vec![
        format!("{name} {}", records.len()),
        String::new(),
        format!("count right {}", count(&BoardsRecord::has_right_count)),
        count(&BoardsRecord::has_right_sizes).to_string(),
        format!("{:.1}", mean(&|record| record.score.placed as f64)),
        format!("{:.1}", mean(&|record| record.left_out.1 as f64)),
        format!("{:.1}", mean(&|record| record.left_out.0 as f64)),
        percent(mean(&|record| record.score.neighbor)),
        percent(mean(&|record| record.score.neighbor_px.unwrap_or(0.0))),
        count(&|record| record.score.perfect_px == Some(true)).to_string(),
        format!("{:.2}", mean(&|record| record.seconds)),
    ]
}
