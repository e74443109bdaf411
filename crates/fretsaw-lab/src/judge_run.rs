//! How good matchers are, before anything is assembled, over sets of pictures.

use crate::images::{Images, images_of};
use crate::judge_score::{
    AnswerCounts, Calibration, Harm, JudgeCounts, count, harm_done, true_neighbors,
};
use crate::picture_changes::{grey, in_8_bits, shrunk};
use crate::pools::in_pools;
use crate::provenance;
use crate::report::chart::{self, Reliability};
use crate::report::plots::{Plot, make_names_distinct};
use anyhow::{Context, bail};
use fretsaw::dissimilarity::{Dissimilarity, Measure, NearestSettings, NearestSides, find_nearest};
use fretsaw::matching::{LearnedMatcher, MatchModel, Matcher};
use fretsaw::observer::{Cancelled, Silent};
use fretsaw::picture::{CutSize, Picture, ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{PuzzleType, TurnSet};
use fretsaw_cli::table::Table;
use fretsaw_io::{IoError, Limits, read_picture, write_folder, write_text};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What to run: every matcher on every picture with every seed.
#[derive(Clone, Debug)]
pub struct JudgeRun {
    /// The folder that holds one folder per set.
    pub data: PathBuf,
    /// Names of the sets.
    pub sets: Vec<String>,
    /// Which pictures of them.
    pub images: Images,
    /// The matchers; each must [know](Matcher::knows) the measure.
    pub matchers: Vec<Matcher>,
    /// The measure.
    pub measure: Measure,
    /// Type 1 or type 2.
    pub puzzle_type: PuzzleType,
    /// The size of pieces.
    pub size: CutSize,
    /// Seeds 1 to this are used.
    pub num_seeds: u64,
    /// What is done to pictures and pieces.
    pub condition: Condition,
    /// What is left out of matchers, to see what it is good for.
    pub reduction: Reduction,
}

/// What is left of matchers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduction {
    /// Only so many networks of the learned matcher, at least one. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networks: Option<usize>,
    /// Only so many candidates of a side are measured. Default: as many as the matcher wants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<usize>,
}

impl Reduction {
    fn candidates_for(self, matcher: Matcher) -> NearestSettings {
        let wanted = matcher.candidates();
        self.candidates.map_or(wanted, |num_candidates| NearestSettings {
            num_candidates,
            max_candidates: wanted.max_candidates.max(num_candidates),
        })
    }

    fn match_sides<'a>(
        self,
        matcher: Matcher,
        dissimilarity: &'a Dissimilarity,
        nearest: &'a NearestSides,
        turns: TurnSet,
    ) -> Result<MatchModel<'a>, Cancelled> {
        match (matcher, self.networks) {
            (Matcher::Learned, Some(networks)) => {
                let reduced = LearnedMatcher::shipped().clone().with_first(networks);
                reduced.match_sides(dissimilarity, nearest, turns, &Silent)
            }
            _ => matcher.match_sides(dissimilarity, nearest, turns, &Silent),
        }
    }
}

/// What is done to pictures before they are cut, and to pieces after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The rate of corrupted sides, 0 to 1.
    pub corrupt: f64,
    /// Whether colours are taken away.
    pub grey: bool,
    /// By how much pictures are shrunk, above 0 and at most 1.
    pub shrink: f64,
}

impl Default for Condition {
    fn default() -> Self {
        Self { corrupt: 0.0, grey: false, shrink: 1.0 }
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
}

/// One line of results: a matcher on a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeRecord {
    /// The set.
    pub set: String,
    /// The picture's file name.
    pub image: String,
    /// The seed of the scramble.
    pub seed: u64,
    /// The matcher.
    #[serde(rename = "judge")]
    pub matcher: Matcher,
    /// The measure.
    pub measure: Measure,
    /// The puzzle type.
    #[serde(rename = "type")]
    pub puzzle_type: PuzzleType,
    /// Pixels of a piece: width, height.
    pub piece: (u32, u32),
    /// What was done to picture and pieces.
    #[serde(flatten)]
    pub condition: Condition,
    /// What was left out of the matcher.
    #[serde(flatten)]
    pub reduction: Reduction,
    /// Number of pieces.
    pub pieces: usize,
    /// What was counted.
    #[serde(flatten)]
    pub counts: JudgeCounts,
    /// Seconds of the measure stage with as many candidates as the matcher wants, on one thread.
    pub measure_secs: f64,
    /// Seconds of the matcher, on one thread.
    #[serde(rename = "judge_secs")]
    pub match_secs: f64,
    /// Pictures done at a time; they share the machine.
    pub jobs: usize,
    /// The version of fretsaw.
    pub version: String,
    /// The commit that fretsaw was built from, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// A picture and a seed.
struct Job<'a> {
    set: &'a str,
    image: String,
    seed: u64,
}

/// Candidates, and how long it took to find them.
struct Measured {
    settings: NearestSettings,
    nearest: NearestSides,
    seconds: f64,
}

impl JudgeRun {
    /// Run: one record per set, picture, seed and matcher, in this order.
    ///
    /// As many pictures are done at a time as the current pool has threads; every one runs on one
    /// thread, so that times are those of one.
    ///
    /// # Errors
    /// If a matcher does not know the measure, or pictures cannot be read, changed or cut.
    pub fn run(&self) -> anyhow::Result<Vec<JudgeRecord>> {
        if let Some(matcher) = self.matchers.iter().find(|matcher| !matcher.knows(self.measure)) {
            bail!(
                "the matcher '{}' does not know the measure {}",
                matcher.name(),
                self.measure.name()
            );
        }
        let jobs = self.jobs()?;
        let at_a_time = rayon::current_num_threads().clamp(1, jobs.len().max(1));
        let records = in_pools(at_a_time, 1, &jobs, |job| self.run_one(job, at_a_time))?;
        Ok(records.into_iter().flatten().collect())
    }

    fn jobs(&self) -> anyhow::Result<Vec<Job<'_>>> {
        let mut jobs = Vec::new();
        for set in &self.sets {
            for image in images_of(&self.data.join(set), self.images)? {
                let job = |seed| Job { set, image: image.clone(), seed };
                jobs.extend((1..=self.num_seeds).map(job));
            }
        }
        Ok(jobs)
    }

    fn run_one(&self, job: &Job<'_>, jobs: usize) -> anyhow::Result<Vec<JudgeRecord>> {
        let path = self.data.join(job.set).join(&job.image);
        let picture = read_picture(&path, &Limits::default())?.picture;
        self.judge_picture(picture, job, jobs).with_context(|| path.display().to_string())
    }

    fn judge_picture(
        &self,
        picture: Picture,
        job: &Job<'_>,
        jobs: usize,
    ) -> anyhow::Result<Vec<JudgeRecord>> {
        let picture = self.condition.applied_to(picture)?;
        let shape = self.size.shape_in(picture.size());
        let cut = cut(&picture, shape)?;
        let clean_settings = ScrambleSettings::new(self.puzzle_type, job.seed);
        let corrupt_rate = self.condition.corrupt;
        let scrambled = scramble(&cut, &ScrambleSettings { corrupt_rate, ..clean_settings })?;
        let pieces = &scrambled.pieces;
        let harm = if corrupt_rate > 0.0 {
            // The same seed shuffles and turns the same way whatever is corrupted.
            harm_done(pieces, &scramble(&cut, &clean_settings)?.pieces)
        } else {
            vec![Harm::None; 4 * pieces.num_pieces()]
        };
        let neighbors = true_neighbors(scrambled.truth.assembly());
        let turns = self.puzzle_type.turns(pieces.shape());
        let start = Instant::now();
        let dissimilarity = Dissimilarity::new(pieces, self.measure)?;
        let prepare_secs = start.elapsed().as_secs_f64();
        // Judges that want the same candidates share them.
        let mut measured: Vec<Measured> = Vec::new();
        for matcher in &self.matchers {
            let settings = self.reduction.candidates_for(*matcher);
            if measured.iter().all(|found| found.settings != settings) {
                let start = Instant::now();
                let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent)?;
                let seconds = prepare_secs + start.elapsed().as_secs_f64();
                measured.push(Measured { settings, nearest, seconds });
            }
        }
        let mut records = Vec::new();
        for &matcher in &self.matchers {
            let wanted =
                |found: &&Measured| found.settings == self.reduction.candidates_for(matcher);
            let Some(found) = measured.iter().find(wanted) else { continue };
            let start = Instant::now();
            let model =
                self.reduction.match_sides(matcher, &dissimilarity, &found.nearest, turns)?;
            let match_secs = start.elapsed().as_secs_f64();
            records.push(JudgeRecord {
                set: job.set.into(),
                image: job.image.clone(),
                seed: job.seed,
                matcher,
                measure: self.measure,
                puzzle_type: self.puzzle_type,
                piece: (shape.width_px(), shape.height_px()),
                condition: self.condition,
                reduction: self.reduction,
                pieces: pieces.num_pieces(),
                counts: count(&model, &neighbors, &harm),
                measure_secs: found.seconds,
                match_secs,
                jobs,
                version: env!("CARGO_PKG_VERSION").into(),
                commit: provenance::commit().map(Into::into),
            });
        }
        Ok(records)
    }
}

/// Records of one set and matcher.
struct Rows<'a> {
    set: &'a str,
    matcher: Matcher,
    records: Vec<&'a JudgeRecord>,
}

/// By set and matcher, in the order in which they come first.
fn rows(records: &[JudgeRecord]) -> Vec<Rows<'_>> {
    let mut rows: Vec<Rows<'_>> = Vec::new();
    for record in records {
        let is_it = |row: &&mut Rows<'_>| row.set == record.set && row.matcher == record.matcher;
        match rows.iter_mut().find(is_it) {
            Some(row) => row.records.push(record),
            None => {
                rows.push(Rows { set: &record.set, matcher: record.matcher, records: vec![record] })
            }
        }
    }
    rows
}

impl Rows<'_> {
    /// The mean over runs; runs that lack the figure are passed over.
    fn mean(&self, value: impl Fn(&JudgeRecord) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.records.iter().filter_map(|record| value(record)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The share of one sum in another; runs with more of it weigh more.
    fn share_of_sums(&self, value: impl Fn(&JudgeCounts) -> Option<(f64, f64)>) -> Option<f64> {
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
#[must_use]
pub fn summary(records: &[JudgeRecord]) -> Table {
    let is_corrupted = records.iter().any(|record| record.condition.corrupt > 0.0);
    let mut heading = vec!["set", "matcher", "runs", "first"];
    if is_corrupted {
        heading.extend(["first spared", "first clean"]);
    }
    heading.extend([
        "mutual",
        "precision",
        "listed",
        "ece",
        "pairs > 0.99",
        "their precision",
        "border",
        "its precision",
        "measure s",
        "match s",
    ]);
    let percent = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{:.2}", 100.0 * x));
    let seconds = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:.3}"));
    let mut table = Table::new(&heading);
    for row in rows(records) {
        let mean = |value: &dyn Fn(&JudgeCounts) -> Option<f64>| {
            percent(row.mean(|record| value(&record.counts)))
        };
        let border_precision =
            |AnswerCounts { border, border_right, .. }: &AnswerCounts| (*border_right, *border);
        let mut entries: Vec<String> =
            vec![row.set.into(), row.matcher.name().into(), row.records.len().to_string()];
        entries.push(mean(&|c| share(c.first, c.inner as f64)));
        if is_corrupted {
            entries.push(mean(&|c| share(c.spared_first, c.spared as f64)));
            entries.push(mean(&|c| share(c.clean_first, c.clean as f64)));
        }
        entries.extend([
            mean(&|c| share(c.mutual_right as f64, c.joins as f64)),
            percent(row.share_of_sums(|c| Some((c.mutual_right as f64, c.mutual as f64)))),
            mean(&|c| share(c.listed as f64, c.inner as f64)),
            percent(row.calibration().and_then(|calibration| calibration.error())),
            mean(&|c| share(c.sure_right as f64, c.joins as f64)),
            percent(row.share_of_sums(|c| Some((c.sure_right as f64, c.sure as f64)))),
            mean(&|c| share(c.answers.as_ref()?.border_right, c.border as f64)),
            percent(row.share_of_sums(|c| c.answers.as_ref().map(border_precision))),
            seconds(row.mean(|record| Some(record.measure_secs))),
            seconds(row.mean(|record| Some(record.match_secs))),
        ]);
        table.push(entries);
    }
    table
}

/// A reliability diagram for each set in which a matcher has probabilities.
#[must_use]
pub fn plots(records: &[JudgeRecord]) -> Vec<Plot> {
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
    let means = |sum: f64, count: usize| sum / count as f64;
    let answers: usize = calibration.bins.iter().map(|bin| bin.count).sum();
    let error = 100.0 * calibration.error().unwrap_or(0.0);
    Reliability {
        name: name.into(),
        points: full
            .map(|bin| (means(bin.expected, bin.count), means(bin.right, bin.count)))
            .collect(),
        label: format!("{name}: {answers} sides, calibration error {error:.2} %"),
        counts: calibration.bins.iter().map(|bin| bin.count).collect(),
    }
}

fn plot(row: &Rows<'_>, kinds: &[Reliability]) -> Plot {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let set: String = row.set.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let mut title = format!("Likeliest answers of sides: {}", row.set);
    if let Some(record) = row.records.first() {
        let Condition { corrupt, grey, shrink } = record.condition;
        let (width_px, height_px) = record.piece;
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
    Plot { name: format!("reliability-{set}"), title, svg }
}

/// Writes the plots into a folder that is new or empty, each as an SVG file.
///
/// # Errors
/// If the folder is not empty or cannot be written.
pub fn write_plots(dir: &Path, plots: &[Plot]) -> Result<(), IoError> {
    let last = plots.last().map(|plot| format!("{}.svg", plot.name)).unwrap_or_default();
    write_folder(dir, &last, |folder| {
        plots
            .iter()
            .try_for_each(|plot| write_text(&folder.join(format!("{}.svg", plot.name)), &plot.svg))
    })
}

/// Writes the records, one JSON line each. A file of that name is replaced.
///
/// # Errors
/// If the file cannot be written.
pub fn write_records(path: &Path, records: &[JudgeRecord]) -> anyhow::Result<()> {
    let mut text = String::new();
    for record in records {
        text += &serde_json::to_string(record)?;
        text.push('\n');
    }
    Ok(write_text(path, &text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(image: &str, matcher: Matcher, counts: JudgeCounts) -> JudgeRecord {
        JudgeRecord {
            set: "mine".into(),
            image: image.into(),
            seed: 1,
            matcher,
            measure: Measure::Seam,
            puzzle_type: PuzzleType::Type2,
            piece: (28, 28),
            condition: Condition::default(),
            reduction: Reduction::default(),
            pieces: 4,
            counts,
            measure_secs: 0.5,
            match_secs: 0.25,
            jobs: 1,
            version: "0.1.0".into(),
            commit: None,
        }
    }

    fn records() -> Vec<JudgeRecord> {
        let mut calibration = Calibration::default();
        calibration.add(0.5, 1.0);
        let small = JudgeCounts {
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
        let large = JudgeCounts {
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
            record("1.png", Matcher::Ratio, JudgeCounts { answers: None, ..small }),
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
            record.condition.corrupt = 0.1;
        }
        let lines = entries(&summary(&corrupted));
        assert_eq!(lines[0][4..6], ["first spared", "first clean"]);
        assert_eq!(lines[1][4..6], ["87.50", "75.00"]);
    }

    #[test]
    fn a_set_has_one_plot_if_any_judge_has_probabilities() {
        let found = plots(&records());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, "reliability-mine");
        // The diagonal and one matcher, both with a sample in the legend.
        assert_eq!(found[0].svg.matches("<polyline").count(), 4);
        assert!(plots(&records()[1..2]).is_empty());
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        for record in records() {
            let line = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<JudgeRecord>(&line).unwrap(), record);
        }
    }
}
