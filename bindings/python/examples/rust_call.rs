//! The calls of the library that `fretsaw.solve` makes, without Python, for `benchmarks/measure.py overhead`.
//!
//! Takes a file with the 8 bit RGB pixels of square pieces and the number of pieces, and prints milliseconds, a line each.

use fretsaw::picture::PictureSize;
use fretsaw::puzzle::Samples;
use fretsaw::{Effort, Method, Settings, solve};
use fretsaw_io::{InputOptions, Known, PuzzleInput, SolutionFile, StageClock};
use std::error::Error;
use std::time::Instant;

const RUNS: usize = 15;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(number)) = (arguments.next(), arguments.next()) else {
        return Err("usage: rust_call PIXELS NUMBER".into());
    };
    let (values, number): (Vec<u8>, usize) = (std::fs::read(file)?, number.parse()?);
    let side_px = (values.len() / number / 3).isqrt();
    let sizes = vec![PictureSize { height_px: side_px, width_px: side_px }; number];
    for _ in 0..RUNS {
        let start = Instant::now();
        let samples = Samples::U8(values.clone());
        let input = PuzzleInput::of_pictures(sizes.clone(), 3, samples, &InputOptions::default())?;
        let puzzle = input.puzzle(Known::default())?;
        let settings = Settings { method: Method::Fretsaw(Effort::Fast), ..Settings::default() };
        let clock = StageClock::default();
        let solution = solve(&puzzle, &settings, &clock)?;
        let (solution, _) = solution.stand_upright(&puzzle);
        let timings = clock.timings();
        SolutionFile::of_input(&input, &puzzle, &settings, &solution, timings, "finished")?;
        println!("{}", 1e3 * start.elapsed().as_secs_f64());
    }
    Ok(())
}
