//! The features and probabilities of a small puzzle equal those recorded when the shipped networks were
//! trained.
//!
//! Networks work only with the features that they were trained on. After a change of the features, the loops or
//! the networks, train again, raise `NETWORK_VERSION` and record new numbers here and in
//! `recorded/features.json`.

use crate::matchers::Measured;
use fretsaw::observer::Silent;
use fretsaw::puzzle::{PuzzleType, SideId, TurnSet};
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::unstable::matching::{LearnedMatcher, Matcher};

/// Machines may round the last digits differently.
const CLOSE: f64 = 1e-3;

fn measured() -> Measured {
    let (pieces, ..) = fretsaw::synthetic::puzzle(6, 7, 10, PuzzleType::Type2, 3);
    Measured::new(&pieces, TurnSet::Quarter, Measure::Seam, Matcher::Learned)
}

#[test]
fn features_are_those_that_the_networks_were_trained_on() {
    let Measured { dissimilarity, nearest, .. } = measured();
    // The second candidate of side 41.
    let frozen: [Vec<f32>; 2] =
        serde_json::from_str(include_str!("recorded/features.json")).unwrap();
    for (num_networks, frozen) in frozen.into_iter().enumerate() {
        let matcher = LearnedMatcher::shipped().clone().with_first(num_networks);
        let table =
            matcher.next_features(&dissimilarity, &nearest, TurnSet::Quarter, &Silent).unwrap();
        let width = table.names.len();
        assert_eq!(width, frozen.len());
        assert_eq!(table.sides[41].1[1].index(), 148);
        let row = table.sides[..41].iter().map(|(_, listed)| listed.len()).sum::<usize>() + 1;
        let found = &table.values[row * width..(row + 1) * width];
        for ((name, found), frozen) in table.names.iter().zip(found).zip(frozen) {
            let difference = f64::from((found - frozen).abs());
            assert!(difference < CLOSE, "{name}: {found}, was {frozen}");
        }
    }
}

#[test]
fn probabilities_are_those_of_the_shipped_networks() {
    let measured = measured();
    let model = measured.matched_by(Matcher::Learned);
    // A side, its best candidate, and the probabilities of that, of the next one, of border and of unlisted.
    for (side, best, frozen) in [
        (0, 107, [0.893355, 0.043314, 0.001337, 0.014821]),
        (17, 27, [0.999997, 0.000000, 0.000001, 0.000002]),
        (41, 60, [0.181062, 0.188036, 0.020019, 0.313559]),
        (77, 51, [0.973084, 0.006094, 0.001447, 0.016632]),
        (130, 134, [0.999551, 0.000001, 0.000239, 0.000197]),
    ] {
        let side = SideId::from_index(side);
        let candidates = model.candidates().of(side);
        assert_eq!(candidates[0].side.index(), best);
        let of_side = model.of_side(side).unwrap();
        let found = [
            model.probability_from(side, candidates[0].side),
            model.probability_from(side, candidates[1].side),
            f64::from(of_side.border),
            f64::from(of_side.unlisted),
        ];
        for (found, frozen) in found.iter().zip(frozen) {
            assert!((found - frozen).abs() < CLOSE, "{side:?}: {found}, was {frozen}");
        }
    }
}
