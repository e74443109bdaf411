//! Cutting, scrambling, scoring and inspecting.

use crate::failure::Failure;
use crate::found::{Found, check_same_pieces};
use crate::input::Reading;
use crate::pixels::{picture, picture_array, piece_array};
use crate::solve::puzzle_type_of;
use fretsaw::picture::{CutError, ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::PieceShape;
use fretsaw::score;
use fretsaw_io::{
    InputOptions, Inspection, InspectionReport, IoError, Layout, Limits, PiecesFingerprint,
    PuzzleInput, Scramble, TruthFile, TruthInfo, encode_truth, input_name, inspect, parse_truth,
    read_inputs, write_scramble,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Size = (u32, u32);

fn cut_into(array: &Bound<'_, PyAny>, (width, height): Size) -> PyResult<fretsaw::picture::Cut> {
    let picture = picture(array)?;
    let shape = PieceShape::new(height, width).map_err(Failure::settings)?;
    let pieces = cut(&picture, shape).map_err(|error| {
        Failure::settings(match error {
            CutError::PictureTooSmall { .. } => format!("{error}; give a smaller piece="),
            CutError::TooManyPieces { .. } => format!("{error} with piece="),
            CutError::OutOfMemory => format!("{error}; use a smaller picture"),
        })
    });
    Ok(pieces?)
}

/// The pieces of a picture, row by row, and its columns and rows.
#[pyfunction]
pub(crate) fn cut_picture<'py>(
    py: Python<'py>,
    array: Bound<'py, PyAny>,
    piece: Size,
) -> PyResult<(Bound<'py, PyAny>, Size)> {
    let cut = cut_into(&array, piece)?;
    Ok((piece_array(py, &cut.pieces)?, (cut.grid.cols(), cut.grid.rows())))
}

/// The picture that `fretsaw demo` draws.
#[pyfunction]
pub(crate) fn demo_picture(
    py: Python<'_>,
    height_px: usize,
    width_px: usize,
    seed: u64,
) -> PyResult<Bound<'_, PyAny>> {
    let picture =
        py.detach(|| fretsaw::picture::synthetic::demo_picture(height_px, width_px, seed));
    picture_array(py, &picture)
}

/// Where the pieces of a scrambled puzzle belong.
#[pyclass(frozen, module = "fretsaw._native")]
pub(crate) struct Truth {
    file: TruthFile,
}

#[pymethods]
impl Truth {
    #[staticmethod]
    fn parse(json: Vec<u8>) -> PyResult<Self> {
        let file = parse_truth(Path::new(""), &json, &Limits::default());
        Ok(Self { file: file.map_err(Failure::from)? })
    }

    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = encode_truth(Path::new(""), &self.file).map_err(Failure::from)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn num_pieces(&self) -> usize {
        self.file.truth.assembly().num_pieces()
    }

    /// Piece, board, row, column and turns of every piece.
    fn places(&self) -> Vec<[u32; 5]> {
        let placements = self.file.truth.assembly().placements();
        let number = |board: usize| u32::try_from(board).unwrap_or(u32::MAX);
        placements
            .map(|it| {
                let (cell, turns) = (it.place.cell, it.place.turn.clockwise().into());
                [it.piece.number(), number(it.place.board), cell.row, cell.col, turns]
            })
            .collect()
    }
}

/// The pieces of a scrambled picture, columns and rows, and the truth. `out` is a folder to write.
#[pyfunction]
#[pyo3(signature = (array, piece, puzzle_type, seed, corrupt, drop, out))]
pub(crate) fn scramble_picture<'py>(
    py: Python<'py>,
    array: Bound<'py, PyAny>,
    piece: Size,
    puzzle_type: u8,
    seed: u64,
    corrupt: f64,
    drop: usize,
    out: Option<PathBuf>,
) -> PyResult<(Bound<'py, PyAny>, Size, Truth)> {
    let puzzle_type = puzzle_type_of(puzzle_type)?;
    let cut = cut_into(&array, piece)?;
    let settings = ScrambleSettings { puzzle_type, seed, corrupt_rate: corrupt, drop };
    let scrambled = py.detach(|| scramble(&cut, &settings)).map_err(Failure::settings)?;
    let Scrambled { pieces, grid, truth } = scrambled;
    let info = TruthInfo {
        seed: Some(seed),
        source: None,
        puzzle_type: Some(puzzle_type),
        corrupt_rate: corrupt,
        num_dropped: drop as u64,
        fingerprint: Some(PiecesFingerprint::of(&pieces)),
    };
    let file = TruthFile { truth, info };
    if let Some(out) = out {
        let folder = Scramble {
            pieces: &pieces,
            puzzle_type,
            grid: Some(grid),
            layout: Layout::Folder,
            constant_alpha: None,
            truth: &file,
        };
        write_scramble(&out, &folder).map_err(Failure::from)?;
    }
    Ok((piece_array(py, &pieces)?, (grid.cols(), grid.rows()), Truth { file }))
}

/// The scores of an answer as JSON.
#[pyfunction]
pub(crate) fn score_answer(truth: &Truth, found: &Found, force: bool) -> PyResult<String> {
    if let Some(fingerprint) = truth.file.info.fingerprint {
        check_same_pieces(found.document.info.fingerprint, fingerprint, force)?;
    }
    let score = score(&truth.file.truth, &found.document.assembly).map_err(|error| {
        Failure::input(format!("{error}; is this the truth of the same puzzle?"))
    })?;
    Ok(serde_json::to_string(&score).map_err(Failure::internal)?)
}

fn described(
    name: String,
    found: Result<Inspection, IoError>,
    read: impl FnOnce() -> Result<PuzzleInput, IoError>,
) -> Result<String, Failure> {
    let found = found?;
    let input = read().ok();
    let report = InspectionReport::new(name, &found, input.as_ref());
    serde_json::to_string(&report).map_err(Failure::internal)
}

/// The description of files and folders as JSON.
#[pyfunction]
pub(crate) fn inspect_paths(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    options: Reading<'_>,
) -> PyResult<String> {
    let options = options.options()?;
    let name = input_name(&paths).display().to_string();
    let describe = || described(name, inspect(&paths, &options), || read_inputs(&paths, &options));
    Ok(py.detach(describe)?)
}

/// The description of files in memory as JSON.
#[pyfunction]
pub(crate) fn inspect_files(
    py: Python<'_>,
    files: Vec<(String, Vec<u8>)>,
    options: Reading<'_>,
) -> PyResult<String> {
    let options: InputOptions = options.options()?;
    let files = Arc::new(files);
    let describe = || {
        let found = fretsaw_io::inspect_files(files.to_vec(), &options);
        described(String::new(), found, || fretsaw_io::read_files(files.to_vec(), &options))
    };
    Ok(py.detach(describe)?)
}
