//! Tables of how time and memory grow, the exponents of the growth, and the document.

use super::{STAGES, ScalingFile, ScalingRecord};
use crate::stage::measure::MeasureTimes;
use fretsaw::observer::Stage;
use fretsaw_cli::table::{Table, percent};
use std::fmt::Write as _;

/// In smaller puzzles the fastest-growing part does not show yet: exponents are also fitted without them.
const LARGE: usize = 2000;

/// A line per puzzle.
pub(crate) fn table(records: &[ScalingRecord]) -> Table {
    let mut heading = vec!["pieces".to_owned(), "puzzle".into()];
    heading.extend(STAGES.map(|stage| format!("{} s", stage.name())));
    heading
        .extend(["total s", "peak MB", "estimate MB", "neighbor", "neighbor_px"].map(String::from));
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let mut table = Table::new(&heading);
    let megabytes = |bytes: u64| format!("{:.0}", bytes as f64 / 1e6);
    for record in records {
        let mut row = vec![record.pieces.to_string(), record.puzzle.clone()];
        row.extend(STAGES.map(|stage| format!("{:.2}", seconds_of(record, stage))));
        row.extend([
            format!("{:.2}", record.seconds),
            record.peak_bytes.map(megabytes).unwrap_or_default(),
            megabytes(record.estimated_bytes),
            percent(record.neighbor),
            record.neighbor_px.map(percent).unwrap_or_default(),
        ]);
        table.push(row);
    }
    table
}

fn seconds_of(record: &ScalingRecord, stage: Stage) -> f64 {
    record.stages.iter().filter(|(name, _)| name == stage.name()).map(|(_, seconds)| seconds).sum()
}

/// The exponent b of the least squares fit of `log t = a + b log n`; none without two different n, or if
/// something took no time.
pub(crate) fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    if points.iter().any(|&(n, t)| n <= 0.0 || t <= 0.0) {
        return None;
    }
    let logs: Vec<(f64, f64)> = points.iter().map(|(n, t)| (n.ln(), t.ln())).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / logs.len() as f64;
    let (mean_n, mean_t) = (mean(|point| point.0), mean(|point| point.1));
    let squares: f64 = logs.iter().map(|(n, _)| (n - mean_n).powi(2)).sum();
    let products: f64 = logs.iter().map(|(n, t)| (n - mean_n) * (t - mean_t)).sum();
    (squares > 0.0).then(|| products / squares)
}

/// The exponents of all stages and of the memory, over the large puzzles and over all.
pub(crate) fn exponents(records: &[ScalingRecord]) -> Table {
    let mut table = Table::new(&["", "from 2,000 pieces", "all"]);
    let mut push = |name: &str, of: &dyn Fn(&ScalingRecord) -> Option<f64>| {
        let over = |least: usize| {
            let points: Vec<(f64, f64)> = records
                .iter()
                .filter(|record| record.pieces >= least)
                .filter_map(|record| Some((record.pieces as f64, of(record)?)))
                .collect();
            exponent(&points).map_or("-".into(), |exponent| format!("{exponent:.2}"))
        };
        table.push(vec![name.into(), over(LARGE), over(0)]);
    };
    for stage in STAGES {
        push(stage.name(), &|record| Some(seconds_of(record, stage)));
    }
    push("total", &|record| Some(record.seconds));
    push("peak memory", &|record| record.peak_bytes.map(|bytes| bytes as f64));
    table
}

/// The measure stage against the bare product.
pub(crate) fn measure_table(all: &[MeasureTimes]) -> Table {
    let mut table = Table::with_columns(
        "pieces | threads | measure s | \
         product alone s | share of its rate % | speed-up",
    );
    let or_none = |figure: Option<String>| figure.unwrap_or_else(|| "-".into());
    for times in all {
        table.push(row! {
            times.pieces, times.threads, format!("{:.3}", times.k_best),
            or_none(times.bare.map(|bare| format!("{bare:.3}"))),
            or_none(times.share_of_bare().map(|share| format!("{:.0}", 100.0 * share))),
            or_none(times.speed_up(all).map(|speed_up| format!("{speed_up:.2}"))),
        });
    }
    table
}

/// The document: what was run, the tables, and what they mean.
pub(crate) fn document(file: &ScalingFile, command: &str) -> String {
    let (records, measures) = (file.puzzles(), file.measures());
    let mut distinct: Vec<String> = records
        .iter()
        .map(|record| {
            let commit =
                record.commit.as_deref().map_or(String::new(), |it| format!(", commit {it}"));
            format!(
                "{}; {} threads, effort {}, seed {}, pieces of {} x {} px; fretsaw {}{commit}",
                record.machine,
                record.threads,
                record.effort.name(),
                record.seed,
                record.piece.0,
                record.piece.1,
                record.version
            )
        })
        .collect();
    distinct.sort();
    distinct.dedup();
    let mut text = format!(
        "# Time and memory against the number of pieces

This document is written by

```sh
{command}
```

Pictures of the sets of `docs/datasets.md`, positions and turns unknown, solved by the default method,
each by a process of its own, so that its peak memory is that of one puzzle. `total` is the whole solve,
without reading and cutting the picture; turns that are found apart from positions count as `assemble`.
`peak` is the largest resident size while it solved. `estimate` is what `fretsaw solve --dry-run` says
beforehand, without the program itself, which takes some 20 MB. Shares are in percent.

"
    );
    // Writing to a string cannot fail.
    for line in distinct {
        let _ = writeln!(text, "* {line}");
    }
    let _ = write!(
        text,
        "
## Puzzles

{}
## Exponents

The exponent b of a least squares fit of log t = a + b log n, from {LARGE} pieces on and over all puzzles
of the table. How much there is to search depends on the picture more than on its size.

{}",
        table(&records),
        exponents(&records)
    );
    if !measures.is_empty() {
        let _ = write!(
            text,
            "
## The measure stage against the matrix product

All pairs of sides are compared by one product, which the stage does in tiles. Here the same product is
done alone, in tiles of the same size and on as many threads; the stage's rate, counted in the operations
of the product, is told as a share of that one's. Drawn pictures, measure `seam`, as many candidates as
the learned matcher wants; the best of several times.

{}",
            measure_table(&measures)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::Effort;

    fn record(pieces: usize) -> ScalingRecord {
        let n = pieces as f64;
        ScalingRecord {
            puzzle: format!("mine/{pieces}.png"),
            pieces,
            cols: u32::try_from(pieces).unwrap(),
            rows: 1,
            piece: (28, 28),
            effort: Effort::Normal,
            seed: 1,
            threads: 2,
            stages: vec![("measure".into(), 1e-6 * n * n), ("match".into(), 1e-3 * n)],
            seconds: 1e-6 * n * n + 1e-3 * n,
            peak_bytes: Some(50_000 * pieces as u64),
            estimated_bytes: 1,
            neighbor: 1.0,
            neighbor_px: None,
            version: "0.1.0".into(),
            commit: None,
            machine: "a machine".into(),
        }
    }

    #[test]
    fn exponents_of_powers_are_those_powers() {
        for power in [0.0, 0.5, 1.0, 2.0] {
            let points: Vec<(f64, f64)> =
                [432.0, 805.0, 3300.0, 22_755.0_f64].map(|n| (n, 3.0 * n.powf(power))).into();
            assert!((exponent(&points).unwrap() - power).abs() < 1e-9);
        }
        for bad in [&[][..], &[(5.0, 1.0)], &[(5.0, 1.0), (5.0, 2.0)], &[(5.0, 0.0), (6.0, 1.0)]] {
            assert_eq!(exponent(bad), None);
        }
        let csv = exponents(&[100, 2000, 4000].map(record)).csv();
        assert!(csv.contains("measure,2.00,2.00\nmatch,1.00,1.00\nassemble,-,-\n"), "{csv}");
        assert!(csv.contains("peak memory,1.00,1.00\n"), "{csv}");
        assert!(exponents(&[100, 2000].map(record)).csv().contains("measure,-,2.00\n"));
    }
}
