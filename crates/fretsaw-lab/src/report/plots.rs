//! Plots of groups of runs.

use super::chart::{self, Bar, Line, Panel};
use crate::groups::{Group, Scene, Way};
use crate::set_run::RunRecord;
use fretsaw_io::{IoError, write_text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plot {
    /// A name for its file, without ending, of letters, digits, `.`, `_` and `-`.
    pub(crate) name: String,
    /// What it shows, in a line.
    pub(crate) title: String,
    pub(crate) svg: String,
}

impl Plot {
    /// Writes it into a folder, as an SVG file of its name.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), IoError> {
        write_text(&folder.join(format!("{}.svg", self.name)), &self.svg)
    }
}

/// All plots of these groups, which are in order: curves, histograms, seconds. No two have the same
/// name.
pub(crate) fn plots(groups: &[Group<'_>]) -> Vec<Plot> {
    let mut plots = Vec::new();
    for part in groups.chunk_by(|a, b| same_but_rate(&a.scene, &b.scene)) {
        plots.extend(corruption_curves(part));
        for part in part.chunk_by(|a, b| a.scene == b.scene) {
            plots.extend(neighbor_histograms(part));
            plots.extend(seconds_bars(part));
        }
    }
    let kind = |plot: &Plot| plot.name.split('-').next().map(ToOwned::to_owned);
    plots.sort_by_key(kind);
    make_names_distinct(&mut plots);
    plots
}

/// Gives a number to every name that an earlier plot has.
pub(crate) fn make_names_distinct<'a>(plots: impl IntoIterator<Item = &'a mut Plot>) {
    let mut taken = BTreeSet::new();
    for plot in plots {
        let name = plot.name.clone();
        let mut number = 1;
        while !taken.insert(plot.name.clone()) {
            number += 1;
            plot.name = format!("{name}-{number}");
        }
    }
}

fn same_but_rate(a: &Scene, b: &Scene) -> bool {
    Scene { corrupt: b.corrupt, ..a.clone() } == *b
}

fn scene_title(scene: &Scene) -> String {
    format!("{}, type {}, pieces of {} px", scene.pictures(), scene.type_number, scene.piece_size())
}

fn full_title(scene: &Scene) -> String {
    format!("{}, corruption {}", scene_title(scene), scene.corrupt)
}

/// A name with `-` in place of everything that is not plain in names of files.
pub(crate) fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
}

fn file_name(kind: &str, scene: &Scene, rate: Option<f64>) -> String {
    let set = plain(&scene.pictures());
    let rate = rate.map_or_else(String::new, |rate| format!("-corrupt{rate}"));
    format!("{kind}-{set}-type{}-piece{}{rate}", scene.type_number, scene.piece_size())
}

const fn neighbor(run: &RunRecord) -> f64 {
    run.score.neighbor
}

/// How many images have which neighbor accuracy, for every way. All groups are of one scene.
pub(crate) fn neighbor_histograms(groups: &[Group<'_>]) -> Option<Plot> {
    let scene = &groups.first()?.scene;
    let panel = |group: &Group<'_>| Panel {
        label: format!(
            "{}: {} images, mean {:.2} %",
            group.way,
            group.images.len(),
            100.0 * group.mean(neighbor)
        ),
        values: group.image_means(neighbor),
    };
    let title = format!("Images by neighbor accuracy: {}", full_title(scene));
    let panels: Vec<Panel> = groups.iter().map(panel).collect();
    let x_name = "neighbor of an image, mean over seeds, in percent";
    Some(Plot {
        name: file_name("histogram", scene, Some(scene.corrupt.0)),
        svg: chart::histograms(&title, x_name, &panels),
        title,
    })
}

/// Mean neighbor accuracy against the rate of corruption, a line for each way. All groups are of
/// one scene but for the rate; `None` if they have one rate only.
pub(crate) fn corruption_curves(groups: &[Group<'_>]) -> Option<Plot> {
    let scene = &groups.first()?.scene;
    if groups.iter().all(|group| group.scene.corrupt == scene.corrupt) {
        return None;
    }
    let mut points: BTreeMap<&Way, Vec<(f64, f64)>> = BTreeMap::new();
    for group in groups {
        let point = (group.scene.corrupt.0, 100.0 * group.mean(neighbor));
        points.entry(&group.way).or_default().push(point);
    }
    let lines: Vec<Line> =
        points.into_iter().map(|(way, points)| Line { name: way.to_string(), points }).collect();
    let title = format!("Neighbor accuracy under corruption: {}", scene_title(scene));
    let y_name = "mean neighbor in percent";
    Some(Plot {
        name: file_name("curves", scene, None),
        svg: chart::lines(&title, "rate of corrupted sides", y_name, &lines),
        title,
    })
}

/// Mean seconds per puzzle of every way. All groups are of one scene.
pub(crate) fn seconds_bars(groups: &[Group<'_>]) -> Option<Plot> {
    let scene = &groups.first()?.scene;
    let bar = |group: &Group<'_>| {
        let value = group.mean(|run| run.seconds);
        Bar { name: group.way.to_string(), value, label: format!("{value:.3}") }
    };
    let title = format!("Seconds per puzzle: {}", full_title(scene));
    let bars: Vec<Bar> = groups.iter().map(bar).collect();
    Some(Plot {
        name: file_name("seconds", scene, Some(scene.corrupt.0)),
        svg: chart::bars(&title, "seconds, mean over images and seeds", &bars),
        title,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::groups;
    use crate::test_records::record;
    use fretsaw::settings::Measure;

    #[test]
    fn curves_need_several_rates_and_have_a_line_a_way() {
        let mut records: Vec<RunRecord> = (1..=4).map(|seed| record("1.png", seed, 0.5)).collect();
        assert_eq!(corruption_curves(&groups(&records)), None);
        records[1].key.puzzle.corrupt = 0.1;
        records[2].key.measure = Measure::Seam;
        (records[3].key.measure, records[3].key.puzzle.corrupt) = (Measure::Seam, 0.1);
        let plot = corruption_curves(&groups(&records)).unwrap();
        // Each line is drawn and has a sample in the legend.
        assert_eq!(plot.svg.matches("<polyline").count(), 4);
        assert_eq!(plot.name, "curves-mine-type2-piece28");
        let names: Vec<String> = plots(&groups(&records)).into_iter().map(|p| p.name).collect();
        assert_eq!(
            names,
            [
                "curves-mine-type2-piece28",
                "histogram-mine-type2-piece28-corrupt0",
                "histogram-mine-type2-piece28-corrupt0.1",
                "seconds-mine-type2-piece28-corrupt0",
                "seconds-mine-type2-piece28-corrupt0.1",
            ]
        );
    }

    #[test]
    fn odd_names_of_sets_make_plain_names_of_files() {
        let mut records = [record("1.png", 1, 0.5), record("1.png", 1, 0.5)];
        records[0].key.puzzle.set = "my set".into();
        records[1].key.puzzle.set = "my/set".into();
        let names: BTreeSet<String> =
            plots(&groups(&records)).into_iter().map(|plot| plot.name).collect();
        let wanted =
            ["histogram-my-set-type2-piece28-corrupt0", "seconds-my-set-type2-piece28-corrupt0"];
        let wanted = wanted.iter().flat_map(|name| [(*name).into(), format!("{name}-2")]);
        assert_eq!(names, wanted.collect());
    }
}
