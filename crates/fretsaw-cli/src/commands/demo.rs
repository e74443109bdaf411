//! `fretsaw demo`: draws a picture, scrambles it, solves it and prints the scores.

use crate::args::DemoArgs;
use fretsaw::evaluation::{best_turn, score};
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, cut, render, scramble, sheet};
use fretsaw::puzzle::{PieceSetError, PieceShape, PuzzleType};
use fretsaw::{Puzzle, Settings, solve};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::progress::Progress;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::stop::Stop;
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{check_output_folder, write_folder, write_picture};
use std::path::PathBuf;
use std::time::Instant;

const PIECE_PX: u32 = 28;
const ROWS: usize = 18;
const COLS: usize = 24;

pub(super) fn run(args: &DemoArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let dir = match &args.out {
        Some(dir) => dir.clone(),
        None => free_folder()?,
    };
    check_output_folder(&dir)?;
    let shape = PieceShape::new(PIECE_PX, PIECE_PX)
        .map_err(|error: PieceSetError| Failure::Failed(error.to_string()))?;

    let start = Instant::now();
    let picture = demo_picture(ROWS * PIECE_PX as usize, COLS * PIECE_PX as usize, args.seed);
    let draw_secs = start.elapsed().as_secs_f64();
    let cut = cut(&picture, shape).map_err(|error| Failure::cutting(&dir, error))?;
    let scrambled = scramble(&cut, &ScrambleSettings::new(PuzzleType::Type2, args.seed))
        .map_err(|error| Failure::scrambling(&dir, error))?;
    let puzzle =
        Puzzle::new(scrambled.pieces.clone()).of_type(PuzzleType::Type2).board(scrambled.grid);
    let settings = Settings { seed: args.seed, ..Settings::default() };
    let progress = Progress::new(verbosity, Stop::default());
    let outcome = with_threads(args.threads, || solve(&puzzle, &settings, &progress))?
        .map_err(|error| Failure::solving(&dir, &error))?;
    let score = score(&scrambled.truth, &outcome.assembly)
        .map_err(|error| Failure::scoring(&dir, &dir, error))?;

    let painting = |error| Failure::painting(&dir, error);
    let input = sheet(&scrambled.pieces, COLS).map_err(painting)?;
    // Turn the board upright, as in the truth, because the user looks at it.
    let upright = best_turn(&scrambled.truth, &outcome.assembly);
    let solution =
        render(&scrambled.pieces, &outcome.assembly.turned(upright), 0).map_err(painting)?;
    write_folder(&dir, "truth.png", |dir| {
        write_picture(&dir.join("input.png"), &input, None)?;
        write_picture(&dir.join("solution.png"), &solution, None)?;
        write_picture(&dir.join("truth.png"), &picture, None)
    })?;

    if verbosity.quiet {
        return Ok(());
    }
    print_line(format!(
        "{} pieces of {PIECE_PX} x {PIECE_PX} px, shuffled and turned, seed {}",
        scrambled.pieces.num_pieces(),
        args.seed
    ))?;
    for name in ["input.png", "solution.png", "truth.png"] {
        print_line(format!("  {}", dir.join(name).display()))?;
    }
    print_line(format!(
        "\nscores (method {}, measure {}, matcher {})",
        settings.method.name(),
        settings.measure(false).name(),
        settings.matcher().name()
    ))?;
    for line in score.to_string().lines() {
        print_line(format!("  {line}"))?;
    }
    print_line("\nseconds")?;
    print_line(format!("  {:12} {draw_secs:.3}", "draw"))?;
    for timing in progress.timings() {
        print_line(format!("  {:12} {:.3}", timing.stage, timing.seconds))?;
    }
    Ok(())
}

/// The first of fretsaw-demo, fretsaw-demo-2, ... that can be used.
fn free_folder() -> Result<PathBuf, Failure> {
    let names = std::iter::once("fretsaw-demo".to_string())
        .chain((2..1000).map(|number| format!("fretsaw-demo-{number}")));
    names.map(PathBuf::from).find(|path| !path.exists()).ok_or_else(|| {
        Failure::Usage("too many fretsaw-demo folders: give another with --out".into())
    })
}
