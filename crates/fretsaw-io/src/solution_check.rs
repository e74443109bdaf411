//! Checks of a solution file that hold when it is read and when it is written.

use crate::{IoError, SolutionFile, Timing, Upright};
use fretsaw::puzzle::{Join, SideId};
use fretsaw::solution::SeamConfidence;
use fretsaw::solution::WearEstimate;
use fretsaw::solution::{Alternative, Suggestion};
use std::collections::BTreeSet;
use std::path::Path;

/// Why a solution is impossible, and the remedy.
struct Contradiction {
    what: String,
    remedy: &'static str,
}

/// Checks that probabilities and times are possible, that seams are those of the assembly, and that
/// groups, suggestions and names are of its pieces.
pub(crate) fn check_solution(path: &Path, solution: &SolutionFile) -> Result<(), IoError> {
    check_confidences(solution)
        .and_then(|()| check_seams(solution))
        .and_then(|()| check_groups(solution))
        .and_then(|()| check_suggestions(solution))
        .and_then(|()| check_info(solution))
        .map_err(|Contradiction { what, remedy }| IoError::bad_value(path, what, remedy))
}

fn refuse_if(is_wrong: bool, what: impl Fn() -> String, remedy: &'static str) -> Check {
    if is_wrong { Err(Contradiction { what: what(), remedy }) } else { Ok(()) }
}

/// The longest name of a piece: that of a path.
const MAX_NAME_BYTES: usize = 4096;

type Check = Result<(), Contradiction>;

/// Checks that a value is a probability. NaN, which JSON cannot hold, is none.
fn check_probability(value: f64, name: impl Fn() -> String) -> Check {
    let is_wrong = !(0.0..=1.0).contains(&value);
    refuse_if(is_wrong, || format!("{} is {value}", name()), "it must lie between 0 and 1")
}

fn check_confidences(solution: &SolutionFile) -> Check {
    for (piece, confidence) in solution.confidences.iter().enumerate() {
        check_probability(confidence.unwrap_or(0.0), || {
            format!("the confidence of piece {piece}")
        })?;
    }
    Ok(())
}

/// Seams are those of the assembly, each at most once.
fn check_seams(solution: &SolutionFile) -> Check {
    let mut joins: BTreeSet<Join> = BTreeSet::new();
    if !solution.seams.is_empty() {
        joins.extend(solution.assembly.joins());
    }
    for &SeamConfidence { join: Join { first, second }, confidence } in &solution.seams {
        let side = |id: SideId| format!("piece {} side {}", id.piece().number(), id.side().index());
        let seam = || format!("the seam of {} and {}", side(first), side(second));
        check_probability(confidence, || format!("the confidence of {}", seam()))?;
        refuse_if(
            !joins.remove(&Join { first, second }),
            || format!("{} is given twice, or these sides do not touch", seam()),
            "give each seam of the placements at most once",
        )?;
    }
    Ok(())
}

/// Groups have at least two pieces, and no piece is in two of them.
fn check_groups(solution: &SolutionFile) -> Check {
    let mut seen = vec![false; solution.assembly.num_pieces()];
    for group in &solution.interchangeable {
        refuse_if(
            group.len() < 2,
            || format!("a group of interchangeable pieces has {} pieces", group.len()),
            "a group needs at least two; leave it out",
        )?;
        for piece in group {
            let number = piece.number();
            refuse_if(
                piece.index() >= seen.len(),
                || format!("there is no piece {number} to be interchangeable"),
                "name pieces of the puzzle",
            )?;
            refuse_if(
                std::mem::replace(&mut seen[piece.index()], true),
                || format!("piece {number} is named twice as interchangeable"),
                "name each piece in one group, once",
            )?;
        }
    }
    Ok(())
}

/// Suggestions are for pieces that have a place, each at most once, and name each alternative once.
fn check_suggestions(solution: &SolutionFile) -> Check {
    let num_pieces = solution.assembly.num_pieces();
    let mut doubted = BTreeSet::new();
    for Suggestion { piece, likelihood, alternatives } in &solution.suggestions {
        let number = piece.number();
        for named in alternatives.iter().map(|other| other.piece).chain([*piece]) {
            refuse_if(
                named.index() >= num_pieces,
                || format!("there is no piece {} to be suggested", named.number()),
                "name pieces of the puzzle",
            )?;
        }
        let Some(place) = solution.assembly.place_of(*piece) else {
            let what = format!("a suggestion is for piece {number}, which has no place");
            return Err(Contradiction {
                what,
                remedy: "make suggestions for pieces that are placed",
            });
        };
        refuse_if(
            !doubted.insert(*piece),
            || format!("there are two suggestions for piece {number}"),
            "keep one of them",
        )?;
        for value in alternatives.iter().map(|other| other.likelihood).chain([*likelihood]) {
            check_probability(value, || {
                format!("a likelihood in the suggestion for piece {number}")
            })?;
        }
        let mut seen = BTreeSet::from([(*piece, place.turn)]);
        for &Alternative { piece, turn, .. } in alternatives {
            refuse_if(
                !seen.insert((piece, turn)),
                || {
                    format!(
                        "piece {} turned {} times is suggested twice for the place of piece {number}, \
                         or lies there",
                        piece.number(),
                        turn.clockwise()
                    )
                },
                "name each alternative once",
            )?;
        }
    }
    Ok(())
}

fn check_info(solution: &SolutionFile) -> Check {
    let (num_names, num_pieces) = (solution.names.len(), solution.assembly.num_pieces());
    refuse_if(
        num_names > 0 && num_names != num_pieces,
        || format!("there are {num_names} names of {num_pieces} pieces"),
        "name all pieces or none",
    )?;
    let longest = solution.names.iter().map(String::len).max().unwrap_or(0);
    refuse_if(
        longest > MAX_NAME_BYTES,
        || format!("a name of a piece has {longest} bytes"),
        "names have at most 4096",
    )?;
    for Timing { stage, seconds } in &solution.info.timings {
        refuse_if(
            !(seconds.is_finite() && *seconds >= 0.0),
            || format!("the time of stage {stage:?} is {seconds} seconds"),
            "times must be finite and not negative",
        )?;
    }
    if let Some(Upright { turns, probability }) = solution.info.upright {
        let what = || format!("the picture was turned upright by {turns} turns");
        refuse_if(turns > 3, what, "turns must be 0, 1, 2 or 3")?;
        check_probability(probability, || "the probability of upright".into())?;
    }
    if let Some(wear) = solution.info.wear {
        let WearEstimate { gap_px, gain_spread, offset_spread, misfit_px, .. } = wear;
        for value in [gap_px, gain_spread, offset_spread, misfit_px] {
            let what = || format!("a number of the wear of pieces is {value}");
            let is_wrong = !(value.is_finite() && value >= 0.0);
            refuse_if(is_wrong, what, "it must be finite and not negative")?;
        }
    }
    Ok(())
}
