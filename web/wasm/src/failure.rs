//! Errors as the page shows them.

use fretsaw::picture::SheetLayout;
use fretsaw_io::{IoError, ProblemKind};
use serde::Serialize;
use std::fmt::Display;
use wasm_bindgen::JsValue;

/// What went wrong, in words for the user.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// `size-needed`, `too-large` or `other`.
    kind: &'static str,
    message: String,
    /// The layouts that a sheet may have, if its piece size is needed.
    layouts: Vec<Layout>,
}

/// How the pieces lie on a sheet.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Layout {
    width: u32,
    height: u32,
    columns: u32,
    rows: u32,
    gap_x: u32,
    gap_y: u32,
    left: u32,
    top: u32,
}

impl From<SheetLayout> for Layout {
    fn from(layout: SheetLayout) -> Self {
        let SheetLayout { shape, columns, rows, gap_x_px, gap_y_px, left_px, top_px, .. } = layout;
        Self {
            width: shape.width_px(),
            height: shape.height_px(),
            columns,
            rows,
            gap_x: gap_x_px,
            gap_y: gap_y_px,
            left: left_px,
            top: top_px,
        }
    }
}

impl Failure {
    pub(crate) fn other(message: impl Display) -> Self {
        Self { kind: "other", message: message.to_string(), layouts: Vec::new() }
    }

    pub(crate) fn too_large(message: impl Display) -> Self {
        Self { kind: "too-large", ..Self::other(message) }
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        let kind = match error.problem.kind {
            ProblemKind::PieceSizeNeeded => "size-needed",
            ProblemKind::TooLarge => "too-large",
            _ => "other",
        };
        let layouts = error.problem.likely_layouts.iter().map(|&layout| layout.into()).collect();
        Self { kind, layouts, ..Self::other(error) }
    }
}

/// Thrown as JSON.
impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        Self::from_str(&serde_json::to_string(&failure).unwrap_or(failure.message))
    }
}
