//! Candidate lists equal those by the exact formula: same values, same order, same ties.

#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test may panic, and its random numbers are small"
)]

use crate::matchers::random;
use fretsaw::observer::Silent;
use fretsaw::puzzle::{PieceSet, PieceShape, Samples, SideId, SidePair, TurnSet};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use proptest::prelude::*;

/// Pieces with every kind of side: textured, smooth, flat, and exact copies.
fn pieces(num: usize, height: u32, width: u32, channels: usize, seed: u64) -> PieceSet {
    let shape = PieceShape::new(height, width).unwrap();
    let size = shape.num_pixels() * channels;
    let mut random = random(seed);
    let mut values: Vec<u8> = Vec::with_capacity(num * size);
    for piece in 0..num {
        if piece > 0 && random(4) == 0 {
            let copied = random(piece as u64) as usize * size;
            values.extend_from_within(copied..copied + size);
            continue;
        }
        let (level, noise) = (random(200) as u8, [1, 1, 2, 8, 56][random(5) as usize]);
        values.extend((0..size).map(|_| level + random(noise) as u8));
    }
    PieceSet::new(shape, channels, Samples::U8(values)).unwrap()
}

/// Every allowed pair by the exact formula, sorted.
fn all_pairs(measure: &Dissimilarity, turns: TurnSet, side: SideId) -> Vec<(f64, SideId)> {
    let mut all: Vec<(f64, SideId)> = (0..measure.num_sides())
        .map(SideId::from_index)
        .filter(|other| other.piece() != side.piece())
        .filter(|&other| turns.allows(SidePair::of(side, other)))
        .map(|other| (measure.value(side, other), other))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

fn check(pieces: &PieceSet, measure: Measure, turns: TurnSet, settings: NearestSettings) {
    let measure = Dissimilarity::new(pieces, measure).unwrap();
    let nearest = find_nearest(&measure, turns, &settings, &Silent).unwrap();
    for side in (0..measure.num_sides()).map(SideId::from_index) {
        let all = all_pairs(&measure, turns, side);
        let k = settings.num_candidates.min(all.len());
        let last = all[k - 1].0;
        let mut expected = all.partition_point(|(value, _)| *value <= last);
        if expected > settings.max_candidates.max(settings.num_candidates) {
            expected = all.partition_point(|(value, _)| *value < last);
        }
        let got: Vec<(f64, SideId)> = nearest.of(side).iter().map(|c| (c.cost, c.side)).collect();
        assert_eq!(got, all[..expected], "side {side:?} of {turns:?}");
        let beyond = all.get(expected).map_or(f64::INFINITY, |(value, _)| *value);
        assert_eq!(nearest.next_best(side), beyond);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn lists_agree_with_brute_force(
        num in 2_usize..60,
        height in 2_u32..12,
        width in 2_u32..12,
        channels in 1_usize..6,
        measure in prop::sample::select(Measure::ALL.to_vec()),
        k in 1_usize..12,
        seed: u64,
    ) {
        let settings = NearestSettings { num_candidates: k, max_candidates: 2 * k };
        let oblong = pieces(num, height, width, channels, seed);
        check(&oblong, measure, TurnSet::None, settings);
        check(&oblong, measure, TurnSet::Half, settings);
        let square = pieces(num, height, height, channels, seed);
        check(&square, measure, TurnSet::Quarter, settings);
    }
}

#[test]
fn lists_agree_with_brute_force_across_several_tiles() {
    for measure in [Measure::Mgc, Measure::Seam] {
        let settings = NearestSettings::default();
        check(&pieces(330, 8, 8, 3, 7), measure, TurnSet::Quarter, settings);
        check(&pieces(450, 8, 8, 3, 8), measure, TurnSet::None, settings);
    }
}

#[test]
fn a_uniform_picture_is_all_ties_and_lists_none() {
    let white =
        PieceSet::new(PieceShape::new(9, 9).unwrap(), 3, Samples::U8(vec![255; 9 * 9 * 3 * 500]))
            .unwrap();
    let measure = Dissimilarity::new(&white, Measure::Mgc).unwrap();
    let nearest =
        find_nearest(&measure, TurnSet::Quarter, &NearestSettings::default(), &Silent).unwrap();
    for side in (0..2000).map(SideId::from_index) {
        assert!(nearest.of(side).is_empty());
        assert_eq!(nearest.next_best(side), 0.0);
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_lists() {
    let pieces = pieces(300, 6, 6, 3, 3);
    let measure = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
    let run = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            find_nearest(&measure, TurnSet::Quarter, &NearestSettings::default(), &Silent).unwrap()
        })
    };
    let alone = run(1);
    assert_eq!(run(2), alone);
    assert_eq!(run(5), alone);
}
