//! Algorithm 3 as in the paper's text: a solution updates the graph by dissimilarities.
//!
//! \[HLW20\], section "Updating the Affinity and Connection Functions". Pieces that fit their
//! neighbours badly are taken off the board (eqs. nb_met, nb_met_3); for the places so emptied that
//! still have two neighbours, the piece and turn that fit best are looked for among those taken off,
//! and joined to these neighbours with affinity 0.6 or 0.3 (eqs. update_nb_aff_final,
//! update_nb_conn_final).
//!
//! How we differ (D-12): an edge is taken off the board only if both its pieces fit badly, an affinity
//! that is higher already is not lowered, and the published code's blending with the rest of the
//! solution is a setting.
//!
//! Cost: O(emptied places x pieces taken off x turns) comparisons.

use super::UpdateSettings;
use crate::construction::SideMatch;
use fretsaw::puzzle::{Assembly, PieceId, QuarterTurn, Side, SideId, TurnSet};
use fretsaw::unstable::dissimilarity::Dissimilarity;
use fretsaw::unstable::linalg::{mean, median};
use fretsaw::unstable::tie_breaker;
use std::collections::BTreeMap;

/// The three neighbours of each NAM of eq. nb_met_3, and all four for eq. nb_met.
const NEIGHBORHOODS: [&[Side]; 5] = [
    &Side::ALL,
    &[Side::Left, Side::Top, Side::Right],
    &[Side::Top, Side::Right, Side::Bottom],
    &[Side::Bottom, Side::Left, Side::Top],
    &[Side::Left, Side::Bottom, Side::Right],
];

/// The measured seams of a board.
struct Seams {
    /// For each piece and direction, the side across and the dissimilarity to it.
    across: Vec<[Option<(SideId, f64)>; 4]>,
}

impl Seams {
    fn new(dissimilarity: &Dissimilarity, board: &Assembly) -> Self {
        let mut across = vec![[None; 4]; board.num_pieces()];
        for join in board.joins() {
            let value = dissimilarity.value(join.first, join.second);
            for (side, other) in [(join.first, join.second), (join.second, join.first)] {
                if let Some(place) = board.place_of(side.piece()) {
                    let direction = side.side() + place.turn;
                    across[side.piece().index()][direction.index()] = Some((other, value));
                }
            }
        }
        Self { across }
    }

    /// The mean dissimilarity of a piece to the neighbours it has in these directions.
    fn mean(&self, piece: usize, directions: &[Side]) -> Option<f64> {
        mean(
            directions
                .iter()
                .filter_map(|direction| self.across[piece][direction.index()])
                .map(|(_, value)| value),
        )
    }

    /// For every piece and direction, whether the seam there is left on the board; and the median of
    /// NAM_all.
    fn kept(&self, bad_factor: f64) -> (Vec<[bool; 4]>, f64) {
        let num_pieces = self.across.len();
        let nams: Vec<Vec<Option<f64>>> = NEIGHBORHOODS
            .iter()
            .map(|directions| (0..num_pieces).map(|piece| self.mean(piece, directions)).collect())
            .collect();
        let medians: Vec<f64> =
            nams.iter().map(|nam| median(nam.iter().flatten().copied().collect())).collect();
        let exceeds = |which: usize, piece: usize| {
            nams[which][piece].is_some_and(|nam| nam > bad_factor * medians[which])
        };
        let mut is_bad = vec![[false; 4]; num_pieces];
        for piece in (0..num_pieces).filter(|&piece| exceeds(0, piece)) {
            for which in (1..NEIGHBORHOODS.len()).filter(|&which| exceeds(which, piece)) {
                for direction in NEIGHBORHOODS[which] {
                    is_bad[piece][direction.index()] = true;
                }
            }
        }
        let mut kept = vec![[true; 4]; num_pieces];
        for piece in 0..num_pieces {
            for direction in Side::ALL {
                let Some((other, _)) = self.across[piece][direction.index()] else { continue };
                let here = is_bad[piece][direction.index()];
                let there = is_bad[other.piece().index()][direction.opposite().index()];
                kept[piece][direction.index()] = !(here && there);
            }
        }
        (kept, medians[0])
    }
}

/// Algorithm 3: the matches after a look at the board they led to; at most one between any two
/// pieces.
pub fn update_matches(
    dissimilarity: &Dissimilarity,
    board: &Assembly,
    turns: TurnSet,
    matches: &[SideMatch],
    settings: &UpdateSettings,
    seed: u64,
) -> Vec<SideMatch> {
    let seams = Seams::new(dissimilarity, board);
    let (kept, median) = seams.kept(settings.bad_factor);
    let is_empty: Vec<bool> = (seams.across.iter().zip(&kept))
        .map(|(across, kept)| {
            let seams = || across.iter().zip(kept).filter(|(across, _)| across.is_some());
            seams().count() > 0 && seams().all(|(_, kept)| !kept)
        })
        .collect();

    let mut updated: BTreeMap<(PieceId, PieceId), SideMatch> = BTreeMap::new();
    let share = settings.solution_share;
    for &found in matches {
        updated.insert(found.pieces(), SideMatch { weight: (1.0 - share) * found.weight, ..found });
    }
    if share > 0.0 {
        for (piece, kept) in kept.iter().enumerate() {
            for direction in Side::ALL.into_iter().filter(|direction| kept[direction.index()]) {
                let side = board.side_facing(PieceId::new(piece), direction);
                let Some((side, (other, value))) = side.zip(seams.across[piece][direction.index()])
                else {
                    continue;
                };
                if side < other {
                    blend_in(&mut updated, SideMatch::new(side, other, value, share));
                }
            }
        }
    }

    let loose: Vec<PieceId> =
        (0..board.num_pieces()).filter(|&piece| is_empty[piece]).map(PieceId::new).collect();
    let tie = tie_breaker(seed);
    for &emptied in &loose {
        // The sides that a piece at the emptied place would touch, with their directions.
        let around: Vec<(Side, SideId)> = Side::ALL
            .into_iter()
            .filter_map(|direction| {
                let (other, _) = seams.across[emptied.index()][direction.index()]?;
                (!is_empty[other.piece().index()]).then_some((direction, other))
            })
            .collect();
        if around.len() < 2 {
            continue;
        }
        let touching = |piece: PieceId, turn: QuarterTurn| {
            around
                .iter()
                .map(move |&(direction, other)| (SideId::new(piece, direction - turn), other))
        };
        let fits = loose.iter().flat_map(|&piece| {
            turns.turns().iter().filter_map(move |&turn| {
                let values = touching(piece, turn).map(|(a, b)| dissimilarity.value(a, b));
                Some((mean(values)?, piece, turn))
            })
        });
        let order =
            |piece: PieceId, turn: QuarterTurn| tie(piece.index() as u64, turn.index() as u64);
        let best = fits
            .min_by(|x, y| x.0.total_cmp(&y.0).then_with(|| order(x.1, x.2).cmp(&order(y.1, y.2))));
        let Some((nam, piece, turn)) = best else { continue };
        let weight = if nam < median {
            settings.good_weight
        } else if nam < 2.0 * median {
            settings.fair_weight
        } else {
            continue;
        };
        for (side, other) in touching(piece, turn) {
            let mut found = SideMatch::new(side, other, dissimilarity.value(side, other), weight);
            if let Some(old) = updated.get(&found.pieces())
                && (old.a, old.b) == (found.a, found.b)
            {
                found.weight = found.weight.max(old.weight);
            }
            updated.insert(found.pieces(), found);
        }
    }
    updated.into_values().collect()
}

/// Adds a match of the solution. It replaces a match of the same pieces along other sides.
fn blend_in(matches: &mut BTreeMap<(PieceId, PieceId), SideMatch>, found: SideMatch) {
    matches
        .entry(found.pieces())
        .and_modify(|old| {
            let agrees = (old.a, old.b) == (found.a, found.b);
            let weight = if agrees { old.weight + found.weight } else { found.weight };
            *old = SideMatch { weight, ..found };
        })
        .or_insert(found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::puzzle::{Grid, PieceSet, PieceShape, Place, Placement, Samples};
    use fretsaw::unstable::dissimilarity::Measure;

    /// 4 x 5 pieces of a smooth picture without symmetries, in order.
    fn pieces() -> PieceSet {
        const SIZE: usize = 8;
        let pixel = |row: usize, col: usize| {
            let (y, x) = (row as f64 / 7.0, col as f64 / 9.0);
            let value = 120.0 + 60.0 * (y + 0.3 * x).sin() + 50.0 * (1.3 * x - 0.2 * y * y).cos();
            #[expect(clippy::cast_possible_truncation, reason = "between 10 and 230")]
            let value = value as u8;
            value
        };
        let values = (0..20)
            .flat_map(|piece| (0..SIZE * SIZE).map(move |at| (piece, at)))
            .map(|(piece, at)| pixel(piece / 5 * SIZE + at / SIZE, piece % 5 * SIZE + at % SIZE))
            .collect();
        let shape = PieceShape::new(8, 8).unwrap();
        PieceSet::new(shape, 1, Samples::U8(values)).unwrap()
    }

    /// The board with some pieces turned the wrong way.
    fn board(turned: &[(usize, QuarterTurn)]) -> Assembly {
        let grid = Grid::new(4, 5).unwrap();
        let placements = grid.cells().enumerate().map(|(index, cell)| {
            let wrong = turned.iter().find(|(piece, _)| *piece == index);
            let turn = wrong.map_or(QuarterTurn::ZERO, |&(_, turn)| turn);
            Placement { piece: PieceId::new(index), place: Place { board: 0, cell, turn } }
        });
        Assembly::new(20, vec![grid], placements).unwrap()
    }

    #[test]
    fn a_piece_turned_wrongly_is_joined_to_its_neighbors_the_right_way() {
        let dissimilarity = Dissimilarity::new(&pieces(), Measure::Ssd).unwrap();
        let wrong = board(&[(7, QuarterTurn::HALF)]);
        let settings = UpdateSettings::default();
        let updated = update_matches(&dissimilarity, &wrong, TurnSet::Quarter, &[], &settings, 1);
        // Piece 7 has four neighbours; upright pieces touch along opposite sides.
        assert_eq!(updated.len(), 4, "{updated:?}");
        for found in updated {
            let (i, j) = found.pieces();
            assert!(i.index() == 7 || j.index() == 7, "{found:?}");
            assert_eq!(found.pair().turn_j_from_i(), QuarterTurn::ZERO, "{found:?}");
            assert!([0.3, 0.6].contains(&found.weight), "{found:?}");
        }
    }

    #[test]
    fn seams_of_the_solution_are_blended_in_and_contradicting_matches_lose_weight() {
        let dissimilarity = Dissimilarity::new(&pieces(), Measure::Ssd).unwrap();
        let right = board(&[]);
        let side = |piece: usize, side: Side| SideId::new(PieceId::new(piece), side);
        let agreeing = SideMatch::new(side(0, Side::Right), side(1, Side::Left), 1.0, 0.5);
        let contradicting = SideMatch::new(side(2, Side::Top), side(3, Side::Left), 1.0, 1.0);
        let elsewhere = SideMatch::new(side(0, Side::Top), side(19, Side::Top), 1.0, 1.0);
        let settings = UpdateSettings { solution_share: 0.4, ..UpdateSettings::default() };
        let updated = update_matches(
            &dissimilarity,
            &right,
            TurnSet::Quarter,
            &[agreeing, contradicting, elsewhere],
            &settings,
            1,
        );
        let weight = |a: SideId, b: SideId| {
            updated.iter().find(|m| (m.a, m.b) == (a.min(b), a.max(b))).map(|m| m.weight)
        };
        let near = |x: Option<f64>, y: f64| x.is_some_and(|x| (x - y).abs() < 1e-12);
        assert!(near(weight(side(0, Side::Right), side(1, Side::Left)), 0.6 * 0.5 + 0.4));
        assert!(near(weight(side(2, Side::Right), side(3, Side::Left)), 0.4));
        assert_eq!(weight(side(2, Side::Top), side(3, Side::Left)), None);
        assert!(near(weight(side(0, Side::Top), side(19, Side::Top)), 0.6));
    }

    #[test]
    fn boards_without_seams_add_no_matches() {
        let dissimilarity = Dissimilarity::new(&pieces(), Measure::Ssd).unwrap();
        let empty = Assembly::new(20, vec![Grid::new(4, 5).unwrap()], []).unwrap();
        let settings = UpdateSettings::default();
        let updated = update_matches(&dissimilarity, &empty, TurnSet::Quarter, &[], &settings, 1);
        assert!(updated.is_empty());
    }
}
