//! The features and probabilities of a small puzzle equal those recorded when the shipped networks were
//! trained.
//!
//! Networks work only with the features that they were trained on. After a change of the features, the loops or
//! the networks, train again, raise `NETWORK_VERSION` and record new numbers here.

use fretsaw::observer::Silent;
use fretsaw::puzzle::{PieceSet, PuzzleType, SideId, TurnSet};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSides, find_nearest};
use fretsaw::unstable::matching::{LearnedMatcher, Matcher};
use std::f32::consts::LN_2;

/// Machines may round the last digits differently.
const CLOSE: f64 = 1e-3;

fn measured(pieces: &PieceSet) -> (Dissimilarity, NearestSides) {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Seam).expect("pieces are large enough");
    let candidates = Matcher::Learned.candidates();
    let nearest = find_nearest(&dissimilarity, TurnSet::Quarter, &candidates, &Silent);
    (dissimilarity, nearest.expect("nobody cancels"))
}

fn pieces() -> PieceSet {
    fretsaw::synthetic::puzzle(6, 7, 10, PuzzleType::Type2, 3).0
}

#[test]
fn features_are_those_that_the_networks_were_trained_on() {
    let pieces = pieces();
    let (dissimilarity, nearest) = measured(&pieces);
    // The second candidate of side 41.
    let frozen: [&[f32]; 2] = [
        &[
            7.7771826,
            0.09826174,
            -0.32757473,
            LN_2,
            0.0,
            -0.83783334,
            -1.1250644,
            0.09826174,
            0.09826174,
            0.32757473,
            0.0,
            0.38489947,
            5.5857635,
            7.2105227,
            0.84372044,
            5.5841017,
            6.2189584,
            0.0,
            5.0935836,
            6.6035395,
            0.29436684,
            2.8253393,
            0.0,
            1.8405496,
            0.0,
            3.0602708,
            0.0,
            1.4001542,
            0.0,
            1.4663364,
            0.59783524,
            0.6310939,
            0.09761071,
            3.4150555,
            0.29855084,
            1.9993831,
            0.23662758,
            2.6414354,
            2.0352974,
            1.9328219,
            1.9334466,
            3.7154038,
            1.0169168,
            2.768518,
            2.3026865,
            1.8584949,
            1.4840068,
            1.7319812,
            0.0,
            2.30749,
            0.6001947,
            3.034953,
            2.989344,
            2.0542023,
            1.3328736,
            3.5857954,
            0.8025131,
            3.1620936,
            3.2064006,
            2.1977396,
            1.1932234,
            2.1250143,
            0.080649376,
            2.1219795,
            0.61912906,
            3.322635,
            1.8757169,
            1.8761802,
            1.4391026,
            3.4115157,
            0.72460747,
            2.8461378,
            2.6324625,
            2.1032755,
            1.3938143,
            2.5930831,
            1.0102241,
            2.090762,
            0.42802405,
            4.1138587,
            1.6560421,
            2.767329,
            2.9964595,
            4.121183,
            1.2140713,
            7.215828,
            4.7678556,
            2.592993,
            2.0137596,
            1.9104573,
            1.2957144,
            LN_2,
            1.0,
        ],
        &[
            3.673437,
            -1.7681448,
            -1.9052923,
            -1.7681448,
            -1.9052923,
            0.0,
            0.0,
            -4.53405,
            -0.73716736,
            14.880466,
            14.793285,
            22.553267,
            22.20622,
            37.43373,
            -0.48126984,
            14.880466,
            22.553267,
            -2.4387894,
            -2.3951714,
            -1.7684617,
            -2.4049587,
            -1.9782486,
            -2.5930347,
            -0.4880147,
            -1.0136638,
            7.7771826,
            7.215828,
            4.7678556,
            2.592993,
            2.0137596,
            1.0,
            -0.73716736,
        ],
    ];
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
    let pieces = pieces();
    let (dissimilarity, nearest) = measured(&pieces);
    let model =
        Matcher::Learned.match_sides(&dissimilarity, &nearest, TurnSet::Quarter, &Silent).unwrap();
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
