//! Parsers of the flags for pins, joins and the number of puzzles.

use fretsaw::puzzle::Pin;
use fretsaw::puzzle::{Cell, Join, MAX_PIECES, PieceId, QuarterTurn, Side, SideId};

/// The number of mixed puzzles; `None` if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PuzzleCount(pub(crate) Option<usize>);

/// Parses a number of puzzles, or auto.
pub(crate) fn parse_puzzles(text: &str) -> Result<PuzzleCount, String> {
    if text == "auto" {
        return Ok(PuzzleCount(None));
    }
    let count = text.parse().ok().filter(|count| (1..=MAX_PIECES).contains(count));
    count
        .map(|count| PuzzleCount(Some(count)))
        .ok_or_else(|| format!("'{text}' is neither a number nor auto"))
}

fn parse_piece_number(text: &str) -> Result<PieceId, String> {
    let number = text.trim().parse().ok().filter(|&number: &usize| number < MAX_PIECES);
    number
        .map(PieceId::new)
        .ok_or_else(|| format!("'{text}' is not the number of a piece, counted from 0"))
}

/// Parses PIECE=ROW,COL or PIECE=ROW,COL,TURNS.
pub(crate) fn parse_pin(text: &str) -> Result<Pin, String> {
    let shape = || format!("'{text}' is not PIECE=ROW,COL or PIECE=ROW,COL,TURNS, as in 17=3,4,1");
    let (piece, place) = text.split_once('=').ok_or_else(shape)?;
    let numbers: Vec<u32> = place
        .split(',')
        .map(|number| number.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|_| shape())?;
    let (row, col, turn) = match numbers[..] {
        [row, col] => (row, col, None),
        [row, col, turns @ 0..4] => (row, col, Some(QuarterTurn::from_clockwise(turns.into()))),
        _ => return Err(shape()),
    };
    Ok(Pin { piece: parse_piece_number(piece)?, cell: Cell { row, col }, turn })
}

/// Parses PIECE:SIDE=PIECE:SIDE.
pub(crate) fn parse_join(text: &str) -> Result<Join, String> {
    let (one, other) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is not PIECE:SIDE=PIECE:SIDE, as in 17:right=5:left"))?;
    let (one, other) = (parse_side(one)?, parse_side(other)?);
    if one.piece() == other.piece() {
        return Err(format!("'{text}' names piece {} twice", one.piece().number()));
    }
    Ok(Join::new(one, other))
}

fn parse_side(text: &str) -> Result<SideId, String> {
    let parts = text.split_once(':');
    let (piece, side) =
        parts.ok_or_else(|| format!("'{text}' is not PIECE:SIDE, as in 17:right"))?;
    let piece = parse_piece_number(piece)?;
    let is_named = |found: &Side| {
        found.name().eq_ignore_ascii_case(side.trim()) || found.index().to_string() == side.trim()
    };
    let side = Side::ALL.into_iter().find(is_named).ok_or_else(|| {
        format!("'{side}' is not a side: top, right, bottom or left, or 0 to 3 in this order")
    })?;
    Ok(SideId::new(piece, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_and_joins_are_parsed() {
        let pin = parse_pin("17=3,4,1").unwrap();
        assert_eq!((pin.piece.index(), pin.cell), (17, Cell { row: 3, col: 4 }));
        assert_eq!(pin.turn, Some(QuarterTurn::from_clockwise(1)));
        assert_eq!(parse_pin("0=0, 2").unwrap().turn, None);
        for bad in ["17", "17=3", "17=3,4,4", "17=3,4,1,0", "a=1,2", "1=-1,2", "=1,2"] {
            assert!(parse_pin(bad).is_err(), "{bad}");
        }
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        let expected = Join::new(side(17, Side::Right), side(5, Side::Left));
        for good in ["17:right=5:left", "5:Left=17:right", "17:1=5:3"] {
            assert_eq!(parse_join(good), Ok(expected), "{good}");
        }
        for bad in ["17:right", "17=5", "17:right=17:left", "17:up=5:left", "x:0=5:1", "1:4=2:0"] {
            assert!(parse_join(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_puzzles("3"), Ok(PuzzleCount(Some(3))));
        assert_eq!(parse_puzzles("auto"), Ok(PuzzleCount(None)));
        assert!(parse_puzzles("0").is_err() && parse_puzzles("many").is_err());
    }
}
