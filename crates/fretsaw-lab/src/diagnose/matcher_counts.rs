//! What is counted of a match model: its candidates and probabilities against the truth.

use super::calibration::Calibration;
use fretsaw::puzzle::{Assembly, PieceId, PieceSet, Side, SideId};
use fretsaw::unstable::matching::MatchModel;
use serde::Serialize;

/// Bins of confidence, of equal width.
pub(crate) const NUM_BINS: usize = 15;

/// Pairs that are likelier are sure.
pub(crate) const SURE: f64 = 0.99;

/// What was counted of one model, or of several.
///
/// A side's best candidate is the one with the lowest [`MatchModel::odds_against`]. Where several tie,
/// each counts as the best by an equal part, and none is anyone's *only* best.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct MatcherCounts {
    /// Sides that have a true neighbour.
    pub(crate) inner: usize,
    /// Of them, those whose best candidate is the true neighbour.
    pub(crate) first: f64,
    /// Of them, those that list their true neighbour.
    pub(crate) listed: usize,
    /// Sides that have a true neighbour, where neither is corrupted: at most their corners are.
    pub(crate) spared: usize,
    /// Of them, those whose best candidate is the true neighbour.
    pub(crate) spared_first: f64,
    /// Sides that have a true neighbour, where corruption touched no pixel of either.
    pub(crate) clean: usize,
    /// Of them, those whose best candidate is the true neighbour.
    pub(crate) clean_first: f64,
    pub(crate) joins: usize,
    /// Pairs that are each other's only best.
    pub(crate) mutual: usize,
    /// Of them, true joins.
    pub(crate) mutual_right: usize,
    /// Pairs that are each other's only best and likelier than [`SURE`].
    pub(crate) sure: usize,
    /// Of them, true joins.
    pub(crate) sure_right: usize,
    /// Sides on the border.
    pub(crate) border: usize,
    /// What has probabilities only.
    pub(crate) answers: Option<AnswerCounts>,
}

/// What was counted of the likeliest answers of sides: a candidate, the border, or something
/// unlisted. Where several are equally likely each is given by an equal part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AnswerCounts {
    /// Sides that say they lie on the border.
    pub(crate) border: f64,
    /// Of them, those that do.
    pub(crate) border_right: f64,
    /// Confidence against the share of right answers.
    pub(crate) calibration: Calibration,
}

/// Bins of equal width.
pub(crate) fn equal_bins() -> Calibration {
    Calibration::with_ends((1..=NUM_BINS).map(|bin| bin as f64 / NUM_BINS as f64).collect())
}

/// For each side its true neighbour; none on the border, or where a piece is missing.
pub(crate) fn true_neighbors(truth: &Assembly) -> Vec<Option<SideId>> {
    let mut neighbors = vec![None; 4 * truth.num_pieces()];
    for join in truth.joins() {
        neighbors[join.first.index()] = Some(join.second);
        neighbors[join.second.index()] = Some(join.first);
    }
    neighbors
}

/// What corruption did to the outermost line of a side, from bad to worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Harm {
    #[default]
    None,
    /// A side beside it was corrupted, and with it the pixel at the corner that they share.
    Corner,
    /// It was corrupted itself.
    Line,
}

/// The harm done to each side, by comparison with the pieces before they were corrupted.
///
/// Lines of one or two pixels are all corners; they are taken to be corrupted themselves.
pub(crate) fn harm_done(pieces: &PieceSet, before: &PieceSet) -> Vec<Harm> {
    let shape = pieces.shape();
    let harm = |piece: PieceId, side: Side| {
        let length = shape.side_length_px(side);
        let differs = |along: usize| {
            let (row, col) = shape.pixel_at_side(side, 0, along);
            (0..pieces.channels()).any(|channel| {
                pieces.sample(piece, row, col, channel) != before.sample(piece, row, col, channel)
            })
        };
        let is_corner = |along: usize| length > 2 && (along == 0 || along + 1 == length);
        let changed = (0..length).filter(|&along| differs(along));
        changed.map(|along| if is_corner(along) { Harm::Corner } else { Harm::Line }).max()
    };
    let sides = pieces.ids().flat_map(|piece| Side::ALL.map(|side| (piece, side)));
    sides.map(|(piece, side)| harm(piece, side).unwrap_or_default()).collect()
}

/// Counts how well a model agrees with the truth: `neighbors` has for each side its true
/// neighbour, `harm` what corruption did to it.
pub(crate) fn count(
    model: &MatchModel<'_>,
    neighbors: &[Option<SideId>],
    harm: &[Harm],
) -> MatcherCounts {
    assert_eq!(neighbors.len(), model.num_sides(), "one for each side");
    assert_eq!(harm.len(), model.num_sides(), "one for each side");
    let mut counts = MatcherCounts::default();
    let mut only_best = Vec::with_capacity(neighbors.len());
    for (side, &neighbor) in neighbors.iter().enumerate() {
        let best = best_of(model, SideId::from_index(side));
        if let Some(neighbor) = neighbor {
            let first = if best.contains(&neighbor) { 1.0 / best.len() as f64 } else { 0.0 };
            counts.inner += 1;
            counts.first += first;
            counts.listed += usize::from(lists(model, SideId::from_index(side), neighbor));
            let harm = harm[side].max(harm[neighbor.index()]);
            if harm < Harm::Line {
                counts.spared += 1;
                counts.spared_first += first;
            }
            if harm == Harm::None {
                counts.clean += 1;
                counts.clean_first += first;
            }
        } else {
            counts.border += 1;
        }
        only_best.push(if let [only] = best[..] { Some(only) } else { None });
    }
    counts.joins = counts.inner / 2;
    for (side, &best) in only_best.iter().enumerate() {
        let side = SideId::from_index(side);
        // Each pair once, from its smaller side.
        let Some(other) = best.filter(|&other| side < other) else { continue };
        if only_best[other.index()] != Some(side) {
            continue;
        }
        let right = usize::from(neighbors[side.index()] == Some(other));
        let sure = usize::from(model.pair_probability(side, other) > SURE);
        counts.mutual += 1;
        counts.mutual_right += right;
        counts.sure += sure;
        counts.sure_right += sure * right;
    }
    counts.answers = count_answers(model, neighbors);
    counts
}

fn lists(model: &MatchModel<'_>, side: SideId, other: SideId) -> bool {
    model.candidates().of(side).iter().any(|candidate| candidate.side == other)
}

/// A side's candidates of the lowest ratio.
fn best_of(model: &MatchModel<'_>, side: SideId) -> Vec<SideId> {
    let mut tied = Vec::new();
    let mut lowest = f64::INFINITY;
    for candidate in model.candidates().of(side) {
        let ratio = model.odds_against(side, candidate.side);
        if ratio < lowest {
            tied.clear();
            lowest = ratio;
        }
        // All may be infinite, and tie.
        if ratio <= lowest {
            tied.push(candidate.side);
        }
    }
    tied
}

fn count_answers(model: &MatchModel<'_>, neighbors: &[Option<SideId>]) -> Option<AnswerCounts> {
    let mut counts = AnswerCounts { border: 0.0, border_right: 0.0, calibration: equal_bins() };
    for (side, &neighbor) in neighbors.iter().enumerate() {
        let side = SideId::from_index(side);
        let of_side = model.of_side(side)?;
        let is_unlisted = neighbor.is_some_and(|neighbor| !lists(model, side, neighbor));
        let border = f64::from(of_side.border);
        // Of each answer its probability, and whether it is right.
        let listed = model.candidates().of(side).iter().map(|candidate| {
            (model.probability_from(side, candidate.side), neighbor == Some(candidate.side))
        });
        let others = [(border, neighbor.is_none()), (of_side.unlisted.into(), is_unlisted)];
        let (mut confidence, mut tied, mut right) = (f64::NEG_INFINITY, 0, 0);
        for (probability, is_right) in listed.chain(others) {
            if probability > confidence {
                (confidence, tied, right) = (probability, 0, 0);
            }
            if probability >= confidence {
                tied += 1;
                right += u32::from(is_right);
            }
        }
        // At least one, unless probabilities are not numbers.
        let part = 1.0 / f64::from(tied.max(1_u32));
        counts.calibration.add(confidence, part * f64::from(right));
        if border >= confidence {
            counts.border += part;
            counts.border_right += if neighbor.is_none() { part } else { 0.0 };
        }
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::observer::Silent;
    use fretsaw::picture::synthetic;
    use fretsaw::picture::{ScrambleSettings, cut, scramble};
    use fretsaw::puzzle::{PieceShape, PuzzleType, TurnSet};
    use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use fretsaw::unstable::matching::SideDistribution;

    /// A type 1 puzzle of 2 x 2 pieces, where every side lists three others: 4 joins, of whose 8
    /// sides every one has a neighbour, and 8 sides on the border.
    fn counts_of(
        probability: impl Fn(SideId, SideId, Option<SideId>) -> f32,
        of_side: impl Fn(Option<SideId>) -> SideDistribution,
    ) -> MatcherCounts {
        let (pieces, _, truth) = synthetic::puzzle(2, 2, 8, PuzzleType::Type1, 1);
        let neighbors = true_neighbors(truth.assembly());
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Ssd).unwrap();
        let settings = NearestSettings { num_candidates: 3, max_candidates: 3 };
        let nearest = find_nearest(&dissimilarity, TurnSet::None, &settings, &Silent).unwrap();
        let sides = || (0..16).map(SideId::from_index);
        let of_candidates = sides()
            .flat_map(|side| nearest.of(side).iter().map(move |candidate| (side, candidate.side)))
            .map(|(side, other)| probability(side, other, neighbors[side.index()]))
            .collect::<Vec<_>>();
        assert_eq!(of_candidates.len(), 3 * 16);
        let of_sides = sides().map(|side| of_side(neighbors[side.index()])).collect();
        let model = MatchModel::by_probabilities(
            &dissimilarity,
            std::borrow::Cow::Borrowed(&nearest),
            of_candidates,
            of_sides,
        );
        count(&model, &neighbors, &[Harm::None; 16])
    }

    /// What is left after three candidates, for the border.
    fn border(border: f32) -> SideDistribution {
        SideDistribution { border, unlisted: 0.0 }
    }

    #[test]
    fn a_matcher_that_knows_everything_has_full_marks() {
        let counts = counts_of(
            |_, other, neighbor| if neighbor == Some(other) { 1.0 } else { 0.0 },
            |neighbor| border(if neighbor.is_none() { 1.0 } else { 0.0 }),
        );
        assert_eq!((counts.inner, counts.first, counts.listed), (8, 8.0, 8));
        assert_eq!((counts.clean, counts.clean_first), (8, 8.0));
        assert_eq!((counts.joins, counts.mutual_right, counts.sure_right), (4, 4, 4));
        assert_eq!((counts.sure, counts.border), (4, 8));
        let answers = counts.answers.unwrap();
        assert_eq!((answers.border, answers.border_right), (8.0, 8.0));
        assert_eq!(answers.calibration.error(), Some(0.0));
        assert_eq!(answers.calibration.bins[NUM_BINS - 1].count, 16);
    }

    #[test]
    fn a_tie_of_m_counts_as_one_mth_and_is_nobodys_only_best() {
        let counts = counts_of(|_, _, _| 0.25, |_| border(0.25));
        assert_eq!(counts.inner, 8);
        assert!((counts.first - 8.0 / 3.0).abs() < 1e-12, "{}", counts.first);
        assert_eq!((counts.mutual, counts.mutual_right, counts.sure), (0, 0, 0));
        // Four equal answers, one of which is right: confident by a quarter, right by a quarter.
        let answers = counts.answers.unwrap();
        assert_eq!((answers.border, answers.border_right), (4.0, 2.0));
        assert_eq!(answers.calibration.error(), Some(0.0));
    }

    #[test]
    fn the_error_of_an_overconfident_matcher_is_the_difference() {
        let counts = counts_of(
            |_, other, neighbor| if neighbor == Some(other) { 0.0625 } else { 0.0 },
            |_| border(0.875),
        );
        // All 16 sides say "border" at 0.875; 8 are right.
        let answers = counts.answers.unwrap();
        assert_eq!((answers.border, answers.border_right), (16.0, 8.0));
        assert_eq!(answers.calibration.error(), Some(0.875 - 0.5));
        // The order of candidates is right nevertheless.
        assert_eq!((counts.first, counts.mutual_right, counts.sure), (8.0, 4, 0));
    }

    #[test]
    fn what_is_sure_and_wrong_costs_precision() {
        // The pairs of the diagonally opposite pieces: always wrong, never ambiguous.
        let (_, _, truth) = synthetic::puzzle(2, 2, 8, PuzzleType::Type1, 1);
        let cell = |side: SideId| truth.assembly().place_of(side.piece()).unwrap().cell;
        let is_diagonal = |a: SideId, b: SideId| {
            let (a, b) = (cell(a), cell(b));
            a.row != b.row && a.col != b.col
        };
        let counts =
            counts_of(|a, b, _| if is_diagonal(a, b) { 1.0 } else { 0.0 }, |_| border(0.0));
        assert_eq!((counts.first, counts.listed), (0.0, 8));
        assert_eq!((counts.mutual, counts.mutual_right), (8, 0));
        assert_eq!((counts.sure, counts.sure_right), (8, 0));
        assert_eq!(counts.answers.unwrap().calibration.error(), Some(1.0));
    }

    #[test]
    fn calibration_errors_are_weighted_by_the_number_of_answers() {
        let mut calibration = equal_bins();
        assert_eq!(calibration.error(), None);
        // Three of four right at 3/4: nothing to blame.
        for right in [1.0, 1.0, 1.0, 0.0] {
            calibration.add(0.75, right);
        }
        assert_eq!(calibration.error(), Some(0.0));
        // One of four right at 1: 3/4 too many, of half of all answers.
        let mut other = equal_bins();
        for right in [1.0, 0.0, 0.0, 0.0] {
            other.add(1.0, right);
        }
        calibration.merge(&other);
        assert_eq!(calibration.error(), Some(0.375));
        calibration.add(0.0, 0.0);
        let counts: Vec<usize> = calibration.bins.iter().map(|bin| bin.count).collect();
        assert_eq!((counts[0], counts[11], counts[14]), (1, 4, 4));
    }

    /// What the ratios of a drawn puzzle come to, with some sides harmed.
    fn counts_of_ratios(
        (rows, cols): (u32, u32),
        puzzle_type: PuzzleType,
        measure: Measure,
        harmed: impl Fn(&Assembly) -> Vec<(SideId, Harm)>,
    ) -> MatcherCounts {
        let (pieces, _, truth) = synthetic::puzzle(rows, cols, 16, puzzle_type, 1);
        let dissimilarity = Dissimilarity::new(&pieces, measure).unwrap();
        let (turns, settings) = (puzzle_type.turns(pieces.shape()), NearestSettings::default());
        let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
        let model = MatchModel::by_ratio(&dissimilarity, &nearest);
        let mut harm = vec![Harm::None; 4 * pieces.num_pieces()];
        for (side, done) in harmed(truth.assembly()) {
            harm[side.index()] = done;
        }
        count(&model, &true_neighbors(truth.assembly()), &harm)
    }

    #[test]
    fn a_matcher_without_probabilities_has_no_answers() {
        let counts = counts_of_ratios((3, 4), PuzzleType::Type2, Measure::Seam, |_| Vec::new());
        assert_eq!((counts.inner, counts.joins, counts.border), (34, 17, 14));
        assert!(counts.first > 20.0 && counts.listed > 25, "{counts:?}");
        assert_eq!(counts.answers, None);
    }

    #[test]
    fn harm_to_either_side_of_a_join_counts() {
        let counts = counts_of_ratios((2, 2), PuzzleType::Type1, Measure::Ssd, |truth| {
            let mut joins = truth.joins();
            let (one, other) = (joins.next().unwrap(), joins.next().unwrap());
            vec![(one.first, Harm::Corner), (other.second, Harm::Line)]
        });
        assert_eq!((counts.inner, counts.spared, counts.clean), (8, 6, 4));
    }

    #[test]
    fn corruption_harms_the_chosen_sides_and_the_corners_beside_them() {
        let picture = synthetic::demo_picture(96, 96, 1);
        let cut = cut(&picture, PieceShape::new(12, 12).unwrap()).unwrap();
        let settings = ScrambleSettings::new(PuzzleType::Type2, 3);
        let clean = scramble(&cut, &settings).unwrap();
        let harm_at = |corrupt_rate| {
            let settings = ScrambleSettings { corrupt_rate, ..settings };
            harm_done(&scramble(&cut, &settings).unwrap().pieces, &clean.pieces)
        };
        assert!(harm_at(0.0).iter().all(|&harm| harm == Harm::None));
        assert!(harm_at(1.0).iter().all(|&harm| harm == Harm::Line));
        let some = harm_at(0.2);
        let chosen = some.iter().filter(|&&harm| harm == Harm::Line).count();
        // 256 sides at 0.2: 51 expected, standard deviation 6.4.
        assert!((26..=76).contains(&chosen), "{chosen}");
        for (side, &harm) in some.iter().enumerate() {
            let beside = [1, 3].map(|step| some[side / 4 * 4 + (side + step) % 4]);
            if harm != Harm::Line {
                assert_eq!(harm == Harm::Corner, beside.contains(&Harm::Line), "{side}");
            }
        }
    }
}
