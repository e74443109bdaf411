//! What the method fretsaw costs once sides are judged: on an easy puzzle and on a hard one.

use crate::stage_judge::board_of;
use fretsaw::dissimilarity::{Dissimilarity, Measure, find_nearest};
use fretsaw::evaluation::score;
use fretsaw::locations::LocationProblem;
use fretsaw::matching::Matcher;
use fretsaw::methods::fretsaw::{Effort, FretsawSettings, assemble};
use fretsaw::observer::Silent;
use fretsaw::puzzle::{PuzzleType, TurnSet};
use fretsaw::search::costs::SeamCosts;
use fretsaw::synthetic;
use fretsaw_cli::table::Table;
use std::time::Instant;

/// What to measure.
#[derive(Clone, Debug)]
pub struct SearchBench {
    /// Numbers of pieces.
    pub pieces: Vec<u32>,
    /// Efforts.
    pub efforts: Vec<Effort>,
}

/// Puzzles, and the pixels along a side of their pieces: small ones tell little of what lies beside them.
const PUZZLES: [(&str, u32); 2] = [("easy", 28), ("hard", 8)];

/// Run on the threads of the current pool and tabulate: seconds of the costs of seams alone, and of all
/// that follows the matcher, in which they are made once more.
///
/// # Errors
/// If a puzzle cannot be solved.
pub fn run(bench: &SearchBench) -> anyhow::Result<Table> {
    let mut table = Table::new(&[
        "pieces",
        "puzzle",
        "threads",
        "effort",
        "costs s",
        "assemble s",
        "neighbor",
        "energy",
    ]);
    for &num_pieces in &bench.pieces {
        let (rows, cols) = board_of(num_pieces);
        for (name, piece_px) in PUZZLES {
            let (pieces, frame, truth) =
                synthetic::puzzle(rows, cols, piece_px, PuzzleType::Type2, 1);
            let turns = TurnSet::Quarter;
            let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam)?;
            let matcher = Matcher::Learned;
            let nearest = find_nearest(&dissimilarity, turns, &matcher.candidates(), &Silent)?;
            let model = matcher.match_sides(&dissimilarity, &nearest, turns, &Silent)?;
            let start = Instant::now();
            drop(std::hint::black_box(SeamCosts::new(&model)));
            let costs_secs = start.elapsed().as_secs_f64();
            let problem = LocationProblem { model: &model, frame, turns, seed: 1 };
            for &effort in &bench.efforts {
                let start = Instant::now();
                let board = assemble(&problem, &FretsawSettings { effort }, &Silent)?;
                let assemble_secs = start.elapsed().as_secs_f64();
                let neighbor = score(&truth, &board.assembly)?.neighbor;
                table.push(vec![
                    pieces.num_pieces().to_string(),
                    name.into(),
                    rayon::current_num_threads().to_string(),
                    effort.name().into(),
                    format!("{costs_secs:.3}"),
                    format!("{assemble_secs:.3}"),
                    format!("{:.2}", 100.0 * neighbor),
                    format!("{:.2}", board.energy),
                ]);
            }
        }
    }
    Ok(table)
}
