//! Times of the method fretsaw after the matcher: on an easy puzzle and on a hard one.

use super::check_pieces;
use super::matching::board_of;
use clap::Args as ClapArgs;
use fretsaw::evaluation::score;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::PuzzleType;
use fretsaw::unstable::search::costs::SeamCosts;
use fretsaw::unstable::search::energy_of;
use fretsaw::unstable::{Measured, assemble, find_boards};
use fretsaw::{Effort, Method, Puzzle, Settings};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::table::Table;
use fretsaw_cli::threads::with_threads;
use std::time::Instant;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage search --pieces 540 --efforts fast,normal --threads 2

Drawn pictures, type 2, with the measure 'seam' and the matcher 'learned'; 'easy' has pieces of 28 pixels, \
'hard' of 8. 'costs s' is the time to make the costs of seams from match probabilities, 'assemble s' that \
of all that follows the matcher, these costs included. 'neighbor' is in percent.")]
pub(crate) struct SearchArgs {
    /// Numbers of pieces
    #[arg(long, value_delimiter = ',', default_values = ["540", "805"])]
    pub(crate) pieces: Vec<u32>,
    /// Efforts
    #[arg(long, value_delimiter = ',', default_values = ["fast", "normal", "high"],
          value_parser = by_name(Effort::ALL, Effort::name))]
    pub(crate) efforts: Vec<Effort>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// Puzzles, and the pixels along a side of their pieces: small ones say little about their neighbours.
const PUZZLES: [(&str, u32); 2] = [("easy", 28), ("hard", 8)];

pub(crate) fn run(args: &SearchArgs) -> Result<Table, Failure> {
    check_pieces(&args.pieces)?;
    Ok(with_threads(args.threads, || times(&args.pieces, &args.efforts))??)
}

/// Seconds of the costs of seams alone, and of all that follows the matcher, these costs included.
fn times(pieces: &[u32], efforts: &[Effort]) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "pieces | puzzle | threads | effort | costs s | assemble s | neighbor | energy",
    );
    for &num_pieces in pieces {
        let (rows, cols) = board_of(num_pieces);
        for (name, piece_px) in PUZZLES {
            let (pieces, frame, truth) =
                synthetic::puzzle(rows, cols, piece_px, PuzzleType::Type2, 1);
            let puzzle = Puzzle::new(pieces).of_type(PuzzleType::Type2).board(frame);
            let settings = Settings { seed: 1, ..Settings::default() };
            let measured = Measured::new(&puzzle, &settings, &Silent)?;
            let (model, turns) = (measured.matched(&settings, &Silent)?, measured.turns);
            let start = Instant::now();
            let costs = std::hint::black_box(SeamCosts::new(&model));
            let costs_secs = start.elapsed().as_secs_f64();
            let boards = find_boards(&puzzle, &model, turns, &settings, &Silent)?;
            for &effort in efforts {
                let settings = Settings { method: Method::Fretsaw(effort), ..settings.clone() };
                let start = Instant::now();
                let (found, _) = assemble(&puzzle, &boards, &model, turns, &settings, &Silent)?;
                let assemble_secs = start.elapsed().as_secs_f64();
                let energy = energy_of(&costs, &boards.boards, &found);
                let neighbor = score(&truth, &found)?.neighbor;
                table.push(row! {
                    num_pieces, name, rayon::current_num_threads(), effort.name(),
                    format!("{costs_secs:.3}"), format!("{assemble_secs:.3}"),
                    format!("{:.2}", 100.0 * neighbor), format!("{energy:.2}"),
                });
            }
        }
    }
    Ok(table)
}
