//! `fretsaw-lab diagnose matcher` says how good matchers are, `fretsaw-lab stage match` what they cost.

use crate::common::{Folder, json_lines, picture_sets, refuse, succeed, table_rows};
use serde_json::Value;
use std::fs;

/// A folder with a set `sets/mine` of two small pictures.
fn folder() -> Folder {
    picture_sets(&[("mine/1.png", 4, 5), ("mine/2.png", 5, 6)])
}

const MATCHER: &str = "diagnose matcher --data sets --sets mine --seeds 2";

/// What does not depend on the clock.
fn without_times(rows: &[Vec<String>]) -> Vec<&[String]> {
    rows.iter().map(|row| &row[..row.len() - 2]).collect()
}

#[test]
fn every_matcher_has_a_row_of_figures_in_their_ranges() {
    let dir = folder();
    let run = succeed(&dir, &format!("{MATCHER} --matchers ratio,loops,learned --threads 2"));
    let rows = table_rows(&run.stdout);
    assert_eq!(
        rows[0].join(" | "),
        "set | matcher | runs | first | mutual | precision | listed | ece | pairs > 0.99 | \
         their precision | border | its precision | measure s | match s"
    );
    let names: Vec<[&str; 3]> = rows[1..].iter().map(|row| [0, 1, 2].map(|i| &*row[i])).collect();
    assert_eq!(names, [["mine", "ratio", "4"], ["mine", "loops", "4"], ["mine", "learned", "4"]]);
    for row in &rows[1..] {
        let (shares, times) = row[3..].split_at(9);
        for share in shares.iter().filter(|share| *share != "-") {
            assert!((0.0..=100.0).contains(&share.parse::<f64>().unwrap()), "{row:?}");
        }
        // Drawn puzzles of this size are easy.
        assert!(row[3].parse::<f64>().unwrap() > 60.0, "{row:?}");
        assert!(times.iter().all(|secs| secs.parse::<f64>().unwrap() >= 0.0), "{row:?}");
    }
    // Ratios are no probabilities.
    assert_eq!([7, 10, 11].map(|column| &*rows[1][column]), ["-"; 3]);
    let again = table_rows(&succeed(&dir, &format!("{MATCHER} --threads 1")).stdout);
    assert_eq!(without_times(&rows), without_times(&again));
}

#[test]
fn what_was_counted_is_kept_in_lines() {
    let dir = folder();
    let line = format!("{MATCHER} --matchers ratio --corrupt 0.2 --grey --shrink 0.8 --piece 20");
    let run = succeed(&dir, &format!("{line} --out counts.jsonl"));
    let rows = table_rows(&run.stdout);
    assert_eq!(
        (rows.len(), &rows[0][4..6]),
        (2, &["first spared".into(), "first clean".into()][..])
    );
    let [first, spared, clean] = [3, 4, 5].map(|column| rows[1][column].parse::<f64>().unwrap());
    assert!(first < spared && spared < clean, "{rows:?}");
    let found = json_lines(&dir.join("counts.jsonl"));
    assert_eq!(found.len(), 4);
    for line in &found {
        assert_eq!(
            (&line["set"], &line["judge"], &line["grey"]),
            (&"mine".into(), &"ratio".into(), &true.into())
        );
        assert_eq!((&line["corrupt"], &line["shrink"]), (&0.2.into(), &0.8.into()));
        let number = |name: &str| line[name].as_f64().unwrap();
        assert!(
            number("clean") < number("spared")
                && number("spared") < number("inner")
                && number("listed") <= number("inner")
        );
        assert!((number("inner") - 2.0 * number("joins")).abs() < 0.5);
        assert!((number("inner") + number("border") - 4.0 * number("pieces")).abs() < 0.5);
    }
    succeed(&dir, &format!("{line} --images even --out even.jsonl"));
    let images: Vec<Value> =
        json_lines(&dir.join("even.jsonl")).iter().map(|line| line["image"].clone()).collect();
    assert_eq!(images, ["2.png", "2.png"]);
}

#[test]
fn matchers_with_probabilities_have_a_plot_a_set() {
    let dir = folder();
    let run = succeed(&dir, &format!("{MATCHER} --matchers ratio --plots plots"));
    assert!(run.stderr.contains("nothing to plot") && !dir.join("plots").exists(), "{run:?}");
    let run = succeed(&dir, &format!("{MATCHER} --plots plots"));
    // A matcher that has probabilities has a calibration error.
    let has_any = table_rows(&run.stdout)[1..].iter().any(|row| row[7] != "-");
    assert_eq!(dir.join("plots/reliability-mine.svg").is_file(), has_any, "{run:?}");
}

#[test]
fn bad_input_is_refused() {
    let dir = folder();
    fs::create_dir(dir.join("sets/none")).unwrap();
    fs::create_dir(dir.join("sets/bad")).unwrap();
    fs::write(dir.join("sets/bad/1.png"), "no picture").unwrap();
    let matcher = "diagnose matcher --data sets";
    refuse(&dir, &format!("{matcher} --sets gone"), 1, &["cannot read the set", "gone"]);
    refuse(&dir, &format!("{matcher} --sets none"), 1, &["none", "holds no pictures"]);
    refuse(&dir, &format!("{matcher} --sets mine,bad --out o.jsonl"), 1, &["bad/1.png"]);
    refuse(&dir, &format!("{matcher} --sets bad --images even"), 1, &["bad", "even"]);
    refuse(&dir, &format!("{matcher} --sets mine --piece 900"), 1, &["mine/1.png", "900"]);
    for (flags, word) in [
        ("--matchers learned --measure mgc", "'learned' does not know the measure 'mgc'"),
        ("--matchers best", "best"),
        ("--types 3", "--types"),
        ("--seeds 0", "--seeds"),
        ("--corrupt 1.5", "--corrupt"),
        ("--shrink 0", "--shrink"),
        ("--shrink nan", "--shrink"),
        ("--threads 0", "--threads"),
        ("--out gone/o.jsonl", "gone"),
        ("--plots sets", "empty"),
    ] {
        refuse(&dir, &format!("{matcher} --sets mine {flags}"), 2, &[word]);
    }
}

#[test]
fn costs_are_told_against_the_measure_stage() {
    let dir = Folder::new();
    let stage = "stage match";
    let run = succeed(&dir, &format!("{stage} --pieces 20,35 --repeats 1 --threads 1,2"));
    let rows = table_rows(&run.stdout);
    assert_eq!(
        rows[0].join(" | "),
        "pieces | threads | matcher | candidates | measure s | match s | match / measure"
    );
    assert_eq!(rows.len(), 1 + 2 * 2 * 3);
    let run = succeed(&dir, &format!("{stage} --pieces 20 --repeats 1 --measure mgc"));
    assert!(!run.stdout.contains("learned"), "{run:?}");
    for (flags, word) in [
        ("--pieces 1", "--pieces"),
        ("--pieces 4000000000", "--pieces"),
        ("--threads 0", "--threads"),
        ("--repeats 0", "--repeats"),
        ("--matchers learned --measure ssd", "'learned' does not know the measure 'ssd'"),
    ] {
        refuse(&dir, &format!("{stage} {flags}"), 2, &[word]);
    }
}
