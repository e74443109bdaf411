//! Inputs: pieces from arrays, files and bytes.

use crate::background::{Ends, in_background};
use crate::failure::Failure;
use crate::found::Found;
use crate::pixels::{Pixels, gather, picture, picture_array, piece_array};
use fretsaw::preparation::Trim;
use fretsaw::puzzle::PieceShape;
use fretsaw_io::{
    InputOptions, Limits, Prepare, PuzzleInput, decode_picture, input_name, read_files,
    read_inputs, read_picture,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How to read pieces, as `fretsaw._inputs` hands it over.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading<'py> {
    piece: Option<(u32, u32)>,
    columns: Option<u32>,
    rows: Option<u32>,
    gap: Option<u32>,
    border: Option<u32>,
    trim: Option<u32>,
    max_pieces: Option<usize>,
    max_pixels: Option<u64>,
    /// A solution of the same pieces, which are prepared as they were for it.
    again: Option<PyRef<'py, Found>>,
}

impl Reading<'_> {
    pub(crate) fn options(&self) -> Result<InputOptions, Failure> {
        let shape = |(width, height)| PieceShape::new(height, width).map_err(Failure::settings);
        let usual = Limits::default();
        Ok(InputOptions {
            piece: self.piece.map(shape).transpose()?,
            columns: self.columns,
            rows: self.rows,
            gap_px: self.gap,
            border_px: self.border,
            prepare: match &self.again {
                Some(found) => Prepare::Again(found.document.preparation.clone()),
                None => Prepare::Find(self.trim.map_or(Trim::Auto, Trim::Px)),
            },
            limits: Limits {
                max_pieces: self.max_pieces.unwrap_or(usual.max_pieces),
                max_pixels: self.max_pixels.unwrap_or(usual.max_pixels),
                ..usual
            },
        })
    }

    /// Refuses arguments that this input leaves no use for.
    fn check_used(&self, input: &PuzzleInput) -> Result<(), Failure> {
        let is_sheet = input.sheet.is_some() && input.declared.is_none();
        let given = [("gap", self.gap), ("border", self.border)];
        match given.into_iter().find(|(_, pixels)| pixels.is_some()) {
            Some((name, _)) if !is_sheet => Err(Failure::settings(format!(
                "{name}= is only for a sheet without a puzzle.json; leave it out"
            ))),
            _ => Ok(()),
        }
    }
}

/// Pieces, read and prepared for solving.
#[pyclass(frozen, module = "fretsaw._native")]
pub(crate) struct Input {
    pub(crate) input: Arc<PuzzleInput>,
    pub(crate) limits: Limits,
    /// The name of the file or folder; empty for arrays.
    pub(crate) source: String,
}

/// Reads on a thread of its own, so that Ctrl-C ends it.
fn reading(
    py: Python<'_>,
    options: &Reading<'_>,
    source: String,
    read: impl FnOnce(&InputOptions) -> Result<PuzzleInput, fretsaw_io::IoError> + Send + 'static,
) -> PyResult<Input> {
    let given = options.options()?;
    let limits = given.limits.clone();
    let input = in_background(py, None, Ends::default(), None, move |_| Ok(read(&given)?))?;
    options.check_used(&input)?;
    Ok(Input { input: Arc::new(input), limits, source })
}

#[pymethods]
impl Input {
    /// Reads files and folders.
    #[staticmethod]
    fn of_paths(py: Python<'_>, paths: Vec<PathBuf>, options: Reading<'_>) -> PyResult<Self> {
        let source = input_name(&paths).display().to_string();
        reading(py, &options, source, move |options| read_inputs(&paths, options))
    }

    /// Reads files in memory, given by name and content.
    #[staticmethod]
    fn of_files(
        py: Python<'_>,
        files: Vec<(String, Bound<'_, PyBytes>)>,
        options: Reading<'_>,
    ) -> PyResult<Self> {
        let files: Vec<(String, Vec<u8>)> =
            files.into_iter().map(|(name, bytes)| (name, bytes.as_bytes().to_vec())).collect();
        reading(py, &options, String::new(), move |options| read_files(files, options))
    }

    /// Takes pieces from arrays of height x width x channels.
    #[staticmethod]
    fn of_pictures(
        py: Python<'_>,
        arrays: Vec<Bound<'_, PyAny>>,
        options: Reading<'_>,
    ) -> PyResult<Self> {
        let Pixels { sizes, channels, samples } = gather(&arrays)?;
        reading(py, &options, String::new(), move |options| {
            PuzzleInput::of_pictures(sizes, channels, samples, options)
        })
    }

    /// Cuts a sheet given as an array of height x width x channels.
    #[staticmethod]
    fn of_sheet(py: Python<'_>, array: Bound<'_, PyAny>, options: Reading<'_>) -> PyResult<Self> {
        let sheet = picture(&array)?;
        reading(py, &options, String::new(), move |options| PuzzleInput::of_sheet(sheet, options))
    }

    fn __len__(&self) -> usize {
        self.input.pieces.num_pieces()
    }

    /// Width and height of the pieces, and their channels and bits.
    #[getter]
    fn kind(&self) -> (u32, u32, usize, u8) {
        let pieces = &self.input.pieces;
        let shape = pieces.shape();
        (shape.width_px(), shape.height_px(), pieces.channels(), pieces.samples().bits())
    }

    /// The pixels as they are compared.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        piece_array(py, &self.input.pieces)
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.input.names.clone()
    }

    #[getter]
    fn source(&self) -> String {
        self.source.clone()
    }

    /// Warnings of the reader.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.input.warnings.iter().map(ToString::to_string).collect()
    }

    /// What was done to the pictures of the pieces, in words.
    #[getter]
    fn preparation(&self) -> Option<String> {
        self.input.preparation.as_ref().map(ToString::to_string)
    }

    /// Columns and rows of the sheet that the pieces come from.
    #[getter]
    fn sheet(&self) -> Option<(u32, u32)> {
        self.input.sheet.map(|sheet| (sheet.columns, sheet.rows))
    }
}

/// Reads a whole picture from a file or from bytes.
#[pyfunction]
#[pyo3(signature = (path, content, options))]
pub(crate) fn read_whole<'py>(
    py: Python<'py>,
    path: PathBuf,
    content: Option<Vec<u8>>,
    options: Reading<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = options.options()?.limits;
    let read = py.detach(|| match &content {
        Some(bytes) => decode_picture(Path::new(""), bytes, &limits),
        None => read_picture(&path, &limits),
    });
    picture_array(py, &read.map_err(Failure::from)?.picture)
}
