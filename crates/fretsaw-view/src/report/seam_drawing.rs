//! Enlarged drawings of seams.

use super::data_uri::{GROUND, data_uri};
use crate::EncodeError;
use crate::paint::{BoardView, Miniatures};
use fretsaw::puzzle::Cell;

/// Two cells that touch and the cells around them, as SVG. Notches mark the ends of the seam, so that the
/// seam itself stays visible.
pub(super) fn seam_drawing(
    view: &BoardView<'_>,
    miniatures: &Miniatures<'_>,
    one: Cell,
    other: Cell,
) -> Result<String, EncodeError> {
    let around = |first: u32, last: u32, end: u32| first.saturating_sub(1)..(last + 2).min(end);
    let rows = around(one.row, other.row, view.grid.rows());
    let cols = around(one.col, other.col, view.grid.cols());
    let painted = view.painted_part(miniatures, (rows.clone(), cols.clone()), GROUND);
    let (width, height) = painted.image.dimensions();
    let (cell_width, cell_height) = (painted.cell_width_px, painted.cell_height_px);
    let left = (one.col - cols.start) * cell_width;
    let top = (one.row - rows.start) * cell_height;
    let right = (other.col + 1 - cols.start) * cell_width;
    let bottom = (other.row + 1 - rows.start) * cell_height;
    // A notch covers a sixth of the seam from each end.
    let notches = if one.row == other.row {
        let (x, notch) = (left + cell_width, f64::from(cell_height) / 6.0);
        format!("M{x} {top}v{notch:.2}M{x} {bottom}v-{notch:.2}")
    } else {
        let (y, notch) = (top + cell_height, f64::from(cell_width) / 6.0);
        format!("M{left} {y}h{notch:.2}M{right} {y}h-{notch:.2}")
    };
    let path = format!("M{left} {top}H{right}V{bottom}H{left}Z{notches}");
    let stroke = f64::from(width.max(height)) / 90.0;
    Ok(format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"The two pieces and their \
         neighbours\"><image width=\"{width}\" height=\"{height}\" href=\"{}\"/>\
         <path class=\"halo\" stroke-width=\"{:.2}\" d=\"{path}\"/>\
         <path class=\"mark\" stroke-width=\"{stroke:.2}\" d=\"{path}\"/></svg>",
        data_uri(painted.image)?,
        2.2 * stroke,
    ))
}
