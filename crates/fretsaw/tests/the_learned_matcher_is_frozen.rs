//! The features and probabilities of a small puzzle equal those recorded when the shipped networks were
//! trained.
//!
//! Networks work only with the features that they were trained on. After a change of the features, the loops or
//! the networks, train again, raise `NETWORK_VERSION` and record new numbers here and in
//! `recorded/features.json`.

use crate::matchers::Measured;
use fretsaw::observer::Silent;
use fretsaw::puzzle::{PieceSet, PieceShape, PuzzleType, Samples, SideId, TurnSet};
use fretsaw::unstable::dissimilarity::{Material, Measure};
use fretsaw::unstable::matching::{LearnedMatcher, MatchModel, Matcher};
use fretsaw::{Puzzle, Settings};

/// Machines may round the last digits differently.
const CLOSE: f64 = 1e-3;

fn measured() -> Measured {
    let (pieces, ..) = fretsaw::picture::synthetic::puzzle(6, 7, 10, PuzzleType::Type2, 3);
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
    assert_probabilities(
        &measured.matched_by(Matcher::Learned),
        [
            (0, 107, [0.893355, 0.043314, 0.001337, 0.014821]),
            (17, 27, [0.999997, 0.000000, 0.000001, 0.000002]),
            (41, 60, [0.181062, 0.188036, 0.020019, 0.313559]),
            (77, 51, [0.973084, 0.006094, 0.001447, 0.016632]),
            (130, 134, [0.999551, 0.000001, 0.000239, 0.000197]),
        ],
    );
}

#[test]
fn probabilities_of_worn_pieces_are_those_of_their_networks() {
    let (pieces, ..) = fretsaw::picture::synthetic::puzzle(6, 7, 28, PuzzleType::Type2, 3);
    let puzzle = Puzzle::new(without_edges(&pieces, 2)).turns(TurnSet::Quarter);
    assert_probabilities_of(
        &puzzle,
        Material::Worn,
        [
            (0, 107, [0.999660, 0.000001, 0.000292, 0.000029]),
            (17, 27, [0.988977, 0.000010, 0.010961, 0.000029]),
            (41, 60, [0.078258, 0.009949, 0.682230, 0.098070]),
            (77, 51, [0.982629, 0.009561, 0.003238, 0.000580]),
            (130, 134, [0.999685, 0.000002, 0.000104, 0.000179]),
        ],
    );
}

#[test]
fn probabilities_of_compressed_sheets_are_those_of_their_networks() {
    let (pieces, ..) = fretsaw::picture::synthetic::puzzle(6, 7, 28, PuzzleType::Type2, 3);
    let puzzle = Puzzle::new(pieces).turns(TurnSet::Quarter).colours_bleed(true);
    assert_probabilities_of(
        &puzzle,
        Material::Bled,
        [
            (0, 107, [0.999998, 0.000000, 0.000002, 0.000000]),
            (17, 27, [1.000000, 0.000000, 0.000000, 0.000000]),
            (41, 148, [0.984851, 0.004009, 0.001432, 0.000333]),
            (77, 51, [0.999581, 0.000002, 0.000410, 0.000005]),
            (130, 134, [0.999820, 0.000000, 0.000178, 0.000002]),
        ],
    );
}

/// The pieces without so many lines at each edge.
fn without_edges(pieces: &PieceSet, lost: usize) -> PieceSet {
    let size = pieces.shape().width_px() as usize - 2 * lost;
    let mut values = Vec::new();
    for piece in pieces.ids() {
        for at in 0..size * size * 3 {
            let (row, col) = (at / 3 / size + lost, at / 3 % size + lost);
            values.push(u8::try_from(pieces.sample(piece, row, col, at % 3)).unwrap());
        }
    }
    let size = u32::try_from(size).unwrap();
    PieceSet::new(PieceShape::new(size, size).unwrap(), 3, Samples::U8(values)).unwrap()
}

/// Compares a model with a side, its best candidate, and the probabilities of that, of the next one, of border and of
/// unlisted.
fn assert_probabilities(model: &MatchModel<'_>, recorded: [(usize, usize, [f64; 4]); 5]) {
    for (side, best, frozen) in recorded {
        let side = SideId::from_index(side);
        let candidates = model.candidates().of(side);
        assert_eq!(candidates[0].side.index(), best, "{side:?}");
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

/// The same, for a puzzle whose pieces are taken to be of this material.
fn assert_probabilities_of(
    puzzle: &Puzzle,
    material: Material,
    recorded: [(usize, usize, [f64; 4]); 5],
) {
    let measured = fretsaw::unstable::Measured::new(puzzle, &Settings::default(), &Silent);
    let measured = measured.unwrap();
    assert_eq!(measured.dissimilarity.material(), material);
    assert_probabilities(&measured.matched(&Settings::default(), &Silent).unwrap(), recorded);
}
