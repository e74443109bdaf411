//! Alternatives for the least certain places of an answer.
//!
//! A person can see mistakes that no measure detects. Suggestions list, for
//! each doubtful place, the pieces that the sides around it list as candidates, and how likely each of them is.

use crate::matching::MatchModel;
use crate::puzzle::{Assembly, PieceId, Place, QuarterTurn, Side, SideId};
use std::collections::BTreeSet;

/// Places of pieces with a lower confidence are doubtful.
pub const DOUBTFUL: f64 = 0.9;

/// At most this many doubtful places are reported.
pub const MAX_PLACES: usize = 50;

/// A place has at most this many alternatives.
pub const MAX_ALTERNATIVES: usize = 5;

/// Less likely alternatives are left out.
pub const LEAST_LIKELIHOOD: f64 = 0.01;

/// A doubtful place and its alternatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The piece that lies there.
    pub piece: PieceId,
    /// How likely it belongs there, given the pieces around: its share among itself and everything that the sides
    /// around list. 0 to 1.
    pub likelihood: f64,
    /// Alternatives, likeliest first: at most [`MAX_ALTERNATIVES`], none below
    /// [`LEAST_LIKELIHOOD`].
    pub alternatives: Vec<Alternative>,
}

/// An alternative piece for a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alternative {
    /// The piece. It may be the one that lies there, with another turn.
    pub piece: PieceId,
    /// The turn to apply to it as handed in.
    pub turn: QuarterTurn,
    /// How likely this is, see [`Suggestion::likelihood`]. The weight of a piece that lies elsewhere is multiplied by
    /// 1 less the [confidence](crate::confidence::of_pieces) in it.
    pub likelihood: f64,
}

/// Suggestions for the pieces with a confidence below [`DOUBTFUL`], lowest first, at most [`MAX_PLACES`].
/// `confidence` has the confidence in each piece.
pub fn suggest(assembly: &Assembly, confidence: &[f64], model: &MatchModel<'_>) -> Vec<Suggestion> {
    let sure_of = |piece: PieceId| confidence.get(piece.index()).copied().unwrap_or(0.0);
    let mut doubtful: Vec<(PieceId, Place)> = assembly
        .placements()
        .map(|placement| (placement.piece, placement.place))
        .filter(|&(piece, _)| sure_of(piece) < DOUBTFUL)
        .collect();
    doubtful.sort_by(|&(a, _), &(b, _)| sure_of(a).total_cmp(&sure_of(b)).then(a.cmp(&b)));
    doubtful.truncate(MAX_PLACES);
    let suggestion = |&(piece, place): &(PieceId, Place)| {
        let (likelihood, alternatives) = alternatives_at(assembly, place, confidence, model);
        Suggestion { piece, likelihood, alternatives }
    };
    doubtful.iter().map(suggestion).collect()
}

/// How likely the piece of a place belongs there, 0 if it has none, and the alternatives for it, as in a
/// [`Suggestion`]. The turn of the place is that of its piece.
pub fn alternatives_at(
    assembly: &Assembly,
    place: Place,
    confidence: &[f64],
    model: &MatchModel<'_>,
) -> (f64, Vec<Alternative>) {
    let sure_of = |piece: PieceId| match assembly.place_of(piece) {
        Some(_) => confidence.get(piece.index()).copied().unwrap_or(0.0),
        None => 0.0,
    };
    let here = assembly.piece_at(place.board, place.cell);
    let around = Around::new(assembly, place);
    let candidates = around.candidates(model).into_iter();
    let others = candidates.filter(|&(other, turn)| (Some(other), turn) != (here, place.turn));
    let weight = |piece, turn| f64::from(-around.cost(model, piece, turn)).exp();
    let of_here = here.map_or(0.0, |piece| weight(piece, place.turn));
    let mut alternatives: Vec<Alternative> = others
        .map(|(other, turn)| {
            let is_free = if Some(other) == here { 1.0 } else { 1.0 - sure_of(other) };
            Alternative { piece: other, turn, likelihood: weight(other, turn) * is_free }
        })
        .collect();
    let all = of_here + alternatives.iter().map(|other| other.likelihood).sum::<f64>();
    let share = |weight: f64| if all > 0.0 { weight / all } else { 0.0 };
    alternatives.iter_mut().for_each(|other| other.likelihood = share(other.likelihood));
    alternatives.retain(|other| other.likelihood >= LEAST_LIKELIHOOD);
    let key = |other: &Alternative| (other.piece, other.turn);
    alternatives.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood).then(key(a).cmp(&key(b))));
    alternatives.truncate(MAX_ALTERNATIVES);
    (share(of_here), alternatives)
}

/// The neighbourhood of a cell, by direction.
struct Around {
    sides: [Touch; 4],
}

/// The neighbour of a cell in one direction.
#[derive(Clone, Copy)]
enum Touch {
    /// The side of a piece.
    Side(SideId),
    /// An empty cell, which costs nothing.
    Empty,
    /// The border of the board.
    Border,
}

impl Around {
    fn new(assembly: &Assembly, place: Place) -> Self {
        let sides = Side::ALL.map(|direction| {
            let grid = assembly.boards()[place.board];
            let Some(cell) = grid.neighbor(place.cell, direction) else { return Touch::Border };
            let side = assembly
                .piece_at(place.board, cell)
                .and_then(|piece| assembly.side_facing(piece, direction.opposite()));
            side.map_or(Touch::Empty, Touch::Side)
        });
        Self { sides }
    }

    /// The sides of pieces around, with their directions.
    fn neighbors(&self) -> impl Iterator<Item = (Side, SideId)> {
        Side::ALL.into_iter().zip(self.sides).filter_map(|(direction, touch)| match touch {
            Touch::Side(side) => Some((direction, side)),
            Touch::Empty | Touch::Border => None,
        })
    }

    /// The candidates of the sides around, turned to touch them, without the pieces around.
    fn candidates(&self, model: &MatchModel<'_>) -> BTreeSet<(PieceId, QuarterTurn)> {
        let is_around = |piece| self.neighbors().any(|(_, side)| side.piece() == piece);
        self.neighbors()
            .flat_map(|(direction, side)| {
                let listed = model.candidates().of(side).iter().map(|listed| listed.side);
                listed.map(move |side| (side.piece(), direction - side.side()))
            })
            .filter(|&(piece, _)| !is_around(piece))
            .collect()
    }

    /// The cost of a piece in this place.
    fn cost(&self, model: &MatchModel<'_>, piece: PieceId, turn: QuarterTurn) -> f32 {
        let touches = Side::ALL.into_iter().zip(self.sides);
        touches
            .map(|(direction, touch)| {
                let side = SideId::new(piece, direction - turn);
                match touch {
                    Touch::Side(other) => model.cost(side, other),
                    Touch::Empty => 0.0,
                    Touch::Border => model.border_cost(side),
                }
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confidence;
    use crate::dissimilarity::{Dissimilarity, Measure, find_nearest};
    use crate::matching::Matcher;
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::{Placement, PuzzleType};

    #[test]
    fn exchanged_pieces_are_doubtful_and_the_right_ones_are_suggested() {
        let puzzle_type = PuzzleType::Type2;
        let (pieces, _, truth) = synthetic::puzzle(5, 6, 28, puzzle_type, 3);
        let turns = puzzle_type.turns(pieces.shape());
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let matcher = Matcher::Learned;
        let nearest = find_nearest(&dissimilarity, turns, &matcher.candidates(), &Silent).unwrap();
        let model = matcher.match_sides(&dissimilarity, &nearest, turns, &Silent).unwrap();
        let doubts = |assembly: &Assembly| {
            let seams = confidence::of_seams(assembly, &model);
            let confidence = confidence::of_pieces(assembly, &seams);
            suggest(assembly, &confidence, &model)
        };
        let right = truth.assembly();
        let (one, other) = (PieceId::new(7), PieceId::new(20));
        let exchanged = right.placements().map(|Placement { piece, place }| {
            let there = [(one, other), (other, one)].into_iter().find(|(from, _)| *from == piece);
            let place = there.and_then(|(_, to)| right.place_of(to)).unwrap_or(place);
            Placement { piece, place }
        });
        let wrong = Assembly::new(right.num_pieces(), right.boards().to_vec(), exchanged).unwrap();
        let found = doubts(&wrong);
        for (lies_there, belongs_there) in [(one, other), (other, one)] {
            let doubt = found.iter().find(|doubt| doubt.piece == lies_there).unwrap();
            let best = doubt.alternatives[0];
            assert_eq!(best.piece, belongs_there);
            assert_eq!(best.turn, right.place_of(belongs_there).unwrap().turn);
            assert!(best.likelihood > 0.9 && doubt.likelihood < 0.1, "{doubt:?}");
        }
        // A cell from which the piece was taken away asks for it.
        let others = right.placements().filter(|placement| placement.piece != one);
        let without = Assembly::new(right.num_pieces(), right.boards().to_vec(), others).unwrap();
        let place = right.place_of(one).unwrap();
        let sure = vec![1.0; right.num_pieces()];
        let (here, alternatives) = alternatives_at(&without, place, &sure, &model);
        assert_eq!(here, 0.0);
        assert_eq!((alternatives[0].piece, alternatives[0].turn), (one, place.turn));
        let is_doubted = |piece| doubts(right).iter().any(|doubt| doubt.piece == piece);
        assert!(!is_doubted(one) && !is_doubted(other));
    }
}
