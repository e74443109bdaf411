use super::*;
use crate::picture::cut;
use crate::picture::synthetic::demo_picture;

fn demo_pieces(side_px: u32) -> PieceSet {
    let picture = demo_picture(8 * side_px as usize, 10 * side_px as usize, 1);
    cut(&picture, PieceShape::new(side_px, side_px).unwrap()).unwrap().pieces
}

/// The pieces with every pixel changed by a function of piece, distances from the four sides, and value.
fn changed(pieces: &PieceSet, change: impl Fn(usize, [usize; 4], f64) -> f64) -> RawPieces {
    let shape = pieces.shape();
    let (height, width) = (shape.height_px() as usize, shape.width_px() as usize);
    let mut values = Vec::new();
    for piece in pieces.ids() {
        for row in 0..height {
            for col in 0..width {
                for channel in 0..pieces.channels() {
                    let from_sides = [row, width - 1 - col, height - 1 - row, col];
                    let value = f64::from(pieces.sample(piece, row, col, channel));
                    let value = change(piece.index(), from_sides, value).round();
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "in range"
                    )]
                    values.push(value as u8);
                }
            }
        }
    }
    let pieces = PieceSet::new(shape, pieces.channels(), Samples::U8(values)).unwrap();
    RawPieces::from(pieces)
}

fn depth(raw: &RawPieces) -> u32 {
    find_preparation(raw, Trim::Auto).unwrap().map_or(0, |found| found.done().trimmed_px)
}

#[test]
fn clean_eroded_and_unevenly_lit_pieces_stay_as_they_are() {
    for side_px in [28, 50] {
        let pieces = demo_pieces(side_px);
        let raw = RawPieces::from(pieces.clone());
        assert_eq!(find_preparation(&raw, Trim::Auto), Ok(None));
        assert_eq!(find_preparation(&raw, Trim::Px(0)), Ok(None));
        let lit = changed(&pieces, |piece, _, value| value * [0.8, 1.0, 0.9, 0.7][piece % 4]);
        assert_eq!(find_preparation(&lit, Trim::Auto), Ok(None));
        let eroded = find_preparation(&raw, Trim::Px(2)).unwrap().unwrap();
        let eroded = RawPieces::from(eroded.apply(&raw).unwrap());
        assert_eq!(find_preparation(&eroded, Trim::Auto), Ok(None));
    }
}

#[test]
fn dirt_is_found_to_the_depth_where_the_picture_begins() {
    let pieces = demo_pieces(50);
    let nearest = |sides: [usize; 4]| sides.into_iter().min().unwrap();
    let lines = |width_px: usize, level: f64| {
        changed(
            &pieces,
            move |_, sides, value| {
                if nearest(sides) < width_px { level } else { value }
            },
        )
    };
    for width_px in 1..=3 {
        for level in [5.0, 128.0, 250.0] {
            let found = depth(&lines(width_px, level));
            assert_eq!(found as usize, width_px, "level {level}");
        }
    }
    let some = changed(
        &pieces,
        |piece, sides, value| {
            if sides[piece % 4] < 2 && piece % 5 > 0 { 240.0 } else { value }
        },
    );
    assert_eq!(depth(&some), 2);
    let shadow = changed(&pieces, |_, sides, value| value * (0.4 + 0.2 * sides[2] as f64).min(1.0));
    assert_eq!(depth(&shadow), 3);
}

#[test]
fn a_picture_with_a_frame_of_its_own_is_clean() {
    let mut picture = demo_picture(400, 500, 1).samples().clone();
    if let Samples::U8(values) = &mut picture {
        for (at, value) in values.iter_mut().enumerate() {
            let (row, col) = (at / 3 / 500, at / 3 % 500);
            if row.min(399 - row).min(col).min(499 - col) < 3 {
                *value = 0;
            }
        }
    }
    let picture = crate::picture::Picture::new(400, 500, 3, picture).unwrap();
    let pieces = cut(&picture, PieceShape::new(50, 50).unwrap()).unwrap().pieces;
    assert_eq!(depth(&RawPieces::from(pieces)), 0);
}

/// Pieces of a flat drawing: each has one grey, and some have a line near their upper side.
fn drawn_pieces(has_line: impl Fn(usize) -> bool) -> RawPieces {
    changed(&demo_pieces(50), |piece, sides, _| {
        let is_line = (2..4).contains(&sides[0]) && has_line(piece);
        if is_line { 0.0 } else { 100.0 + 7.0 * (piece % 20) as f64 }
    })
}

#[test]
fn lines_of_a_drawing_that_are_near_the_edge_of_some_pieces_are_no_dirt() {
    assert_eq!(depth(&drawn_pieces(|piece| piece % 3 == 0)), 0);
    // A line that all pieces have is not of the picture.
    assert_eq!(depth(&drawn_pieces(|_| true)), 4);
}

#[test]
fn a_bright_sky_is_no_drawing() {
    // Flat for the most part; where it is not, it changes by a level. A line of dirt lies on two thirds of the sides.
    let sky = changed(&demo_pieces(50), |piece, sides, _| {
        let is_dirt =
            sides.iter().enumerate().any(|(side, &depth)| depth == 0 && (piece + side) % 3 < 2);
        if is_dirt { 0.0 } else { 240.0 + ((sides[0] / 3 + sides[3] / 3 + piece) % 5) as f64 }
    });
    assert_eq!(depth(&sky), 1);
}

#[test]
fn a_preparation_that_was_recorded_does_the_same_again() {
    let pieces = demo_pieces(28);
    let raw = RawPieces::from(pieces.clone());
    let found = find_preparation(&raw, Trim::Px(3)).unwrap().unwrap();
    let again = Preparation::new(found.shape(), found.windows().to_vec(), found.done()).unwrap();
    let prepared = again.apply(&raw).unwrap();
    assert_eq!(prepared, found.apply(&raw).unwrap());
    assert_eq!(prepared.shape(), PieceShape::new(22, 22).unwrap());
    let last = pieces.ids().last().unwrap();
    assert_eq!(prepared.sample(last, 0, 21, 1), pieces.sample(last, 3, 24, 1));
    assert_eq!(
        found.to_string(),
        "3 px were trimmed off every edge; the pieces now have 22 x 22 px"
    );
    assert!(matches!(
        find_preparation(&raw, Trim::Px(14)),
        Err(PreparationError::NothingLeft { trim_px: 14, .. })
    ));
    let fewer = Preparation::new(found.shape(), found.windows()[1..].to_vec(), found.done());
    assert!(matches!(fewer.unwrap().apply(&raw), Err(PreparationError::Count { .. })));
    let nowhere = Window { width_px: f64::NAN, ..found.windows()[0] };
    let impossible = Preparation::new(found.shape(), vec![nowhere], found.done());
    assert_eq!(impossible, Err(PreparationError::Window { piece: 0 }));
}

/// The pieces laid on a table: each is turned by its own small angle, on a ground of one level with a little noise.
fn on_a_table(pieces: &PieceSet, level: f64, tilt_of: impl Fn(usize) -> f64) -> RawPieces {
    let side_px = pieces.shape().width_px() as usize;
    let size_px = side_px + 24;
    let mut values = Vec::new();
    for piece in pieces.ids() {
        let (sine, cosine) = tilt_of(piece.index()).to_radians().sin_cos();
        let (x_off, y_off) = ((piece.index() % 5) as f64 - 2.0, (piece.index() % 3) as f64 - 1.0);
        for row in 0..size_px {
            for col in 0..size_px {
                let x = col as f64 + 0.5 - size_px as f64 / 2.0 - x_off;
                let y = row as f64 + 0.5 - size_px as f64 / 2.0 - y_off;
                let u = (x * cosine + y * sine + side_px as f64 / 2.0).floor();
                let v = (y * cosine - x * sine + side_px as f64 / 2.0).floor();
                let inside = 0.0..side_px as f64;
                for channel in 0..pieces.channels() {
                    let noise = ((row * 7 + col * 13 + piece.index()) % 5) as f64;
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "in range"
                    )]
                    values.push(if inside.contains(&u) && inside.contains(&v) {
                        u8::try_from(pieces.sample(piece, v as usize, u as usize, channel)).unwrap()
                    } else {
                        (level + noise) as u8
                    });
                }
            }
        }
    }
    let size_px = u32::try_from(size_px).unwrap();
    let shape = PieceShape::new(size_px, size_px).unwrap();
    RawPieces::from(PieceSet::new(shape, pieces.channels(), Samples::U8(values)).unwrap())
}

#[test]
fn tiles_on_a_plain_background_are_found_and_straightened() {
    let pieces = demo_pieces(60);
    let tilt_of = |piece: usize| [2.5, -1.0, 0.0, 1.5, -2.0][piece % 5];
    for level in [0.0, 128.0, 250.0] {
        let raw = on_a_table(&pieces, level, tilt_of);
        let found = find_preparation(&raw, Trim::Auto).unwrap().expect("a background");
        assert!(found.done().background, "{level}");
        let side_px = found.shape().width_px() + 2 * found.done().trimmed_px;
        assert!((59..=61).contains(&side_px), "{side_px}");
        let num_right = found.windows().iter().enumerate().filter(|(piece, window)| {
            let x = window.left_px + window.width_px / 2.0 - 42.0 - (piece % 5) as f64 + 2.0;
            let y = window.top_px + window.height_px / 2.0 - 42.0 - (piece % 3) as f64 + 1.0;
            (window.tilt_degrees - tilt_of(*piece)).abs() < 1.1 && x.abs() < 1.0 && y.abs() < 1.0
        });
        assert!(num_right.count() >= 72, "{level}");
        let words = found.to_string();
        assert!(words.contains("background around 80 pieces"), "{words}");
    }
    assert_eq!(find_preparation(&RawPieces::from(pieces), Trim::Auto), Ok(None));
}

#[test]
fn pictures_of_slightly_different_sizes_become_equal_pieces() {
    use crate::picture::PictureSize;
    let size = |piece: usize| PictureSize { height_px: 50 + piece % 2, width_px: 50 + piece % 3 };
    let sizes: Vec<PictureSize> = (0..12).map(size).collect();
    let len = sizes.iter().map(|size| size.height_px * size.width_px).sum::<usize>();
    let raw = |sizes: Vec<PictureSize>, len| RawPieces::new(sizes, 1, Samples::U8(vec![9; len]));
    let raw = raw(sizes, len).unwrap();
    let found = find_preparation(&raw, Trim::Px(0)).unwrap().unwrap();
    assert!(found.done().sizes);
    let pieces = found.apply(&raw).unwrap();
    assert_eq!((pieces.num_pieces(), pieces.shape()), (12, PieceShape::new(51, 51).unwrap()));
    assert_eq!(
        found.to_string(),
        "pieces of 50 to 52 px by 50 to 51 px were brought to one size; the pieces now have 51 x 51 px"
    );
}

#[test]
fn paper_between_lines_of_text_is_not_dirt() {
    // Lines of text lie at the same height in all pieces, with white paper above and below them.
    let pieces =
        PieceSet::new(PieceShape::new(64, 64).unwrap(), 1, Samples::U8(vec![0; 64 * 4096]));
    let page = changed(&pieces.unwrap(), |piece, [row, _, _, col], _| {
        let is_ink = (row % 16 > 3) && (row * 7 + col * 13 + piece * 5) % 11 < 3;
        if is_ink { 0.0 } else { 255.0 }
    });
    assert_eq!(depth(&page), 0);
}
