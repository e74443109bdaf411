//! Two files of results side by side: the same puzzles, solved twice.

use crate::groups::{Rate, Scene, Way, deviation, mean, natural};
use crate::puzzles::PuzzleKey;
use crate::set_run::RunRecord;
use anyhow::{bail, ensure};
use fretsaw::settings::{Matcher, Measure};
use fretsaw_cli::table::{Table, percent};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Which runs of a file to take; `None` takes all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// The method as reports print it, with settings that are not the default.
    pub(crate) method: Option<String>,
    pub(crate) measure: Option<Measure>,
    pub(crate) matcher: Option<Matcher>,
}

impl Selection {
    fn takes(&self, way: &Way) -> bool {
        self.method.as_ref().is_none_or(|method| *method == way.method)
            && self.measure.is_none_or(|measure| measure.name() == way.measure)
            && self.matcher.is_none_or(|matcher| matcher.name() == way.matcher)
    }
}

/// Differences between paired runs, always B less A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Comparison {
    /// By set, type, piece, corruption, method, measure and matcher.
    pub(crate) groups: Vec<ComparedGroup>,
    /// Runs of A, among those selected, without a partner in B.
    pub(crate) only_in_a: usize,
    /// Runs of B, among those selected, without a partner in A.
    pub(crate) only_in_b: usize,
}

/// The pairs of one scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ComparedGroup {
    /// The set, with the part of its pictures that was taken, if not the whole.
    pub(crate) set: String,
    #[serde(rename = "type")]
    pub(crate) type_number: u8,
    /// Pixels of a piece: width, height; 0 is the picture's own.
    pub(crate) piece: (u32, u32),
    pub(crate) corrupt: Rate,
    /// How A's runs were solved.
    pub(crate) a: String,
    /// How B's runs were solved.
    pub(crate) b: String,
    pub(crate) pairs: usize,
    pub(crate) images: usize,
    pub(crate) direct: Difference,
    pub(crate) neighbor: Difference,
    pub(crate) largest: Difference,
    /// All seconds of B / all seconds of A; `None` if A took none.
    pub(crate) seconds_ratio: Option<f64>,
    /// Pictures whose mean neighbor over seeds is higher in B.
    pub(crate) better: usize,
    /// Pictures where it is the same.
    pub(crate) equal: usize,
    /// Pictures where it is lower.
    pub(crate) worse: usize,
    /// The pictures whose mean neighbor changed most, at most five, largest change first.
    pub(crate) largest_changes: Vec<Change>,
}

/// The difference of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Difference {
    /// The mean over pictures of the mean over seeds.
    pub(crate) mean: f64,
    /// Its standard error: the standard deviation over pictures / the root of their number. `None`
    /// for one picture.
    pub(crate) standard_error: Option<f64>,
}

/// A picture whose score changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Change {
    pub(crate) image: String,
    /// Mean neighbor over the paired seeds in A.
    pub(crate) a: f64,
    /// The same in B.
    pub(crate) b: f64,
}

/// Changes that are named.
const NUM_CHANGES: usize = 5;
/// Means that differ by less are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// Pairs the runs of two files by set, image, seed, type, piece and corruption.
///
/// If each file has one method, the two are compared; if one has several, only runs of the same
/// method are paired. The same goes for measures and matchers.
pub(crate) fn compare(
    a: &[RunRecord],
    select_a: &Selection,
    b: &[RunRecord],
    select_b: &Selection,
) -> anyhow::Result<Comparison> {
    let (a, b) = (selected("A", a, select_a)?, selected("B", b, select_b)?);
    let several = |of: fn(&Way) -> &str| {
        let is_several = |runs: &[(Way, _)]| runs.iter().any(|(way, _)| of(way) != of(&runs[0].0));
        is_several(&a) || is_several(&b)
    };
    let same_method = several(|way| &way.method);
    let same_measure = several(|way| way.measure);
    let same_matcher = several(|way| way.matcher);
    // What else paired runs have in common.
    let common = |way: &Way| Way {
        method: if same_method { way.method.clone() } else { String::new() },
        measure: if same_measure { way.measure } else { "" },
        matcher: if same_matcher { way.matcher } else { "" },
    };
    let (a_runs, mut b_runs) = (by_key(&a, common), by_key(&b, common));
    let mut pairs: BTreeMap<(Scene, Way, Way), Images<'_>> = BTreeMap::new();
    let mut only_in_a = 0;
    for (key, (way_a, run_a)) in a_runs {
        let Some((way_b, run_b)) = b_runs.remove(&key) else {
            only_in_a += 1;
            continue;
        };
        let images = pairs.entry((key.0, way_a, way_b)).or_default();
        images.entry(natural(&run_a.key.puzzle.image)).or_default().push((run_a, run_b));
    }
    if pairs.is_empty() {
        bail!(
            "no run of A has a partner in B: pairs have the same set, image, seed, type, piece and \
             corruption, and the same method, measure or matcher where a file has several. \
             A: {}. B: {}",
            way_names(&a),
            way_names(&b)
        );
    }
    Ok(Comparison {
        groups: pairs.into_iter().map(|(of, images)| compared(of, &images)).collect(),
        only_in_a,
        only_in_b: b_runs.len(),
    })
}

/// The pairs of each picture, pictures in natural order.
type Images<'a> = BTreeMap<(Option<u64>, &'a str), Vec<(&'a RunRecord, &'a RunRecord)>>;

/// The runs of a file that are compared.
fn selected<'a>(
    file: &'static str,
    records: &'a [RunRecord],
    selection: &Selection,
) -> anyhow::Result<Vec<(Way, &'a RunRecord)>> {
    let mut runs: Vec<_> = records.iter().map(|run| (Way::of(&run.key), run)).collect();
    let ways = way_names(&runs);
    runs.retain(|(way, _)| selection.takes(way));
    ensure!(!runs.is_empty(), "{file} holds no such runs, but runs of: {ways}");
    Ok(runs)
}

fn way_names(runs: &[(Way, &RunRecord)]) -> String {
    let ways: BTreeSet<&Way> = runs.iter().map(|(way, _)| way).collect();
    ways.into_iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// What paired runs have in common: scene, picture, seed, and parts of the way.
type PairKey<'a> = (Scene, &'a str, u64, Way);

fn by_key<'a>(
    runs: &[(Way, &'a RunRecord)],
    common: impl Fn(&Way) -> Way,
) -> BTreeMap<PairKey<'a>, (Way, &'a RunRecord)> {
    let key = |way: &Way, puzzle: &'a PuzzleKey| {
        (Scene::of(puzzle), &*puzzle.image, puzzle.seed, common(way))
    };
    runs.iter().map(|(way, run)| (key(way, &run.key.puzzle), (way.clone(), *run))).collect()
}

fn compared((scene, a, b): (Scene, Way, Way), images: &Images<'_>) -> ComparedGroup {
    // For each picture the mean over seeds.
    let means = |of: &dyn Fn(&RunRecord, &RunRecord) -> f64| -> Vec<f64> {
        let mean_of = |pairs: &Vec<(&RunRecord, &RunRecord)>| {
            mean(&pairs.iter().map(|(a, b)| of(a, b)).collect::<Vec<_>>()).unwrap_or(0.0)
        };
        images.values().map(mean_of).collect()
    };
    let difference = |of: &dyn Fn(&RunRecord) -> f64| {
        let means = means(&|a, b| of(b) - of(a));
        Difference {
            mean: mean(&means).unwrap_or(0.0),
            standard_error: deviation(&means).map(|d| d / (means.len() as f64).sqrt()),
        }
    };
    let (before, after) = (means(&|a, _| a.score.neighbor), means(&|_, b| b.score.neighbor));
    let mut changes: Vec<Change> = images
        .keys()
        .zip(before.into_iter().zip(after))
        .map(|((_, image), (a, b))| Change { image: (*image).into(), a, b })
        .collect();
    let count = |is: &dyn Fn(f64) -> bool| changes.iter().filter(|c| is(c.b - c.a)).count();
    let (better, worse) = (count(&|d| d > ROUNDING), count(&|d| d < -ROUNDING));
    let equal = changes.len() - better - worse;
    changes.retain(|change| (change.b - change.a).abs() > ROUNDING);
    // Stable: pictures of equal changes stay in natural order.
    changes.sort_by(|c, d| (d.b - d.a).abs().total_cmp(&(c.b - c.a).abs()));
    changes.truncate(NUM_CHANGES);
    let total = |of: &dyn Fn(&(&RunRecord, &RunRecord)) -> f64| -> f64 {
        images.values().flatten().map(of).sum()
    };
    let seconds_a = total(&|(a, _)| a.seconds);
    ComparedGroup {
        set: scene.pictures(),
        type_number: scene.type_number,
        piece: scene.piece,
        corrupt: scene.corrupt,
        a: a.to_string(),
        b: b.to_string(),
        pairs: images.values().map(Vec::len).sum(),
        images: images.len(),
        direct: difference(&|run| run.score.direct),
        neighbor: difference(&|run| run.score.neighbor),
        largest: difference(&|run| run.score.largest),
        seconds_ratio: (seconds_a > 0.0).then(|| total(&|(_, b)| b.seconds) / seconds_a),
        better,
        equal,
        worse,
        largest_changes: changes,
    }
}

impl Comparison {
    /// The differences, in points of percent with their standard errors.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::with_columns(
            "set | type | corrupt | A | B | pairs | images | \
         direct | neighbor | largest | seconds B/A | better | equal | worse",
        );
        for group in &self.groups {
            table.push(row! {
                group.set, group.type_number, group.corrupt, group.a, group.b, group.pairs,
                group.images, group.direct, group.neighbor, group.largest,
                group.seconds_ratio.map_or("-".into(), |ratio| format!("{ratio:.2}")), group.better,
                group.equal, group.worse,
            });
        }
        table
    }

    /// The pictures that changed most.
    pub(crate) fn changes_table(&self) -> Table {
        let mut table =
            Table::new(&["set", "type", "corrupt", "A", "B", "image", "A %", "B %", "change"]);
        for group in &self.groups {
            for change in &group.largest_changes {
                table.push(row! {
                    group.set, group.type_number, group.corrupt, group.a, group.b, change.image,
                    percent(change.a), percent(change.b),
                    format!("{:+.2}", 100.0 * (change.b - change.a)),
                });
            }
        }
        table
    }
}

/// In points of percent: `+1.25 ± 0.40`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", 100.0 * self.mean)?;
        self.standard_error.map_or(Ok(()), |error| write!(f, " ± {:.2}", 100.0 * error))
    }
}

/// The tables and what they mean.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "B less A in points of percent, with the standard error over images; images better, \
             equal and worse in neighbor.\n\n{}",
            self.table()
        )?;
        let changes = self.changes_table();
        if !changes.is_empty() {
            writeln!(f, "The largest changes of neighbor:\n\n{changes}")?;
        }
        write!(f, "Without a partner: {} runs of A, {} of B.", self.only_in_a, self.only_in_b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set_run::MethodKey;
    use crate::test_records::record;

    fn by(method: &str, measure: Measure, mut record: RunRecord) -> RunRecord {
        record.key.method = MethodKey::from_name(method).unwrap();
        record.key.measure = measure;
        record
    }

    fn compare_all(a: &[RunRecord], b: &[RunRecord]) -> anyhow::Result<Comparison> {
        compare(a, &Selection::default(), b, &Selection::default())
    }

    #[test]
    fn differences_are_of_pictures_and_come_with_their_error() {
        let a = [
            record("1.png", 1, 0.5),
            record("1.png", 2, 0.7),
            record("2.png", 1, 0.9),
            record("3.png", 1, 0.4),
            record("4.png", 1, 0.4),
        ];
        let mut b = [
            record("5.png", 1, 0.1),
            record("3.png", 1, 0.4),
            record("2.png", 1, 0.8),
            record("1.png", 2, 0.9),
            record("1.png", 1, 0.9),
        ];
        b[2].seconds = 6.0;
        let found = compare_all(&a, &b).unwrap();
        assert_eq!((found.only_in_a, found.only_in_b), (1, 1));
        let [group] = &found.groups[..] else { panic!("{found:?}") };
        assert_eq!((group.pairs, group.images), (4, 3));
        assert_eq!((group.better, group.equal, group.worse), (1, 1, 1));
        // The pictures differ by 0.3, -0.1 and 0.
        let error = ((0.7_f64.powi(2) + 0.5_f64.powi(2) + 0.2_f64.powi(2)) / 9.0 / 6.0).sqrt();
        assert!((group.neighbor.mean - 0.2 / 3.0).abs() < 1e-12, "{group:?}");
        assert!((group.neighbor.standard_error.unwrap() - error).abs() < 1e-12, "{group:?}");
        assert_eq!(group.seconds_ratio, Some(12.0 / 8.0));
        let images: Vec<&str> = group.largest_changes.iter().map(|c| c.image.as_str()).collect();
        assert_eq!(images, ["1.png", "2.png"]);
        assert!(found.table().to_string().contains("+6.67 ± 12.02"), "{found}");
        assert!(found.to_string().contains("1 runs of A, 1 of B"), "{found}");
    }

    #[test]
    fn one_way_is_compared_with_another_and_several_with_themselves() {
        let gallagher = by("gallagher", Measure::Mgc, record("1.png", 1, 0.5));
        let yu = by("yu", Measure::Mgc, record("1.png", 1, 0.9));
        let seam = by("yu", Measure::Seam, record("1.png", 1, 1.0));
        let ratio = by("yu", Measure::Seam, record("1.png", 1, 0.5));
        let mut learned = by("yu", Measure::Seam, record("1.png", 1, 0.9));
        learned.key.matcher = Matcher::Learned;
        for (a, b, name) in
            [(&gallagher, &yu, "yu, mgc, ratio"), (&ratio, &learned, "yu, seam, learned")]
        {
            let one = compare_all(std::slice::from_ref(a), std::slice::from_ref(b)).unwrap();
            assert!((one.groups[0].neighbor.mean - 0.4).abs() < 1e-12);
            assert_eq!(one.groups[0].b, name);

            let both = [a.clone(), b.clone()];
            let same = compare_all(&both, &both).unwrap();
            assert_eq!(same.groups.len(), 2);
            assert!(same.groups.iter().all(|group| group.a == group.b && group.equal == 1));
        }
        let other = by("assignment", Measure::Mgc, yu.clone());
        let refused = compare_all(&[gallagher.clone(), yu.clone()], &[other]);
        assert!(refused.unwrap_err().to_string().contains("no run of A has a partner in B"));

        // Several methods, measures and matchers within one file.
        let select = |method: &str, measure, matcher| Selection {
            method: Some(method.into()),
            measure: Some(measure),
            matcher,
        };
        let all = [gallagher, yu, seam, learned];
        let of_yu = select("yu", Measure::Mgc, None);
        let of_seam = select("yu", Measure::Seam, Some(Matcher::Ratio));
        let chosen = compare(&all, &of_yu, &all, &of_seam).unwrap();
        assert!((chosen.groups[0].neighbor.mean - 0.1).abs() < 1e-12);
        let of_learned = Selection { matcher: Some(Matcher::Learned), ..Selection::default() };
        let chosen = compare(&all, &of_seam, &all, &of_learned).unwrap();
        assert!((chosen.groups[0].neighbor.mean + 0.1).abs() < 1e-12);
        let refused =
            compare(&all, &select("tree", Measure::Mgc, None), &all, &Selection::default());
        assert!(refused.unwrap_err().to_string().contains("A holds no such runs"));
    }
}
