use super::*;
use crate::dissimilarity::{Dissimilarity, Measure, find_nearest};
use crate::evaluation::score;
use crate::matching::Matcher;
use crate::observer::Silent;
use crate::picture::synthetic::demo_picture;
use crate::picture::{ScrambleSettings, Scrambled, cut, scramble};
use crate::puzzle::{PieceShape, PuzzleType, QuarterTurn, Samples};

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

/// The pieces placed by a reference, with the help of an answer by seams if there is one.
fn placed_with(
    pieces: &PieceSet,
    reference: &Picture,
    grid: Grid,
    turns: TurnSet,
    by_seams: Option<&Assembly>,
) -> Result<PlacedByReference, ReferenceError> {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Seam).unwrap();
    let candidates = Matcher::Learned.candidates();
    let nearest = find_nearest(&dissimilarity, turns, &candidates, &Silent).unwrap();
    let model = Matcher::Learned.match_sides(&dissimilarity, &nearest, turns, &Silent).unwrap();
    let costs = SeamCosts::new(&model);
    let problem = ReferenceProblem { pieces, reference, grid, turns, costs: &costs };
    let mut placing = Placing::new(problem, &Silent)?;
    if let Some(assembly) = by_seams {
        let seams = &crate::confidence::of_seams(assembly, &model);
        placing.improve(SeamAnswer { assembly, seams }, &Silent)?;
    }
    placing.finish()
}

fn placed(pieces: &PieceSet, reference: &Picture, grid: Grid, turns: TurnSet) -> Assembly {
    placed_with(pieces, reference, grid, turns, None).unwrap().assembly
}

/// The picture with every pixel changed by a function of its row, its column and its colour.
fn changed(picture: &Picture, of: impl Fn(usize, usize, [f64; 3]) -> [f64; 3]) -> Picture {
    let (height, width) = (picture.height_px(), picture.width_px());
    let pixels = (0..height).flat_map(|row| (0..width).map(move |col| (row, col)));
    let values = pixels.flat_map(|(row, col)| {
        let offset = picture.offset_of(row, col);
        let color = [0, 1, 2].map(|channel| f64::from(picture.samples().get(offset + channel)));
        of(row, col, color).map(|value| {
            #[expect(clippy::cast_possible_truncation, reason = "clamped to 0..=255")]
            let level = value.round().clamp(0.0, 255.0) as u8;
            level
        })
    });
    Picture::new(height, width, 3, Samples::U8(values.collect())).unwrap()
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
fn sepia_and_uneven_light_and_a_crop_do_not_matter() {
    let (picture, Scrambled { pieces, grid, truth }) = puzzle(9, 12, PuzzleType::Type2);
    let sepia = changed(&picture, |_, _, [r, g, b]| {
        let tone = 0.4 * r + 0.5 * g + 0.1 * b;
        [80.0 + 0.6 * tone, 60.0 + 0.5 * tone, 40.0 + 0.4 * tone]
    });
    let uneven = changed(&picture, |row, col, color| {
        let light = 1.0 - 0.5 * (row as f64 / 180.0) - 0.2 * (col as f64 / 240.0);
        color.map(|value| light * value)
    });
    // Without six rows at the top and five columns at the right: a quarter of a piece and more.
    let (height, width) = (picture.height_px() - 6, picture.width_px() - 5);
    let rows = (6..picture.height_px()).map(|row| picture.offset_of(row, 0));
    let part = rows.flat_map(|start| {
        (start..start + 3 * width).map(|at| u8::try_from(picture.samples().get(at)).unwrap())
    });
    let part = Picture::new(height, width, 3, Samples::U8(part.collect())).unwrap();
    for (name, reference) in [("sepia", sepia), ("uneven", uneven), ("cropped", part)] {
        let found = placed_with(&pieces, &reference, grid, TurnSet::Quarter, None).unwrap();
        let score = score(&truth, &found.assembly).unwrap();
        assert!(score.neighbor_px.unwrap() > 0.97, "{name}: {score}");
        assert!(!found.likeness.is_doubtful(), "{name}: {}", found.likeness);
    }
}

#[test]
fn segments_are_laid_as_a_whole_where_they_look_most_alike() {
    let (picture, Scrambled { pieces, grid, truth }) = puzzle(9, 12, PuzzleType::Type2);
    let blocks = PieceBlocks::new(&pieces, TurnSet::Quarter);
    // Two or three levels are left.
    let pale = changed(&picture, |_, _, color| color.map(|value| 200.0 + 0.01 * value));
    let sums = SummedAreas::of_picture(&pale);
    let subject = Subject { pieces: &blocks, reference: &sums, grid };
    let likeness = subject.likeness(&subject.compared());
    // The answer by seams is turned by half a turn, and nothing is known of the seams of its third row.
    let by_seams = truth.assembly().turned(QuarterTurn::ALL[2]);
    let row_of = |side: crate::puzzle::SideId| by_seams.place_of(side.piece()).unwrap().cell.row;
    let seams: Vec<crate::confidence::SeamConfidence> = by_seams
        .joins()
        .map(|join| {
            let is_known = row_of(join.first) != 2 && row_of(join.second) != 2;
            let confidence = if is_known { 1.0 } else { 0.1 };
            crate::confidence::SeamConfidence { join, confidence }
        })
        .collect();
    let answer = SeamAnswer { assembly: &by_seams, seams: &seams };
    let board = board_of_segments(&likeness, &likeness.ids(), grid, answer);
    for (cell, laid) in board.iter().enumerate() {
        let (piece, turn) = laid.unwrap();
        let cell = grid.cell_at(cell);
        // Counted from the other end, the third row is the seventh.
        if cell.row != 6 {
            let place = Place { board: 0, cell, turn };
            assert_eq!(truth.assembly().place_of(piece), Some(place));
        }
    }
}

#[test]
fn many_pieces_are_placed_greedily() {
    let (picture, Scrambled { pieces, grid, truth }) = puzzle(9, 12, PuzzleType::Type2);
    let blocks = PieceBlocks::new(&pieces, TurnSet::Quarter);
    let sums = SummedAreas::of_picture(&faded(&picture, false));
    let subject = Subject { pieces: &blocks, reference: &sums, grid };
    let own: Vec<PieceId> = pieces.ids().collect();
    let board = assign::most_alike_first(&subject.likeness(&subject.compared()), &own);
    let right = board.iter().enumerate().filter(|(cell, laid)| {
        let (piece, turn) = laid.unwrap();
        let place = Place { board: 0, cell: grid.cell_at(*cell), turn };
        truth.assembly().place_of(piece) == Some(place)
    });
    assert!(right.count() * 10 > 9 * own.len());
}

#[test]
fn a_reference_of_another_picture_is_refused() {
    let noise = (0..90 * 120 * 3_u32).map(|x| (x.wrapping_mul(x) / 7 % 251).to_le_bytes()[0]);
    let noise = Picture::new(90, 120, 3, Samples::U8(noise.collect())).unwrap();
    for (puzzle_type, turns) in
        [(PuzzleType::Type1, TurnSet::None), (PuzzleType::Type2, TurnSet::Quarter)]
    {
        let (_, Scrambled { pieces, grid, truth }) = puzzle(9, 12, puzzle_type);
        for by_seams in [None, Some(truth.assembly())] {
            let found = placed_with(&pieces, &noise, grid, turns, by_seams);
            let likeness = found.as_ref().map(|found| found.likeness);
            assert!(
                matches!(found, Err(ReferenceError::NothingAlike { likeness }) if likeness.share < 0.3),
                "{puzzle_type:?}, with seams: {}: {likeness:?}",
                by_seams.is_some()
            );
        }
    }
}

#[test]
fn a_reference_that_is_too_small_is_refused() {
    let (_, Scrambled { grid, .. }) = puzzle(9, 12, PuzzleType::Type1);
    let tiny = demo_picture(9, 12, 1);
    let error = check_size(&tiny, grid).unwrap_err().to_string();
    assert!(error.contains("12 x 9 pixels is too small for 9 rows x 12 columns"), "{error}");
}
