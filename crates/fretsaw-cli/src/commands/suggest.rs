//! `fretsaw suggest`: lists the least certain places of a solution and alternative pieces for them.

use crate::args::outputs::SuggestArgs;
use fretsaw::puzzle::{PieceId, Place};
use fretsaw::unstable::suggestions::DOUBTFUL;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::{print_json, print_line};
use fretsaw_io::{SolutionFile, read_solution};
use serde::Serialize;

/// A doubtful place in the output of `--json`.
#[derive(Debug, Serialize)]
struct Doubt<'a> {
    board: usize,
    row: u32,
    col: u32,
    piece: u32,
    turns: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    likelihood: Option<f64>,
    alternatives: Vec<Other<'a>>,
}

/// An alternative piece in the output of `--json`.
#[derive(Debug, Serialize)]
struct Other<'a> {
    piece: u32,
    turns: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    likelihood: f64,
}

pub(super) fn run(args: &SuggestArgs) -> Result<(), Failure> {
    let solution = read_solution(&args.solution, &args.limits.limits())?;
    if solution.confidences.iter().all(Option::is_none) {
        return Err(Failure::Failed(format!(
            "{}: has no confidences; make it with 'fretsaw solve --solution'",
            args.solution.display()
        )));
    }
    let mut doubts = doubts(&solution);
    let num_doubts = doubts.len();
    doubts.truncate(args.top);
    if args.json {
        return print_json(&doubts);
    }
    if num_doubts == 0 {
        return print_line(format!(
            "no doubts: the confidence in every piece is at least {DOUBTFUL}"
        ));
    }
    print_line(format!("{} of {num_doubts} doubtful places, least certain first", doubts.len()))?;
    let several = solution.assembly.boards().len() > 1;
    for doubt in &doubts {
        print_line("")?;
        let board = if several { format!("board {}, ", doubt.board) } else { String::new() };
        print_line(format!(
            "{board}row {}, column {}: piece {}, confidence {:.2}",
            doubt.row,
            doubt.col,
            named(doubt.piece, doubt.name, doubt.turns),
            doubt.confidence
        ))?;
        if let Some(likelihood) = doubt.likelihood {
            print_line(format!("  {likelihood:.2}  as placed"))?;
        }
        for other in &doubt.alternatives {
            print_line(format!(
                "  {:.2}  piece {}",
                other.likelihood,
                named(other.piece, other.name, other.turns)
            ))?;
        }
    }
    print_line(how_to_go_on(&args.solution.display().to_string(), &doubts))
}

/// All doubtful places, least certain first, with suggestions.
fn doubts(solution: &SolutionFile) -> Vec<Doubt<'_>> {
    let name = |piece: PieceId| solution.names.get(piece.index()).map(String::as_str);
    let mut doubts: Vec<Doubt<'_>> = solution
        .assembly
        .placements()
        .filter_map(|placement| {
            let (piece, Place { board, cell, turn }) = (placement.piece, placement.place);
            let confidence = solution.confidences.get(piece.index()).copied().flatten()?;
            if confidence >= DOUBTFUL {
                return None;
            }
            let suggestion = solution.suggestions.iter().find(|found| found.piece == piece);
            let alternatives = suggestion.map_or(&[][..], |found| &found.alternatives);
            Some(Doubt {
                board,
                row: cell.row,
                col: cell.col,
                piece: piece.number(),
                turns: turn.clockwise(),
                name: name(piece),
                confidence,
                likelihood: suggestion.map(|found| found.likelihood),
                alternatives: alternatives
                    .iter()
                    .map(|other| Other {
                        piece: other.piece.number(),
                        turns: other.turn.clockwise(),
                        name: name(other.piece),
                        likelihood: other.likelihood,
                    })
                    .collect(),
            })
        })
        .collect();
    doubts.sort_by(|a, b| a.confidence.total_cmp(&b.confidence).then(a.piece.cmp(&b.piece)));
    doubts
}

/// A piece by number, name and turn.
fn named(piece: u32, name: Option<&str>, turns: u8) -> String {
    let name = name.map_or(String::new(), |name| format!(" ({name})"));
    let turned = if turns == 0 { String::new() } else { format!(" turned {turns}") };
    format!("{piece}{name}{turned}")
}

/// Explains how to use the list, with the likeliest alternative as the example.
fn how_to_go_on(solution: &str, doubts: &[Doubt<'_>]) -> String {
    // Pins are for the first board.
    let on_first = doubts.iter().filter(|doubt| doubt.board == 0);
    let first = on_first.filter_map(|doubt| Some((doubt, doubt.alternatives.first()?)));
    let likeliest =
        first.reduce(|one, other| if other.1.likelihood > one.1.likelihood { other } else { one });
    let Some((doubt, other)) = likeliest else {
        return "\nThere are no alternatives for these places.".into();
    };
    format!(
        "\nTurns are clockwise quarter turns. To pin a piece to its true place and solve again from this \
         solution:\n  fretsaw solve INPUT --start {solution} --pin {}={},{},{} --out solved.png\nTo \
         forbid that two sides touch: --forbid PIECE:SIDE=PIECE:SIDE. The sides are top, right, bottom \
         and left of the pieces before turning.",
        other.piece, doubt.row, doubt.col, other.turns
    )
}
