//! Colours that ran from piece to piece, because a sheet was compressed after its pieces were laid side by side.
//!
//! JPEG, WebP and video store chroma for cells of 2 x 2 pixels, interpolate between them, and quantize chroma coarsely,
//! in blocks. On a sheet this mixes the colours of pieces that do not belong together, and makes them look like
//! neighbours. Luma is stored for every pixel, in finer steps, and stays sharp.
//!
//! Where two pieces meet on a scrambled sheet, the colour steps from one pixel to the next. After subsampling at most
//! half of the step lies between these two pixels, and the rest beside them. A picture that was compressed before it
//! was cut has full steps at its seams. So [`ColourBleeding::find`] compares the steps of chroma across seams over one
//! pixel and over three: the energy of the first is as large as that of the second, or a third of it and less.
//! It needs neither the phase of cells and blocks nor the kind of interpolation.

use super::{Picture, SheetLayout};
use crate::puzzle::{PieceSet, Samples};
use std::borrow::Cow;

/// Of red, green and blue in luma, by Rec. 601, in thousandths.
const LUMA_WEIGHTS: [u32; 3] = [299, 587, 114];

/// The side of the blocks of pixels that JPEG quantizes together.
const BLOCK_PX: u32 = 8;

/// Colours bleed if the energy of steps over one pixel is below this share of that over three pixels. Where chroma was
/// subsampled it is 0.2 to 0.3, and otherwise about 1: at least 0.9 on sheets of hundreds of pieces, 0.7 on sheets of
/// a dozen.
const MAX_SHARE: f64 = 0.7;

/// The least energy of steps across seams, as a multiple of that inside of pieces. Without steps the sheet is not
/// scrambled, or has no colours, and nothing can be found.
const MIN_EXCESS: f64 = 3.0;

/// The least mean energy of steps across seams, in squared grey levels of 256. Smaller ones are rounding.
const MIN_ENERGY: f64 = 1.0;

/// The narrowest pieces whose middle is not affected by their borders.
const MIN_SIZE_PX: u32 = 8;

/// Between which pieces of a sheet colours were mixed after the pieces were laid side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColourBleeding {
    /// Between pieces that lie side by side.
    pub across: bool,
    /// Between pieces that lie one above the other.
    pub down: bool,
}

impl ColourBleeding {
    /// The bleeding of a sheet in a JPEG file that stores one value of chroma for cells of this width and height.
    ///
    /// Chroma of full resolution is mixed where blocks do not end with the pieces.
    pub const fn of_jpeg([cell_width_px, cell_height_px]: [u32; 2], layout: &SheetLayout) -> Self {
        const fn splits_blocks(start_px: u32, size_px: u32, gap_px: u32) -> bool {
            !(start_px.is_multiple_of(BLOCK_PX)
                && size_px.is_multiple_of(BLOCK_PX)
                && gap_px.is_multiple_of(BLOCK_PX))
        }
        let SheetLayout { shape, left_px, top_px, gap_x_px, gap_y_px, .. } = *layout;
        Self {
            across: cell_width_px > 1 || splits_blocks(left_px, shape.width_px(), gap_x_px),
            down: cell_height_px > 1 || splits_blocks(top_px, shape.height_px(), gap_y_px),
        }
    }

    /// Finds the bleeding from the pixels of a sheet, whatever it was saved as. None is found in grey sheets, in
    /// sheets that are not scrambled, and around gaps of one pixel.
    pub fn find(sheet: &Picture, layout: &SheetLayout) -> Self {
        let SheetLayout { shape, columns, rows, gap_x_px, gap_y_px, .. } = *layout;
        let num_cells = usize::try_from(layout.num_pieces()).unwrap_or(usize::MAX);
        if sheet.channels() < 3 || !layout.places_within(sheet, num_cells) {
            return Self::default();
        }
        let is_mixed = |size_px: u32, gap_px: u32, count: u32, steps: &dyn Fn(u32) -> Steps| {
            size_px >= MIN_SIZE_PX && gap_px != 1 && count > 1 && {
                let numbers = || 1..count;
                let seams: Steps = numbers().map(|number| steps(number * (size_px + gap_px))).sum();
                let middles =
                    numbers().map(|number| steps(number * (size_px + gap_px) + size_px / 2));
                seams.are_mixed(&middles.sum())
            }
        };
        let across = |offset: u32| {
            let col = (layout.left_px + offset) as usize;
            Steps::along(sheet, sheet.height_px(), |row, step| (row, col + step - 2))
        };
        let down = |offset: u32| {
            let row = (layout.top_px + offset) as usize;
            Steps::along(sheet, sheet.width_px(), |col, step| (row + step - 2, col))
        };
        Self {
            across: is_mixed(shape.width_px(), gap_x_px, columns, &across),
            down: is_mixed(shape.height_px(), gap_y_px, rows, &down),
        }
    }

    /// Whether colours were mixed in any direction, so that only luma can be compared.
    pub const fn is_any(self) -> bool {
        self.across || self.down
    }
}

/// The energy of the steps of chroma across lines between pixels.
#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    over_one_px: f64,
    over_three_px: f64,
    num_pixels: usize,
}

impl Steps {
    /// The steps across one line. `pixel_at` gives the pixels 0 to 3 across it, where the line lies between 1 and 2.
    fn along(
        sheet: &Picture,
        length: usize,
        pixel_at: impl Fn(usize, usize) -> (usize, usize),
    ) -> Self {
        let levels = f64::from(sheet.samples().white()) / 255.0;
        let chroma = |along: usize, step: usize| {
            let (row, col) = pixel_at(along, step);
            let start = sheet.offset_of(row, col);
            let [red, green, blue] =
                [0, 1, 2].map(|channel| f64::from(sheet.samples().get(start + channel)) / levels);
            let luma = [red, green, blue]
                .iter()
                .zip(LUMA_WEIGHTS)
                .map(|(value, weight)| value * f64::from(weight) / 1000.0)
                .sum::<f64>();
            // Cb and Cr.
            [(blue - luma) * 0.564, (red - luma) * 0.713]
        };
        let energy = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
        let mut steps = Self { num_pixels: length, ..Self::default() };
        for along in 0..length {
            let [a, b, c, d] = [0, 1, 2, 3].map(|step| chroma(along, step));
            steps.over_one_px += energy(b, c);
            steps.over_three_px += energy(a, d);
        }
        steps
    }

    /// Whether seams with these steps are mixed, given the steps in the middle of pieces.
    fn are_mixed(&self, middles: &Self) -> bool {
        let least = (MIN_EXCESS * middles.over_three_px).max(MIN_ENERGY * self.num_pixels as f64);
        self.over_three_px > least && self.over_one_px < MAX_SHARE * self.over_three_px
    }
}

impl std::iter::Sum for Steps {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, steps| Self {
            over_one_px: sum.over_one_px + steps.over_one_px,
            over_three_px: sum.over_three_px + steps.over_three_px,
            num_pixels: sum.num_pixels + steps.num_pixels,
        })
    }
}

/// The luma of pieces of red, green and blue; further channels stay. Pieces of fewer channels stay as they are.
pub fn luma_of(pieces: &PieceSet) -> Cow<'_, PieceSet> {
    let channels = pieces.channels();
    if channels < 3 {
        return Cow::Borrowed(pieces);
    }
    fn luma<T: Copy + Into<u32> + TryFrom<u32>>(values: &[T], channels: usize) -> Vec<T> {
        let pixels = values.chunks_exact(channels);
        pixels
            .flat_map(|pixel| {
                let weighted =
                    pixel.iter().zip(LUMA_WEIGHTS).map(|(&value, weight)| value.into() * weight);
                // A weighted mean is not larger than its largest value, which is of this type.
                let luma = T::try_from((weighted.sum::<u32>() + 500) / 1000).unwrap_or(pixel[0]);
                std::iter::once(luma).chain(pixel[3..].iter().copied())
            })
            .collect()
    }
    let samples = match pieces.samples() {
        Samples::U8(values) => Samples::U8(luma(values, channels)),
        Samples::U16(values) => Samples::U16(luma(values, channels)),
    };
    let luma = PieceSet::new(pieces.shape(), channels - 2, samples);
    Cow::Owned(luma.expect("as many pieces of the same shape"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic;
    use crate::picture::{ScrambleSettings, cut, scramble, sheet};
    use crate::puzzle::{PieceShape, PuzzleType};

    const COLUMNS: usize = 12;
    const ROWS: usize = 8;

    fn layout(size_px: u32) -> SheetLayout {
        SheetLayout {
            shape: PieceShape::new(size_px, size_px).unwrap(),
            columns: u32::try_from(COLUMNS).unwrap(),
            rows: u32::try_from(ROWS).unwrap(),
            gap_x_px: 0,
            gap_y_px: 0,
            left_px: 0,
            top_px: 0,
            right_px: 0,
            bottom_px: 0,
        }
    }

    fn scrambled(picture: &Picture, size_px: u32) -> Picture {
        let cut = cut(picture, layout(size_px).shape).unwrap();
        let settings = ScrambleSettings::new(PuzzleType::Type1, 3);
        sheet(&scramble(&cut, &settings).unwrap().pieces, COLUMNS).unwrap()
    }

    /// The picture with its chroma stored for cells of so many pixels, the first of which lies so many pixels outside,
    /// and interpolated as JPEG decoders do: three parts of the own cell and one of the next.
    fn subsampled(picture: &Picture, cell: [usize; 2], phase: usize) -> Picture {
        let Samples::U8(values) = picture.samples() else { panic!("8 bits") };
        let (height, width) = (picture.height_px(), picture.width_px());
        let pixels: Vec<[f64; 3]> = values
            .chunks_exact(3)
            .map(|pixel| {
                let [r, g, b] = [0, 1, 2].map(|channel| f64::from(pixel[channel]));
                let luma = 0.299 * r + 0.587 * g + 0.114 * b;
                [luma, b - luma, r - luma]
            })
            .collect();
        let mut planes = pixels.clone();
        for (axis, size) in cell.into_iter().enumerate().filter(|&(_, size)| size == 2) {
            let length = [width, height][axis];
            let before = planes.clone();
            let at = |line: usize, along: usize| {
                if axis == 0 { along * width + line } else { line * width + along }
            };
            for along in 0..width * height / length {
                let cell_mean = |number: usize, channel: usize| {
                    let first = (number * size).saturating_sub(phase).min(length - 1);
                    let last = (number * size + 1).saturating_sub(phase).min(length - 1);
                    (before[at(first, along)][channel] + before[at(last, along)][channel]) / 2.0
                };
                for line in 0..length {
                    let (own, is_second) = ((line + phase) / 2, (line + phase) % 2 == 1);
                    let next = if is_second { own + 1 } else { own.saturating_sub(1) };
                    for channel in 1..3 {
                        planes[at(line, along)][channel] =
                            0.75 * cell_mean(own, channel) + 0.25 * cell_mean(next, channel);
                    }
                }
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "clamped to a byte")]
        #[expect(clippy::cast_sign_loss, reason = "clamped to a byte")]
        let level = |value: f64| value.round().clamp(0.0, 255.0) as u8;
        let values = planes.iter().flat_map(|&[luma, blue, red]| {
            let green = luma - (0.299 * red + 0.114 * blue) / 0.587;
            [luma + red, green, luma + blue].map(level)
        });
        Picture::new(height, width, 3, Samples::U8(values.collect())).unwrap()
    }

    fn demo(size_px: u32) -> Picture {
        let size_px = size_px as usize;
        synthetic::demo_picture(ROWS * size_px, COLUMNS * size_px, 1)
    }

    #[test]
    fn subsampling_after_the_cut_is_found_by_axis_at_any_phase_and_size() {
        for size_px in [16, 21, 28] {
            let clean = scrambled(&demo(size_px), size_px);
            for (cell, across, down) in
                [([2, 2], true, true), ([2, 1], true, false), ([1, 2], false, true)]
            {
                for phase in [0, 1] {
                    let found =
                        ColourBleeding::find(&subsampled(&clean, cell, phase), &layout(size_px));
                    assert_eq!(
                        found,
                        ColourBleeding { across, down },
                        "{size_px} {cell:?} {phase}"
                    );
                }
            }
        }
    }

    #[test]
    fn nothing_is_found_in_clean_sheets_or_after_subsampling_before_the_cut() {
        for size_px in [16, 21, 28] {
            let picture = demo(size_px);
            let before = subsampled(&picture, [2, 2], 0);
            for sheet in [scrambled(&picture, size_px), scrambled(&before, size_px), before] {
                let found = ColourBleeding::find(&sheet, &layout(size_px));
                assert_eq!(found, ColourBleeding::default(), "{size_px}");
            }
        }
        // A layout that reaches beyond the sheet.
        assert!(!ColourBleeding::find(&demo(16), &layout(28)).is_any());
    }

    #[test]
    fn chroma_of_full_resolution_is_mixed_unless_blocks_end_with_the_pieces() {
        let of = |cell, size_px, left_px| {
            let found = ColourBleeding::of_jpeg(cell, &SheetLayout { left_px, ..layout(size_px) });
            (found.across, found.down)
        };
        assert_eq!(of([2, 2], 32, 0), (true, true));
        assert_eq!(of([2, 1], 32, 0), (true, false));
        assert_eq!(of([1, 1], 32, 0), (false, false));
        assert_eq!(of([1, 1], 32, 3), (true, false));
        assert_eq!(of([1, 1], 20, 0), (true, true));
    }

    #[test]
    fn luma_replaces_three_channels_and_keeps_others() {
        let shape = PieceShape::new(1, 1).unwrap();
        let set = |channels, samples| PieceSet::new(shape, channels, samples).unwrap();
        let pieces = set(3, Samples::U8(vec![255, 255, 255, 10, 10, 10, 255, 0, 0]));
        assert_eq!(*luma_of(&pieces), set(1, Samples::U8(vec![255, 10, 76])));
        let deep = set(4, Samples::U16(vec![0, 65535, 0, 7, 0, 0, 65535, 8]));
        assert_eq!(*luma_of(&deep), set(2, Samples::U16(vec![38469, 7, 7471, 8])));
        let grey = set(1, Samples::U8(vec![3, 4]));
        assert_eq!(*luma_of(&grey), grey);
    }
}
