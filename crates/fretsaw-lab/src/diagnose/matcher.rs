//! How well matchers rank true neighbours, before anything is assembled.

use super::calibration::{Calibration, CalibrationBin};
use super::matcher_counts::{AnswerCounts, Harm, MatcherCounts, count, harm_done, true_neighbors};
use crate::groups::{group_by, mean};
use crate::picture_changes::{grey, in_8_bits, shrunk};
use crate::pools::in_pools;
use crate::provenance;
use crate::puzzle_args::PuzzleArgs;
use crate::puzzles::PuzzleKey;
use crate::report::chart::{self, Line, Reliability};
use crate::report::plots::{Plot, make_names_distinct, plain};
use crate::results::write_lines;
use crate::stage::matching::matchers_for;
use anyhow::Context;
use clap::Args as ClapArgs;
use fretsaw::Settings;
use fretsaw::evaluation::{Score, score};
use fretsaw::observer::{Cancelled, Silent};
use fretsaw::picture::{Picture, ScrambleSettings, scramble};
use fretsaw::unstable::dissimilarity::{Measure, NearestSettings};
use fretsaw::unstable::matching::{Evidence, LearnedMatcher, MatchModel, Matcher};
use fretsaw::unstable::{Measured, assemble, find_boards};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::{Table, percent_or_dash};
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{check_file_target, check_output_folder, write_folder};
use serde::Serialize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose matcher --data sets --sets mit-432 --matchers ratio,learned --plots plots

A side's best candidate is the one with the lowest ratio; of m that tie each counts 1/m. In percent; \
precisions and 'ece' are of all runs together, the others means over runs:
first            sides with a neighbour whose best candidate it is
first spared     the same where neither is corrupted, though a corner may be
first clean      the same where corruption touched no pixel of either side
mutual           true joins whose sides are each other's only best
precision        true joins among all pairs that are each other's only best
listed           true neighbours among the candidates at all
ece              expected calibration error of likeliest answers, in 15 bins
pairs > 0.99     true joins that are mutual and likelier than 0.99
border           sides on the border whose likeliest answer is the border
board position   pieces that --boards put in their place
board neighbor   true joins among those of these boards
Each picture runs on one thread, as many at a time as there are threads; --jobs is not used.")]
pub(crate) struct MatcherArgs {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    #[command(flatten)]
    settings: MatcherSettings,
    /// Counts, one JSON line per set, picture, seed and matcher
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder for reliability diagrams, one per set; must be new or empty
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct MatcherSettings {
    /// Matchers [default: all that know the measure]
    #[arg(long, value_delimiter = ',', value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matchers: Vec<Matcher>,
    /// The measure
    #[arg(long, default_value = "seam", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure: Measure,
    #[command(flatten)]
    pub(crate) condition: Condition,
}

/// The most candidates per side: more were never of use.
const MOST_CANDIDATES: usize = 100;

pub(crate) fn diagnose(args: &MatcherArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    puzzles.check_positions_unknown()?;
    let condition = args.settings.condition;
    if !(condition.shrink > 0.0 && condition.shrink <= 1.0) {
        return Err(Failure::Usage("--shrink must be above 0 and at most 1".into()));
    }
    let check = |flag: &str, number: Option<usize>, range: RangeInclusive<usize>| {
        if number.is_none_or(|number| range.contains(&number)) {
            return Ok(());
        }
        Err(Failure::Usage(format!("{flag} must be {} to {}", range.start(), range.end())))
    };
    check("--networks", condition.networks, 1..=LearnedMatcher::shipped().num_networks())?;
    check("--candidates", condition.candidates, 2..=MOST_CANDIDATES)?;
    let matchers = matchers_for(args.settings.measure, &args.settings.matchers)?;
    let settings = MatcherSettings { matchers, ..args.settings.clone() };
    args.out.as_deref().map_or(Ok(()), check_file_target)?;
    args.plots.as_deref().map_or(Ok(()), check_output_folder)?;
    let keys = puzzles.puzzle_set(3)?.keys(&puzzles.data)?;
    let records = puzzles.on_threads(|| run(&puzzles.data, &keys, &settings))?;
    if let Some(out) = &args.out {
        write_lines(out, &records)?;
    }
    if let Some(dir) = &args.plots {
        let plots = plots(&records);
        if let Some(last) = plots.last() {
            let write = |folder: &Path| plots.iter().try_for_each(|plot| plot.write(folder));
            write_folder(dir, &format!("{}.svg", last.name), write)?;
        } else {
            verbosity.warn("none of the matchers has probabilities: there is nothing to plot");
        }
    }
    print_line(summary(&records))
}

impl MatcherSettings {
    /// These matchers on the measure `seam`, with pictures as they are.
    pub(crate) fn new(matchers: &[Matcher]) -> Self {
        Self { matchers: matchers.into(), measure: Measure::Seam, condition: Condition::default() }
    }
}

/// What is done to pictures before they are cut, and what is left of matchers, to see what it is good for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ClapArgs)]
pub(crate) struct Condition {
    /// Convert pictures to grey
    #[arg(long)]
    pub(crate) grey: bool,
    /// Shrink pictures to this share of their height and width before they are cut
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub(crate) shrink: f64,
    /// Use only the first N networks of the learned matcher
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N")]
    pub(crate) networks: Option<usize>,
    /// Measure N candidates per side instead of as many as the matcher needs
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N")]
    pub(crate) candidates: Option<usize>,
    /// What the learned matcher sees of a pair, where it has a pixel network: features, pixels or both. What it does not
    /// see is replaced by its mean over the training puzzles
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "WHICH", value_parser = by_name(Evidence::ALL, Evidence::name))]
    pub(crate) evidence: Option<Evidence>,
    /// Take the pieces for cut cleanly, whatever they look like
    #[arg(long)]
    pub(crate) as_clean: bool,
    /// Also put the pieces together, with effort normal, and score the boards
    #[arg(long)]
    pub(crate) boards: bool,
}

impl Default for Condition {
    fn default() -> Self {
        Self {
            grey: false,
            shrink: 1.0,
            networks: None,
            candidates: None,
            evidence: None,
            as_clean: false,
            boards: false,
        }
    }
}

impl Condition {
    /// The picture as it is to be cut. One that is changed has 8 bits afterwards.
    fn applied_to(self, picture: Picture) -> anyhow::Result<Picture> {
        if !self.grey && self.shrink >= 1.0 {
            return Ok(picture);
        }
        let picture = in_8_bits(&picture);
        let picture = if self.shrink < 1.0 { shrunk(&picture, self.shrink)? } else { picture };
        if self.grey { grey(&picture) } else { Ok(picture) }
    }

    fn matched<'a>(
        self,
        measured: &'a Measured,
        settings: &Settings,
    ) -> Result<MatchModel<'a>, Cancelled> {
        let Measured { dissimilarity, turns, nearest } = measured;
        let is_reduced = self.networks.is_some() || self.evidence.is_some();
        if settings.matcher() != Matcher::Learned || !is_reduced {
            return measured.matched(settings, &Silent);
        }
        let whole = LearnedMatcher::for_pieces_of(dissimilarity).clone();
        let networks = self.networks.unwrap_or(whole.num_networks());
        let reduced = whole.with_first(networks).with_evidence(self.evidence.unwrap_or_default());
        reduced.match_sides(dissimilarity, nearest, *turns, &Silent)
    }
}

/// One line of results: a matcher on a picture.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MatcherRecord {
    #[serde(flatten)]
    pub(crate) puzzle: PuzzleKey,
    #[serde(rename = "judge")]
    pub(crate) matcher: Matcher,
    pub(crate) measure: Measure,
    #[serde(flatten)]
    pub(crate) condition: Condition,
    pub(crate) pieces: usize,
    #[serde(flatten)]
    pub(crate) counts: MatcherCounts,
    /// The score of the board, if the pieces were put together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) board: Option<Score>,
    /// Seconds of the measure stage with as many candidates as the matcher wants, on one thread.
    pub(crate) measure_secs: f64,
    /// Seconds of the matcher, on one thread.
    #[serde(rename = "judge_secs")]
    pub(crate) match_secs: f64,
    /// Pictures done at a time; they share the machine.
    pub(crate) jobs: usize,
    pub(crate) version: String,
    /// The commit that fretsaw was built from, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
}

/// Examines matchers on puzzles of types 1 and 2: one record per puzzle and matcher, in this order.
///
/// As many puzzles are done at a time as the current pool has threads; every one runs on one thread, so
/// that times are those of one.
pub(crate) fn run(
    data: &Path,
    keys: &[PuzzleKey],
    settings: &MatcherSettings,
) -> anyhow::Result<Vec<MatcherRecord>> {
    let jobs = rayon::current_num_threads().clamp(1, keys.len().max(1));
    let records = in_pools(jobs, 1, keys, |key| {
        let picture = key.read(data)?;
        let examined = examine(key, picture, settings, jobs);
        examined.with_context(|| key.path(data).display().to_string())
    })?;
    Ok(records.into_iter().flatten().collect())
}

fn examine(
    key: &PuzzleKey,
    picture: Picture,
    settings: &MatcherSettings,
    jobs: usize,
) -> anyhow::Result<Vec<MatcherRecord>> {
    let &MatcherSettings { measure, condition, .. } = settings;
    let cut = key.cut(&condition.applied_to(picture)?)?;
    let scrambled = scramble(&cut, &key.scrambling())?;
    let neighbors = true_neighbors(scrambled.truth.assembly());
    let (mut puzzle, truth) = key.to_solve(scrambled)?;
    if condition.as_clean {
        puzzle.gap_px = Some(0.0);
    }
    let pieces = &*puzzle.pieces;
    let harm = if key.corrupt > 0.0 {
        // The same seed shuffles and turns the same way whatever is corrupted.
        let clean = ScrambleSettings { corrupt_rate: 0.0, ..key.scrambling() };
        harm_done(pieces, &scramble(&cut, &clean)?.pieces)
    } else {
        vec![Harm::None; 4 * pieces.num_pieces()]
    };
    // Matchers that need the same candidates share them.
    let mut measured: Vec<(NearestSettings, Measured, f64)> = Vec::new();
    let mut records = Vec::new();
    for &matcher in &settings.matchers {
        let settings = Settings {
            measure: Some(measure),
            matcher: Some(matcher),
            num_candidates: condition.candidates,
            ..Settings::default()
        };
        let needed = settings.candidates();
        if measured.iter().all(|(found, ..)| *found != needed) {
            let start = Instant::now();
            let found = Measured::new(&puzzle, &settings, &Silent)?;
            measured.push((needed, found, start.elapsed().as_secs_f64()));
        }
        let Some((_, measured, measure_secs)) = measured.iter().find(|(it, ..)| *it == needed)
        else {
            continue;
        };
        let start = Instant::now();
        let model = condition.matched(measured, &settings)?;
        let match_secs = start.elapsed().as_secs_f64();
        let board = condition.boards.then(|| {
            let boards = find_boards(&puzzle, &model, measured.turns, &settings, &Silent)?;
            let solved = assemble(&puzzle, &boards, &model, measured.turns, &settings, &Silent)?;
            anyhow::Ok(score(&truth, &solved.0)?)
        });
        records.push(MatcherRecord {
            puzzle: key.clone(),
            matcher,
            measure,
            condition,
            pieces: pieces.num_pieces(),
            counts: count(&model, &neighbors, &harm),
            board: board.transpose()?,
            measure_secs: *measure_secs,
            match_secs,
            jobs,
            version: env!("CARGO_PKG_VERSION").into(),
            commit: provenance::commit().map(Into::into),
        });
    }
    Ok(records)
}

/// Records of one set and matcher.
struct Rows<'a> {
    set: String,
    matcher: Matcher,
    records: Vec<&'a MatcherRecord>,
}

/// By set and matcher, in the order in which they come first.
fn rows(records: &[MatcherRecord]) -> Vec<Rows<'_>> {
    let groups = group_by(records, |record| (record.puzzle.set.clone(), record.matcher));
    groups.into_iter().map(|((set, matcher), records)| Rows { set, matcher, records }).collect()
}

impl Rows<'_> {
    /// The mean over runs; runs that lack the figure are passed over.
    fn mean(&self, value: impl Fn(&MatcherRecord) -> Option<f64>) -> Option<f64> {
        mean(&self.records.iter().filter_map(|record| value(record)).collect::<Vec<_>>())
    }

    /// The share of one sum in another; runs with more of it weigh more.
    fn share_of_sums(&self, value: impl Fn(&MatcherCounts) -> Option<(f64, f64)>) -> Option<f64> {
        let pairs = self.records.iter().filter_map(|record| value(&record.counts));
        let (part, whole) = pairs.fold((0.0, 0.0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
        share(part, whole)
    }

    /// The answers of all runs; `None` without probabilities.
    fn calibration(&self) -> Option<Calibration> {
        let mut answers = self.records.iter().filter_map(|record| record.counts.answers.as_ref());
        let mut calibration = answers.next()?.calibration.clone();
        for more in answers {
            calibration.merge(&more.calibration);
        }
        Some(calibration)
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// One row per set and matcher, in percent but for seconds.
///
/// Shares of sides and joins, and seconds, are means over runs; precisions and `ece` are of all runs
/// together. `first spared` and `first clean` are there if anything is corrupted.
pub(crate) fn summary(records: &[MatcherRecord]) -> Table {
    let is_corrupted = records.iter().any(|record| record.puzzle.corrupt > 0.0);
    let seconds = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:.3}"));
    Table::of_rows(rows(records).into_iter().map(|row| {
        let mean = |value: &dyn Fn(&MatcherCounts) -> Option<f64>| {
            percent_or_dash(row.mean(|record| value(&record.counts)))
        };
        let precision = |value: &dyn Fn(&MatcherCounts) -> Option<(f64, f64)>| {
            percent_or_dash(row.share_of_sums(value))
        };
        let border = |it: &AnswerCounts| (it.border_right, it.border);
        let mut entries = vec![
            ("set", row.set.clone()),
            ("matcher", row.matcher.name().into()),
            ("runs", row.records.len().to_string()),
            ("first", mean(&|c| share(c.first, c.inner as f64))),
        ];
        if is_corrupted {
            entries.push(("first spared", mean(&|c| share(c.spared_first, c.spared as f64))));
            entries.push(("first clean", mean(&|c| share(c.clean_first, c.clean as f64))));
        }
        entries.extend([
            ("mutual", mean(&|c| share(c.mutual_right as f64, c.joins as f64))),
            ("precision", precision(&|c| Some((c.mutual_right as f64, c.mutual as f64)))),
            ("listed", mean(&|c| share(c.listed as f64, c.inner as f64))),
            ("ece", percent_or_dash(row.calibration().and_then(|it| it.error()))),
            ("pairs > 0.99", mean(&|c| share(c.sure_right as f64, c.joins as f64))),
            ("their precision", precision(&|c| Some((c.sure_right as f64, c.sure as f64)))),
            ("border", mean(&|c| share(c.answers.as_ref()?.border_right, c.border as f64))),
            ("its precision", precision(&|c| c.answers.as_ref().map(border))),
            ("measure s", seconds(row.mean(|record| Some(record.measure_secs)))),
            ("match s", seconds(row.mean(|record| Some(record.match_secs)))),
        ]);
        if records.iter().any(|record| record.board.is_some()) {
            let of_board = |value: &dyn Fn(&Score) -> f64| {
                percent_or_dash(row.mean(|record| record.board.as_ref().map(value)))
            };
            entries.extend([
                ("board position", of_board(&|score| score.direct)),
                ("board neighbor", of_board(&|score| score.neighbor)),
            ]);
        }
        entries
    }))
}

/// A reliability diagram for each set in which a matcher has probabilities.
pub(crate) fn plots(records: &[MatcherRecord]) -> Vec<Plot> {
    let rows = rows(records);
    let mut plots = Vec::new();
    for of_set in rows.chunk_by(|a, b| a.set == b.set) {
        let kinds: Vec<Reliability> = of_set
            .iter()
            .filter_map(|row| Some(reliability(row.matcher.name(), &row.calibration()?)))
            .collect();
        if let (Some(first), false) = (of_set.first(), kinds.is_empty()) {
            plots.push(plot(first, &kinds));
        }
    }
    make_names_distinct(&mut plots);
    plots
}

fn reliability(name: &str, calibration: &Calibration) -> Reliability {
    let full = calibration.bins.iter().filter(|bin| bin.count > 0);
    let means = full.map(CalibrationBin::means).collect();
    let counts: Vec<usize> = calibration.bins.iter().map(|bin| bin.count).collect();
    let answers: usize = counts.iter().sum();
    let error = 100.0 * calibration.error().unwrap_or(0.0);
    Reliability {
        line: Line { name: name.into(), points: means },
        label: format!("{name}: {answers} sides, calibration error {error:.2} %"),
        counts,
    }
}

fn plot(row: &Rows<'_>, kinds: &[Reliability]) -> Plot {
    let mut title = format!("Likeliest answers of sides: {}", row.set);
    if let Some(record) = row.records.first() {
        let Condition { grey, shrink, .. } = record.condition;
        let PuzzleKey { piece: (width_px, height_px), corrupt, .. } = record.puzzle;
        title += &format!(", pieces of {width_px} x {height_px} px");
        if corrupt > 0.0 {
            title += &format!(", corruption {corrupt}");
        }
        if grey {
            title += ", grey";
        }
        if shrink < 1.0 {
            title += &format!(", shrunk by {shrink}");
        }
    }
    let x_name = "probability given to the likeliest answer";
    let svg = chart::reliability(&title, x_name, "share of right answers", kinds);
    Plot { name: format!("reliability-{}", plain(&row.set)), title, svg }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::matcher_counts::equal_bins;
    use crate::test_records;

    fn record(image: &str, matcher: Matcher, counts: MatcherCounts) -> MatcherRecord {
        MatcherRecord {
            puzzle: test_records::record(image, 1, 0.5).key.puzzle,
            matcher,
            measure: Measure::Seam,
            condition: Condition::default(),
            pieces: 4,
            counts,
            board: None,
            measure_secs: 0.5,
            match_secs: 0.25,
            jobs: 1,
            version: "0.1.0".into(),
            commit: None,
        }
    }

    fn records() -> Vec<MatcherRecord> {
        let mut calibration = equal_bins();
        calibration.add(0.5, 1.0);
        let small = MatcherCounts {
            inner: 8,
            first: 8.0,
            listed: 8,
            spared: 8,
            spared_first: 8.0,
            clean: 8,
            clean_first: 8.0,
            joins: 4,
            mutual: 4,
            mutual_right: 4,
            sure: 0,
            sure_right: 0,
            border: 8,
            answers: Some(AnswerCounts { border: 1.0, border_right: 1.0, calibration }),
        };
        let large = MatcherCounts {
            inner: 24,
            first: 12.0,
            spared_first: 6.0,
            clean_first: 4.0,
            joins: 12,
            mutual: 12,
            mutual_right: 6,
            answers: small.answers.clone(),
            ..small
        };
        vec![
            record("1.png", Matcher::Loops, small.clone()),
            record("1.png", Matcher::Ratio, MatcherCounts { answers: None, ..small }),
            record("2.png", Matcher::Loops, large),
        ]
    }

    fn entries(table: &Table) -> Vec<Vec<String>> {
        table.csv().lines().map(|line| line.split(',').map(Into::into).collect()).collect()
    }

    #[test]
    fn shares_are_means_of_pictures_and_precisions_are_of_all_pairs() {
        let lines = entries(&summary(&records()));
        assert_eq!(lines.len(), 3);
        // Means of 100 and 50 %; 10 of 16 pairs; one answer a picture, right at 0.5.
        assert_eq!(
            lines[1],
            [
                "mine", "loops", "2", "75.00", "75.00", "62.50", "66.67", "50.00", "0.00", "-",
                "12.50", "100.00", "0.500", "0.250"
            ]
        );
        let ratio = &lines[2];
        assert_eq!((ratio[1].as_str(), ratio[2].as_str()), ("ratio", "1"));
        assert_eq!((ratio[7].as_str(), ratio[10].as_str(), ratio[11].as_str()), ("-", "-", "-"));
    }

    #[test]
    fn clean_sides_have_a_column_where_sides_are_corrupted() {
        let mut corrupted = records();
        for record in &mut corrupted {
            record.puzzle.corrupt = 0.1;
        }
        let lines = entries(&summary(&corrupted));
        assert_eq!(lines[0][4..6], ["first spared", "first clean"]);
        assert_eq!(lines[1][4..6], ["87.50", "75.00"]);
    }
}
