//! One puzzle over several machines: the stage measure in parts.

use crate::background::in_background;
use crate::failure::Failure;
use crate::input::Input;
use crate::solve::{Asked, puzzle_of, settings_of};
use fretsaw::unstable::{measure_part, merge_parts};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Measures part `number` of `num_parts`, counted from 0.
#[pyfunction]
pub(crate) fn part<'py>(
    py: Python<'py>,
    input: &Input,
    asked: Asked<'py>,
    number: usize,
    num_parts: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let (puzzle, settings) = (puzzle_of(&input.input, &asked)?, settings_of(&asked)?);
    let bytes = in_background(py, asked.threads, Default::default(), None, move |watcher| {
        let found = measure_part(&puzzle, &settings, number, num_parts, watcher);
        found.map_err(|error| Failure::solving("", &error))
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// The state of the stage measure from all parts.
#[pyfunction]
pub(crate) fn merged<'py>(
    py: Python<'py>,
    input: &Input,
    asked: Asked<'py>,
    parts: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (puzzle, settings) = (puzzle_of(&input.input, &asked)?, settings_of(&asked)?);
    let bytes = in_background(py, asked.threads, Default::default(), None, move |_| {
        let found = merge_parts(&puzzle, &settings, &parts);
        found.map_err(|error| Failure::solving("", &error))?.map_err(Failure::input)
    })?;
    Ok(PyBytes::new(py, &bytes))
}
