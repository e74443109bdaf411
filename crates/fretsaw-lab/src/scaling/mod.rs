//! How time and memory grow with the number of pieces: puzzles of many sizes, each solved by a process of
//! its own.

pub(crate) mod document;

use crate::images::{Images, images_of};
use crate::results::LineWriter;
use crate::stage::measure::MeasureTimes;
use crate::{memory, provenance};
use anyhow::Context;
use clap::Args as ClapArgs;
use fretsaw::evaluation::score;
use fretsaw::observer::Stage;
use fretsaw::picture::{Picture, ScrambleSettings, Tiling, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType};
use fretsaw::unstable::estimate_memory;
use fretsaw::{Effort, Method, Puzzle, Settings, solve};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::parse::parse_piece;
use fretsaw_io::StageClock;
use fretsaw_io::{IoError, Limits, read_picture, read_picture_size};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The sets that a picture each is taken from, by increasing number of pieces.
pub(crate) const SETS: [&str; 7] = [
    "mit-432",
    "pomeranz-805",
    "pomeranz-2360",
    "pomeranz-3300",
    "sholomon-5015",
    "sholomon-10375",
    "sholomon-22755",
];

/// The stages that have times of their own.
const STAGES: [Stage; 4] = [Stage::Measure, Stage::Match, Stage::Assemble, Stage::Search];

/// A puzzle of a picture, or of several side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScalingPuzzle {
    /// The files, one or more.
    pub(crate) pictures: Vec<PathBuf>,
    /// Columns and rows of pieces, if the pictures are to be cropped to that.
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
}

impl ScalingPuzzle {
    pub(crate) fn of(picture: PathBuf) -> Self {
        Self { pictures: vec![picture], grid: None }
    }

    /// The files' names with that of their folder: the same wherever the sets lie.
    pub(crate) fn name(&self) -> String {
        let of_file = |path: &PathBuf| {
            let part = |name: Option<&std::ffi::OsStr>| {
                name.unwrap_or_default().to_string_lossy().into_owned()
            };
            let folder = part(path.parent().and_then(Path::file_name));
            let file = part(path.file_name());
            if folder.is_empty() { file } else { format!("{folder}/{file}") }
        };
        self.pictures.iter().map(of_file).collect::<Vec<_>>().join(" + ")
    }

    /// The picture that is cut.
    fn picture(&self, shape: PieceShape) -> anyhow::Result<Picture> {
        let limits = Limits::default();
        let read = |path: &Path| Ok(read_picture(path, &limits)?.picture);
        if let ([path], None) = (&self.pictures[..], self.grid) {
            return read(path);
        }
        let sizes = self
            .pictures
            .iter()
            .map(|path| read_picture_size(path, &limits))
            .collect::<Result<Vec<_>, IoError>>()?;
        let (cols, rows) = self.grid.unzip();
        Tiling::new(&sizes, shape, cols, rows)?.paint(|picture| read(&self.pictures[picture]))
    }
}

/// The first picture of each of the standard sets.
pub(crate) fn standard_puzzles(data: &Path) -> anyhow::Result<Vec<ScalingPuzzle>> {
    let first = |set: &&str| {
        let folder = data.join(set);
        let images = images_of(&folder, Images::All)?;
        let image = images.first().with_context(|| format!("{} is empty", folder.display()))?;
        Ok(ScalingPuzzle::of(folder.join(image)))
    };
    SETS.iter().map(first).collect()
}

/// How the puzzles are cut, scrambled and solved: type 2, by the default method.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct ScalingSettings {
    /// Size of the pieces in pixels
    #[arg(long = "piece", default_value = "28", value_name = "SIZE", value_parser = parse_piece)]
    pub(crate) shape: PieceShape,
    /// The effort
    #[arg(long, default_value = "normal", value_parser = by_name(Effort::ALL, Effort::name))]
    pub(crate) effort: Effort,
    /// The seed of scramble and solver
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[arg(skip)]
    pub(crate) threads: usize,
}

/// What a solve took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScalingRecord {
    /// [`ScalingPuzzle::name`].
    pub(crate) puzzle: String,
    pub(crate) pieces: usize,
    pub(crate) cols: u32,
    pub(crate) rows: u32,
    /// Pixels of a piece: width, height.
    pub(crate) piece: (u32, u32),
    pub(crate) effort: Effort,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Seconds of [`STAGES`]; finding turns apart from positions counts as assembling.
    pub(crate) stages: Vec<(String, f64)>,
    pub(crate) seconds: f64,
    /// Peak resident memory of the process during the solve; `None` if the system does not report it.
    pub(crate) peak_bytes: Option<u64>,
    /// What was estimated before, without the program itself.
    pub(crate) estimated_bytes: u64,
    /// True joins found / all true joins.
    pub(crate) neighbor: f64,
    /// The same, forgiving the exchange of pieces that are the same pixel for pixel.
    pub(crate) neighbor_px: Option<f64>,
    pub(crate) version: String,
    /// The commit that it was built from, where known.
    pub(crate) commit: Option<String>,
    /// The machine, in a line.
    pub(crate) machine: String,
}

impl ScalingRecord {
    /// Whether it is the record of a puzzle solved in this way.
    pub(crate) fn is_of(&self, puzzle: &ScalingPuzzle, settings: &ScalingSettings) -> bool {
        let ScalingSettings { shape, effort, seed, threads } = *settings;
        let size = puzzle.grid.map(|(cols, rows)| (cols.get(), rows.get()));
        self.puzzle == puzzle.name()
            && size.is_none_or(|size| size == (self.cols, self.rows))
            && self.piece == (shape.width_px(), shape.height_px())
            && (self.effort, self.seed, self.threads) == (effort, seed, threads)
    }
}

/// Solves a puzzle on the threads of the current pool. The peak memory is right only if the process does
/// nothing else.
pub(crate) fn solve_one(
    puzzle: &ScalingPuzzle,
    settings: &ScalingSettings,
) -> anyhow::Result<ScalingRecord> {
    let scrambled = {
        let picture = puzzle.picture(settings.shape)?;
        let cut = cut(&picture, settings.shape).with_context(|| puzzle.name())?;
        drop(picture);
        scramble(&cut, &ScrambleSettings::new(PuzzleType::Type2, settings.seed))?
    };
    let (num_pieces, grid) = (scrambled.pieces.num_pieces(), scrambled.grid);
    let to_solve = Puzzle::new(scrambled.pieces).of_type(PuzzleType::Type2).board(grid);
    let solve_settings = Settings {
        method: Method::Fretsaw(settings.effort),
        seed: settings.seed,
        ..Settings::default()
    };
    let estimated = estimate_memory(&to_solve, &solve_settings, settings.threads);
    memory::reset_peak();
    let clock = StageClock::default();
    let start = Instant::now();
    let outcome = solve(&to_solve, &solve_settings, &clock).with_context(|| puzzle.name())?;
    let seconds = start.elapsed().as_secs_f64();
    let peak_bytes = memory::peak_bytes();
    let score = score(&scrambled.truth, &outcome.assembly)?;
    let seconds_of = |stage: Stage| {
        let turns = if stage == Stage::Assemble { clock.seconds(Stage::Rotate) } else { 0.0 };
        clock.seconds(stage) + turns
    };
    Ok(ScalingRecord {
        puzzle: puzzle.name(),
        pieces: num_pieces,
        cols: grid.cols(),
        rows: grid.rows(),
        piece: (settings.shape.width_px(), settings.shape.height_px()),
        effort: settings.effort,
        seed: settings.seed,
        threads: settings.threads,
        stages: STAGES.map(|stage| (stage.name().to_owned(), seconds_of(stage))).into(),
        seconds,
        peak_bytes,
        estimated_bytes: estimated.peak,
        neighbor: score.neighbor,
        neighbor_px: score.neighbor_px,
        version: env!("CARGO_PKG_VERSION").into(),
        commit: provenance::commit().map(Into::into),
        machine: provenance::machine(),
    })
}

/// A line of a file of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum ScalingLine {
    Puzzle(ScalingRecord),
    /// The measure stage alone.
    Measure(MeasureTimes),
}

/// A file of results: what it holds, and where more goes.
#[derive(Debug)]
pub(crate) struct ScalingFile {
    path: PathBuf,
    pub(crate) lines: Vec<ScalingLine>,
}

impl ScalingFile {
    /// Opens a file that may or may not exist. A last line that was cut off is taken away.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        // Only a line makes a file.
        let lines = if path.exists() { LineWriter::open(path)?.1.records } else { Vec::new() };
        Ok(Self { path: path.into(), lines })
    }

    pub(crate) fn append(&mut self, line: ScalingLine) -> anyhow::Result<()> {
        let (mut writer, _) = LineWriter::open::<ScalingLine>(&self.path)?;
        writer.append(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// The puzzles, by number of pieces.
    pub(crate) fn puzzles(&self) -> Vec<ScalingRecord> {
        let record = |line: &ScalingLine| match line {
            ScalingLine::Puzzle(record) => Some(record.clone()),
            ScalingLine::Measure(_) => None,
        };
        let mut found: Vec<ScalingRecord> = self.lines.iter().filter_map(record).collect();
        found.sort_by(|x, y| x.pieces.cmp(&y.pieces).then_with(|| x.puzzle.cmp(&y.puzzle)));
        found
    }

    /// The measure stage alone, by number of pieces and threads.
    pub(crate) fn measures(&self) -> Vec<MeasureTimes> {
        let times = |line: &ScalingLine| match line {
            ScalingLine::Puzzle(_) => None,
            ScalingLine::Measure(times) => Some(times.clone()),
        };
        let mut found: Vec<MeasureTimes> = self.lines.iter().filter_map(times).collect();
        found.sort_by_key(|times| (times.pieces, times.threads));
        found
    }
}
