//! Scores and their text equal those of the reference scorer, to the last digit.
//!
//! The reference scorer, an independent program, printed the expected figures for small generated cases, each
//! of which tests one special situation. `recorded/reference_scores.json` has the cases and the figures.

use fretsaw::evaluation::score;
use fretsaw::puzzle::{
    Assembly, Cell, Grid, GroundTruth, PieceClasses, PieceId, Place, Placement, QuarterTurn,
};

/// Piece, board, row, column, clockwise turns.
type Row = (usize, usize, u32, u32, i64);

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    truth_boards: Vec<(u64, u64)>,
    truth: Vec<Row>,
    pixel_classes: Option<Vec<PieceClasses>>,
    boards: Vec<(u64, u64)>,
    placements: Vec<Row>,
    json: String,
    text: String,
}

fn assembly(num_pieces: usize, boards: &[(u64, u64)], rows: &[Row]) -> Assembly {
    let boards = boards.iter().map(|&(rows, cols)| Grid::new(rows, cols).expect("cells")).collect();
    let placements = rows.iter().map(|&(piece, board, row, col, turns)| Placement {
        piece: PieceId::new(piece),
        place: Place { board, cell: Cell { row, col }, turn: QuarterTurn::from_clockwise(turns) },
    });
    Assembly::new(num_pieces, boards, placements).expect("a sound case")
}

#[test]
fn every_case_has_the_scores_of_the_reference() {
    let cases = include_str!("recorded/reference_scores.json");
    let cases: Vec<Case> = serde_json::from_str(cases).unwrap();
    assert_eq!(cases.len(), 15);
    for case in cases {
        let num_pieces = case.truth.len();
        let truth = assembly(num_pieces, &case.truth_boards, &case.truth);
        let truth = GroundTruth::new(truth, case.pixel_classes).unwrap();
        let result = score(&truth, &assembly(num_pieces, &case.boards, &case.placements)).unwrap();
        assert_eq!(serde_json::to_string(&result).unwrap(), case.json, "{}", case.name);
        assert_eq!(result.to_string(), case.text, "{}", case.name);
    }
}
