//! Answers: the solution document with the pieces that it is of.

use crate::failure::Failure;
use crate::input::Input;
use crate::pixels::{picture_array, piece_array, piece_set};
use fretsaw::picture::render;
use fretsaw::puzzle::{Assembly, PieceSet};
use fretsaw::solution::even_light;
use fretsaw_io::{
    IoError, Limits, PiecesFingerprint, SolutionFile, SolutionInfo, check_file_target,
    encode_solution, parse_solution, write_bytes, write_picture, write_text,
};
use fretsaw_view::animation::{AnimationFormat, animation};
use fretsaw_view::report::{About, card, page, picture_png};
use fretsaw_view::{Answer, Details};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A solution document, and the pieces that it is of if they are known.
#[pyclass(frozen, module = "fretsaw._native")]
pub(crate) struct Found {
    pub(crate) document: SolutionFile,
    pub(crate) pieces: Option<Arc<PieceSet>>,
    pub(crate) constant_alpha: Option<u16>,
    pub(crate) source: String,
    pub(crate) warnings: Vec<String>,
    /// How good the answer probably is, in words.
    pub(crate) verdict: Option<String>,
}

impl Found {
    /// An answer without confidences, of which `info` is known.
    pub(crate) fn bare(
        input: &Input,
        pieces: &Arc<PieceSet>,
        assembly: Assembly,
        info: SolutionInfo,
    ) -> Self {
        let read = &input.input;
        Self {
            document: SolutionFile {
                confidences: vec![None; assembly.num_pieces()],
                assembly,
                seams: Vec::new(),
                interchangeable: Vec::new(),
                mirrored: Vec::new(),
                suggestions: Vec::new(),
                names: read.names.clone(),
                preparation: read.preparation.clone(),
                info: SolutionInfo { fingerprint: Some(read.fingerprint), ..info },
            },
            pieces: Some(Arc::clone(pieces)),
            constant_alpha: read.constant_alpha,
            source: input.source.clone(),
            warnings: Vec::new(),
            verdict: None,
        }
    }

    fn known_pieces(&self) -> Result<&Arc<PieceSet>, Failure> {
        let missing = "this solution has no pieces, only places; give them to Solution.from_json with pieces=";
        self.pieces.as_ref().ok_or_else(|| Failure::input(missing))
    }

    fn answer(&self) -> Result<Answer<'_>, Failure> {
        let SolutionFile { assembly, confidences, seams, suggestions, names, .. } = &self.document;
        let details = Details { confidences, seams, suggestions, names };
        Answer::new(self.known_pieces()?, assembly, details).map_err(Failure::input)
    }

    fn title(&self) -> &str {
        if self.source.is_empty() { "pieces" } else { &self.source }
    }

    /// One picture of a board, in even light if asked for.
    fn painted(&self, board: usize, even: bool) -> Result<fretsaw::Picture, Failure> {
        let pieces = self.known_pieces()?;
        let evened = even.then(|| even_light(pieces, &self.document.seams).on(pieces)).flatten();
        render(evened.as_ref().unwrap_or(pieces), &self.document.assembly, board)
            .map_err(Failure::settings)
    }
}

/// The columns of a table, by name.
fn table<'py>(
    py: Python<'py>,
    columns: Vec<(&str, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    for (name, column) in columns {
        table.set_item(name, column)?;
    }
    Ok(table)
}

#[pymethods]
impl Found {
    /// Reads a document, and takes the pieces that it is of.
    #[staticmethod]
    #[pyo3(signature = (json, pieces, constant_alpha, source, warnings, verdict))]
    fn parse(
        py: Python<'_>,
        json: Vec<u8>,
        pieces: Option<Vec<Bound<'_, PyAny>>>,
        constant_alpha: Option<u16>,
        source: String,
        warnings: Vec<String>,
        verdict: Option<String>,
    ) -> PyResult<Self> {
        let pieces = pieces.map(|arrays| piece_set(&arrays)).transpose()?.map(Arc::new);
        let limits = Limits::default();
        let document = py.detach(|| parse_solution(Path::new(&source), &json, &limits));
        let document = document.map_err(Failure::from)?;
        Ok(Self { document, pieces, constant_alpha, source, warnings, verdict })
    }

    /// The same answer with pieces, which must be those that it was made of.
    fn with_pieces(&self, input: &Input, force: bool) -> PyResult<Self> {
        let (expected, found) =
            (self.document.assembly.num_pieces(), input.input.pieces.num_pieces());
        if expected != found {
            let message = format!("the solution is of {expected} pieces, but there are {found}");
            return Err(Failure::input(message).into());
        }
        check_same_pieces(self.document.info.fingerprint, input.input.fingerprint, force)?;
        let mirrored = &self.document.mirrored;
        let pieces = match mirrored.is_empty() {
            true => Arc::clone(&input.input.pieces),
            false => Arc::new(input.input.pieces.mirrored(|piece| mirrored.contains(&piece))),
        };
        Ok(Self {
            document: self.document.clone(),
            pieces: Some(pieces),
            constant_alpha: input.input.constant_alpha,
            source: input.source.clone(),
            warnings: self.warnings.clone(),
            verdict: self.verdict.clone(),
        })
    }

    /// Whether the pieces are known, so that it can paint.
    #[getter]
    fn pieces_known(&self) -> bool {
        self.pieces.is_some()
    }

    /// The document as `fretsaw solve --solution` writes it.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = encode_solution(Path::new(""), &self.document).map_err(Failure::from)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn num_pieces(&self) -> usize {
        self.document.assembly.num_pieces()
    }

    #[getter]
    fn constant_alpha(&self) -> Option<u16> {
        self.constant_alpha
    }

    #[getter]
    fn source(&self) -> String {
        self.source.clone()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[getter]
    fn verdict(&self) -> Option<String> {
        self.verdict.clone()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.document.names.clone()
    }

    #[getter]
    fn status(&self) -> Option<String> {
        self.document.info.status.clone()
    }

    #[getter]
    fn seed(&self) -> Option<u64> {
        self.document.info.seed
    }

    #[getter]
    fn method(&self) -> Option<String> {
        self.document.info.method.clone()
    }

    /// Stages and their seconds.
    #[getter]
    fn timings(&self) -> Vec<(String, f64)> {
        self.document.info.timings.iter().map(|it| (it.stage.clone(), it.seconds)).collect()
    }

    /// The turn as a whole and the probability that the picture stands upright.
    #[getter]
    fn upright(&self) -> Option<(u8, f64)> {
        self.document.info.upright.map(|it| (it.turns, it.probability))
    }

    /// Rows and columns of every board.
    #[getter]
    fn boards(&self) -> Vec<(u32, u32)> {
        self.document.assembly.boards().iter().map(|grid| (grid.rows(), grid.cols())).collect()
    }

    /// The placements in the order of the document, by column.
    fn placements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let placements: Vec<_> = self.document.assembly.placements().collect();
        let confidence = |index: usize| {
            self.document.confidences.get(index).copied().flatten().unwrap_or(f64::NAN)
        };
        let column = |of: &dyn Fn(&fretsaw::puzzle::Placement) -> u32| {
            let values: Vec<u32> = placements.iter().map(of).collect();
            values.into_pyarray(py).into_any()
        };
        let board = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let confidences: Vec<f64> =
            placements.iter().map(|it| confidence(it.piece.index())).collect();
        table(
            py,
            vec![
                ("piece", column(&|it| it.piece.number())),
                ("board", column(&|it| board(it.place.board))),
                ("row", column(&|it| it.place.cell.row)),
                ("col", column(&|it| it.place.cell.col)),
                ("turns", column(&|it| it.place.turn.clockwise().into())),
                ("confidence", confidences.into_pyarray(py).into_any()),
            ],
        )
    }

    /// The seams in the order of the document, by column.
    fn seams<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let seams = &self.document.seams;
        let column = |of: &dyn Fn(&fretsaw::puzzle::Join) -> u32| {
            let values: Vec<u32> = seams.iter().map(|seam| of(&seam.join)).collect();
            values.into_pyarray(py).into_any()
        };
        let side = |side: fretsaw::puzzle::Side| u32::try_from(side.index()).unwrap_or_default();
        let confidences: Vec<f64> = seams.iter().map(|seam| seam.confidence).collect();
        table(
            py,
            vec![
                ("a", column(&|join| join.first.piece().number())),
                ("a_side", column(&|join| side(join.first.side()))),
                ("b", column(&|join| join.second.piece().number())),
                ("b_side", column(&|join| side(join.second.side()))),
                ("confidence", confidences.into_pyarray(py).into_any()),
            ],
        )
    }

    /// The pieces without a place.
    fn unplaced(&self) -> Vec<u32> {
        self.document.assembly.unplaced().map(|piece| piece.number()).collect()
    }

    /// Groups of pieces that look the same.
    #[getter]
    fn interchangeable(&self) -> Vec<Vec<u32>> {
        let groups = self.document.interchangeable.iter();
        groups.map(|group| group.iter().map(|piece| piece.number()).collect()).collect()
    }

    /// Pieces that have to be flipped left to right before they are turned.
    #[getter]
    fn mirrored(&self) -> Vec<u32> {
        self.document.mirrored.iter().map(|piece| piece.number()).collect()
    }

    /// The doubtful places as JSON, least certain first; `None` without confidences.
    fn doubts(&self) -> PyResult<Option<String>> {
        let Some(doubts) = self.document.doubts() else { return Ok(None) };
        Ok(Some(serde_json::to_string(&doubts).map_err(Failure::internal)?))
    }

    /// The pixels of the pieces; `None` if they are not known.
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.pieces.as_deref().map(|pieces| piece_array(py, pieces)).transpose()
    }

    /// The picture of a board as an array.
    fn image<'py>(
        &self,
        py: Python<'py>,
        board: usize,
        even_light: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let picture = py.detach(|| self.painted(board, even_light))?;
        picture_array(py, &picture)
    }

    /// Writes the picture of a board.
    fn save(&self, py: Python<'_>, path: PathBuf, board: usize, even_light: bool) -> PyResult<()> {
        Ok(py.detach(|| {
            let picture = self.painted(board, even_light)?;
            write_picture(&path, &picture, self.constant_alpha).map_err(Failure::from)
        })?)
    }

    /// Writes the HTML report.
    fn report(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| {
            check_file_target(&path)?;
            let info = &self.document.info;
            let about = About {
                title: self.title().into(),
                warnings: self.warnings.clone(),
                facts: info.facts(),
                timings: info.timings.iter().map(|it| (it.stage.clone(), it.seconds)).collect(),
                settings: (!info.settings.is_null()).then(|| format!("{:#}", info.settings)),
            };
            let page = page(self.answer()?, &about).map_err(Failure::solve)?;
            write_text(&path, &page).map_err(Failure::from)
        })?)
    }

    /// Writes the animation.
    fn animation(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let format = AnimationFormat::from_path(&path).ok_or_else(|| {
            Failure::settings(format!(
                "{}: an animation is written as .gif, .png or .apng; use one of these extensions",
                path.display()
            ))
        })?;
        Ok(py.detach(|| {
            check_file_target(&path)?;
            let bytes = animation(self.answer()?, format).map_err(Failure::solve)?;
            write_bytes(&path, &bytes).map_err(|error: IoError| Failure::from(error))
        })?)
    }

    /// A piece of HTML for notebooks.
    fn card(&self, py: Python<'_>) -> PyResult<String> {
        Ok(py.detach(|| card(self.answer()?).map_err(Failure::solve))?)
    }

    /// The picture of the first board as a PNG file, shrunk to about a screen.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let png = py.detach(|| picture_png(self.answer()?).map_err(Failure::solve))?;
        Ok(png.map(|bytes| PyBytes::new(py, &bytes)))
    }
}

/// Refuses pieces that a document is not of. One without a fingerprint is of unknown pieces.
pub(crate) fn check_same_pieces(
    known: Option<PiecesFingerprint>,
    found: PiecesFingerprint,
    force: bool,
) -> Result<(), Failure> {
    match known {
        Some(known) if known != found && !force => Err(Failure::input(format!(
            "the solution is of other pieces: their number, order or pixels differ (fingerprint {known}, not \
             {found}); give the pieces that it belongs to, or force=True"
        ))),
        _ => Ok(()),
    }
}
