//! Features and probabilities of a small puzzle as they were when the shipped networks were trained.
//!
//! Networks mean nothing but on the features they were trained on: whoever changes a feature, the loops
//! or the networks has to train again, raise `NETWORK_VERSION` and write down new numbers.

use fretsaw::dissimilarity::{Dissimilarity, Measure, NearestSides, find_nearest};
use fretsaw::judge::{Judge, LearnedJudge};
use fretsaw::observer::Silent;
use fretsaw::puzzle::{PieceSet, PuzzleType, SideId, TurnSet};
use std::f32::consts::LN_2;

/// Machines may round the last digits differently.
const CLOSE: f64 = 1e-3;

fn measured(pieces: &PieceSet) -> (Dissimilarity, NearestSides) {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Seam).expect("pieces are large enough");
    let candidates = Judge::Learned.candidates();
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
            2.8601637,
            -1.1410391,
            -1.7191246,
            -1.1410391,
            -1.7191246,
            0.0,
            0.0,
            -3.7508307,
            -0.87706757,
            12.868205,
            12.610335,
            30.0,
            30.0,
            42.868206,
            12.352692,
            12.868205,
            30.0,
            -2.4603012,
            -2.1264832,
            -1.5635791,
            -1.7648222,
            -2.9652588,
            -3.9939275,
            -1.3654233,
            -1.7101026,
            7.7771826,
            7.215828,
            4.7678556,
            2.592993,
            2.0137596,
            1.0,
            -0.87706757,
        ],
    ];
    for (num_networks, frozen) in frozen.into_iter().enumerate() {
        let judge = LearnedJudge::shipped().clone().with_first(num_networks);
        let table =
            judge.next_features(&dissimilarity, &nearest, TurnSet::Quarter, &Silent).unwrap();
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
    let judgement =
        Judge::Learned.judge(&dissimilarity, &nearest, TurnSet::Quarter, &Silent).unwrap();
    // A side, its best candidate, how likely that and the next one are, the border, and the unlisted.
    for (side, best, frozen) in [
        (0, 107, [0.673084, 0.288041, 0.000569, 0.001139]),
        (17, 27, [1.0, 0.0, 0.0, 0.0]),
        (41, 60, [0.437085, 0.380747, 0.005586, 0.064434]),
        (77, 51, [0.999797, 0.000020, 0.000051, 0.000057]),
        (130, 134, [0.999662, 0.000110, 0.000201, 0.000010]),
    ] {
        let side = SideId::from_index(side);
        let candidates = judgement.candidates().of(side);
        assert_eq!(candidates[0].side.index(), best);
        let verdict = judgement.of_side(side).unwrap();
        let found = [
            judgement.probability(side, candidates[0].side),
            judgement.probability(side, candidates[1].side),
            f64::from(verdict.border),
            f64::from(verdict.unlisted),
        ];
        for (found, frozen) in found.iter().zip(frozen) {
            assert!((found - frozen).abs() < CLOSE, "{side:?}: {found}, was {frozen}");
        }
    }
}
