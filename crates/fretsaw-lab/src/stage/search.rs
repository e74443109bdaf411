//! Times of the method fretsaw after the matcher: on an easy puzzle and on a hard one.

use super::matching::board_of;
use fretsaw::evaluation::score;
use fretsaw::observer::Silent;
use fretsaw::puzzle::PuzzleType;
use fretsaw::synthetic;
use fretsaw::unstable::search::costs::SeamCosts;
use fretsaw::unstable::search::energy_of;
use fretsaw::unstable::{Measured, assemble, find_boards};
use fretsaw::{Effort, Method, Puzzle, Settings};
use fretsaw_cli::table::Table;
use std::time::Instant;

/// What to measure.
#[derive(Clone, Debug)]
pub(crate) struct SearchBench {
    /// Numbers of pieces.
    pub(crate) pieces: Vec<u32>,
    /// Efforts.
    pub(crate) efforts: Vec<Effort>,
}

/// Puzzles, and the pixels along a side of their pieces: small ones tell little of what lies beside them.
const PUZZLES: [(&str, u32); 2] = [("easy", 28), ("hard", 8)];

/// Run on the threads of the current pool and tabulate: seconds of the costs of seams alone, and of all
/// that follows the matcher, in which they are made once more.
pub(crate) fn run(bench: &SearchBench) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "pieces | puzzle | threads | effort | costs s | assemble s | neighbor | energy",
    );
    for &num_pieces in &bench.pieces {
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
            for &effort in &bench.efforts {
                let settings = Settings { method: Method::Fretsaw(effort), ..settings.clone() };
                let start = Instant::now();
                let (found, _) = assemble(&puzzle, &boards, &model, turns, &settings, &Silent)?;
                let assemble_secs = start.elapsed().as_secs_f64();
                let energy = energy_of(&costs, &boards.boards, &found);
                let neighbor = score(&truth, &found)?.neighbor;
                table.push(vec![
                    num_pieces.to_string(),
                    name.into(),
                    rayon::current_num_threads().to_string(),
                    effort.name().into(),
                    format!("{costs_secs:.3}"),
                    format!("{assemble_secs:.3}"),
                    format!("{:.2}", 100.0 * neighbor),
                    format!("{energy:.2}"),
                ]);
            }
        }
    }
    Ok(table)
}
