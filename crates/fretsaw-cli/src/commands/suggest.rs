//! `fretsaw suggest`: lists the least certain places of a solution and alternative pieces for them.

use crate::args::outputs::SuggestArgs;
use fretsaw::unstable::suggestions::DOUBTFUL;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::{print_json, print_line};
use fretsaw_io::{Doubt, read_solution};

pub(super) fn run(args: &SuggestArgs) -> Result<(), Failure> {
    let solution = read_solution(&args.solution, &args.limits.limits())?;
    let mut doubts = solution.doubts().ok_or_else(|| {
        Failure::Failed(format!(
            "{}: has no confidences; make it with 'fretsaw solve --solution'",
            args.solution.display()
        ))
    })?;
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
