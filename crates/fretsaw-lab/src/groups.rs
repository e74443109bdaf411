//! Runs that differ in picture and seed alone, and their statistics.

use crate::method_name::method_name;
use crate::protocol::Fit;
use crate::puzzles::PuzzleKey;
use crate::set_run::{RunKey, RunRecord};
use crate::wear::Wear;
use fretsaw::settings::Measure;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// A set of pictures, and what was done to them before a solver saw them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scene {
    pub(crate) set: String,
    /// The puzzle type: 1, 2 or 3.
    pub(crate) type_number: u8,
    /// Pixels of a piece: width, height; 0 is the picture's own.
    pub(crate) piece: (u32, u32),
    /// Rows and columns of pieces, if only the middle of pictures was taken, or pictures were scaled.
    pub(crate) cells: Option<(u32, u32)>,
    /// How pictures were scaled to their cells, if they were.
    pub(crate) fit: Option<Fit>,
    pub(crate) corrupt: Rate,
    /// The quality of the JPEG file that the sheet of scrambled pieces was saved as, if it was.
    pub(crate) sheet_jpeg: Option<u8>,
    pub(crate) wear: Wear,
}

/// A rate of 0 or more, ordered.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Rate(pub f64);

impl Ord for Rate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Rate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rate {}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Scene {
    pub(crate) fn of(key: &PuzzleKey) -> Self {
        Self {
            set: key.set.clone(),
            type_number: key.puzzle_type.number(),
            piece: key.piece,
            cells: key.cells,
            fit: key.fit,
            corrupt: Rate(key.corrupt),
            sheet_jpeg: key.sheet_jpeg,
            wear: key.wear,
        }
    }

    /// The set, which part of its pictures was taken, or to which board they were scaled, if not the whole, how the sheets were saved, if they were, and
    /// how the pieces are worn, if they are.
    pub(crate) fn pictures(&self) -> String {
        let taken = match self.fit {
            None => "middle",
            Some(Fit::Stretch) => "stretched to",
            Some(Fit::Cover) => "scaled to",
        };
        let part = self.cells.map(|(rows, cols)| format!(" ({taken} {cols}x{rows})"));
        let saved = self.sheet_jpeg.map(|quality| format!(" (sheet JPEG {quality})"));
        let worn = (!self.wear.is_none()).then(|| format!(" ({})", self.wear));
        let changes = [part, saved, worn].into_iter().flatten();
        changes.fold(self.set.clone(), |pictures, change| pictures + &change)
    }

    /// The piece's size in the form of the flag `--piece`.
    pub(crate) fn piece_size(&self) -> String {
        let px = |px: u32| if px == 0 { "full".into() } else { px.to_string() };
        match self.piece {
            (width, height) if width == height => px(width),
            (width, height) => format!("{}x{}", px(width), px(height)),
        }
    }
}

/// How puzzles were solved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    /// The method, with those of its settings that are not the default.
    pub(crate) method: String,
    pub(crate) measure: &'static str,
    pub(crate) matcher: &'static str,
}

impl Way {
    pub(crate) fn of(key: &RunKey) -> Self {
        Self {
            method: method_name(&key.method),
            measure: Measure::name(key.measure),
            matcher: key.matcher.name(),
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.method, self.measure, self.matcher)
    }
}

/// Runs of one scene and one way.
#[derive(Clone, Debug)]
pub(crate) struct Group<'a> {
    pub(crate) scene: Scene,
    pub(crate) way: Way,
    /// The runs of each picture, by seed; pictures in natural order.
    pub(crate) images: Vec<Vec<&'a RunRecord>>,
}

/// The groups of these runs, in order of scene and way. The order of the runs does not matter.
pub(crate) fn groups<'a>(records: impl IntoIterator<Item = &'a RunRecord>) -> Vec<Group<'a>> {
    type Images<'a> = BTreeMap<(Option<u64>, &'a str), Vec<&'a RunRecord>>;
    let mut groups: BTreeMap<(Scene, Way), Images<'_>> = BTreeMap::new();
    for record in records {
        let group =
            groups.entry((Scene::of(&record.key.puzzle), Way::of(&record.key))).or_default();
        group.entry(natural(&record.key.puzzle.image)).or_default().push(record);
    }
    groups
        .into_iter()
        .map(|((scene, way), images)| {
            let mut images: Vec<Vec<&RunRecord>> = images.into_values().collect();
            for runs in &mut images {
                runs.sort_by_key(|run| run.key.puzzle.seed);
            }
            Group { scene, way, images }
        })
        .collect()
}

/// What to sort names of pictures by: numbered ones come in the order of their numbers.
pub(crate) fn natural(image: &str) -> (Option<u64>, &str) {
    (image.split('.').next().and_then(|stem| stem.parse().ok()), image)
}

impl<'a> Group<'a> {
    pub(crate) fn runs(&self) -> impl Iterator<Item = &'a RunRecord> {
        self.images.iter().flatten().copied()
    }

    pub(crate) fn num_runs(&self) -> usize {
        self.runs().count()
    }

    /// For each picture the mean over its seeds.
    pub(crate) fn image_means(&self, value: impl Fn(&RunRecord) -> f64) -> Vec<f64> {
        let mean_of = |runs: &Vec<&RunRecord>| {
            mean(&runs.iter().map(|run| value(run)).collect::<Vec<_>>()).unwrap_or(0.0)
        };
        self.images.iter().map(mean_of).collect()
    }

    /// The mean over pictures of the mean over seeds.
    pub(crate) fn mean(&self, value: impl Fn(&RunRecord) -> f64) -> f64 {
        mean(&self.image_means(value)).unwrap_or(0.0)
    }

    /// [`mean`](Self::mean) of a figure that runs may lack; `None` if any does.
    pub(crate) fn mean_of_known(&self, value: impl Fn(&RunRecord) -> Option<f64>) -> Option<f64> {
        let all_known = self.runs().all(|run| value(run).is_some());
        all_known.then(|| self.mean(|run| value(run).unwrap_or(0.0)))
    }

    /// The standard deviation over pictures of the mean over seeds; `None` for one picture.
    pub(crate) fn deviation(&self, value: impl Fn(&RunRecord) -> f64) -> Option<f64> {
        deviation(&self.image_means(value))
    }

    /// The standard deviation over all runs, whatever their picture and seed; `None` for one run.
    pub(crate) fn deviation_of_runs(&self, value: impl Fn(&RunRecord) -> f64) -> Option<f64> {
        deviation(&self.runs().map(value).collect::<Vec<_>>())
    }

    /// The number of pictures with a property, averaged over seeds.
    pub(crate) fn count(&self, is: impl Fn(&RunRecord) -> bool) -> f64 {
        self.image_means(|run| f64::from(u8::from(is(run)))).iter().sum()
    }

    /// The standard deviation over a picture's seeds, averaged over the pictures that have several;
    /// `None` if none has.
    pub(crate) fn seed_spread(&self, value: impl Fn(&RunRecord) -> f64) -> Option<f64> {
        let over_seeds = |runs: &Vec<&RunRecord>| {
            deviation(&runs.iter().map(|run| value(run)).collect::<Vec<_>>())
        };
        mean(&self.images.iter().filter_map(over_seeds).collect::<Vec<_>>())
    }
}

/// Items that share a key, in the order in which the keys come first.
pub(crate) fn group_by<T, K: PartialEq>(items: &[T], key: impl Fn(&T) -> K) -> Vec<(K, Vec<&T>)> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    for item in items {
        let name = key(item);
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, found)) => found.push(item),
            None => groups.push((name, vec![item])),
        }
    }
    groups
}

/// The mean; `None` of nothing.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation, from the sum of squares divided by one less than the number of values;
/// `None` of fewer than two.
pub(crate) fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;

    #[test]
    fn figures_are_of_pictures_and_spreads_of_seeds() {
        // The second picture has more seeds, but counts as much as the first.
        let records = [
            record("10.png", 1, 0.5),
            record("2.png", 3, 1.0),
            record("10.png", 2, 0.7),
            record("2.png", 1, 1.0),
            record("2.png", 2, 0.4),
        ];
        let groups = groups(&records);
        assert_eq!(groups.len(), 1);
        let group = &groups[0];
        let neighbor = |run: &RunRecord| run.score.neighbor;
        let is = |found: f64, wanted: f64| {
            assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
        };
        assert_eq!(group.num_runs(), 5);
        assert_eq!(group.images[0][0].key.puzzle.image, "2.png");
        is(group.mean(neighbor), 0.7);
        is(group.deviation(neighbor).unwrap(), 0.2 * 0.5_f64.sqrt());
        // Of 0.5, 0.7, 1, 1, 0.4, whose mean is 0.72.
        is(group.deviation_of_runs(neighbor).unwrap(), (0.308_f64 / 4.0).sqrt());
        is(group.count(|run| run.score.perfect), 2.0 / 3.0);
        is(group.seed_spread(neighbor).unwrap(), f64::midpoint(0.12_f64.sqrt(), 0.02_f64.sqrt()));
    }

    #[test]
    fn unknown_figures_have_no_mean() {
        let mut records = [record("1.png", 1, 0.5), record("1.png", 2, 0.5)];
        records[1].score.neighbor_px = None;
        let groups = groups(&records);
        assert_eq!(groups[0].deviation(|run| run.score.neighbor), None);
        assert_eq!(groups[0].mean_of_known(|run| run.score.neighbor_px), None);
        assert_eq!(groups[0].mean_of_known(|run| run.score.direct_px), Some(0.5));
    }

    #[test]
    fn rates_are_in_order() {
        let mut records = [record("1.png", 1, 0.5), record("1.png", 1, 0.5)];
        records[0].key.puzzle.corrupt = 0.1;
        records[1].key.puzzle.corrupt = 0.02;
        let rates: Vec<Rate> = groups(&records).into_iter().map(|g| g.scene.corrupt).collect();
        assert_eq!(rates, [Rate(0.02), Rate(0.1)]);
    }
}
