use super::*;
use crate::dissimilarity::{Dissimilarity, Measure, find_nearest};
use crate::evaluation::score;
use crate::matching::Matcher;
use crate::observer::Silent;
use crate::picture::{ScrambleSettings, Scrambled, cut, scramble};
use crate::puzzle::{PuzzleType, Samples};
use crate::synthetic::demo_picture;

const PIECE_PX: usize = 20;

fn puzzle(rows: usize, cols: usize, puzzle_type: PuzzleType) -> (Picture, Scrambled) {
    let picture = demo_picture(rows * PIECE_PX, cols * PIECE_PX, 4);
    let px = u32::try_from(PIECE_PX).unwrap();
    let cut = cut(&picture, PieceShape::new(px, px).unwrap()).unwrap();
    let scrambled = scramble(&cut, &ScrambleSettings::new(puzzle_type, 9)).unwrap();
    (picture, scrambled)
}

/// The picture at half the size, with less contrast and darker, in colour or grey.
fn faded(picture: &Picture, is_grey: bool) -> Picture {
    let (height, width, channels) = (picture.height_px() / 2, picture.width_px() / 2, 3);
    let mut values = Vec::new();
    for row in 0..height {
        for col in 0..width {
            let mean = |channel: usize| {
                let near = [(0, 0), (0, 1), (1, 0), (1, 1)];
                let sum: u32 = near
                    .map(|(down, right)| {
                        let offset = picture.offset_of(2 * row + down, 2 * col + right);
                        u32::from(picture.samples().get(offset + channel))
                    })
                    .iter()
                    .sum();
                sum / 4
            };
            let colors = [mean(0), mean(1), mean(2)];
            let faded = |value: u32| u8::try_from(20 + value * 7 / 10).unwrap();
            if is_grey {
                values.push(faded(colors.iter().sum::<u32>() / channels));
            } else {
                values.extend(colors.map(faded));
            }
        }
    }
    Picture::new(height, width, if is_grey { 1 } else { 3 }, Samples::U8(values)).unwrap()
}

fn placed(pieces: &PieceSet, reference: &Picture, grid: Grid, turns: TurnSet) -> Assembly {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Seam).unwrap();
    let candidates = Matcher::Learned.candidates();
    let nearest = find_nearest(&dissimilarity, turns, &candidates, &Silent).unwrap();
    let model = Matcher::Learned.match_sides(&dissimilarity, &nearest, turns, &Silent).unwrap();
    let costs = SeamCosts::new(&model);
    let problem = ReferenceProblem { pieces, reference, grid, turns, costs: &costs };
    place(&problem, &Silent).unwrap().0
}

/// The pieces of both sets.
fn together(a: &PieceSet, b: &PieceSet) -> PieceSet {
    let (Samples::U8(of_a), Samples::U8(of_b)) = (a.samples(), b.samples()) else { panic!() };
    let samples = Samples::U8([&of_a[..], &of_b[..]].concat());
    PieceSet::new(a.shape(), a.channels(), samples).unwrap()
}

#[test]
fn pieces_are_placed_by_a_faded_reference() {
    for (puzzle_type, turns) in
        [(PuzzleType::Type1, TurnSet::None), (PuzzleType::Type2, TurnSet::Quarter)]
    {
        let (picture, Scrambled { pieces, grid, truth }) = puzzle(9, 12, puzzle_type);
        for is_grey in [false, true] {
            let reference = faded(&picture, is_grey);
            let assembly = placed(&pieces, &reference, grid, turns);
            let found = score(&truth, &assembly).unwrap();
            assert!(found.neighbor_px.unwrap() > 0.97, "{puzzle_type:?}, grey {is_grey}: {found}");
            assert_eq!(likely_grid(&pieces, &reference, turns), Some(grid));
        }
    }
}

#[test]
fn foreign_pieces_stay_out_and_missing_ones_leave_holes() {
    let (picture, Scrambled { pieces, grid, truth }) = puzzle(9, 12, PuzzleType::Type2);
    let foreign = Picture::new(
        PIECE_PX,
        5 * PIECE_PX,
        3,
        Samples::U8(
            (0..PIECE_PX * 5 * PIECE_PX * 3).map(|x| (x * x / 7 % 251).to_le_bytes()[0]).collect(),
        ),
    )
    .unwrap();
    let foreign = cut(&foreign, pieces.shape()).unwrap().pieces;
    let all = together(&pieces, &foreign);
    let assembly = placed(&all, &faded(&picture, false), grid, TurnSet::Quarter);
    let out: Vec<usize> = assembly.unplaced().map(PieceId::index).collect();
    assert_eq!(out, (pieces.num_pieces()..all.num_pieces()).collect::<Vec<_>>());
    // A board with more cells than pieces, as if some were missing.
    let own = assembly.placements().filter(|found| found.piece.index() < pieces.num_pieces());
    let own = Assembly::new(pieces.num_pieces(), vec![grid], own).unwrap();
    assert!(score(&truth, &own).unwrap().neighbor_px.unwrap() > 0.97);
    let Samples::U8(values) = pieces.samples() else { panic!() };
    let some = pieces.num_pieces() - 10;
    let values = values[..some * pieces.shape().num_pixels() * 3].to_vec();
    let some_pieces = PieceSet::new(pieces.shape(), 3, Samples::U8(values)).unwrap();
    let assembly = placed(&some_pieces, &faded(&picture, false), grid, TurnSet::Quarter);
    assert_eq!(assembly.num_placed(), some);
    let right = assembly
        .placements()
        .filter(|found| truth.assembly().place_of(found.piece) == Some(found.place))
        .count();
    assert!(right * 100 > some * 95, "{right} of {some}");
}

#[test]
fn many_pieces_are_placed_greedily() {
    let (picture, Scrambled { pieces, grid, truth }) = puzzle(9, 12, PuzzleType::Type2);
    let reference = faded(&picture, false);
    let descriptions = PieceDescriptions::new(&pieces, TurnSet::Quarter, 3);
    let likeness = Likeness::new(&descriptions, &reference, grid);
    let own: Vec<PieceId> = pieces.ids().collect();
    let board = most_alike_first(&likeness, &own);
    let right = board.iter().enumerate().filter(|(cell, laid)| {
        let (piece, turn) = laid.unwrap();
        let place = Place { board: 0, cell: grid.cell_at(*cell), turn };
        truth.assembly().place_of(piece) == Some(place)
    });
    assert!(right.count() * 10 > 9 * own.len());
}

#[test]
fn a_reference_of_another_picture_is_refused() {
    let (_, Scrambled { pieces, grid, .. }) = puzzle(9, 12, PuzzleType::Type1);
    let noise = (0..90 * 120 * 3_u32).map(|x| (x.wrapping_mul(x) / 7 % 251).to_le_bytes()[0]);
    let noise = Picture::new(90, 120, 3, Samples::U8(noise.collect())).unwrap();
    let descriptions = PieceDescriptions::new(&pieces, TurnSet::None, 3);
    assert!(own_pieces(&Likeness::new(&descriptions, &noise, grid)).is_empty());
}

#[test]
fn a_reference_that_is_too_small_is_refused() {
    let (_, Scrambled { grid, .. }) = puzzle(9, 12, PuzzleType::Type1);
    let tiny = demo_picture(9, 12, 1);
    let error = check_size(&tiny, grid).unwrap_err().to_string();
    assert!(error.contains("12 x 9 pixels is too small for 9 rows x 12 columns"), "{error}");
}
