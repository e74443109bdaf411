//! Constraints on the answer: pieces pinned to a cell, sides that touch, sides that do not touch.

use crate::locations::segment::{Limit, Motion, PlaceInSegment, Segments};
use crate::puzzle::{
    Assembly, Cell, Grid, Join, PieceId, Pin, Placement, QuarterTurn, SideId, SidePair, TurnSet,
};

/// Conditions that an answer must meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// Pinned pieces. The size of the board must be known.
    pub pins: Vec<Pin>,
    /// Sides that touch.
    pub joins: Vec<Join>,
    /// Sides that do not touch.
    pub forbidden: Vec<Join>,
}

/// Why constraints are not met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstraintError {
    /// No answer can meet them: they name what does not exist, or contradict each other.
    #[error("{0}")]
    Impossible(String),
    /// A constraint, in words, that the answer does not meet.
    #[error("no answer was found in which {0} and all other constraints are met")]
    NotMet(String),
}

fn conflict(what: &str, other: &str) -> ConstraintError {
    ConstraintError::Impossible(format!("{what} contradicts {other}"))
}

fn turn_not_allowed(what: &str) -> ConstraintError {
    let why = "would need turns that pieces of this puzzle do not have";
    ConstraintError::Impossible(format!("{what} {why}"))
}

/// A side in words.
fn side(side: SideId) -> String {
    format!("the {} side of piece {}", side.side().name(), side.piece().number())
}

fn pinned(pin: &Pin) -> String {
    let Pin { piece, cell: Cell { row, col }, turn } = pin;
    let turn = turn.map_or_else(String::new, |turn| format!(", turned {} times", turn.clockwise()));
    format!("piece {} at row {row}, column {col}{turn}", piece.number())
}

fn joined(join: &Join) -> String {
    format!("{} next to {}", side(join.first), side(join.second))
}

fn apart(join: &Join) -> String {
    format!("{} not next to {}", side(join.first), side(join.second))
}

impl Constraints {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.pins.is_empty() && self.joins.is_empty() && self.forbidden.is_empty()
    }

    /// Check that an answer can meet the constraints: that the pieces exist and no two constraints
    /// contradict each other.
    pub fn check(
        &self,
        num_pieces: usize,
        turns: TurnSet,
        grid: Option<Grid>,
    ) -> Result<(), ConstraintError> {
        let of_joins = self.joins.iter().chain(&self.forbidden);
        let of_joins = of_joins.flat_map(|join| [join.first.piece(), join.second.piece()]);
        for piece in self.pins.iter().map(|pin| pin.piece).chain(of_joins) {
            if piece.index() >= num_pieces {
                return Err(ConstraintError::Impossible(format!(
                    "there is no piece {}: the puzzle has {num_pieces} pieces, counted from 0",
                    piece.index()
                )));
            }
        }
        let segments = self.joined_segments(num_pieces, turns)?;
        if self.pins.is_empty() {
            return Ok(());
        }
        let grid = grid.ok_or_else(|| {
            let why = "pieces can be pinned only if the rows and columns of the board are given";
            ConstraintError::Impossible(why.into())
        })?;
        self.check_pins(turns, grid)?;
        self.check_pins_of_segments(&segments, turns, grid)
    }

    /// The segments that the joins make of the pieces.
    fn joined_segments(
        &self,
        num_pieces: usize,
        turns: TurnSet,
    ) -> Result<Segments, ConstraintError> {
        let mut segments = Segments::singles(num_pieces);
        for (index, join) in self.joins.iter().enumerate() {
            let &Join { first, second } = join;
            let conflict = |other: &str| Err(conflict(&joined(join), other));
            if first.piece() == second.piece() {
                return conflict("that no piece touches itself");
            }
            if !turns.allows(SidePair::of(first, second)) {
                return Err(turn_not_allowed(&joined(join)));
            }
            if self.forbidden.contains(join) {
                return conflict(&apart(join));
            }
            let is_shared = |other: &&Join| {
                let sides = [other.first, other.second];
                *other != join && (sides.contains(&first) || sides.contains(&second))
            };
            if let Some(other) = self.joins[..index].iter().find(is_shared) {
                return conflict(&joined(other));
            }
            if !segments.touch(first, second) && !segments.try_join(first, second, Limit::None) {
                return conflict("the joins named before it");
            }
        }
        Ok(segments)
    }

    fn check_pins(&self, turns: TurnSet, grid: Grid) -> Result<(), ConstraintError> {
        for (index, pin) in self.pins.iter().enumerate() {
            let &Pin { piece, cell: cell @ Cell { row, col }, turn } = pin;
            if !grid.contains(cell) {
                let (rows, cols) = (grid.rows(), grid.cols());
                return Err(ConstraintError::Impossible(format!(
                    "piece {} is pinned to row {row}, column {col}, outside the board of {rows} rows and {cols} \
                     columns, which are counted from 0",
                    piece.index()
                )));
            }
            if turn.is_some_and(|turn| !turns.contains(turn)) {
                return Err(turn_not_allowed(&pinned(pin)));
            }
            let contradicts = |other: &&Pin| (other.piece == piece) != (other.cell == cell);
            let turned_otherwise = |other: &&Pin| {
                other.piece == piece && other.turn.zip(turn).is_some_and(|(x, y)| x != y)
            };
            let earlier = &self.pins[..index];
            let found = earlier.iter().find(|other| contradicts(other) || turned_otherwise(other));
            if let Some(other) = found {
                return Err(conflict(&pinned(pin), &pinned(other)));
            }
        }
        Ok(())
    }

    /// Check that pinned pieces of one segment lie relative to each other as the joins require, and that
    /// the whole segment lies on the board.
    fn check_pins_of_segments(
        &self,
        segments: &Segments,
        turns: TurnSet,
        grid: Grid,
    ) -> Result<(), ConstraintError> {
        for pin in &self.pins {
            let from = segments.place_of(pin.piece);
            let in_segment =
                |&piece: &PieceId| segments.segment_of(piece) == segments.segment_of(pin.piece);
            let pins = || self.pins.iter().filter(|other| in_segment(&other.piece));
            let pieces = || (0..segments.num_pieces()).map(PieceId::new).filter(in_segment);
            let fits = |turn: QuarterTurn| {
                let motion = Motion::new(from.position, pin.cell.into(), turn);
                let place = |piece| motion.apply_to_place(segments.place_of(piece));
                let is_right = |other: &Pin| {
                    let PlaceInSegment { position, turn: found } = place(other.piece);
                    position == other.cell.into() && other.turn.is_none_or(|turn| turn == found)
                };
                pins().all(is_right)
                    && pieces().all(|piece| place(piece).position.cell_of(grid).is_some())
            };
            let possible = turns.turns().iter().map(|&turn| turn - from.turn);
            if !possible.into_iter().any(fits) {
                let other = "the pieces joined to it, which are pinned elsewhere or would lie off the board";
                return Err(conflict(&pinned(pin), other));
            }
        }
        Ok(())
    }

    /// Check that an answer meets all constraints.
    ///
    /// # Errors
    /// The first constraint that it does not meet.
    pub fn verify(&self, assembly: &Assembly) -> Result<(), ConstraintError> {
        let not_met = |what| Err(ConstraintError::NotMet(what));
        for pin in &self.pins {
            let found = assembly.place_of(pin.piece);
            let is_met = found.is_some_and(|place| {
                place.board == 0
                    && place.cell == pin.cell
                    && pin.turn.is_none_or(|turn| turn == place.turn)
            });
            if !is_met {
                return not_met(format!("{} lies", pinned(pin)));
            }
        }
        let mut joins: Vec<Join> = assembly.joins().collect();
        joins.sort_unstable();
        let touch = |join: &Join| joins.binary_search(join).is_ok();
        if let Some(join) = self.joins.iter().find(|join| !touch(join)) {
            return not_met(format!("{} lies", joined(join)));
        }
        if let Some(join) = self.forbidden.iter().find(|join| touch(join)) {
            return not_met(format!("{} lies", apart(join)));
        }
        Ok(())
    }

    /// The assembly after the turn of the whole board that puts most pinned pieces into their cells, among
    /// turns that keep the board's size.
    pub fn best_turned(&self, assembly: &Assembly, turns: TurnSet) -> Assembly {
        let num_met = |turned: &Assembly| {
            let lies = |pin: &&Pin| {
                turned
                    .placements()
                    .any(|Placement { piece, place }| piece == pin.piece && place.cell == pin.cell)
            };
            self.pins.iter().filter(lies).count()
        };
        let turned = turns.turns().iter().map(|&turn| assembly.turned(turn));
        let alike = turned.filter(|turned| turned.boards() == assembly.boards());
        let best = alike.map(|turned| (num_met(&turned), turned));
        // Ties keep the earliest turn, and the zero turn comes first.
        let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map_or_else(|| assembly.clone(), |(_, turned)| turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Place, Side};

    fn side_of(piece: usize, side: Side) -> SideId {
        SideId::new(PieceId::new(piece), side)
    }

    fn join(a: (usize, Side), b: (usize, Side)) -> Join {
        Join::new(side_of(a.0, a.1), side_of(b.0, b.1))
    }

    fn pin(piece: usize, row: u32, col: u32, turn: Option<i64>) -> Pin {
        let turn = turn.map(QuarterTurn::from_clockwise);
        Pin { piece: PieceId::new(piece), cell: Cell { row, col }, turn }
    }

    fn check(constraints: &Constraints, turns: TurnSet) -> Result<(), ConstraintError> {
        constraints.check(6, turns, Some(Grid::new(2, 3).unwrap()))
    }

    /// Asserts that constraints are refused for this reason.
    #[track_caller]
    fn refused(constraints: &Constraints, turns: TurnSet, why: &str) {
        let error = check(constraints, turns).unwrap_err().to_string();
        assert!(error.contains(why), "{constraints:?}: {error}");
    }

    const CONFLICT: &str = " contradicts ";
    const NEEDS_TURNS: &str = "would need turns";

    #[test]
    fn pins_that_clash_are_refused() {
        let pins = |pins: &[Pin]| Constraints { pins: pins.to_vec(), ..Constraints::default() };
        let fine = pins(&[pin(0, 1, 2, None), pin(1, 0, 0, Some(3))]);
        assert_eq!(check(&fine, TurnSet::Quarter), Ok(()));
        refused(&pins(&[pin(6, 0, 0, None)]), TurnSet::Quarter, "there is no piece 6");
        refused(&pins(&[pin(0, 2, 0, None)]), TurnSet::Quarter, "row 2, column 0, outside");
        for clash in [
            [pin(0, 0, 0, None), pin(1, 0, 0, None)],
            [pin(0, 0, 0, None), pin(0, 0, 1, None)],
            [pin(0, 0, 0, Some(1)), pin(0, 0, 0, Some(2))],
        ] {
            refused(&pins(&clash), TurnSet::Quarter, CONFLICT);
        }
        let turned = pins(&[pin(0, 0, 0, Some(1))]);
        refused(&turned, TurnSet::Half, NEEDS_TURNS);
        let no_grid = turned.check(6, TurnSet::Quarter, None).unwrap_err();
        assert!(no_grid.to_string().contains("only if the rows and columns"), "{no_grid}");
    }

    #[test]
    fn joins_that_clash_are_refused_among_each_other_and_with_pins() {
        let right = join((0, Side::Right), (1, Side::Left));
        let below = join((0, Side::Bottom), (2, Side::Top));
        let joins =
            |joins: &[Join]| Constraints { joins: joins.to_vec(), ..Constraints::default() };
        assert_eq!(check(&joins(&[right, below, right]), TurnSet::None), Ok(()));
        let turned = join((0, Side::Right), (1, Side::Right));
        refused(&joins(&[turned]), TurnSet::None, NEEDS_TURNS);
        let shared = join((0, Side::Right), (3, Side::Left));
        let itself = join((0, Side::Right), (0, Side::Left));
        // Piece 3 would be in the cell where 1 and 2 already meet, but touch only one of them.
        let meet = [
            right,
            join((1, Side::Bottom), (3, Side::Top)),
            below,
            join((2, Side::Right), (4, Side::Left)),
        ];
        for clash in [&[right, shared][..], &[itself], &meet] {
            refused(&joins(clash), TurnSet::None, CONFLICT);
        }
        let forbidden = Constraints { forbidden: vec![right], ..joins(&[right]) };
        refused(&forbidden, TurnSet::None, CONFLICT);

        let with = |pins: &[Pin]| Constraints { pins: pins.to_vec(), ..joins(&[right]) };
        let pinned = [pin(0, 1, 1, None), pin(1, 1, 2, None)];
        assert_eq!(check(&with(&pinned), TurnSet::None), Ok(()));
        // The other way round only if all is upside down.
        let reversed = [pin(0, 1, 2, None), pin(1, 1, 1, None)];
        refused(&with(&reversed), TurnSet::None, CONFLICT);
        assert_eq!(check(&with(&reversed), TurnSet::Half), Ok(()));
        let upright = [pin(0, 1, 2, Some(0)), pin(1, 1, 1, None)];
        refused(&with(&upright), TurnSet::Half, CONFLICT);
        // Piece 1 hangs out.
        refused(&with(&[pin(0, 0, 2, None)]), TurnSet::None, CONFLICT);
    }

    #[test]
    fn an_answer_is_verified_against_all_constraints() {
        let grid = Grid::new(1, 2).unwrap();
        let place = |piece, col| Placement {
            piece: PieceId::new(piece),
            place: Place { board: 0, cell: Cell { row: 0, col }, turn: QuarterTurn::ZERO },
        };
        let answer = Assembly::new(2, vec![grid], [place(0, 0), place(1, 1)]).unwrap();
        let touching = join((0, Side::Right), (1, Side::Left));
        let met = Constraints {
            pins: vec![pin(1, 0, 1, Some(0))],
            joins: vec![touching],
            forbidden: vec![join((0, Side::Left), (1, Side::Right))],
        };
        assert_eq!(met.verify(&answer), Ok(()));
        let not_met = [
            Constraints { pins: vec![pin(1, 0, 0, None)], ..Constraints::default() },
            Constraints { pins: vec![pin(1, 0, 1, Some(2))], ..Constraints::default() },
            Constraints { joins: met.forbidden.clone(), ..Constraints::default() },
            Constraints { forbidden: vec![touching], ..Constraints::default() },
        ];
        for constraints in not_met {
            let found = constraints.verify(&answer);
            assert!(matches!(found, Err(ConstraintError::NotMet(_))), "{constraints:?}");
        }
        let turned = answer.turned(QuarterTurn::HALF);
        assert_eq!(met.best_turned(&turned, TurnSet::Quarter), answer);
        assert_eq!(met.best_turned(&turned, TurnSet::None), turned);
    }
}
