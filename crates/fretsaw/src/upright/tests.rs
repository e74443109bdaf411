use super::*;
use crate::picture::synthetic::demo_picture;
use crate::puzzle::Samples;

/// The picture turned clockwise.
fn turned(picture: &Picture, turn: QuarterTurn) -> Picture {
    let (height, width) = (picture.height_px(), picture.width_px());
    let (new_height, new_width) = if turn.swaps_axes() { (width, height) } else { (height, width) };
    let Samples::U8(values) = picture.samples() else { unreachable!() };
    let mut out = Vec::new();
    for row in 0..new_height {
        for col in 0..new_width {
            let (row, col) = match turn.clockwise() {
                0 => (row, col),
                1 => (height - 1 - col, row),
                2 => (height - 1 - row, width - 1 - col),
                _ => (col, width - 1 - row),
            };
            let start = picture.offset_of(row, col);
            out.extend_from_slice(&values[start..start + picture.channels()]);
        }
    }
    Picture::new(new_height, new_width, picture.channels(), Samples::U8(out)).unwrap()
}

/// Dark bars like words on a white page: lines flush on the left, the last of a paragraph short. Below the line are
/// few strokes, above many, as in Latin text.
fn drawn_page(height: usize, width: usize) -> Picture {
    let mut values = vec![255_u8; height * width];
    let mut state = 7_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let (margin, pitch) = (width / 12, 18);
    let mut ink = |row: usize, col: usize, high: usize, wide: usize| {
        for y in row..row + high {
            values[y * width + col..y * width + col + wide].fill(20);
        }
    };
    for line in 0..(height - 2 * margin) / pitch {
        let baseline = margin + (line + 1) * pitch - 6;
        let length =
            if line % 7 == 6 { width / 2 } else { width - 2 * margin - random(20) as usize };
        let mut col = margin;
        while col + 8 < margin + length {
            // A letter: two stems and a bridge, some with an ascender or a descender.
            ink(baseline - 7, col, 7, 1);
            ink(baseline - 7, col + 3, 7, 1);
            ink(baseline - 7, col, 1, 4);
            match random(10) {
                0..3 => ink(baseline - 11, col, 5, 1),
                3 => ink(baseline, col + 3, 4, 1),
                _ => {}
            }
            col += if random(6) == 0 { 11 } else { 6 };
        }
        if line % 7 == 6 {
            ink(baseline - 1, col, 1, 1);
        }
    }
    Picture::new(height, width, 1, Samples::U8(values)).unwrap()
}

#[test]
fn turning_the_picture_turns_the_guess_exactly() {
    for picture in [demo_picture(97, 131, 3), demo_picture(40, 30, 1), drawn_page(301, 240)] {
        let upright = UprightGuess::of(&picture, TurnSet::Quarter);
        for given in QuarterTurn::ALL {
            let guess = UprightGuess::of(&turned(&picture, given), TurnSet::Quarter);
            for turn in QuarterTurn::ALL {
                assert_eq!(guess.probability(turn), upright.probability(turn + given));
            }
        }
    }
}

#[test]
fn a_drawn_landscape_and_a_drawn_page_are_set_upright() {
    for picture in [demo_picture(504, 672, 1), drawn_page(700, 560)] {
        for given in QuarterTurn::ALL {
            let guess = UprightGuess::of(&turned(&picture, given), TurnSet::Quarter);
            assert_eq!(guess.sure(), Some(-given), "{guess:?}");
        }
    }
}

#[test]
fn a_plain_picture_is_unsure() {
    for (height, width, channels) in [(200, 200, 3), (1, 1, 1), (300, 301, 1), (7, 7, 5)] {
        let samples = Samples::U8(vec![128; height * width * channels]);
        let picture = Picture::new(height, width, channels, samples).unwrap();
        let guess = UprightGuess::of(&picture, TurnSet::Quarter);
        assert_eq!(guess.sure(), None, "{guess:?}");
        assert!((guess.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(guess.probability(QuarterTurn::ZERO), guess.probability(QuarterTurn::HALF));
    }
}

#[test]
fn turns_that_are_not_free_have_no_probability() {
    let picture = turned(&demo_picture(504, 672, 1), QuarterTurn::HALF);
    let guess = UprightGuess::of(&picture, TurnSet::Half);
    assert_eq!(guess.sure(), Some(QuarterTurn::HALF));
    assert_eq!(guess.probability(QuarterTurn::from_clockwise(1)), 0.0);
    let fixed = UprightGuess::of(&picture, TurnSet::None);
    assert_eq!((fixed.best(), fixed.probability(fixed.best())), (QuarterTurn::ZERO, 1.0));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let picture = demo_picture(150, 200, 2);
    let guess = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| UprightGuess::of(&picture, TurnSet::Quarter))
    };
    assert_eq!(guess(1), guess(3));
}
