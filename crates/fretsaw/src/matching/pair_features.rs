//! The features of a candidate by its pixels and its rivals: the input of network 0.
//!
//! "Fit" is `ln(M + 1)` of the seam measure M, scaled to sides of 28 pixels and 3 channels: lower is better, 0 is
//! perfect, above 12 hopeless. u is a side, v its candidate. Ranks count strictly better candidates, so that ties do not
//! reveal the order of the pieces.

use super::features::{
    Feature, NOT_LISTED, all_sides, feature, log_count, log_of_sum, single, write_features,
};
use super::pixel_network::{EncodedSides, PixelScore};
use super::round::MatchProblem;
use crate::dissimilarity::{
    BANDS, Candidate, NearestSides, PairFeatureSource, PairMeasurements, ProfileMismatch,
    SideTexture,
};
use crate::linalg::{median, smaller};
use crate::puzzle::{SideId, TurnSet};

/// The values that the features are computed from, for a candidate v of a side u.
pub(super) struct PairView {
    fit: f64,
    best_other_of_u: f64,
    best_other_of_v: f64,
    rank_in_u: usize,
    rank_in_v: usize,
    num_ties: usize,
    row_of_u: RowFits,
    row_of_v: RowFits,
    logs: PairLogs,
    least: PairLogs,
    texture_of_u: SideTexture,
    texture_of_v: SideTexture,
    typical_fit: f64,
    turns: TurnSet,
    pixels: PixelView,
}

/// The scores of a candidate by the pixel network, if it is used.
#[derive(Clone, Copy, Default)]
struct PixelView {
    score: PixelScore,
    /// The largest scores among u's candidates.
    best: PixelScore,
    /// Number of u's candidates with a strictly larger logit.
    rank: usize,
    /// The logarithm of the candidate's share in a softmax over u's candidates.
    share: f32,
}

/// Fits of a side to its first candidates.
#[derive(Clone, Copy, Default)]
struct RowFits {
    best: f64,
    second: f64,
    sixteenth: f64,
    /// The first of them.
    best_side: Option<SideId>,
    /// The dissimilarity of the last candidate; 0 if there are none.
    last: f64,
}

/// Logarithms of the measurements of a pair: quadratic terms there, back and both ways, and steps.
#[derive(Clone, Copy)]
struct PairLogs {
    meeting: [f32; 3],
    along: [f32; 3],
    mgc: [f32; 3],
    grey_step: f32,
    colour_step: f32,
    residual: f32,
    root_step: f32,
    profiles: [ProfileMismatch; BANDS.len()],
}

impl PairLogs {
    fn new(pair: &PairMeasurements) -> Self {
        let ways = |(there, back): (f64, f64)| {
            let (there, back) = (single(log_square(there)), single(log_square(back)));
            [there, back, there + back]
        };
        let step = |mean: f64| single(log_level(mean));
        Self {
            meeting: ways(pair.meeting),
            along: ways(pair.along),
            mgc: ways(pair.mgc),
            grey_step: step(pair.grey_step),
            colour_step: step(pair.colour_step),
            residual: step(pair.residual),
            root_step: step(pair.root_step),
            // Bands are means of many pixels, of which a tenth of a level counts.
            profiles: pair.profile_mismatches.map(|parts| parts.map(|level| (level + 0.1).ln())),
        }
    }

    /// The smaller of each.
    fn least(self, other: Self) -> Self {
        let ways = |x: [f32; 3], y: [f32; 3]| std::array::from_fn(|way| smaller(x[way], y[way]));
        Self {
            meeting: ways(self.meeting, other.meeting),
            along: ways(self.along, other.along),
            mgc: ways(self.mgc, other.mgc),
            grey_step: smaller(self.grey_step, other.grey_step),
            colour_step: smaller(self.colour_step, other.colour_step),
            residual: smaller(self.residual, other.residual),
            root_step: smaller(self.root_step, other.root_step),
            profiles: std::array::from_fn(|band| {
                std::array::from_fn(|part| {
                    smaller(self.profiles[band][part], other.profiles[band][part])
                })
            }),
        }
    }
}

/// The least logarithm of a share.
const LEAST_SHARE: f32 = -20.0;

/// The largest absolute difference of two fits.
const MAX_GAP: f64 = 12.0;

fn cut(difference: f64) -> f32 {
    single(difference.clamp(-MAX_GAP, MAX_GAP))
}

/// The logarithm of a sum of squares.
fn log_square(x: f64) -> f64 {
    (x + 1.0).ln()
}

/// The logarithm of a mean of grey levels. Differences below a third of a level hardly count.
fn log_level(x: f64) -> f64 {
    (x + 0.3).ln()
}

/// How far the profiles of one width of bands are from meeting, in seven parts, each followed by the same less its
/// least among u's candidates.
macro_rules! profile_features {
    ($width:literal, $band:literal) => {
        profile_features! {
            $width, $band,
            "_grey_level" 0, "_colour_level" 1, "_grey_wave" 2, "_colour_wave" 3,
            "_grey_slope" 4, "_colour_slope" 5, "_grey_slope_wave" 6,
        }
    };
    ($width:literal, $band:literal, $($name:literal $part:literal,)*) => {
        [$(
            feature(concat!($width, $name), profile::<$band, $part>),
            feature(concat!($width, $name, "_to_least"), profile_to_least::<$band, $part>),
        )*]
    };
}

/// The features, in the order in which the network takes them.
pub(super) const PAIR_FEATURES: [&[Feature<PairView>]; 6] = [
    &[
        // Fit of the pair: 0 to about 16.
        feature("fit", |view| single(view.fit)),
        // Fit less that of u's best other candidate: below 0 if v is u's best. -12 to 12.
        feature("gap_in_u", |view| cut(view.fit - view.best_other_of_u)),
        // Fit less that of v's best other candidate: below 0 if u is v's best. -12 to 12.
        feature("gap_in_v", |view| cut(view.fit - view.best_other_of_v)),
        // ln(1 + number of sides that fit u strictly better): 0 to ln 65.
        feature("rank_in_u", |view| log_count(view.rank_in_u)),
        // ln(1 + number of sides that fit v strictly better), as far as v lists them: 0 to ln 65.
        feature("rank_in_v", |view| log_count(view.rank_in_v)),
        // Fit less that of u's sixteenth candidate: how far the pair stands out. -12 to 12.
        feature("to_sixteenth_of_u", |view| cut(view.fit - view.row_of_u.sixteenth)),
        // Fit less that of v's sixteenth candidate. -12 to 12.
        feature("to_sixteenth_of_v", |view| cut(view.fit - view.row_of_v.sixteenth)),
        // Fit less that of u's best candidate: 0 to 12.
        feature("to_best_of_u", |view| cut(view.fit - view.row_of_u.best)),
        // Fit of u's second candidate less that of its best: how clear u's choice is. 0 to 12.
        feature("lead_in_u", |view| cut(view.row_of_u.second - view.row_of_u.best)),
        // Fit of v's second candidate less that of its best. 0 to 12.
        feature("lead_in_v", |view| cut(view.row_of_v.second - view.row_of_v.best)),
        // ln(1 + number of u's other candidates that fit exactly as well): 0 to ln 64.
        feature("ties_in_u", |view| log_count(view.num_ties)),
        // Fit less the median over all sides of their best fit: distinguishes noisy pictures from clean ones. -12 to 12.
        feature("to_typical", |view| cut(view.fit - view.typical_fit)),
        // ln(D1(u -> v) + 1): the extrapolations meet, in u's metric. 0 to about 16.
        feature("meeting_there", |view| view.logs.meeting[0]),
        // ln(D1(v -> u) + 1). 0 to about 16.
        feature("meeting_back", |view| view.logs.meeting[1]),
        // The sum of both less the least such sum among u's candidates. 0 to about 16.
        feature("meeting_to_least", |view| view.logs.meeting[2] - view.least.meeting[2]),
        // ln(D2(u -> v) + 1): the derivatives along the side agree, in u's metric. 0 to about 16.
        feature("along_there", |view| view.logs.along[0]),
        // ln(D2(v -> u) + 1). 0 to about 16.
        feature("along_back", |view| view.logs.along[1]),
        // The sum of both less the least such sum among u's candidates. 0 to about 16.
        feature("along_to_least", |view| view.logs.along[2] - view.least.along[2]),
        // ln of MGC's term u -> v, plus 1. 0 to about 16.
        feature("mgc_there", |view| view.logs.mgc[0]),
        // ln of MGC's term v -> u, plus 1. 0 to about 16.
        feature("mgc_back", |view| view.logs.mgc[1]),
        // The sum of both less the least such sum among u's candidates. 0 to about 16.
        feature("mgc_to_least", |view| view.logs.mgc[2] - view.least.mgc[2]),
        // ln(0.3 + mean |step across the seam|) of the mean over channels, in grey levels. -1.2 to 5.6.
        feature("grey_step", |view| view.logs.grey_step),
        // The same less its least among u's candidates. 0 to 7.
        feature("grey_step_to_least", |view| view.logs.grey_step - view.least.grey_step),
        // ln(0.3 + mean |step|) of the channels' difference from their mean; with one channel constant.
        // -1.2 to 5.6.
        feature("colour_step", |view| view.logs.colour_step),
        // The same less its least among u's candidates. 0 to 7.
        feature("colour_step_to_least", |view| view.logs.colour_step - view.least.colour_step),
        // ln(0.3 + mean |difference of the extrapolations to the seam|) over all channels. -1.2 to 6.7.
        feature("residual", |view| view.logs.residual),
        // The same less its least among u's candidates. 0 to 8.
        feature("residual_to_least", |view| view.logs.residual - view.least.residual),
        // ln(0.3 + mean root of |step|) over all channels. -1.2 to 2.8.
        feature("root_step", |view| view.logs.root_step),
        // The same less its least among u's candidates. 0 to 4.
        feature("root_step_to_least", |view| view.logs.root_step - view.least.root_step),
    ],
    &profile_features!("fifth", 0),
    &profile_features!("third", 1),
    &profile_features!("half", 2),
    &profile_features!("whole", 3),
    &[
        // ln(0.1 + mean square outward gradient) of u. -2.3 to 11.
        feature("gradient_of_u", |view| view.texture_of_u.gradient),
        // The same of v.
        feature("gradient_of_v", |view| view.texture_of_v.gradient),
        // ln(0.3 + standard deviation along u of the mean over channels): how flat u is. -1.2 to 4.9.
        feature("grey_contrast_of_u", |view| view.texture_of_u.grey_contrast),
        // The same of v.
        feature("grey_contrast_of_v", |view| view.texture_of_v.grey_contrast),
        // The same for the channels' difference from their mean; with one channel constant. -1.2 to 4.9.
        feature("colour_contrast_of_u", |view| view.texture_of_u.colour_contrast),
        // The same of v.
        feature("colour_contrast_of_v", |view| view.texture_of_v.colour_contrast),
        // The larger of the two ranks, as above.
        feature("mutual_rank", |view| log_count(view.rank_in_u.max(view.rank_in_v))),
        // 1 if pieces may be turned, so that there are more rivals; else 0.
        feature("may_be_turned", |view| f32::from(u8::from(view.turns != TurnSet::None))),
    ],
];

/// The features of graphics, which come after all others.
pub(super) const PIXEL_FEATURES: [Feature<PairView>; 6] = [
    // The logit of the pair by the pixel network: about -20 to 20.
    feature("pixels", |view| view.pixels.score.logit),
    // The same less the largest among u's candidates: -20 to 0.
    feature("pixels_to_best", |view| view.pixels.score.logit - view.pixels.best.logit),
    // ln(1 + number of u's candidates with a strictly larger logit).
    feature("pixels_rank", |view| log_count(view.pixels.rank)),
    // The logarithm of the share in a softmax over u's candidates: -20 to 0.
    feature("pixels_share", |view| view.pixels.share),
    // The product of the embeddings: about -20 to 20.
    feature("embedding", |view| view.pixels.score.product),
    // The same less the largest among u's candidates: -20 to 0.
    feature("embedding_to_best", |view| view.pixels.score.product - view.pixels.best.product),
];

/// One part of the mismatch of one band: ln(0.1 + levels). -2.3 to 6.
fn profile<const BAND: usize, const PART: usize>(view: &PairView) -> f32 {
    view.logs.profiles[BAND][PART]
}

/// This part less its least among u's candidates. 0 to 8.
fn profile_to_least<const BAND: usize, const PART: usize>(view: &PairView) -> f32 {
    view.logs.profiles[BAND][PART] - view.least.profiles[BAND][PART]
}

/// The inputs of all features.
pub(super) struct PairContext<'a> {
    pub(super) source: &'a PairFeatureSource<'a>,
    nearest: &'a NearestSides,
    slots_back: &'a [u32],
    rows: Vec<RowFits>,
    typical_fit: f64,
    pub(super) turns: TurnSet,
    pixels: Option<&'a EncodedSides>,
}

impl<'a> PairContext<'a> {
    pub(super) fn new(
        problem: &MatchProblem<'a>,
        nearest: &'a NearestSides,
        slots_back: &'a [u32],
    ) -> Self {
        let MatchProblem { source, turns, pixels, .. } = *problem;
        let rows: Vec<RowFits> = all_sides(nearest)
            .map(|side| {
                let list = nearest.of(side);
                let scale = source.scale(side);
                // Unlisted sides fit no better than the last listed one.
                let last = list.last().map_or(0.0, |candidate| candidate.cost);
                let beyond = nearest.next_best(side);
                let rest = if beyond.is_finite() { beyond } else { last };
                let at = |rank: usize| {
                    let value = list.get(rank).map_or(rest, |candidate| candidate.cost);
                    log_square(scale * value)
                };
                let best_side = list.first().map(|candidate| candidate.side);
                RowFits { best: at(0), second: at(1), sixteenth: at(15), best_side, last }
            })
            .collect();
        let typical_fit = median(rows.iter().map(|row| row.best).collect());
        Self { source, nearest, slots_back, rows, typical_fit, turns, pixels }
    }

    /// Fit of a listed pair.
    pub(super) fn fit(&self, side: SideId, dissimilarity: f64) -> f64 {
        log_square(self.source.scale(side) * dissimilarity)
    }

    /// Fit of the best candidate of a side other than this one.
    fn best_other(&self, side: SideId, other: SideId) -> f64 {
        let row = self.rows[side.index()];
        if row.best_side == Some(other) { row.second } else { row.best }
    }

    /// How many candidates of v fit it strictly better than u does, where the pair has this slot at u.
    fn rank_back(&self, slot: usize, v: SideId, value: f64) -> usize {
        let is_better = |candidate: &Candidate| candidate.cost < value;
        let list = self.nearest.of(v);
        match self.slots_back[slot] {
            // The usual case: everything that v lists fits better, and its list is not fetched.
            NOT_LISTED if self.rows[v.index()].last < value => list.len(),
            NOT_LISTED => list.partition_point(is_better),
            // The index of u, or of the first candidate that ties with it.
            slot => {
                let before = &list[..slot as usize - self.nearest.slots(v).start];
                before.iter().rposition(is_better).map_or(0, |last| last + 1)
            }
        }
    }

    /// The features of network 0 in their order.
    pub(super) fn features(&self) -> Vec<&'static [Feature<PairView>]> {
        let pixels: Option<&[_]> = self.pixels.map(|_| &PIXEL_FEATURES[..]);
        PAIR_FEATURES.into_iter().chain(pixels).collect()
    }

    /// Writes the features of a side's candidates, row by row.
    pub(super) fn write(&self, u: SideId, out: &mut Vec<f32>) {
        let parts = self.features();
        write_features(&parts, &self.views(u), out);
    }

    fn views(&self, u: SideId) -> Vec<PairView> {
        let nearest = self.nearest;
        let list = nearest.of(u);
        let others = list.iter().map(|candidate| candidate.side);
        let logs: Vec<PairLogs> = self.source.pairs(u, others).iter().map(PairLogs::new).collect();
        let Some(least) = logs.iter().copied().reduce(PairLogs::least) else { return Vec::new() };
        // Lists are sorted, so that ties are adjacent.
        let ties = list.chunk_by(|x, y| x.cost == y.cost);
        let mut ranks = Vec::with_capacity(list.len());
        for ties in ties {
            ranks.resize(ranks.len() + ties.len(), (ranks.len(), ties.len() - 1));
        }
        let pixels = self.pixel_views(u);
        let slots = nearest.slots(u).zip(list).zip(pixels);
        let views = slots.zip(logs).zip(ranks).map(
            |((((slot, candidate), pixels), logs), (rank, num_ties))| {
                let (v, value) = (candidate.side, candidate.cost);
                PairView {
                    fit: self.fit(u, value),
                    best_other_of_u: self.best_other(u, v),
                    best_other_of_v: self.best_other(v, u),
                    rank_in_u: rank,
                    rank_in_v: self.rank_back(slot, v, value),
                    num_ties,
                    row_of_u: self.rows[u.index()],
                    row_of_v: self.rows[v.index()],
                    logs,
                    least,
                    texture_of_u: self.source.texture(u),
                    texture_of_v: self.source.texture(v),
                    typical_fit: self.typical_fit,
                    turns: self.turns,
                    pixels,
                }
            },
        );
        views.collect()
    }

    /// The pixel network's scores of u's candidates.
    fn pixel_views(&self, u: SideId) -> Vec<PixelView> {
        let list = self.nearest.of(u);
        let Some(pixels) = self.pixels else { return vec![PixelView::default(); list.len()] };
        let others: Vec<SideId> = list.iter().map(|candidate| candidate.side).collect();
        let scores = pixels.scores(u, &others);
        let best = scores.iter().copied().reduce(PixelScore::best).unwrap_or_default();
        let sum = log_of_sum(scores.iter().map(|score| score.logit));
        let view = |&score: &PixelScore| PixelView {
            score,
            best,
            rank: scores.iter().filter(|other| other.logit > score.logit).count(),
            share: (score.logit - sum).max(LEAST_SHARE),
        };
        scores.iter().map(view).collect()
    }
}
