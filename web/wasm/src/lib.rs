//! The solver for the page in the browser, which calls it from a worker.
//!
//! A [`Page`] reads an input as the command line does, solves it with the same settings to the same answer, and makes
//! its documents. What is structured is passed as JSON (`messages.rs`), boards as lists of numbers (`boards.rs`).
//! Errors are thrown as JSON, too.

mod advice;
mod boards;
mod failure;
mod host;
mod messages;
mod pixels;
mod scrambling;
mod session;

use failure::Failure;
use fretsaw::puzzle::Cell;
use fretsaw_io::inspect_files;
use messages::Inspected;
use serde::Serialize;
use serde::de::DeserializeOwned;
use session::{NamedFiles, Session};
use wasm_bindgen::prelude::wasm_bindgen;

type Result<T> = std::result::Result<T, Failure>;

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(Failure::other)
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(Failure::other)
}

/// Files of an input.
#[wasm_bindgen]
#[derive(Default)]
pub struct Files(NamedFiles);

#[wasm_bindgen]
impl Files {
    /// No files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        host::load_networks_when_needed();
        Self::default()
    }

    /// Adds a file by its name, with slashes if it lies in folders.
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.0.push((name, bytes));
    }
}

/// Pixels for a canvas, four values each.
#[wasm_bindgen]
pub struct Pixels(pixels::Canvas);

#[wasm_bindgen]
impl Pixels {
    /// Columns of pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// Rows of pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> usize {
        self.0.height
    }

    /// The values.
    pub fn rgba(self) -> Vec<u8> {
        self.0.rgba
    }
}

/// What a sheet may be cut into, and its picture.
#[wasm_bindgen]
pub struct Sheet {
    inspected: Inspected,
    pixels: Option<pixels::Canvas>,
}

#[wasm_bindgen]
impl Sheet {
    /// Inspects an input. A picture is shrunk until no side is longer than `longest`.
    #[wasm_bindgen(constructor)]
    pub fn new(files: Files, request: &str, longest: usize) -> Result<Self> {
        let options = parsed::<messages::ReadRequest>(request)?.options()?;
        let found = inspect_files(files.0, &options)?;
        let size = |sheet: &fretsaw::Picture| [sheet.width_px(), sheet.height_px()];
        let layouts = found.layouts.iter().map(|candidate| candidate.layout.into()).collect();
        let inspected = Inspected { sheet: found.sheet.as_ref().map(size), layouts };
        let pixels = found.sheet.map(|sheet| {
            let side = sheet.width_px().max(sheet.height_px());
            pixels::of_picture(&sheet, side.div_ceil(longest.max(1)).max(1))
        });
        Ok(Self { inspected, pixels })
    }

    /// The size of the sheet, and its likely layouts, as JSON.
    pub fn inspected(&self) -> Result<String> {
        json(&self.inspected)
    }

    /// The picture of the sheet, if it is one.
    pub fn pixels(self) -> Option<Pixels> {
        self.pixels.map(Pixels)
    }
}

/// A puzzle.
#[wasm_bindgen]
pub struct Page(Session);

#[wasm_bindgen]
impl Page {
    /// Reads an input.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, files: Files, request: &str) -> Result<Self> {
        Ok(Self(Session::read(name, files.0, &parsed(request)?)?))
    }

    /// Reads an input and a solution of it.
    pub fn solved(
        name: &str,
        files: Files,
        request: &str,
        solution_name: &str,
        solution: &[u8],
    ) -> Result<Self> {
        let solution = (solution_name, solution);
        Ok(Self(Session::read_solved(name, files.0, &parsed(request)?, solution)?))
    }

    /// What was found in the input, as JSON.
    pub fn found(&self) -> Result<String> {
        json(&self.0.found())
    }

    /// The pixels of the pieces from `first` to before `end`, so many in a row, shrunk.
    #[wasm_bindgen(js_name = piecePixels)]
    pub fn piece_pixels(&self, first: usize, end: usize, columns: usize, shrink: usize) -> Pixels {
        Pixels(self.0.piece_pixels((first, end), columns, shrink))
    }

    /// Solves; the answer as JSON. [`Self::board`] has its board.
    pub fn solve(&mut self, request: &str, start: Option<Box<[i32]>>) -> Result<String> {
        json(&self.0.solve(&parsed(request)?, start.as_deref())?)
    }

    /// The answer that was read with the input, as JSON.
    #[wasm_bindgen(js_name = readAnswer)]
    pub fn read_answer(&self) -> Result<String> {
        json(&self.0.read_answer()?)
    }

    /// The board of the latest answer.
    pub fn board(&self) -> Result<Vec<i32>> {
        self.0.board()
    }

    /// How certain the places of a board are, as JSON.
    pub fn rate(&mut self, board: &[i32]) -> Result<String> {
        json(&self.0.rate(board)?)
    }

    /// Which pieces may lie in a place, as JSON.
    pub fn suggest(&mut self, board: &[i32], number: usize, row: u32, col: u32) -> Result<String> {
        json(&self.0.suggest(board, number, Cell { row, col })?)
    }

    /// The `solution.json` of a board.
    #[wasm_bindgen(js_name = solutionFile)]
    pub fn solution_file(&mut self, board: &[i32]) -> Result<Vec<u8>> {
        self.0.solution_file(board)
    }

    /// One of the boards as a PNG file.
    pub fn picture(&self, board: &[i32], number: usize) -> Result<Vec<u8>> {
        self.0.picture(board, number)
    }

    /// The report on a board, a page of its own.
    pub fn report(&mut self, board: &[i32]) -> Result<String> {
        self.0.report(board)
    }

    /// The animation of a board, a GIF file.
    pub fn animation(&mut self, board: &[i32]) -> Result<Vec<u8>> {
        self.0.animation(board)
    }
}

/// A zip archive with the puzzle of the demonstration.
#[wasm_bindgen]
pub fn demo() -> Result<Vec<u8>> {
    scrambling::demo()
}

/// A zip archive with a puzzle of a picture.
#[wasm_bindgen]
pub fn scrambled(name: &str, bytes: &[u8], request: &str) -> Result<Vec<u8>> {
    scrambling::of_picture(name, bytes, &parsed(request)?)
}
