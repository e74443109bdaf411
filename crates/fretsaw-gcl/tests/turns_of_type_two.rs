//! The turns of a type 2 puzzle are found from the connection graph by every suitable rotation choice.

use fretsaw::evaluation::score_turns;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{PieceSet, PuzzleType, QuarterTurn, TurnSet};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::matching::MatchModel;
use fretsaw_gcl::construction::ConstructionSettings;
use fretsaw_gcl::rotation_choice::{RotationChoice, find_turns};

const TYPE: PuzzleType = PuzzleType::Type2;

fn turns_of(
    pieces: &PieceSet,
    choice: RotationChoice,
    settings: &ConstructionSettings,
) -> Result<Vec<QuarterTurn>, LocationError> {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Mgc).unwrap();
    let turns = TurnSet::Quarter;
    let nearest =
        find_nearest(&dissimilarity, turns, &NearestSettings::default(), &Silent).unwrap();
    let model = MatchModel::by_ratio(&dissimilarity, &nearest);
    let (built, rotations, info) = find_turns(&model, turns, choice, settings, &Silent)?;
    assert_eq!(built.graph.num_vertices(), pieces.num_pieces());
    assert!(info.converged());
    Ok(rotations)
}

#[test]
fn every_choice_that_fits_finds_most_turns_of_a_picture() {
    use RotationChoice::{Adjacency, Diffusion, Relaxation, Spectral};
    // Each bar is a little below the current value.
    for (choice, bar) in
        [(Spectral, 0.96), (Adjacency, 0.96), (Relaxation, 0.95), (Diffusion, 0.95)]
    {
        let shares: Vec<f64> = (1..4)
            .map(|seed| {
                let (pieces, _, truth) = synthetic::puzzle(10, 14, 28, TYPE, seed);
                let settings = ConstructionSettings { seed, ..Default::default() };
                score_turns(&truth, &turns_of(&pieces, choice, &settings).unwrap()).right
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 3.0;
        assert!(mean >= bar, "{}: {shares:?}", choice.name());
    }
}

#[test]
fn the_same_seed_gives_the_same_turns_on_any_number_of_threads() {
    let (pieces, _, _) = synthetic::puzzle(8, 10, 12, TYPE, 4);
    let settings = ConstructionSettings { seed: 9, ..Default::default() };
    for choice in RotationChoice::ALL.into_iter().filter(|choice| choice.fits(TYPE)) {
        let answer = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| turns_of(&pieces, choice, &settings)).unwrap()
        };
        let alone = answer(1);
        for threads in [1, 2, 5] {
            assert_eq!(answer(threads), alone, "{} on {threads}", choice.name());
        }
    }
}

#[test]
fn choices_that_need_positions_are_refused() {
    let (pieces, _, _) = synthetic::puzzle(3, 4, 10, TYPE, 1);
    for choice in [RotationChoice::Anchored, RotationChoice::Markov] {
        assert!(!choice.fits(TYPE));
        let error = turns_of(&pieces, choice, &ConstructionSettings::default()).unwrap_err();
        assert!(error.to_string().contains(&format!("'{}'", choice.name())), "{error}");
        assert!(error.to_string().contains("type 3"), "{error}");
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let (pieces, _, _) = synthetic::puzzle(3, 4, 10, TYPE, 1);
    let settings = ConstructionSettings { connecting_weight: 1.5, ..Default::default() };
    let error = turns_of(&pieces, RotationChoice::Spectral, &settings).unwrap_err();
    assert!(error.to_string().contains("connecting_weight is 1.5"), "{error}");
}
