//! Calibration of the confidences of seams and pieces.

use super::calibration::Calibration;
use super::{FretsawArgs, with_puzzles};
use crate::groups::{Scene, Way, group_by};
use crate::set_run::RunKey;
use clap::Args as ClapArgs;
use fretsaw::evaluation::{Correctness, correct_joins, correct_pieces};
use fretsaw::observer::Silent;
use fretsaw::puzzle::Join;
use fretsaw::solve;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::Table;
use fretsaw_io::{check_file_target, write_text};
use std::path::{Path, PathBuf};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose confidence --data sets --sets mit-432 --seeds 3 --out predictions.csv

Solves with the method 'fretsaw' and compares its confidences with the truth. Seams and pieces are sorted \
into bins by confidence; of every bin that is not empty:
number    of seams or pieces
mean      of their confidences
right     share of true joins; of pieces at their true place, after the best turn of the whole
right_px  share of those that look so, pixel for pixel
The expected calibration error is the mean difference of 'mean' and 'right', weighted by number. Sets, \
types and efforts have tables of their own; if there are several, 'all' has everything.")]
pub(crate) struct ConfidenceArgs {
    #[command(flatten)]
    runs: FretsawArgs,
    /// One line of CSV per seam and per piece; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn diagnose(args: &ConfidenceArgs) -> Result<(), Failure> {
    let (keys, puzzles) = (args.runs.keys()?, &args.runs.puzzles);
    args.out.as_deref().map_or(Ok(()), check_file_target)?;
    let records = puzzles.on_threads(|| run(&puzzles.data, &keys, puzzles.jobs))?;
    if let Some(out) = &args.out {
        write_predictions(out, &records)?;
    }
    print_line(reliability(&records))
}

/// The confidence of a part of an answer, and whether it is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prediction {
    /// 0 to 1.
    pub(crate) confidence: f64,
    pub(crate) correct: Correctness,
}

/// The confidences of one answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConfidenceRecord {
    pub(crate) key: RunKey,
    pub(crate) seams: Vec<Prediction>,
    pub(crate) pieces: Vec<Prediction>,
}

/// Solves these puzzles, so many at a time. Records are in the order of the keys.
pub(crate) fn run(
    data: &Path,
    keys: &[RunKey],
    jobs: usize,
) -> anyhow::Result<Vec<ConfidenceRecord>> {
    with_puzzles(data, keys, jobs, |key, scrambled| {
        let (puzzle, truth) = key.puzzle.to_solve(scrambled)?;
        let outcome = solve(&puzzle, &key.settings(), &Silent)?;
        let predicted = |(confidence, correct)| Prediction { confidence, correct };
        let joins: Vec<Join> = outcome.seams.iter().map(|seam| seam.join).collect();
        let of_seams = outcome.seams.iter().map(|seam| seam.confidence);
        let of_pieces = outcome.confidences.iter().map(|confidence| confidence.unwrap_or(0.0));
        let pieces = correct_pieces(&truth, &outcome.assembly);
        Ok(ConfidenceRecord {
            key: key.clone(),
            seams: of_seams.zip(correct_joins(&truth, &joins)).map(predicted).collect(),
            pieces: of_pieces.zip(pieces).map(predicted).collect(),
        })
    })
}

/// Where bins of confidences begin, and where the last ends. Most confidences are close to 0 or 1.
const EDGES: [f64; 16] =
    [0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0];

/// Predictions by confidence: against the truth, and against what it looks like.
fn calibrations<'a>(predictions: impl Iterator<Item = &'a Prediction>) -> [Calibration; 2] {
    let mut found = [(); 2].map(|()| Calibration::with_ends(EDGES[1..].into()));
    for Prediction { confidence, correct } in predictions {
        for (calibration, right) in found.iter_mut().zip([correct.right, correct.right_px]) {
            calibration.add(*confidence, f64::from(u8::from(right)));
        }
    }
    found
}

fn bins_table([by_truth, by_pixels]: &[Calibration; 2]) -> Table {
    let mut table = Table::new(&["confidence", "number", "mean", "right", "right_px"]);
    let bins = by_truth.bins.iter().zip(&by_pixels.bins).zip(EDGES.windows(2));
    for ((bin, by_pixels), edges) in bins.filter(|((bin, _), _)| bin.count > 0) {
        let ((mean, right), (_, right_px)) = (bin.means(), by_pixels.means());
        let mut row = vec![format!("{} to {}", edges[0], edges[1]), bin.count.to_string()];
        row.extend([mean, right, right_px].map(|share| format!("{share:.4}")));
        table.push(row);
    }
    table
}

fn name_of(key: &RunKey) -> String {
    let scene = Scene::of(&key.puzzle);
    format!("{}, type {}, {}", scene.pictures(), scene.type_number, Way::of(key).method)
}

/// Tables of seams and of pieces by confidence: for every set, type and method, in the order in which
/// they come first, and for all together if there are several. Empty bins are left out.
pub(crate) fn reliability(records: &[ConfidenceRecord]) -> String {
    let groups = group_by(records, |record| name_of(&record.key));
    let mut texts: Vec<String> =
        groups.iter().map(|(name, chosen)| text_of(name, chosen)).collect();
    if groups.len() > 1 {
        texts.push(reliability_of_all(records));
    }
    texts.join("\n")
}

/// Tables of the seams and of the pieces of all records together.
pub(crate) fn reliability_of_all(records: &[ConfidenceRecord]) -> String {
    text_of("all", &records.iter().collect::<Vec<_>>())
}

fn text_of(name: &str, chosen: &[&ConfidenceRecord]) -> String {
    let text = |kind: &str, of: fn(&ConfidenceRecord) -> &[Prediction]| {
        let found = calibrations(chosen.iter().flat_map(|record| of(record)));
        let [error, error_px] = found.each_ref().map(|it| it.error().unwrap_or(0.0));
        format!(
            "{kind}: {name}\n\n{}\nexpected calibration error {error:.4}, by pixels {error_px:.4}\n",
            bins_table(&found)
        )
    };
    let of_seams = text("Seams", |record| &record.seams);
    format!("{of_seams}\n{}", text("Pieces", |record| &record.pieces))
}

/// Writes a CSV line for each seam and each piece. A file of that name is replaced.
pub(crate) fn write_predictions(path: &Path, records: &[ConfidenceRecord]) -> anyhow::Result<()> {
    let mut table = Table::with_columns(
        "kind | set | image | seed | predicted | right | right_px | type | method",
    );
    for record in records {
        let scene = Scene::of(&record.key.puzzle);
        for (kind, predictions) in [("seam", &record.seams), ("piece", &record.pieces)] {
            for Prediction { confidence, correct } in predictions {
                table.push(row! {
                    kind, scene.pictures(), record.key.puzzle.image, record.key.puzzle.seed,
                    confidence, u8::from(correct.right), u8::from(correct.right_px),
                    scene.type_number, Way::of(&record.key).method,
                });
            }
        }
    }
    Ok(write_text(path, &table.csv())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;

    fn prediction(confidence: f64, right: bool, right_px: bool) -> Prediction {
        Prediction { confidence, correct: Correctness { right, right_px } }
    }

    fn predicted(seams: Vec<Prediction>, pieces: Vec<Prediction>) -> ConfidenceRecord {
        ConfidenceRecord { key: record("1.png", 1, 0.5).key, seams, pieces }
    }

    #[test]
    fn bins_hold_their_lower_edge_and_errors_are_weighted_by_numbers() {
        let predictions = [
            prediction(1.0, true, true),
            prediction(0.999, true, true),
            prediction(0.9, false, true),
            prediction(0.92, true, true),
            prediction(0.0, false, false),
        ];
        let found = calibrations(predictions.iter());
        assert_eq!(
            bins_table(&found).csv(),
            "confidence,number,mean,right,right_px\n\
             0 to 0.01,1,0.0000,0.0000,0.0000\n\
             0.9 to 0.95,2,0.9100,0.5000,1.0000\n\
             0.999 to 1,2,0.9995,1.0000,1.0000\n"
        );
        let is = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found}");
        is(found[0].error().unwrap(), (2.0 * 0.41 + 2.0 * 0.0005) / 5.0);
        is(found[1].error().unwrap(), (2.0 * 0.09 + 2.0 * 0.0005) / 5.0);
    }

    #[test]
    fn every_seam_and_piece_has_a_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.csv");
        let one = predicted(vec![prediction(0.25, false, true)], vec![prediction(1.0, true, true)]);
        // One set needs no tables of everything.
        assert!(!reliability(std::slice::from_ref(&one)).contains(": all"));
        write_predictions(&path, &[one]).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "kind,set,image,seed,predicted,right,right_px,type,method\n\
             seam,mine,1.png,1,0.25,0,1,2,gallagher\n\
             piece,mine,1.png,1,1,1,1,2,gallagher\n"
        );
    }
}
