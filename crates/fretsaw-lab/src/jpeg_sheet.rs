//! Puzzles whose pieces lay on a sheet that was saved as a JPEG file.

use crate::picture_changes::in_8_bits;
use anyhow::ensure;
use fretsaw::picture::sheet;
use fretsaw::puzzle::{Grid, PieceSet, Samples};
use fretsaw_io::{InputOptions, PuzzleInput, read_files};
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

/// Lays the pieces on a sheet of the board's columns, saves it as a JPEG file of this quality with chroma for cells of
/// 2 x 2 pixels (4:2:0), and reads it as the program `fretsaw` does.
pub(crate) fn read_from_jpeg_sheet(
    pieces: &PieceSet,
    grid: Grid,
    quality: u8,
) -> anyhow::Result<PuzzleInput> {
    let (columns, rows) = (grid.cols(), grid.rows());
    let sheet = in_8_bits(&sheet(pieces, columns as usize)?);
    let Samples::U8(values) = sheet.samples() else { anyhow::bail!("pictures must have 8 bits") };
    let mut saved = Vec::new();
    let mut encoder = Encoder::new(&mut saved, quality);
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    // As usual programs do.
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    let colours = if sheet.channels() == 1 { ColorType::Luma } else { ColorType::Rgb };
    let (width_px, height_px) =
        (u16::try_from(sheet.width_px())?, u16::try_from(sheet.height_px())?);
    encoder.encode(values, width_px, height_px, colours)?;
    let options = InputOptions {
        piece: Some(pieces.shape()),
        columns: Some(columns),
        rows: Some(rows),
        ..InputOptions::default()
    };
    let read = read_files(vec![("sheet.jpg".into(), saved)], &options)?;
    ensure!(
        read.pieces.num_pieces() == pieces.num_pieces(),
        "plain pieces were taken as empty cells"
    );
    Ok(read)
}
