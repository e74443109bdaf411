//! The model of every matcher depends only on the pieces, its probabilities add up to 1, unusual pieces do not
//! make it panic, and it finds more true neighbours than the plain ratio.

#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test may panic, and its random numbers are small"
)]

use crate::gauge_invariance::{Relabelled, relabelling};
use fretsaw::observer::{Cancelled, Observer, Silent, Stage};
use fretsaw::picture::synthetic;
use fretsaw::picture::{ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{
    Join, PieceSet, PieceShape, PuzzleType, QuarterTurn, Samples, SideId, SidePair, TurnSet,
};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSides, find_nearest};
use fretsaw::unstable::matching::{FeatureTable, LearnedMatcher, MAX_COST, MatchModel, Matcher};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Pieces that were measured for a matcher.
pub(crate) struct Measured {
    pub(crate) dissimilarity: Dissimilarity,
    pub(crate) nearest: NearestSides,
    turns: TurnSet,
}

impl Measured {
    pub(crate) fn new(
        pieces: &PieceSet,
        turns: TurnSet,
        measure: Measure,
        matcher: Matcher,
    ) -> Self {
        let dissimilarity = Dissimilarity::new(pieces, measure).unwrap();
        let nearest = find_nearest(&dissimilarity, turns, &matcher.candidates(), &Silent).unwrap();
        Self { dissimilarity, nearest, turns }
    }

    pub(crate) fn matched_by(&self, matcher: Matcher) -> MatchModel<'_> {
        matcher.match_sides(&self.dissimilarity, &self.nearest, self.turns, &Silent).unwrap()
    }
}

/// Every matcher with every measure that it knows.
fn matchers() -> impl Iterator<Item = (Matcher, Measure)> {
    let all = |matcher| Measure::ALL.into_iter().map(move |measure| (matcher, measure));
    Matcher::ALL.into_iter().flat_map(all).filter(|(matcher, measure)| matcher.knows(*measure))
}

fn sides(model: &MatchModel<'_>) -> impl Iterator<Item = SideId> + use<> {
    (0..model.num_sides()).map(SideId::from_index)
}

/// All pairs of sides that may touch, in order of `label`.
fn pairs(
    model: &MatchModel<'_>,
    turns: TurnSet,
    label: impl Fn(SideId) -> SideId,
) -> Vec<(SideId, SideId)> {
    let mut sides: Vec<SideId> = sides(model).collect();
    sides.sort_by_key(|&side| label(side));
    let all = sides.iter().flat_map(|&a| sides.iter().map(move |&b| (a, b)));
    all.filter(|(a, b)| a.piece() != b.piece())
        // Pieces may have been turned, so that their labels decide which pairs may touch.
        .filter(|&(a, b)| turns.allows(SidePair::of(label(a), label(b))))
        .collect()
}

/// All numbers of a model, to the bit, under the sides' old labels and in their order.
fn all_bits(
    model: &MatchModel<'_>,
    turns: TurnSet,
    label: impl Fn(SideId) -> SideId,
) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for (a, b) in pairs(model, turns, &label) {
        let numbers = [
            model.probability_from(a, b),
            model.pair_probability(a, b),
            model.candidate_cost(a, b),
            model.odds_against(a, b),
            f64::from(model.cost(a, b)),
        ];
        all.push(numbers.map(f64::to_bits).to_vec());
    }
    let mut sides: Vec<SideId> = sides(model).collect();
    sides.sort_by_key(|&side| label(side));
    for side in sides {
        let list = model.candidates().of(side).iter();
        let mut list: Vec<_> =
            list.map(|c| (c.cost.to_bits(), label(c.side).index() as u64)).collect();
        // Ties are ordered by piece number, which the relabelling changes.
        list.sort_unstable();
        all.push(list.into_iter().flat_map(|(value, other)| [value, other]).collect());
        all.push(vec![model.candidates().next_best(side).to_bits()]);
        if let Some(of_side) = model.of_side(side) {
            all.push(vec![of_side.border.to_bits().into(), of_side.unlisted.to_bits().into()]);
        }
    }
    all
}

/// The number of pieces of [`with_copies`].
const NUM_WITH_COPIES: usize = 36;

/// A generated puzzle with replaced pieces: six by equal flat ones, few enough for their ties to be listed,
/// and eight by copies of two others. Seven more have a flat top, so that different pieces tie as
/// candidates.
fn with_copies(puzzle_type: PuzzleType, seed: u64) -> PieceSet {
    let (pieces, _, _) = synthetic::puzzle(6, 6, 9, puzzle_type, seed);
    let Samples::U8(values) = pieces.samples() else { panic!("pictures are drawn in 8 bit") };
    let (mut values, size) = (values.clone(), pieces.samples_per_piece());
    for flat in 0..6 {
        values[5 * flat * size..][..size].fill(120);
    }
    for copy in 0..8 {
        let (from, to) = ([3, 7][copy % 2] * size, [1, 2, 4, 11, 12, 13, 21, 22][copy] * size);
        values.copy_within(from..from + size, to);
    }
    for flat_top in [6, 9, 14, 17, 24, 28, 33] {
        values[flat_top * size..][..size / 2].fill(120);
    }
    PieceSet::new(pieces.shape(), pieces.channels(), Samples::U8(values)).unwrap()
}

/// More equal pieces of one colour than a list may have ties, and a few textured ones.
fn wall(puzzle_type: PuzzleType, seed: u64) -> PieceSet {
    let pieces = with_copies(puzzle_type, seed);
    let Samples::U8(values) = pieces.samples() else { panic!("pictures are drawn in 8 bit") };
    let (mut values, size) = (values.clone(), pieces.samples_per_piece());
    values[8 * size..].fill(120);
    PieceSet::new(pieces.shape(), pieces.channels(), Samples::U8(values)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn shuffling_and_turning_the_pieces_changes_no_bit_of_a_model(
        (order, turns) in relabelling(NUM_WITH_COPIES),
        seed in 1_u64..100,
    ) {
        let upright = vec![QuarterTurn::ZERO; NUM_WITH_COPIES];
        for (puzzle_type, turns) in [(PuzzleType::Type1, upright), (PuzzleType::Type2, turns)] {
            for pieces in [with_copies(puzzle_type, seed), wall(puzzle_type, seed)] {
                let other = Relabelled::new(&pieces, &order, &turns);
                let turns = puzzle_type.turns(pieces.shape());
                for (matcher, measure) in matchers() {
                    let before = Measured::new(&pieces, turns, measure, matcher);
                    let after = Measured::new(&other.pieces, turns, measure, matcher);
                    let expected = all_bits(&before.matched_by(matcher), turns, |side| side);
                    let found =
                        all_bits(&after.matched_by(matcher), turns, |side| other.old_side(side));
                    prop_assert!(found == expected, "{puzzle_type:?} {matcher:?} {measure:?}");
                }
            }
        }
    }
}

#[test]
fn models_are_the_same_to_the_bit_on_any_number_of_threads() {
    let turns = TurnSet::Quarter;
    let pieces = with_copies(PuzzleType::Type2, 1);
    for (matcher, measure) in matchers() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let measured = Measured::new(&pieces, turns, measure, matcher);
                all_bits(&measured.matched_by(matcher), turns, |side| side)
            })
        };
        assert!(on(1) == on(3), "{matcher:?} {measure:?}");
    }
}

/// A few numbers below a bound, the same for the same seed.
pub(crate) fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    }
}

/// Pieces of random pixels.
fn noise(num: usize, height_px: u32, width_px: u32, channels: usize) -> PieceSet {
    let shape = PieceShape::new(height_px, width_px).unwrap();
    let mut random = random(channels as u64);
    let values = (0..num * shape.num_pixels() * channels).map(|_| random(256) as u8).collect();
    PieceSet::new(shape, channels, Samples::U8(values)).unwrap()
}

/// Pieces of one colour each, different or all the same.
fn plain(num: usize, step: usize) -> PieceSet {
    let shape = PieceShape::new(8, 8).unwrap();
    let values = (0..num).flat_map(|piece| vec![(step * piece) as u8; shape.num_pixels() * 3]);
    PieceSet::new(shape, 3, Samples::U8(values.collect())).unwrap()
}

/// Usual and unusual pieces, with every set of turns that they allow.
fn inputs() -> Vec<(&'static str, PieceSet, TurnSet)> {
    let drawn = |rows, cols, px| synthetic::puzzle(rows, cols, px, PuzzleType::Type2, 5).0;
    let oblong = |height_px, width_px| {
        let picture = synthetic::demo_picture(80, 80, 3);
        let cut = cut(&picture, PieceShape::new(height_px, width_px).unwrap()).unwrap();
        scramble(&cut, &ScrambleSettings::new(PuzzleType::Type2, 3)).unwrap().pieces
    };
    let deep = {
        let pieces = drawn(4, 5, 9);
        let values = (0..pieces.samples().len()).map(|at| 257 * pieces.samples().get(at));
        let values = values.map(|value| value - value % 7);
        PieceSet::new(pieces.shape(), 3, Samples::U16(values.collect())).unwrap()
    };
    let extremes = {
        // Random black and white: the largest possible differences of pixels.
        let shape = PieceShape::new(6, 6).unwrap();
        let mut random = random(9);
        let values = (0..20 * 36 * 3).map(|_| 65535 * random(2) as u16).collect();
        PieceSet::new(shape, 3, Samples::U16(values)).unwrap()
    };
    let pieces = [
        ("usual", drawn(7, 8, 10)),
        ("one piece", drawn(1, 1, 9)),
        ("two pieces", drawn(1, 2, 9)),
        ("one row", drawn(1, 12, 9)),
        ("one channel", noise(20, 7, 7, 1)),
        ("two channels", noise(20, 7, 7, 2)),
        ("five channels", noise(20, 7, 7, 5)),
        ("16 bit", deep),
        ("black and white", extremes),
        ("upright", oblong(16, 8)),
        ("lying", oblong(8, 16)),
        ("thin", noise(20, 2, 9, 3)),
        ("2 pixels", drawn(5, 5, 2)),
        ("all equal", plain(30, 0)),
        ("few equal", plain(5, 0)),
        ("of one colour each", plain(30, 8)),
    ];
    let every_turn = |(name, pieces): (&'static str, PieceSet)| {
        [PuzzleType::Type1, PuzzleType::Type2].map(|puzzle_type| {
            let turns = puzzle_type.turns(pieces.shape());
            (name, pieces.clone(), turns)
        })
    };
    pieces.into_iter().flat_map(every_turn).collect()
}

/// Checks the invariants of a model.
fn check_probabilities(model: &MatchModel<'_>, turns: TurnSet, what: &str) {
    let is_probability = |p: f64| (0.0..=1.0).contains(&p);
    for (a, b) in pairs(model, turns, |side| side) {
        let pair = model.pair_probability(a, b);
        assert!(is_probability(pair), "{what}: {pair} of {a:?} {b:?}");
        assert!(is_probability(model.probability_from(a, b)), "{what}: {a:?} {b:?}");
        assert_eq!(pair, model.pair_probability(b, a), "{what}: {a:?} {b:?}");
        let value = model.candidate_cost(a, b);
        assert!(value.is_finite() && value >= 0.0, "{what}: {value} of {a:?} {b:?}");
        assert_eq!(value, model.candidate_cost(b, a), "{what}: {a:?} {b:?}");
        assert!(!model.odds_against(a, b).is_nan(), "{what}: {a:?} {b:?}");
        let cost = model.cost(a, b);
        assert!((0.0..=MAX_COST).contains(&cost), "{what}: {cost} of {a:?} {b:?}");
        assert_eq!(cost, model.cost(b, a), "{what}: {a:?} {b:?}");
        if model.has_probabilities() {
            assert!((value + pair.ln()).abs() < 1e-9, "{what}: {value} {pair} of {a:?} {b:?}");
            assert!(model.odds_against(a, b).is_finite(), "{what}: {a:?} {b:?}");
        }
    }
    for side in sides(model) {
        let list = model.candidates().of(side);
        assert!(list.is_sorted_by(|x, y| x.cost <= y.cost), "{what}: {side:?}");
        assert!(!model.candidates().next_best(side).is_nan(), "{what}: {side:?}");
        for candidate in list {
            let value = model.candidate_cost(side, candidate.side);
            let (found, close) = (candidate.cost, 1e-9 * (1.0 + value));
            assert!((found - value).abs() < close, "{what}: {found} {value} of {side:?}");
            // The logarithm of a probability near 1 is exact to about 1e-16.
            let odds = model.odds_against(side, candidate.side);
            let by_value = model.odds_of_cost(side, candidate.side, value);
            let close = 1e-9 * (1.0 + odds);
            assert!(odds == by_value || (odds - by_value).abs() < close, "{what}: {side:?}");
        }
        assert_eq!(model.of_side(side).is_some(), model.has_probabilities());
        if let Some(of_side) = model.of_side(side) {
            assert!(is_probability(of_side.border.into()), "{what}: {of_side:?}");
            assert!(is_probability(of_side.unlisted.into()), "{what}: {of_side:?}");
            let listed: f64 =
                list.iter().map(|candidate| model.probability_from(side, candidate.side)).sum();
            let sum = listed + f64::from(of_side.border) + f64::from(of_side.unlisted);
            assert!((sum - 1.0).abs() < 1e-4, "{what}: {side:?} adds up to {sum}");
        }
    }
}

#[test]
fn probabilities_are_finite_symmetric_and_add_up_to_one_also_for_unusual_pieces() {
    for (name, pieces, turns) in inputs() {
        for (matcher, measure) in matchers() {
            let measured = Measured::new(&pieces, turns, measure, matcher);
            let model = measured.matched_by(matcher);
            assert_eq!(model.has_probabilities(), matcher != Matcher::Ratio);
            let what = format!("{name}, {turns:?}, {matcher:?}, {measure:?}");
            check_probabilities(&model, turns, &what);
        }
    }
}

#[test]
fn features_are_finite_and_have_distinct_names_also_for_unusual_pieces() {
    let untrained = LearnedMatcher::default();
    let half_trained = LearnedMatcher::shipped().clone().with_first(1);
    for (name, pieces, turns) in inputs() {
        let measured = Measured::new(&pieces, turns, Measure::Seam, Matcher::Learned);
        let Measured { dissimilarity, nearest, .. } = &measured;
        for matcher in [&untrained, &half_trained, LearnedMatcher::shipped()] {
            let table = matcher.next_features(dissimilarity, nearest, turns, &Silent).unwrap();
            let FeatureTable { names, values, sides } = table;
            let what = format!("{name}, {turns:?}, {} networks", matcher.num_networks());
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
            assert!(sides.is_sorted_by(|x, y| x.0 < y.0), "{what}");
            // Later networks evaluate open sides only.
            if matcher.num_networks() < 2 {
                assert_eq!(sides.len(), nearest.num_sides(), "{what}");
            }
            let num_rows: usize = sides.iter().map(|(_, listed)| listed.len()).sum();
            assert_eq!(values.len(), num_rows * names.len(), "{what}");
            for (at, value) in values.iter().enumerate() {
                let feature = names[at % names.len()];
                assert!(value.is_finite(), "{what}: {feature} is {value}");
            }
        }
    }
}

/// How well a matcher does on synthetic puzzles.
#[derive(Default)]
struct Tally {
    num_joins: usize,
    /// Sides whose first candidate is their true neighbour.
    num_first: usize,
    /// Almost certain candidates, and how many of them are true.
    num_certain: usize,
    num_certain_and_true: usize,
}

fn tally(matcher: Matcher, piece_px: u32) -> Tally {
    let mut tally = Tally::default();
    for seed in 1..=3 {
        let (pieces, _, truth) = synthetic::puzzle(10, 12, piece_px, PuzzleType::Type2, seed);
        let joins: HashSet<Join> = truth.assembly().joins().collect();
        tally.num_joins += joins.len();
        let measured = Measured::new(&pieces, TurnSet::Quarter, Measure::Seam, matcher);
        let model = measured.matched_by(matcher);
        for side in sides(&model) {
            let list = model.candidates().of(side);
            let is_true = |other: SideId| joins.contains(&Join::new(side, other));
            tally.num_first += usize::from(list.first().is_some_and(|best| is_true(best.side)));
            for candidate in list {
                if model.pair_probability(side, candidate.side) > 0.99 {
                    tally.num_certain += 1;
                    tally.num_certain_and_true += usize::from(is_true(candidate.side));
                }
            }
        }
    }
    tally
}

#[test]
fn matchers_rank_the_true_neighbour_first_more_often_than_the_ratio() {
    for piece_px in [10, 14] {
        let [ratio, loops, learned] = Matcher::ALL.map(|matcher| tally(matcher, piece_px));
        let firsts = [ratio.num_first, loops.num_first, learned.num_first];
        println!("{piece_px} px: {firsts:?} of {}", 2 * ratio.num_joins);
        // The comparison means something only if the ratio leaves room for improvement.
        assert!(ratio.num_first < 2 * ratio.num_joins * 9 / 10, "{firsts:?}");
        assert!(loops.num_first >= ratio.num_first, "{firsts:?}");
        assert!(learned.num_first >= ratio.num_first, "{firsts:?}");
    }
}

#[test]
fn pairs_that_the_learned_matcher_is_certain_of_are_true() {
    for piece_px in [10, 28] {
        let Tally { num_joins, num_certain, num_certain_and_true, .. } =
            tally(Matcher::Learned, piece_px);
        println!("{piece_px} px: {num_certain_and_true} of {num_certain}, {num_joins} joins");
        // A matcher that is never certain is never wrong.
        assert!(num_certain > num_joins / 10, "{piece_px} px: {num_certain}");
        assert!(50 * num_certain_and_true >= 49 * num_certain, "{piece_px} px: {num_certain}");
    }
}

/// Counts the work of a matcher, and cancels after some of it.
#[derive(Default)]
struct CancelAfter {
    after: u64,
    total: AtomicU64,
    done: AtomicU64,
    finished: AtomicU64,
}

impl Observer for CancelAfter {
    fn stage_started(&self, stage: Stage, total: u64) {
        assert_eq!(stage, Stage::Match);
        self.total.fetch_add(total, Ordering::SeqCst);
    }

    fn stage_advanced(&self, stage: Stage, units: u64) {
        assert_eq!(stage, Stage::Match);
        self.done.fetch_add(units, Ordering::SeqCst);
    }

    fn stage_finished(&self, stage: Stage) {
        assert_eq!(stage, Stage::Match);
        self.finished.fetch_add(1, Ordering::SeqCst);
    }

    fn is_cancelled(&self) -> bool {
        self.done.load(Ordering::SeqCst) >= self.after
    }
}

// The matchers with work that can be cancelled; the ratio has none.
const WORKING: [Matcher; 2] = [Matcher::Loops, Matcher::Learned];

#[test]
fn matching_can_be_cancelled_at_the_start_and_half_way() {
    let (pieces, _, _) = synthetic::puzzle(5, 6, 10, PuzzleType::Type2, 1);
    for matcher in WORKING {
        let measured = Measured::new(&pieces, TurnSet::Quarter, Measure::Seam, matcher);
        for after in [0, 1] {
            let observer = CancelAfter { after, ..CancelAfter::default() };
            let Measured { dissimilarity, nearest, turns } = &measured;
            let result = matcher.match_sides(dissimilarity, nearest, *turns, &observer).map(drop);
            assert_eq!(result, Err(Cancelled), "{matcher:?} {after}");
        }
    }
}

#[test]
fn a_matcher_reports_all_the_work_that_it_announced() {
    let (pieces, _, _) = synthetic::puzzle(5, 6, 10, PuzzleType::Type2, 1);
    for matcher in WORKING {
        let measured = Measured::new(&pieces, TurnSet::Quarter, Measure::Seam, matcher);
        let observer = CancelAfter { after: u64::MAX, ..CancelAfter::default() };
        let Measured { dissimilarity, nearest, turns } = &measured;
        matcher.match_sides(dissimilarity, nearest, *turns, &observer).unwrap();
        let [total, done, finished] = [&observer.total, &observer.done, &observer.finished]
            .map(|count| count.load(Ordering::SeqCst));
        assert!(total > 0 && done == total, "{matcher:?}: {done} of {total}");
        assert_eq!(finished, 1, "{matcher:?}");
    }
}
