//! A solution has a confidence for every seam, and lists interchangeable pieces.

use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{Grid, Join, PieceId, PieceSet, PuzzleType, Samples};
use fretsaw::unstable::matching::Matcher;
use fretsaw::{Method, Puzzle, Settings, Solution, solve};

fn check_seams(outcome: &Solution, what: &str) {
    let joins: Vec<Join> = outcome.assembly.joins().collect();
    let found: Vec<Join> = outcome.seams.iter().map(|seam| seam.join).collect();
    assert_eq!(found, joins, "{what}");
    assert!(outcome.seams.iter().all(|seam| (0.0..=1.0).contains(&seam.confidence)), "{what}");
    for piece in 0..outcome.assembly.num_pieces() {
        let is_of_piece = |join: Join| [join.first, join.second].map(|side| side.piece().index());
        let own = outcome.seams.iter().filter(|seam| is_of_piece(seam.join).contains(&piece));
        let best = own.map(|seam| seam.confidence).fold(0.0, f64::max);
        let Some(found) = outcome.confidences[piece] else { panic!("{what}: piece {piece}") };
        assert!((0.0..=best).contains(&found), "{what}, piece {piece}: {found}, {best}");
    }
}

#[test]
fn every_seam_has_a_confidence_and_no_piece_is_surer_than_its_seams() {
    for puzzle_type in PuzzleType::ALL {
        let (pieces, grid, _) = synthetic::puzzle(5, 7, 28, puzzle_type, 1);
        let puzzle = Puzzle::new(pieces.clone()).of_type(puzzle_type).board(grid);
        for method in ["fretsaw", "yu"].map(|name| Method::from_name(name).unwrap()) {
            for matcher in Matcher::ALL {
                let settings = Settings {
                    method: method.clone(),
                    matcher: Some(matcher),
                    ..Settings::default()
                };
                let outcome = solve(&puzzle, &settings, &Silent).unwrap();
                let what = format!("{puzzle_type:?} {} {}", method.name(), matcher.name());
                check_seams(&outcome, &what);
                // The picture is easy, so that most seams are certain.
                let sure = outcome.seams.iter().filter(|seam| seam.confidence > 0.3).count();
                assert!(2 * sure > outcome.seams.len(), "{what}: {sure} seams");
            }
        }
    }
}

#[test]
fn copies_of_a_piece_are_interchangeable() {
    let (pieces, _, _) = synthetic::puzzle(3, 4, 28, PuzzleType::Type1, 1);
    let Samples::U8(mut values) = pieces.samples().clone() else { panic!("8 bit") };
    let size = values.len() / 12;
    // Piece 9 becomes a copy of piece 2, and 4 one of 5.
    values.copy_within(2 * size..3 * size, 9 * size);
    values.copy_within(5 * size..6 * size, 4 * size);
    let copied = PieceSet::new(pieces.shape(), pieces.channels(), Samples::U8(values)).unwrap();
    for puzzle_type in PuzzleType::ALL {
        let groups = |pieces: &PieceSet| {
            let puzzle =
                Puzzle::new(pieces.clone()).of_type(puzzle_type).board(Grid::new(3, 4).unwrap());
            solve(&puzzle, &Settings::default(), &Silent).unwrap().interchangeable
        };
        assert_eq!(groups(&pieces), Vec::<Vec<PieceId>>::new(), "{puzzle_type:?}");
        let expected = [[2, 9], [4, 5]].map(|group| group.map(PieceId::new).to_vec());
        assert_eq!(groups(&copied), expected, "{puzzle_type:?}");
    }
}
