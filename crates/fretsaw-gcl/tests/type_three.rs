//! Type 3 puzzles are solved by every suitable rotation choice. The random field is the core's, whose tests
//! say more of it.

use crate::type_three_puzzles::{TYPE, corrupted, oblong, share_right, turns_in_order};
use fretsaw::observer::Silent;
use fretsaw::picture::Scrambled;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{Assembly, Grid, PieceId, PieceSet, PieceShape, QuarterTurn, Samples};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure};
use fretsaw::unstable::locations::LocationError;
use fretsaw_gcl::known_positions::turn_in_place;
use fretsaw_gcl::rotation_choice::RotationChoice;

fn try_turn(
    pieces: &PieceSet,
    grid: Grid,
    choice: RotationChoice,
) -> Result<Assembly, LocationError> {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Mgc).unwrap();
    turn_in_place(&dissimilarity, grid, TYPE.turns(pieces.shape()), choice, 0, &Silent)
}

/// The turns found, by piece. Asserts that every piece is in its given cell.
fn turns_of(pieces: &PieceSet, grid: Grid, choice: RotationChoice) -> Vec<QuarterTurn> {
    let assembly = try_turn(pieces, grid, choice).unwrap();
    turns_in_order(&assembly, grid)
}

#[test]
fn every_choice_that_fits_finds_the_turns_of_a_picture() {
    use RotationChoice::{Adjacency, Anchored, Markov, Relaxation, Second, Spectral};
    // Each bar is a little below the current value.
    let bars = [
        (Spectral, 0.93),
        (Adjacency, 0.93),
        (Second, 0.45),
        (Relaxation, 0.90),
        (Anchored, 0.98),
        (Markov, 0.99),
    ];
    assert!(
        RotationChoice::ALL
            .iter()
            .all(|choice| { choice.fits(TYPE) == bars.iter().any(|(listed, _)| listed == choice) })
    );
    let Scrambled { pieces, grid, truth } = corrupted(0.0);
    for (choice, bar) in bars {
        let share = share_right(&truth, &turns_of(&pieces, grid, choice));
        assert!(share >= bar, "{}: {share}", choice.name());
    }
}

#[test]
fn the_graph_with_the_board_survives_corrupted_sides() {
    let Scrambled { pieces, grid, truth } = corrupted(0.1);
    let share = share_right(&truth, &turns_of(&pieces, grid, RotationChoice::Anchored));
    assert!(share >= 0.84, "{share}");
}

#[test]
fn turning_a_piece_changes_only_its_own_turn_by_the_inverse() {
    let (pieces, grid, _) = synthetic::puzzle(6, 8, 20, TYPE, 3);
    for choice in RotationChoice::ALL.into_iter().filter(|choice| choice.fits(TYPE)) {
        let before = turns_of(&pieces, grid, choice);
        for (piece, quarters) in [(0, 1), (21, 2), (47, 3)] {
            let turn = QuarterTurn::from_clockwise(quarters);
            let turn_of =
                |other: PieceId| if other.index() == piece { turn } else { QuarterTurn::ZERO };
            let turned = pieces.turned(turn_of).unwrap();
            let mut expected = before.clone();
            expected[piece] = expected[piece] - turn;
            assert_eq!(turns_of(&turned, grid, choice), expected, "{}", choice.name());
        }
    }
}

#[test]
fn oblong_pieces_are_turned_by_half_turns() {
    let Scrambled { pieces, grid, truth } = oblong();
    let turns = turns_of(&pieces, grid, RotationChoice::Anchored);
    assert!(turns.iter().all(|turn| !turn.swaps_axes()));
    let share = share_right(&truth, &turns);
    assert!(share >= 0.97, "{share}");
}

#[test]
fn diffusion_is_refused_as_it_needs_matches() {
    let (pieces, grid, _) = synthetic::puzzle(3, 4, 10, TYPE, 1);
    let error = try_turn(&pieces, grid, RotationChoice::Diffusion).unwrap_err();
    assert!(error.to_string().contains("'diffusion'"), "{error}");
}

#[test]
fn a_uniform_picture_gives_a_full_board() {
    let shape = PieceShape::new(6, 6).unwrap();
    let pieces = PieceSet::new(shape, 3, Samples::U8(vec![200; 6 * 6 * 3 * 12])).unwrap();
    let grid = Grid::new(3, 4).unwrap();
    for choice in RotationChoice::ALL.into_iter().filter(|choice| choice.fits(TYPE)) {
        assert_eq!(turns_of(&pieces, grid, choice).len(), 12);
    }
}
