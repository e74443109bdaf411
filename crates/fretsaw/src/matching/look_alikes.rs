//! Look-alikes: pieces that a match model cannot tell apart.
//!
//! A blank tile fits every other blank tile, so that no list names any of them: ties that do not fit into a list are
//! left out whole. Such pieces cost the same next to anything, side by side. Where one of them was tried, the others
//! need no try. A page of text has a thousand blank tiles, which are one group with a count until they are placed.

use super::features::all_sides;
use super::match_model::MatchModel;
use crate::puzzle::{PieceId, Side, SideId};
use rustc_hash::FxHashMap;

/// All that the costs of a side which no list names depend on.
type SideKey = (usize, u64, [u32; 2], Option<u64>);

/// By piece, the first piece of its group. The pieces of a group have equal sides, and no list names any of their
/// sides or belongs to one: every cost of one is that of the others.
pub(super) fn look_alikes(model: &MatchModel<'_>) -> Vec<PieceId> {
    let lists = model.measured();
    let mut is_listed = vec![false; model.num_sides() / Side::ALL.len()];
    for side in all_sides(lists) {
        for candidate in lists.of(side) {
            is_listed[side.piece().index()] = true;
            is_listed[candidate.side.piece().index()] = true;
        }
    }
    let key_of = |side: SideId| -> SideKey {
        let [border, unlisted] =
            model.of_side(side).map_or([0.0; 2], |known| [known.border, known.unlisted]);
        let strip = model.dissimilarity().strip_of(side);
        let class = model.unlisted_shares().map(|shares| shares.class_of(side));
        (strip, lists.next_best(side).to_bits(), [border.to_bits(), unlisted.to_bits()], class)
    };
    let mut firsts: FxHashMap<[SideKey; 4], PieceId> = FxHashMap::default();
    let first_of = |(index, is_listed): (usize, &bool)| {
        let piece = PieceId::new(index);
        if *is_listed {
            return piece;
        }
        *firsts.entry(Side::ALL.map(|side| key_of(SideId::new(piece, side)))).or_insert(piece)
    };
    is_listed.iter().enumerate().map(first_of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Matcher;
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, find_nearest};
    use crate::observer::Silent;
    use crate::puzzle::{PieceSet, PieceShape, Samples, TurnSet};

    /// Ten pieces of noise, and thirty each of two colours.
    fn noise_and_two_colours() -> PieceSet {
        let value = |piece: usize, at: usize| match piece {
            0..10 => (piece * 7919 + at * at * 31 + at * 17) % 251,
            10..40 => 255,
            _ => 40,
        };
        let values = (0..70).flat_map(|piece| (0..36).map(move |at| value(piece, at)));
        let values = values.map(|value| u8::try_from(value).unwrap()).collect();
        PieceSet::new(PieceShape::new(6, 6).unwrap(), 1, Samples::U8(values)).unwrap()
    }

    #[test]
    fn look_alikes_cost_the_same_next_to_anything() {
        let pieces = noise_and_two_colours();
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        for matcher in [Matcher::Learned, Matcher::Ratio] {
            let turns = TurnSet::Quarter;
            let settings = matcher.candidates();
            let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
            let model = matcher.match_sides(&dissimilarity, &nearest, turns, &Silent).unwrap();
            let groups = model.look_alikes();
            let size = |first| groups.iter().filter(|&&group| group == PieceId::new(first)).count();
            assert_eq!((size(10), size(40)), (30, 30), "{matcher:?}");
            let sides = || (0..model.num_sides()).map(SideId::from_index);
            for (piece, &first) in groups.iter().enumerate() {
                for side in Side::ALL {
                    let of = |piece| SideId::new(piece, side);
                    let (a, b) = (of(PieceId::new(piece)), of(first));
                    assert_eq!(model.border_cost(a), model.border_cost(b));
                    for other in sides().filter(|x| x.piece() != a.piece() && x.piece() != first) {
                        assert_eq!(model.cost(a, other), model.cost(b, other));
                        let costs = [a, b].map(|side| model.candidate_cost(side, other));
                        assert_eq!(costs[0].to_bits(), costs[1].to_bits());
                    }
                }
            }
        }
    }
}
