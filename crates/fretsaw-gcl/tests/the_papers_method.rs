//! The paper's method: turns by the graph connection Laplacian, then locations, then updates.

use fretsaw::evaluation::score;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic::{self, demo_picture};
use fretsaw::picture::{ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType};
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::{Method, Puzzle, Settings, Solution, solve};
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_gcl::type_two::{GclSettings, Keep, LocationChoice, Reading};
use std::sync::Arc;

fn settings(gcl: GclSettings) -> Settings {
    Settings {
        method: Method::Other(Arc::new(gcl)),
        measure: Some(Measure::Mgc),
        ..Settings::default()
    }
}

#[test]
fn easy_puzzles_are_solved_with_any_setting() {
    let (pieces, grid, truth) = synthetic::puzzle(7, 9, 28, PuzzleType::Type2, 2);
    let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).board(grid);
    let default = GclSettings::default();
    let text = GclSettings { reading: Reading::Text, ..default };
    let mut blended = GclSettings { loops_again: true, ..text };
    blended.update.solution_share = 0.4;
    for gcl in [
        default,
        GclSettings { iterations: 0, ..default },
        GclSettings { second_start: true, ..default },
        GclSettings { keep: Keep::Last, ..default },
        GclSettings { locations: LocationChoice::Gallagher, ..default },
        GclSettings { rotations: RotationChoice::Relaxation, ..default },
        GclSettings { loops_again: true, ..default },
        text,
        blended,
    ] {
        let Solution { assembly, method, .. } = solve(&puzzle, &settings(gcl), &Silent).unwrap();
        let neighbor = score(&truth, &assembly).unwrap().neighbor;
        assert!(neighbor > 0.95, "{gcl:?}: {neighbor}");
        assert_eq!(method, "gcl");
    }
}

#[test]
fn puzzles_with_oblong_pieces_or_known_turns_are_solved() {
    for (puzzle_type, width_px) in [(PuzzleType::Type1, 24), (PuzzleType::Type2, 30)] {
        let shape = PieceShape::new(24, width_px).unwrap();
        let cut = cut(&demo_picture(5 * 24, 7 * width_px as usize, 5), shape).unwrap();
        let scrambled = scramble(&cut, &ScrambleSettings::new(puzzle_type, 1)).unwrap();
        let puzzle =
            Puzzle::new(scrambled.pieces.clone()).of_type(puzzle_type).board(scrambled.grid);
        let outcome = solve(&puzzle, &settings(GclSettings::default()), &Silent).unwrap();
        let neighbor = score(&scrambled.truth, &outcome.assembly).unwrap().neighbor;
        assert!(neighbor > 0.85, "{puzzle_type:?}: {neighbor}");
    }
}

#[test]
fn updates_correct_wrong_turns() {
    let (pieces, grid, truth) = synthetic::puzzle(9, 12, 10, PuzzleType::Type2, 4);
    let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).board(grid);
    let neighbor = |iterations: usize| {
        let gcl = GclSettings { iterations, ..GclSettings::default() };
        let outcome = solve(&puzzle, &settings(gcl), &Silent).unwrap();
        score(&truth, &outcome.assembly).unwrap().neighbor
    };
    let (before, after) = (neighbor(0), neighbor(5));
    assert!(after > before + 0.02, "{before} {after}");
}
