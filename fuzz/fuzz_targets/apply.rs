//! Solutions after they are parsed: each is painted and made into a report, or refused.

#![no_main]

use fretsaw::picture::render;
use fretsaw::puzzle::{PieceSet, PieceShape, Samples};
use fretsaw_io::{Limits, parse_solution};
use fretsaw_view::report::{About, page};
use fretsaw_view::{Answer, Details};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let limits = Limits { max_pixels: 1 << 14, max_pieces: 64, ..Limits::default() };
    let Ok(solution) = parse_solution(Path::new("s.json"), data, &limits) else { return };
    let shape = PieceShape::new(2, 2).expect("four pixels are a shape");
    let num_pieces = solution.assembly.num_pieces();
    let samples = (0..num_pieces * 4).map(|value| value.to_le_bytes()[0]).collect();
    let pieces = PieceSet::new(shape, 1, Samples::U8(samples)).expect("they are whole pieces");
    for (number, board) in solution.assembly.boards().iter().enumerate() {
        if limits.check_board(*board, shape).is_err() {
            return;
        }
        let _ = render(&pieces, &solution.assembly, number);
    }
    let details = Details {
        confidences: &solution.confidences,
        seams: &solution.seams,
        suggestions: &solution.suggestions,
        names: &solution.names,
    };
    let answer = Answer::new(&pieces, &solution.assembly, details).expect("it is of as many pieces");
    let about = About {
        title: "x".into(),
        warnings: Vec::new(),
        facts: Vec::new(),
        timings: Vec::new(),
        settings: None,
    };
    let _ = page(answer, &about);
});
