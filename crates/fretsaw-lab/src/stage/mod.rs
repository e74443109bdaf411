//! `fretsaw-lab stage`: times of single stages of the solver on drawn puzzles and synthetic problems, one
//! file each.

mod layout;
pub(crate) mod matching;
pub(crate) mod measure;
mod rotations;
mod search;

use clap::Subcommand;
use fretsaw::puzzle::MAX_PIECES;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;

pub(crate) const EXAMPLE: &str = "Example:
  fretsaw-lab stage measure";

#[derive(Debug, Subcommand)]
pub(crate) enum StageCommand {
    /// Finding the best candidates per side, against a bare matrix product
    Measure(measure::MeasureArgs),
    /// Matchers, against the measure stage before them
    Match(matching::MatchArgs),
    /// Turns from synthetic connection graphs, clean and with wrong edges
    Rotations(rotations::RotationsArgs),
    /// Positions from synthetic matches, clean and with wrong ones, proven optimal
    Layout(layout::LayoutArgs),
    /// The method 'fretsaw' after the matcher, on an easy puzzle and on a hard one
    Search(search::SearchArgs),
}

pub(crate) fn run(command: &StageCommand) -> Result<(), Failure> {
    print_line(match command {
        StageCommand::Measure(args) => measure::run(args)?,
        StageCommand::Match(args) => matching::run(args)?,
        StageCommand::Rotations(args) => rotations::run(args)?,
        StageCommand::Layout(args) => layout::run(args)?,
        StageCommand::Search(args) => search::run(args)?,
    })
}

/// Pixels along a side of a drawn piece.
const PIECE_PX: u32 = 28;

/// The most pieces of a drawn picture: drawing more takes longer than anyone waits for.
const MAX_DRAWN: usize = 100_000;

/// Refuses numbers of pieces that cannot be drawn, or that nobody would wait for.
pub(crate) fn check_pieces(pieces: &[u32]) -> Result<(), Failure> {
    if pieces.iter().all(|&pieces| (2..=MAX_DRAWN).contains(&(pieces as usize))) {
        return Ok(());
    }
    Err(Failure::Usage(format!("--pieces must be 2 to {MAX_DRAWN} each")))
}

/// Refuses boards, as columns x rows, that cannot be drawn, or that nobody would wait for.
pub(crate) fn check_boards(boards: &[(u32, u32)]) -> Result<(), Failure> {
    check_board_sizes(boards, MAX_DRAWN)
}

fn check_board_sizes(boards: &[(u32, u32)], most: usize) -> Result<(), Failure> {
    let is_board = |&(cols, rows): &(u32, u32)| {
        (2..=most as u64).contains(&(u64::from(cols) * u64::from(rows)))
    };
    if boards.iter().all(is_board) {
        return Ok(());
    }
    let range = format!("2 to {most} pieces each, for example 24x18");
    Err(Failure::Usage(format!("--boards must have {range}")))
}

/// Refuses boards and shares of wrong edges that no synthetic problem can have.
fn check_synthetic(boards: &[(u32, u32)], wrong: &[f64]) -> Result<(), Failure> {
    check_board_sizes(boards, MAX_PIECES)?;
    if !wrong.iter().all(|share| (0.0..=1.0).contains(share)) {
        return Err(Failure::Usage("--wrong must be between 0 and 1".into()));
    }
    Ok(())
}
