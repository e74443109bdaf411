use super::*;
use crate::wear::Extent;
use fretsaw::picture::cut;
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::puzzle::{PieceId, PieceShape};

const SHAPE_PX: u32 = 20;

fn cut_of(picture: &Picture) -> Cut {
    cut(picture, PieceShape::new(SHAPE_PX, SHAPE_PX).unwrap()).unwrap()
}

fn demo() -> Cut {
    cut_of(&demo_picture(60, 80, 1))
}

fn wear_of(change: impl FnOnce(&mut Wear)) -> Wear {
    let mut wear = Wear::default();
    change(&mut wear);
    wear
}

/// Every kind alone, and all at once.
fn kinds() -> Vec<Wear> {
    let mut kinds = vec![
        wear_of(|it| it.erode = Extent::Px(2)),
        wear_of(|it| it.light = 10.0),
        wear_of(|it| it.white_balance = 10.0),
        wear_of(|it| it.gamma = 10.0),
        wear_of(|it| it.jpeg = Some(80)),
        wear_of(|it| it.shift = 1.0),
        wear_of(|it| it.tilt = 1.0),
        wear_of(|it| it.blur = 0.5),
        wear_of(|it| it.noise = 2.0),
        wear_of(|it| it.edge_line = 1.0),
        wear_of(|it| it.ragged = 10.0),
    ];
    kinds.push(Wear {
        erode: Extent::Percent(10.0),
        scale_back: true,
        light: 10.0,
        white_balance: 5.0,
        gamma: 5.0,
        jpeg: Some(80),
        shift: 1.0,
        tilt: 1.0,
        blur: 0.5,
        noise: 2.0,
        edge_line: 1.0,
        ragged: 5.0,
        sizes: 0.0,
    });
    kinds
}

/// All values of a piece.
fn piece(cut: &Cut, number: usize) -> Vec<u16> {
    let len = cut.pieces.samples_per_piece();
    (number * len..(number + 1) * len).map(|at| cut.pieces.samples().get(at)).collect()
}

#[test]
fn without_wear_pieces_stay_as_they_are_even_if_deep() {
    assert_eq!(worn(demo(), &Wear::default(), 1).unwrap(), demo());
    let values = (0..40 * 40).collect();
    let deep = cut_of(&Picture::new(40, 40, 1, Samples::U16(values)).unwrap());
    assert_eq!(worn(deep.clone(), &Wear::default(), 1).unwrap(), deep);
}

#[test]
fn every_kind_changes_the_pieces_and_keeps_the_board() {
    for wear in kinds() {
        let worn = worn(demo(), &wear, 1).unwrap();
        assert_eq!(worn.grid, demo().grid);
        assert_eq!(worn.pieces.num_pieces(), 12);
        let px = if wear.erode.is_none() || wear.scale_back { SHAPE_PX } else { SHAPE_PX - 4 };
        assert_eq!(worn.pieces.shape(), PieceShape::new(px, px).unwrap(), "{wear}");
        // A random number may be almost 0.
        let changed =
            (0..12).filter(|&number| piece(&worn, number) != piece(&demo(), number)).count();
        assert!(changed >= 10, "{wear}: {changed} pieces changed");
    }
}

#[test]
fn the_same_seed_gives_the_same_pixels_and_another_seed_others() {
    for wear in kinds() {
        let pieces = |seed| worn(demo(), &wear, seed).unwrap().pieces;
        assert_eq!(pieces(1), pieces(1), "{wear}");
        let is_random = wear.erode.is_none() && wear.jpeg.is_none() && wear.blur == 0.0;
        assert_eq!(pieces(1) != pieces(2), is_random || wear.noise > 0.0, "{wear}");
    }
}

#[test]
fn grey_pieces_wear_too() {
    let grey = crate::picture_changes::grey(&demo_picture(60, 80, 1)).unwrap();
    for wear in kinds() {
        let worn = worn(cut_of(&grey), &wear, 1).unwrap();
        assert_eq!(worn.pieces.channels(), 1);
        assert_ne!(worn, cut_of(&grey), "{wear}");
    }
}

#[test]
fn erosion_leaves_exactly_the_inner_pixels() {
    let whole = demo();
    let worn = worn(demo(), &wear_of(|it| it.erode = Extent::Px(2)), 1).unwrap();
    for id in whole.pieces.ids() {
        for row in 0..16 {
            for col in 0..16 {
                for channel in 0..3 {
                    assert_eq!(
                        worn.pieces.sample(id, row, col, channel),
                        whole.pieces.sample(id, row + 2, col + 2, channel)
                    );
                }
            }
        }
    }
}

#[test]
fn light_differs_from_piece_to_piece_and_is_even_within_each() {
    let flat = cut_of(&Picture::new(60, 80, 3, Samples::U8(vec![120; 60 * 80 * 3])).unwrap());
    for wear in [
        wear_of(|it| it.light = 10.0),
        wear_of(|it| it.white_balance = 10.0),
        wear_of(|it| it.gamma = 10.0),
    ] {
        let worn = worn(flat.clone(), &wear, 1).unwrap();
        let mut colours = Vec::new();
        for number in 0..12 {
            let values = piece(&worn, number);
            let colour = values[..3].to_vec();
            assert!(values.chunks_exact(3).all(|pixel| pixel == colour), "{wear}");
            let is_grey = colour[0] == colour[1] && colour[1] == colour[2];
            assert_eq!(is_grey, wear.white_balance == 0.0, "{wear} {colour:?}");
            // 10 % of 120, a third of 10 % of 255, and a half.
            assert!(colour.iter().all(|&level| level.abs_diff(120) <= 21), "{wear} {colour:?}");
            colours.push(colour);
        }
        colours.sort();
        colours.dedup();
        assert!(colours.len() > 6, "{wear}: {colours:?}");
    }
}

#[test]
fn no_pixel_of_a_neighbour_appears() {
    // Pieces of two flat colours, like a chessboard.
    let is_light = |row: usize, col: usize| (row / 20 + col / 20).is_multiple_of(2);
    let values = (0..60 * 80).map(|at| if is_light(at / 80, at % 80) { 200 } else { 50 });
    let chess = cut_of(&Picture::new(60, 80, 1, Samples::U8(values.collect())).unwrap());
    for wear in [
        wear_of(|it| it.shift = 3.0),
        wear_of(|it| it.tilt = 5.0),
        wear_of(|it| it.blur = 2.0),
        wear_of(|it| {
            it.erode = Extent::Px(3);
            it.scale_back = true;
        }),
    ] {
        assert_eq!(worn(chess.clone(), &wear, 1).unwrap(), chess, "{wear}");
    }
}

#[test]
fn a_kind_does_the_same_whatever_else_happens() {
    let shift_alone = worn(demo(), &wear_of(|it| it.shift = 1.0), 1).unwrap();
    let with_hardly_any_light = Wear { light: 1e-9, ..wear_of(|it| it.shift = 1.0) };
    assert_eq!(worn(demo(), &with_hardly_any_light, 1).unwrap(), shift_alone);
}

#[test]
fn edges_cover_the_outer_pixels_alone() {
    let whole = demo();
    for wear in [wear_of(|it| it.edge_line = 2.0), wear_of(|it| it.ragged = 10.0)] {
        let worn = worn(demo(), &wear, 1).unwrap();
        for id in whole.pieces.ids() {
            for (row, col) in (2..18).flat_map(|row| (2..18).map(move |col| (row, col))) {
                let sample = |of: &Cut| of.pieces.sample(id, row, col, 0);
                assert_eq!(sample(&worn), sample(&whole), "{wear}");
            }
        }
    }
}

#[test]
fn a_line_has_one_colour_in_all_of_a_puzzle() {
    let worn = worn(demo(), &wear_of(|it| it.edge_line = 6.0), 1).unwrap();
    let first: Vec<u16> =
        (0..12).map(|number| worn.pieces.sample(PieceId::new(number), 0, 10, 0)).collect();
    let most_often = first.iter().map(|a| first.iter().filter(|b| a == *b).count()).max();
    assert!(most_often >= Some(8), "{first:?}");
    assert!(first.iter().filter(|&&level| level <= 30 || level >= 225).count() >= 8, "{first:?}");
}

#[test]
fn nothing_left_is_an_error_that_says_what_to_change() {
    let error = worn(demo(), &wear_of(|it| it.erode = Extent::Px(10)), 1).unwrap_err();
    assert!(error.to_string().contains("--erode"), "{error}");
}
