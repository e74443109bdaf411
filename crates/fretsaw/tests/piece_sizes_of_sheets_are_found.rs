//! The piece size of a sheet is found by the seams between the pieces.

use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{
    Picture, ScrambleSettings, SheetHints, SheetLayout, cut, find_layouts, likely_layouts,
    scramble, sheet,
};
use fretsaw::puzzle::{PieceShape, PuzzleType, Samples};

/// A scrambled sheet of pieces of this size, without gaps, and its layout.
fn scrambled(width: u32, height: u32, columns: u32, rows: u32) -> (Picture, SheetLayout) {
    let shape = PieceShape::new(height, width).unwrap();
    let picture = demo_picture((height * rows) as usize, (width * columns) as usize, 3);
    let settings = ScrambleSettings::new(PuzzleType::Type2, 5);
    let pieces = scramble(&cut(&picture, shape).unwrap(), &settings).unwrap().pieces;
    let layout = SheetLayout {
        shape,
        columns,
        rows,
        gap_x_px: 0,
        gap_y_px: 0,
        left_px: 0,
        top_px: 0,
        right_px: 0,
        bottom_px: 0,
    };
    (sheet(&pieces, columns as usize).unwrap(), layout)
}

/// The same sheet with its pieces moved apart on a background.
fn moved_apart(
    tight: &Picture,
    layout: &SheetLayout,
    gap: u32,
    border: u32,
) -> (Picture, SheetLayout) {
    let spaced = SheetLayout {
        gap_x_px: gap,
        gap_y_px: gap,
        left_px: border,
        top_px: border,
        right_px: border,
        bottom_px: border,
        ..*layout
    };
    let (width, height) = (layout.shape.width_px() as usize, layout.shape.height_px() as usize);
    let (last_left, last_top) = spaced.corner_of((layout.columns * layout.rows) as usize - 1);
    let width_px = last_left + width + border as usize;
    let height_px = last_top + height + border as usize;
    let mut values = [90, 200, 40].repeat(width_px * height_px);
    for piece in 0..(layout.columns * layout.rows) as usize {
        let ((from_left, from_top), (to_left, to_top)) =
            (layout.corner_of(piece), spaced.corner_of(piece));
        for row in 0..height {
            for value in 0..width * 3 {
                let from = tight.offset_of(from_top + row, from_left) + value;
                let to = ((to_top + row) * width_px + to_left) * 3 + value;
                values[to] = u8::try_from(tight.samples().get(from)).unwrap();
            }
        }
    }
    (Picture::new(height_px, width_px, 3, Samples::U8(values)).unwrap(), spaced)
}

fn first(picture: &Picture, hints: &SheetHints) -> Option<SheetLayout> {
    find_layouts(picture, hints).first().map(|found| found.layout)
}

#[test]
fn square_and_oblong_pieces_are_found() {
    for (width, height, columns, rows) in
        [(28, 28, 8, 6), (40, 25, 6, 8), (16, 48, 9, 4), (32, 32, 5, 5), (17, 31, 10, 7)]
    {
        let (picture, layout) = scrambled(width, height, columns, rows);
        let found = find_layouts(&picture, &SheetHints::default());
        assert_eq!(found[0].layout, layout, "{width} x {height}");
        assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
        assert!(found.len() <= 10 && found[0].score > 10.0, "{}", found[0].score);
    }
}

#[test]
fn gaps_and_borders_are_found_with_the_pieces() {
    for (gap, border) in [(1, 0), (3, 0), (0, 5), (2, 7), (4, 4)] {
        let (tight, layout) = scrambled(24, 30, 7, 6);
        let (picture, spaced) = moved_apart(&tight, &layout, gap, border);
        assert_eq!(first(&picture, &SheetHints::default()), Some(spaced), "{gap} {border}");
        // With a given size the same gaps are found.
        let hints = SheetHints { piece: Some(layout.shape), ..SheetHints::default() };
        assert_eq!(first(&picture, &hints), Some(spaced), "{gap} {border}");
        let hints = SheetHints {
            gap_px: Some(gap),
            border_px: Some(border),
            columns: Some(7),
            ..SheetHints::default()
        };
        assert_eq!(first(&picture, &hints), Some(spaced), "{gap} {border}");
    }
}

#[test]
fn no_pieces_are_found_in_uncut_pictures() {
    for seed in 1..4 {
        let picture = demo_picture(300, 400, seed);
        assert_eq!(find_layouts(&picture, &SheetHints::default()), []);
    }
    let flat = Picture::new(40, 60, 1, Samples::U8(vec![7; 2400])).unwrap();
    assert_eq!(find_layouts(&flat, &SheetHints::default()), []);
    for (height, width) in [(1, 1), (1, 9), (2, 2)] {
        let small = Picture::new(height, width, 1, Samples::U8(vec![1; height * width])).unwrap();
        assert_eq!(find_layouts(&small, &SheetHints::default()), []);
    }
}

/// A page of lines of words, dark on white, without anything else.
fn page(width: usize, height: usize) -> Picture {
    let mut values = vec![250; width * height];
    // A letter is 5 px wide, has strokes of 2 px at its left, top and bottom at random, and is blurred by a grey edge.
    let mut random = 12_345_u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        random >> 16
    };
    let mut top = 7;
    while top + 16 < height {
        let mut left = 9;
        while left + 14 < width {
            let letter = next() % 16;
            for row in 0..9 {
                for col in 0..6 {
                    let is_stroke = (letter & 1 > 0 && col < 2)
                        || (letter & 2 > 0 && row < 2)
                        || (letter & 4 > 0 && row > 6)
                        || (letter & 8 > 0 && col > 3);
                    if letter > 1 && is_stroke {
                        let is_edge = (col == 5 || row == 8) && letter != 9;
                        values[(top + row) * width + left + col] = if is_edge { 150 } else { 20 };
                    }
                }
            }
            // Letters of different width, as in print: a fixed pitch would look like pieces.
            left += 7 + next() as usize % 3;
        }
        top += 13 + next() as usize % 5;
    }
    Picture::new(height, width, 1, Samples::U8(values)).unwrap()
}

/// The pieces of a picture in another order, on a sheet of as many columns.
fn shuffled(picture: &Picture, width: u32, height: u32) -> Picture {
    let cut = cut(picture, PieceShape::new(height, width).unwrap()).unwrap();
    let columns = cut.grid.cols() as usize;
    let settings = ScrambleSettings::new(PuzzleType::Type1, 5);
    sheet(&scramble(&cut, &settings).unwrap().pieces, columns).unwrap()
}

/// Columns and rows of the first layout that stands out.
fn grid_of(picture: &Picture) -> Option<(u32, u32)> {
    first(picture, &SheetHints::default()).map(|layout| (layout.columns, layout.rows))
}

#[test]
fn few_large_tiles_are_found() {
    for (width, height, columns, rows) in [(140, 120, 5, 4), (90, 90, 6, 8), (101, 77, 4, 6)] {
        let (picture, layout) = scrambled(width, height, columns, rows);
        assert_eq!(first(&picture, &SheetHints::default()), Some(layout), "{width} x {height}");
    }
    assert_eq!(grid_of(&shuffled(&page(720, 780), 144, 130)), Some((5, 6)));
}

#[test]
fn strips_of_a_page_have_its_full_height_with_its_white_margins() {
    for width in [12, 20, 30] {
        let picture = shuffled(&page(600, 800), width, 800);
        assert_eq!(grid_of(&picture), Some((600 / width, 1)), "{width}");
    }
}

/// Squares of one colour each, black or white, like a QR code.
fn code(squares: u32, square_px: u32) -> Picture {
    let side = (squares * square_px) as usize;
    let is_white = |row: usize, col: usize| {
        let (row, col) = (row / square_px as usize, col / square_px as usize);
        (row * 7919 + col * 104_729 + row * col * 31) % 13 % 2 == 0
    };
    let values = (0..side * side).map(|at| if is_white(at / side, at % side) { 255 } else { 0 });
    Picture::new(side, side, 1, Samples::U8(values.collect())).unwrap()
}

#[test]
fn squares_of_one_colour_are_not_taken_for_pieces() {
    for square_px in [5, 8, 10] {
        let sheet = shuffled(&code(60, square_px), 10 * square_px, 10 * square_px);
        for candidate in likely_layouts(&sheet, &SheetHints::default()) {
            let shape = candidate.layout.shape;
            let is_square = shape.width_px() <= square_px && shape.height_px() <= square_px;
            assert!(!is_square && shape.num_pixels() >= 64, "{square_px}: {candidate:?}");
        }
    }
}

#[test]
fn likely_sizes_are_offered_where_none_stands_out() {
    let picture = demo_picture(300, 400, 2);
    let likely = likely_layouts(&picture, &SheetHints::default());
    assert!((1..=10).contains(&likely.len()));
    for candidate in likely {
        assert!(!candidate.stands_out && candidate.layout.num_pieces() >= 2, "{candidate:?}");
    }
}

#[test]
fn given_sizes_gaps_and_borders_are_kept() {
    let (picture, layout) = scrambled(28, 28, 8, 6);
    let with = |piece: PieceShape| SheetHints { piece: Some(piece), ..SheetHints::default() };
    let found = first(&picture, &with(PieceShape::new(20, 30).unwrap())).unwrap();
    assert_eq!((found.columns, found.rows), (7, 8));
    assert_eq!((found.right_px, found.bottom_px), (14, 8));
    assert_eq!(first(&picture, &with(PieceShape::new(168, 224).unwrap())), None);
    assert_eq!(first(&picture, &with(PieceShape::new(200, 10).unwrap())), None);
    let hints = SheetHints { columns: Some(4), rows: Some(3), ..SheetHints::default() };
    let found = first(&picture, &hints).unwrap();
    assert_eq!((found.shape.width_px(), found.shape.height_px()), (56, 56));
    let hints = SheetHints { rows: Some(6), ..SheetHints::default() };
    assert_eq!(first(&picture, &hints), Some(layout));
    for hints in [
        SheetHints { columns: Some(100_000), ..SheetHints::default() },
        SheetHints { border_px: Some(u32::MAX), ..SheetHints::default() },
        SheetHints { border_px: Some(112), ..SheetHints::default() },
        SheetHints { gap_px: Some(u32::MAX), columns: Some(u32::MAX), ..SheetHints::default() },
        SheetHints { columns: Some(0), rows: Some(0), ..SheetHints::default() },
    ] {
        assert_eq!(first(&picture, &hints), None, "{hints:?}");
    }
    // A given gap need not be of one colour, and the sheet may end within a piece.
    let hints = SheetHints { gap_px: Some(2), border_px: Some(1), ..with(layout.shape) };
    let found = first(&picture, &hints).unwrap();
    assert_eq!((found.columns, found.rows, found.left_px), (7, 5, 1));
}

#[test]
fn pieces_are_found_beside_a_wide_margin() {
    // One colour, except a strip near the right.
    let values =
        (0..60 * 90).map(|at| if at % 90 == 80 { u8::try_from(at * 7 % 251).unwrap() } else { 9 });
    let picture = Picture::new(60, 90, 1, Samples::U8(values.collect())).unwrap();
    for found in find_layouts(&picture, &SheetHints::default()) {
        assert!(found.layout.num_pieces() >= 2);
    }
}

/// A type 3 sheet of 18 x 24 pieces of 12 px whose picture is white at the top and at the left.
fn white_at_two_edges() -> (Picture, SheetLayout) {
    let shape = PieceShape::new(12, 12).unwrap();
    let (columns, rows) = (18, 24);
    let drawn = demo_picture(12 * rows as usize, 12 * columns as usize, 3);
    let is_white = |pixel: usize| pixel / drawn.width_px() < 52 || pixel % drawn.width_px() < 26;
    let values = (0..drawn.height_px() * drawn.width_px() * 3).map(|at| {
        if is_white(at / 3) { 255 } else { u8::try_from(drawn.samples().get(at)).unwrap() }
    });
    let samples = Samples::U8(values.collect());
    let picture = Picture::new(drawn.height_px(), drawn.width_px(), 3, samples).unwrap();
    let settings = ScrambleSettings::new(PuzzleType::Type3, 5);
    let pieces = scramble(&cut(&picture, shape).unwrap(), &settings).unwrap().pieces;
    let layout = SheetLayout { shape, columns, rows, ..scrambled(12, 12, 2, 2).1 };
    (sheet(&pieces, columns as usize).unwrap(), layout)
}

#[test]
fn white_pieces_at_the_edges_are_not_taken_for_a_border_if_the_size_is_given() {
    let (picture, layout) = white_at_two_edges();
    let by_size = SheetHints { piece: Some(layout.shape), ..SheetHints::default() };
    let by_grid = SheetHints { columns: Some(18), rows: Some(24), ..SheetHints::default() };
    for hints in [by_size, by_grid, SheetHints { columns: Some(18), rows: Some(24), ..by_size }] {
        assert_eq!(first(&picture, &hints), Some(layout), "{hints:?}");
    }
}

#[test]
fn a_border_of_half_a_piece_is_found_although_the_size_divides_the_sheet() {
    let (tight, layout) = scrambled(24, 24, 7, 6);
    let (picture, spaced) = moved_apart(&tight, &layout, 0, 12);
    let hints = SheetHints { piece: Some(layout.shape), ..SheetHints::default() };
    assert_eq!(first(&picture, &hints), Some(spaced));
}
