//! `fretsaw-lab scaling`

use super::check_report;
use crate::puzzle_args::check_positive;
use crate::scaling::document;
use crate::scaling::{
    self, ScalingFile, ScalingLine, ScalingPuzzle, ScalingRecord, ScalingSettings, standard_puzzles,
};
use crate::stage::check_boards;
use crate::stage::measure::{self as stage_measure, MeasureArgs};
use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use fretsaw::settings::{Matcher, Measure};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::parse::{parse_grid, parse_size};
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::threads::{MAX_THREADS, all_threads, with_threads};
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::write_text;
use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab scaling --data sets --out scaling.jsonl --report scaling.md
  fretsaw-lab scaling --pictures a.jpg,b.jpg --tiled c.jpg,d.jpg,e.jpg --out scaling.jsonl

Solves one picture each of mit-432, pomeranz-805, pomeranz-2360, pomeranz-3300, sholomon-5015, \
sholomon-10375 and sholomon-22755 below --data, or the pictures given, type 2, by the default method, each \
in a process of its own. Prints seconds of every stage, peak memory and scores, and the exponents b of \
fits of log t = a + b log n. What --out already holds is not done again.")]
pub(crate) struct ScalingArgs {
    /// The folder with one folder of pictures per standard set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Pictures to solve in place of those of the standard sets
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    pub(crate) pictures: Vec<PathBuf>,
    /// Pictures to be laid side by side, for one more puzzle
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    pub(crate) tiled: Vec<PathBuf>,
    /// Columns and rows of that puzzle in pieces [default: as much as possible]
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_grid, requires = "tiled")]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    #[command(flatten)]
    pub(crate) settings: ScalingSettings,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// The results, one JSON line per puzzle
    #[arg(long, value_name = "FILE", required_unless_present = "one")]
    pub(crate) out: Option<PathBuf>,
    /// The document to write, ending in .md, from all that --out holds; with the measure stage against the
    /// matrix product
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Boards of the measure stage in the document, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["66x50", "125x83"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Each time of the measure stage is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
    /// Solve the one puzzle given in this process, and print its line
    #[arg(long, hide = true)]
    pub(crate) one: bool,
}

pub(super) fn run(args: &ScalingArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let threads = args.threads.unwrap_or_else(all_threads);
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(Failure::Usage(format!("--threads must be 1 to {MAX_THREADS}")));
    }
    let settings = ScalingSettings { threads, ..args.settings };
    let mut puzzles: Vec<ScalingPuzzle> =
        args.pictures.iter().cloned().map(ScalingPuzzle::of).collect();
    if !args.tiled.is_empty() {
        puzzles.push(ScalingPuzzle { pictures: args.tiled.clone(), grid: args.grid });
    }
    let Some(out) = args.out.as_ref().filter(|_| !args.one) else {
        let [puzzle] = &puzzles[..] else {
            return Err(Failure::Usage("--one solves one puzzle: give one".into()));
        };
        let record = with_threads(Some(threads), || scaling::solve_one(puzzle, &settings))??;
        return print_line(serde_json::to_string(&record).map_err(anyhow::Error::from)?);
    };
    match &args.data {
        Some(data) if args.pictures.is_empty() => {
            let tiled = std::mem::replace(&mut puzzles, standard_puzzles(data)?);
            puzzles.extend(tiled);
        }
        None if puzzles.is_empty() => {
            return Err(Failure::Usage(
                "nothing to solve: give --data with the standard sets, or --pictures".into(),
            ));
        }
        _ => {}
    }
    check_boards(&args.boards)?;
    check_positive("--repeats", args.repeats)?;
    args.report.as_deref().map_or(Ok(()), check_report)?;
    let mut file = ScalingFile::open(out)?;
    for puzzle in &puzzles {
        if !file.puzzles().iter().any(|record| record.is_of(puzzle, &settings)) {
            verbosity.say(puzzle.name());
            file.append(ScalingLine::Puzzle(in_its_own_process(puzzle, &settings)?))?;
        }
    }
    let asked = |record: &ScalingRecord| puzzles.iter().any(|it| record.is_of(it, &settings));
    let records: Vec<ScalingRecord> = file.puzzles().into_iter().filter(asked).collect();
    print_line(document::table(&records))?;
    print_line(document::exponents(&records))?;
    if let Some(report) = &args.report {
        measure(args, &mut file)?;
        print_line(document::measure_table(&file.measures()))?;
        write_text(report, &document::document(&file, &command(args, out, report)))?;
        verbosity.say(report.display());
    }
    Ok(())
}

/// Times the measure stage on the boards that the file does not hold yet.
fn measure(args: &ScalingArgs, file: &mut ScalingFile) -> Result<(), Failure> {
    for &(cols, rows) in &args.boards {
        let num_pieces = cols as usize * rows as usize;
        if file.measures().iter().any(|times| times.pieces == num_pieces) {
            continue;
        }
        let bench = MeasureArgs {
            boards: vec![(cols, rows)],
            threads: vec![1, 2],
            measures: vec![Measure::Seam],
            candidates: Matcher::Learned.candidates().num_candidates,
            repeats: args.repeats,
        };
        for times in stage_measure::times(&bench)? {
            file.append(ScalingLine::Measure(times))?;
        }
    }
    Ok(())
}

/// Has another process of this program solve a puzzle: the peak of its memory is then the puzzle's.
fn in_its_own_process(
    puzzle: &ScalingPuzzle,
    settings: &ScalingSettings,
) -> anyhow::Result<ScalingRecord> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let ScalingSettings { shape, effort, seed, threads } = settings;
    let mut command = Command::new(program);
    command.args(["scaling", "--one", "--effort", effort.name()]);
    command.args(["--seed", &seed.to_string(), "--threads", &threads.to_string()]);
    command.args(["--piece", &format!("{}x{}", shape.width_px(), shape.height_px())]);
    // As the system has them: names of files need not be text.
    let flag =
        if puzzle.pictures.len() > 1 || puzzle.grid.is_some() { "--tiled" } else { "--pictures" };
    for picture in &puzzle.pictures {
        let mut given = OsString::from(format!("{flag}="));
        given.push(picture);
        command.arg(given);
    }
    if let Some((cols, rows)) = puzzle.grid {
        command.args(["--grid", &format!("{cols}x{rows}")]);
    }
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start another process of this program")?;
    if !output.status.success() {
        bail!("{}: not solved ({})", puzzle.name(), output.status);
    }
    let record: ScalingRecord = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: the process printed no result", puzzle.name()))?;
    if !record.is_of(puzzle, settings) {
        bail!("{}: the process solved another puzzle than it was given", puzzle.name());
    }
    Ok(record)
}

/// The command as the document prints it: names of files without their folders.
fn command(args: &ScalingArgs, out: &Path, report: &Path) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let list = |flag: &str, paths: &[std::path::PathBuf]| {
        let names: Vec<String> =
            paths.iter().cloned().map(|path| ScalingPuzzle::of(path).name()).collect();
        if names.is_empty() { String::new() } else { format!(" {flag} {}", names.join(",")) }
    };
    let mut line = String::from("fretsaw-lab scaling");
    if args.pictures.is_empty() && args.data.is_some() {
        line += " --data sets";
    }
    line += &list("--pictures", &args.pictures);
    line += &list("--tiled", &args.tiled);
    if let Some((cols, rows)) = args.grid {
        line += &format!(" --grid {cols}x{rows}");
    }
    let ScalingSettings { effort, seed, .. } = args.settings;
    line += &format!(" --effort {} --seed {seed}", effort.name());
    if let Some(threads) = args.threads {
        line += &format!(" --threads {threads}");
    }
    let boards: Vec<String> =
        args.boards.iter().map(|(cols, rows)| format!("{cols}x{rows}")).collect();
    line +=
        &format!(" --boards {} --out {} --report {}", boards.join(","), name(out), name(report));
    line
}
