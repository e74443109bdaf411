//! Algorithm 2 and the graph of known positions agree with slow reference implementations.

#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test may panic, and its random numbers are small"
)]

use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::picture::{Picture, ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::{
    Grid, PieceId, PieceSet, PieceShape, Placement, PuzzleType, QuarterTurn, Samples, SideId,
    SidePair, TurnSet,
};
use fretsaw::unstable::dissimilarity::{
    Dissimilarity, Measure, NearestSettings, NearestSides, find_nearest,
};
use fretsaw::unstable::matching::{MatchModel, SideDistribution};
use fretsaw_gcl::connection_graph::{ConnectionEdge, ConnectionGraph};
use fretsaw_gcl::construction::SideMatch;
use fretsaw_gcl::construction::candidates::{nearest_matches, prune_matches};
use fretsaw_gcl::construction::connectivity::connect_components;
use fretsaw_gcl::construction::four_loops::apply_four_loops;
use fretsaw_gcl::construction::jaccard::jaccard_indices;
use fretsaw_gcl::construction::{ConstructionSettings, ConstructionStep, construct};
use fretsaw_gcl::graph::Components;
use fretsaw_gcl::known_positions::{anchored_graph, graph_of_known_positions};
use fretsaw_gcl::linalg::Complex;
use fretsaw_gcl::rotations::{RotationSettings, estimate_rotations};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::{BTreeMap, BTreeSet};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0),
        ..Default::default()
    }
}

/// A linear congruential generator: small numbers below a bound.
fn generator(seed: u64) -> impl FnMut(u64) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) % below) as usize
    }
}

/// Square pieces with every kind of side: textured, smooth, flat, and exact copies.
fn pieces_with_ties(num: usize, seed: u64) -> PieceSet {
    let shape = PieceShape::new(5, 5).unwrap();
    let size = shape.num_pixels();
    let mut random = generator(seed);
    let mut values: Vec<u8> = Vec::with_capacity(num * size);
    for piece in 0..num {
        if piece > 0 && random(4) == 0 {
            let copied = random(piece as u64) * size;
            values.extend_from_within(copied..copied + size);
            continue;
        }
        let (level, noise) = (random(200) as u8, [1, 1, 2, 8, 56][random(5)]);
        values.extend((0..size).map(|_| level + random(noise) as u8));
    }
    PieceSet::new(shape, 1, Samples::U8(values)).unwrap()
}

fn measured(
    pieces: &PieceSet,
    measure: Measure,
    settings: NearestSettings,
) -> (Dissimilarity, NearestSides) {
    let dissimilarity = Dissimilarity::new(pieces, measure).unwrap();
    let nearest = find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap();
    (dissimilarity, nearest)
}

/// A random matcher: every candidate has some probability, and a few have nearly all of it.
fn by_random_probabilities<'a>(
    dissimilarity: &'a Dissimilarity,
    nearest: &'a NearestSides,
    seed: u64,
) -> MatchModel<'a> {
    let mut random = generator(seed);
    let mut of_candidates = Vec::new();
    let mut of_sides = Vec::new();
    for side in (0..nearest.num_sides()).map(SideId::from_index) {
        let mut weights: Vec<f32> =
            nearest.of(side).iter().map(|_| [1.0, 1e3, 1e6][random(3)]).collect();
        weights.extend([1.0, 1.0]);
        let sum: f32 = weights.iter().sum();
        let (listed, others) = weights.split_at(weights.len() - 2);
        of_candidates.extend(listed.iter().map(|weight| weight / sum));
        of_sides.push(SideDistribution { border: others[0] / sum, unlisted: others[1] / sum });
    }
    MatchModel::by_probabilities(
        dissimilarity,
        std::borrow::Cow::Borrowed(nearest),
        of_candidates,
        of_sides,
    )
}

/// Matches between random sides of different pieces, no pair of sides twice, with few different
/// values: ties everywhere.
fn random_matches(num_pieces: usize, num_matches: usize, seed: u64) -> Vec<SideMatch> {
    let mut random = generator(seed);
    let mut matches = BTreeMap::new();
    for _ in 0..num_matches {
        let [a, b] = [0; 2].map(|_| SideId::from_index(random(4 * num_pieces as u64)));
        let (value, weight) = (random(5) as f64, [0.01, 1.0][random(2)]);
        if a.piece() != b.piece() {
            matches.insert((a.min(b), a.max(b)), SideMatch::new(a, b, value, weight));
        }
    }
    matches.into_values().collect()
}

/// The same, with no pair of pieces twice either: a graph.
fn random_graph(num_pieces: usize, num_matches: usize, seed: u64) -> Vec<SideMatch> {
    let mut seen = BTreeSet::new();
    let mut matches = random_matches(num_pieces, num_matches, seed);
    matches.retain(|side_match| seen.insert(side_match.pieces()));
    matches
}

fn sorted(mut matches: Vec<SideMatch>) -> Vec<SideMatch> {
    matches.sort_by_key(|side_match| (side_match.a, side_match.b));
    matches
}

fn neighbor_sets(num_pieces: usize, matches: &[SideMatch]) -> Vec<BTreeSet<PieceId>> {
    let mut neighbors = vec![BTreeSet::new(); num_pieces];
    for side_match in matches {
        let (i, j) = side_match.pieces();
        neighbors[i.index()].insert(j);
        neighbors[j.index()].insert(i);
    }
    neighbors
}

/// The same pieces in another order, each turned: new piece `k` is old piece `order[k]`, turned
/// clockwise by `turns[k]`.
fn relabelled(pieces: &PieceSet, order: &[usize], turns: &[QuarterTurn]) -> PieceSet {
    let Samples::U8(values) = pieces.samples() else { panic!("8 bit is enough here") };
    let size = pieces.samples_per_piece();
    let values = order.iter().flat_map(|&piece| &values[piece * size..][..size]).copied().collect();
    let ordered = PieceSet::new(pieces.shape(), pieces.channels(), Samples::U8(values)).unwrap();
    ordered.turned(|piece| turns[piece.index()]).unwrap()
}

/// An order of 48 pieces and a turn for each.
fn relabelling() -> impl Strategy<Value = (Vec<usize>, Vec<QuarterTurn>)> {
    let order = Just((0..48).collect::<Vec<usize>>()).prop_shuffle();
    let turns = prop::collection::vec((0..4_i64).prop_map(QuarterTurn::from_clockwise), 48);
    (order, turns)
}

proptest! {
    #![proptest_config(config(6))]

    #[test]
    fn shuffling_and_turning_the_pieces_shuffles_and_turns_the_graph_after_every_step(
        (order, turns) in relabelling(),
        seed in 1_u64..5,
    ) {
        let (pieces, _, _) = synthetic::puzzle(6, 8, 14, PuzzleType::Type2, seed);
        let other = relabelled(&pieces, &order, &turns);
        for measure in [Measure::Mgc, Measure::Seam] {
            let built = |pieces: &PieceSet, step: ConstructionStep| {
                let (dissimilarity, nearest) =
                    measured(pieces, measure, NearestSettings::default());
                let settings = ConstructionSettings::default();
                let model = MatchModel::by_ratio(&dissimilarity, &nearest);
                construct(&model, TurnSet::Quarter, &settings, step).unwrap()
            };
            for step in ConstructionStep::ALL {
                let (before, after) = (built(&pieces, step), built(&other, step));
                // After `q` turns side `s` of the old piece is side `s + q` of the new one.
                let old_side = |side: SideId| {
                    let new = side.piece().index();
                    SideId::new(PieceId::new(order[new]), side.side() - turns[new])
                };
                let back = after.matches.iter().map(|m| {
                    SideMatch::new(old_side(m.a), old_side(m.b), m.cost, m.weight)
                });
                prop_assert_eq!(sorted(back.collect()), sorted(before.matches), "{:?}", step);
                // A piece that was turned by q before needs a turn smaller by q.
                let back = after.graph.edges().iter().map(|edge| {
                    let (i, j) = (edge.i.index(), edge.j.index());
                    let turn = edge.turn_j_from_i.turn().unwrap() + turns[j] - turns[i];
                    let [i, j] = [order[i], order[j]].map(PieceId::new);
                    ConnectionEdge::new(i, j, edge.weight, turn)
                });
                let back =
                    ConnectionGraph::new(48, back).unwrap();
                prop_assert_eq!(back, before.graph, "{:?} {:?}", measure, step);
            }
        }
    }
}

/// Pruning as in the paper's text, without regard to speed.
fn prune_slowly(nearest: &NearestSides, matches: &[SideMatch]) -> Vec<SideMatch> {
    let mut closed: BTreeSet<SideId> = (0..nearest.num_sides())
        .map(SideId::from_index)
        .filter(|&side| nearest.of(side).is_empty())
        .collect();
    let mut left = matches.to_vec();
    let mut kept: Vec<SideMatch> = Vec::new();
    while !left.is_empty() {
        let smallest = left.iter().map(|m| m.cost).fold(f64::INFINITY, f64::min);
        let open: Vec<SideMatch> = left
            .iter()
            .filter(|m| m.cost == smallest)
            .filter(|m| !closed.contains(&m.a) && !closed.contains(&m.b))
            .copied()
            .collect();
        let shares_a_side = |x: &SideMatch, y: &SideMatch| {
            x != y && (x.a == y.a || x.a == y.b || x.b == y.a || x.b == y.b)
        };
        kept.extend(open.iter().filter(|x| !open.iter().any(|y| shares_a_side(x, y))));
        closed.extend(open.iter().flat_map(|m| [m.a, m.b]));
        left.retain(|m| m.cost != smallest);
    }
    // One match per pair of pieces: the one that is strictly better than all others of the pair.
    let equals_or_beats = |x: &SideMatch, y: &SideMatch| {
        x.pieces() == y.pieces() && (x.weight, -x.cost) >= (y.weight, -y.cost) && x != y
    };
    let alone = kept.iter().filter(|y| !kept.iter().any(|x| equals_or_beats(x, y)));
    sorted(alone.copied().collect())
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn pruning_agrees_with_the_slow_reference_in_any_order(
        num_pieces in 2_usize..9, num_matches in 0_usize..60, seed: u64, rotation in 0_usize..60,
    ) {
        let pieces = pieces_with_ties(num_pieces, seed);
        // Short lists, so that some sides have too many ties to list.
        let settings = NearestSettings { num_candidates: 2, max_candidates: 3 };
        let (_, nearest) = measured(&pieces, Measure::Ssd, settings);
        let initial = nearest_matches(&nearest, Some(0.01));
        for matches in [random_matches(num_pieces, num_matches, seed), initial] {
            let expected = prune_slowly(&nearest, &matches);
            let mut sides = BTreeSet::new();
            prop_assert!(expected.iter().all(|m| sides.insert(m.a) && sides.insert(m.b)));
            prop_assert_eq!(&sorted(prune_matches(&nearest, matches.clone())), &expected);
            let mut moved = matches;
            moved.reverse();
            if !moved.is_empty() {
                let middle = rotation % moved.len();
                moved.rotate_left(middle);
            }
            prop_assert_eq!(sorted(prune_matches(&nearest, moved)), expected);
        }
    }

    #[test]
    fn jaccard_indices_agree_with_sets(
        num_pieces in 2_usize..16, num_matches in 0_usize..50, seed: u64,
    ) {
        let matches = random_graph(num_pieces, num_matches, seed);
        let expected: Vec<usize> = (0..matches.len())
            .map(|removed| {
                let mut rest = matches.clone();
                let (i, j) = rest.remove(removed).pieces();
                let neighbors = neighbor_sets(num_pieces, &rest);
                let near = |piece: PieceId| {
                    let mut near = neighbors[piece.index()].clone();
                    for next in &neighbors[piece.index()] {
                        near.extend(&neighbors[next.index()]);
                    }
                    near.remove(&piece);
                    near
                };
                near(i).intersection(&near(j)).count()
            })
            .collect();
        prop_assert_eq!(jaccard_indices(num_pieces, &matches), expected);
    }

    #[test]
    fn four_loops_agree_with_brute_force(
        num_pieces in 2_usize..14, num_matches in 0_usize..45, seed: u64,
    ) {
        let matches = random_graph(num_pieces, num_matches, seed);
        let settings = ConstructionSettings {
            contradicted_factor: 0.25,
            unlooped_factor: 0.5,
            diagonal_weight: 0.75,
            ..ConstructionSettings::default()
        };
        let (mut confirmed, mut contradicted) = (BTreeSet::new(), BTreeSet::new());
        let mut diagonals = Vec::new();
        let neighbors = neighbor_sets(num_pieces, &matches);
        let between = |i: PieceId, j: PieceId| (i.min(j), i.max(j));
        let turn = |i: PieceId, j: PieceId| {
            let found = matches.iter().find(|m| m.pieces() == between(i, j)).unwrap();
            let sides = if found.a.piece() == i { (found.a, found.b) } else { (found.b, found.a) };
            SidePair::of(sides.0, sides.1).turn_j_from_i()
        };
        for i in (0..num_pieces).map(PieceId::new) {
            for j in (i.index() + 1..num_pieces).map(PieceId::new) {
                let common: Vec<PieceId> =
                    neighbors[i.index()].intersection(&neighbors[j.index()]).copied().collect();
                let &[k, l] = common.as_slice() else { continue };
                let along = [turn(i, k) + turn(k, j), turn(i, l) + turn(l, j)];
                let ends = [between(i, k), between(k, j), between(i, l), between(l, j)];
                if along[0] == along[1] {
                    confirmed.extend(ends);
                    if !neighbors[i.index()].contains(&j) {
                        diagonals.push(ConnectionEdge::new(i, j, 0.75, along[0]));
                    }
                } else {
                    contradicted.extend(ends);
                }
            }
        }
        let weight = |m: &SideMatch| {
            if confirmed.contains(&m.pieces()) {
                1.0
            } else if contradicted.contains(&m.pieces()) {
                0.25 * m.weight
            } else {
                0.5 * m.weight
            }
        };
        let expected: Vec<SideMatch> =
            matches.iter().map(|m| SideMatch { weight: weight(m), ..*m }).collect();
        prop_assert_eq!(
            apply_four_loops(num_pieces, &matches, &settings),
            (expected, diagonals)
        );
    }
}

/// The best value between a piece outside and one inside, over all pairs of their sides.
fn best_crossing(model: &MatchModel<'_>, turns: TurnSet, inside: &BTreeSet<usize>) -> f64 {
    let sides = || (0..model.num_sides()).map(SideId::from_index);
    let is_inside = |side: &SideId| inside.contains(&side.piece().index());
    let mut best = f64::INFINITY;
    for a in sides().filter(|side| !is_inside(side)) {
        for b in sides().filter(is_inside).filter(|&b| turns.allows(SidePair::of(a, b))) {
            best = best.min(model.candidate_cost(a, b));
        }
    }
    best
}

/// Whether these matches can have been added one by one to a component, each the best at its time.
fn grows_by_the_best(
    model: &MatchModel<'_>,
    turns: TurnSet,
    components: &Components,
    start: usize,
    added: &[SideMatch],
) -> bool {
    let mut inside: BTreeSet<usize> = components.members()[start].iter().copied().collect();
    let mut left = added.to_vec();
    while !left.is_empty() {
        let best = best_crossing(model, turns, &inside);
        let crosses = |m: &SideMatch| {
            let (i, j) = m.pieces();
            inside.contains(&i.index()) != inside.contains(&j.index())
        };
        let Some(next) = left.iter().position(|m| crosses(m) && m.cost == best) else {
            return false;
        };
        let (i, j) = left.remove(next).pieces();
        for piece in [i, j] {
            let component = components.component_of(piece.index());
            inside.extend(&components.members()[component]);
        }
    }
    inside.len() == model.num_sides() / 4
}

proptest! {
    #![proptest_config(config(192))]

    #[test]
    fn components_are_joined_by_the_fewest_and_best_matches(
        num_pieces in 2_usize..14,
        num_matches in 0_usize..10,
        seed: u64,
        turns in prop::sample::select(vec![TurnSet::None, TurnSet::Half, TurnSet::Quarter]),
        num_candidates in 1_usize..4,
        has_probabilities: bool,
    ) {
        let pieces = pieces_with_ties(num_pieces, seed);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Ssd).unwrap();
        let settings = NearestSettings { num_candidates, max_candidates: num_candidates + 1 };
        let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
        let model = if has_probabilities {
            by_random_probabilities(&dissimilarity, &nearest, seed)
        } else {
            MatchModel::by_ratio(&dissimilarity, &nearest)
        };
        let matches = random_graph(num_pieces, num_matches, seed);
        let ends = |matches: &[SideMatch]| -> Vec<(usize, usize)> {
            matches.iter().map(SideMatch::pieces).map(|(i, j)| (i.index(), j.index())).collect()
        };
        let components = Components::new(num_pieces, ends(&matches));
        let connected = connect_components(
            &model,
            model.candidates(),
            turns,
            matches.clone(),
            0.125,
            |a, b| (a.index() * 31 + b.index()) as u64,
        );
        let is_old = |m: &SideMatch| matches.contains(m);
        let added: Vec<SideMatch> = connected.iter().filter(|m| !is_old(m)).copied().collect();
        prop_assert_eq!(connected.len(), matches.len() + added.len());
        prop_assert_eq!(added.len(), components.members().len() - 1);
        prop_assert_eq!(Components::new(num_pieces, ends(&connected)).members().len(), 1);
        prop_assert!(added.iter().all(|m| m.weight == 0.125 && turns.allows(m.pair())));
        // Of several largest components any may be the first.
        let largest = components.members().iter().map(Vec::len).max().unwrap();
        let starts = (0..components.members().len())
            .filter(|&component| components.members()[component].len() == largest);
        let explained = starts.into_iter().any(|start| {
            grows_by_the_best(&model, turns, &components, start, &added)
        });
        prop_assert!(explained, "{:?}", added);
    }
}

#[test]
fn a_matchers_probabilities_are_the_initial_weights() {
    let (pieces, _, _) = synthetic::puzzle(4, 5, 14, PuzzleType::Type2, 1);
    let (dissimilarity, nearest) = measured(&pieces, Measure::Seam, NearestSettings::default());
    let model = by_random_probabilities(&dissimilarity, &nearest, 1);
    let settings = ConstructionSettings::default();
    let step = ConstructionStep::Pruned;
    let built = construct(&model, TurnSet::Quarter, &settings, step).unwrap();
    assert!(!built.matches.is_empty());
    for found in &built.matches {
        let expected = model.pair_probability(found.a, found.b);
        assert!((found.weight - expected).abs() < 1e-12, "{found:?}, not {expected}");
        assert_eq!(found.cost, model.candidate_cost(found.a, found.b));
    }
    let by_ratio = MatchModel::by_ratio(&dissimilarity, &nearest);
    let built = construct(&by_ratio, TurnSet::Quarter, &settings, step).unwrap();
    assert!(built.matches.iter().all(|found| [0.01, 1.0].contains(&found.weight)));
}

#[test]
fn only_the_seed_chooses_among_equally_good_connections() {
    let pieces = PieceSet::new(PieceShape::new(4, 4).unwrap(), 1, Samples::U8(vec![7; 16 * 12]));
    let (dissimilarity, nearest) =
        measured(&pieces.unwrap(), Measure::Mgc, NearestSettings::default());
    let built = |seed: u64, step: ConstructionStep| {
        let settings = ConstructionSettings { seed, ..ConstructionSettings::default() };
        let model = MatchModel::by_ratio(&dissimilarity, &nearest);
        construct(&model, TurnSet::Quarter, &settings, step).unwrap()
    };
    assert!(built(1, ConstructionStep::Pruned).matches.is_empty());
    let connected = built(1, ConstructionStep::Connected);
    assert_eq!(connected.matches.len(), 11);
    assert_eq!(connected, built(1, ConstructionStep::Connected));
    assert!((2..6).any(|seed| built(seed, ConstructionStep::Connected) != connected));
}

#[test]
fn neighbours_that_fit_equally_well_in_several_ways_get_half_the_weight_and_the_mean_turn() {
    let graph = |values: Vec<u8>, cells: u64| {
        let pieces = PieceSet::new(PieceShape::new(3, 3).unwrap(), 1, Samples::U8(values)).unwrap();
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Ssd).unwrap();
        let grid = Grid::new(1, cells).unwrap();
        graph_of_known_positions(&dissimilarity, grid, TurnSet::Quarter).unwrap()
    };
    // Uniform pieces fit in all 16 ways, whose turns cancel.
    let uniform = graph(vec![9; 27], 3);
    assert_eq!(uniform.edges().len(), 2);
    for edge in uniform.edges() {
        assert_eq!((edge.weight, edge.turn_j_from_i.value()), (0.5, Complex::ZERO));
    }
    // The left side of the second fits the top and the right of the first: turns 3 and 0.
    let two = graph(vec![5, 9, 5, 120, 0, 9, 70, 200, 5, 5, 99, 180, 9, 0, 30, 5, 60, 230], 2);
    assert_eq!(two.edges()[0].weight, 0.5);
    assert_eq!(two.edges()[0].turn_j_from_i.value(), Complex::new(0.5, -0.5));
}

/// Oblique waves, different in each channel. The picture is so smooth that every seam is unmistakable.
fn waves(height_px: u16, width_px: u16) -> Picture {
    let mut values = Vec::new();
    for row in 0..height_px {
        for col in 0..width_px {
            for (along, across) in [(0.11, 0.05), (-0.04, 0.13), (0.09, -0.08)] {
                let phase: f64 = along * f64::from(row) + across * f64::from(col) + along;
                values.push((128.0 + 110.0 * phase.sin()).round() as u8);
            }
        }
    }
    Picture::new(height_px.into(), width_px.into(), 3, Samples::U8(values)).unwrap()
}

#[test]
fn the_anchored_graph_of_a_clean_picture_recovers_every_turn() {
    let cut = cut(&waves(6 * 20, 8 * 20), PieceShape::new(20, 20).unwrap()).unwrap();
    for seed in 1..4 {
        let settings = ScrambleSettings::new(PuzzleType::Type3, seed);
        let Scrambled { pieces, grid, truth } = scramble(&cut, &settings).unwrap();
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Mgc).unwrap();
        let graph = anchored_graph(&dissimilarity, grid, TurnSet::Quarter).unwrap();
        assert_eq!(graph.num_vertices(), 49);
        let (rotations, info) = estimate_rotations(&graph, &RotationSettings::default()).unwrap();
        assert!(info.converged());
        // The board is the last vertex, and its turn is the reference.
        let board = rotations[48];
        let is_wrong = |p: &Placement| rotations[p.piece.index()] - board != p.place.turn;
        let wrong: Vec<Placement> = truth.assembly().placements().filter(is_wrong).collect();
        assert!(wrong.is_empty(), "seed {seed}: {wrong:?}");
    }
}
