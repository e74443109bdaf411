//! Properties of the estimated turns that hold for every graph.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its problem has failed")]

use fretsaw::puzzle::{Grid, PieceId, QuarterTurn};
use fretsaw_gcl::SettingError;
use fretsaw_gcl::connection_graph::{ConnectionEdge, ConnectionGraph, EdgeTurn};
use fretsaw_gcl::rotations::{
    Eigenvector, RotationInfo, RotationMethod, RotationSettings, estimate_rotations,
};
use fretsaw_gcl::synchronization::{
    SynchronizationProblem, SynchronizationSettings, Weights, synchronization_problem,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const METHODS: [RotationMethod; 3] = [
    RotationMethod::Spectral { normalized: true, eigenvector: Eigenvector::First },
    RotationMethod::Spectral { normalized: false, eigenvector: Eigenvector::First },
    RotationMethod::RELAXATION,
];

fn estimate(graph: &ConnectionGraph, method: RotationMethod) -> (Vec<QuarterTurn>, RotationInfo) {
    let settings = RotationSettings { method, ..Default::default() };
    estimate_rotations(graph, &settings).unwrap()
}

fn edge(i: usize, j: usize, weight: f64, turn: QuarterTurn) -> ConnectionEdge {
    ConnectionEdge::new(PieceId::new(i), PieceId::new(j), weight, turn)
}

fn problem(rows: u64, cols: u64, wrong_share: f64, seed: u64) -> SynchronizationProblem {
    synchronization_problem(&SynchronizationSettings {
        wrong_share,
        weights: Weights::Random,
        seed,
        ..SynchronizationSettings::clean(Grid::new(rows, cols).unwrap())
    })
    .unwrap()
}

/// Whether two answers differ by one turn in each component.
fn same_up_to_gauge(info: &RotationInfo, a: &[QuarterTurn], b: &[QuarterTurn]) -> bool {
    info.components.iter().all(|component| {
        let first = component.vertices[0];
        let gauge = b[first] - a[first];
        component.vertices.iter().all(|&vertex| b[vertex] == a[vertex] + gauge)
    })
}

/// A random order of 0 to n - 1.
fn shuffled(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<_>>()).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, rng_seed: RngSeed::Fixed(0), ..Default::default() })]

    #[test]
    fn a_graph_without_wrong_edges_is_recovered_exactly(
        rows in 1u64..13, cols in 1u64..13, missing in 0.0..0.5f64, seed: u64,
    ) {
        let problem = synchronization_problem(&SynchronizationSettings {
            missing_share: missing,
            weights: Weights::Random,
            seed,
            ..SynchronizationSettings::clean(Grid::new(rows, cols).unwrap())
        }).unwrap();
        for method in METHODS {
            let (rotations, info) = estimate(&problem.graph, method);
            prop_assert!(info.converged());
            prop_assert!(same_up_to_gauge(&info, &problem.turns, &rotations));
            prop_assert!(info.components.iter().all(|c| (c.agreement - 1.0).abs() < 1e-9));
            let num_seen: usize = info.components.iter().map(|c| c.vertices.len()).sum();
            prop_assert_eq!(num_seen + info.isolated.len(), problem.turns.len());
        }
    }

    #[test]
    fn permuting_the_vertices_permutes_the_answer(order in shuffled(99), seed: u64) {
        let problem = problem(9, 11, 0.04, seed);
        let moved = ConnectionGraph::new(99, problem.graph.edges().iter().map(|edge| {
            let [i, j] = [edge.i, edge.j].map(|v| PieceId::new(order[v.index()]));
            ConnectionEdge { i, j, ..*edge }
        })).unwrap();
        let (before, info) = estimate(&problem.graph, RotationMethod::default());
        let (after, _) = estimate(&moved, RotationMethod::default());
        let back: Vec<_> = order.iter().map(|&vertex| after[vertex]).collect();
        prop_assert!(same_up_to_gauge(&info, &before, &back));
    }

    #[test]
    fn turning_a_piece_changes_only_its_own_turn_by_the_inverse(
        piece in 0usize..99, quarters in 1i64..4, seed: u64,
    ) {
        let turn = QuarterTurn::from_clockwise(quarters);
        let problem = problem(9, 11, 0.04, seed);
        // The piece is turned by `turn` before: the relative turn of every edge to it is smaller by that.
        let turned = ConnectionGraph::new(99, problem.graph.edges().iter().map(|edge| {
            let relative = edge.turn_j_from_i.turn().unwrap();
            let relative = if edge.j.index() == piece {
                relative - turn
            } else if edge.i.index() == piece {
                relative + turn
            } else {
                relative
            };
            ConnectionEdge { turn_j_from_i: EdgeTurn::from(relative), ..*edge }
        })).unwrap();
        let (before, info) = estimate(&problem.graph, RotationMethod::default());
        let (after, _) = estimate(&turned, RotationMethod::default());
        let mut expected = before.clone();
        expected[piece] = expected[piece] - turn;
        prop_assert!(same_up_to_gauge(&info, &expected, &after));
    }

    #[test]
    fn an_isolated_vertex_changes_nothing_else(seed: u64, wrong in 0.0..0.3f64) {
        let problem = problem(8, 9, wrong, seed);
        let larger = ConnectionGraph::new(73, problem.graph.edges().iter().copied()).unwrap();
        for method in METHODS {
            let (before, info) = estimate(&problem.graph, method);
            let (after, larger_info) = estimate(&larger, method);
            prop_assert_eq!(&before[..], &after[..72]);
            prop_assert_eq!(after[72], QuarterTurn::ZERO);
            prop_assert_eq!(larger_info.isolated, vec![72]);
            prop_assert_eq!(info.components, larger_info.components);
        }
    }
}

#[test]
fn components_do_not_affect_each_other() {
    let (a, b) = (problem(7, 9, 0.05, 1), problem(6, 8, 0.05, 2));
    let shift = |edge: &ConnectionEdge| {
        let [i, j] = [edge.i, edge.j].map(|v| PieceId::new(v.index() + 63));
        ConnectionEdge { i, j, ..*edge }
    };
    let edges = a.graph.edges().iter().copied().chain(b.graph.edges().iter().map(shift));
    let both = ConnectionGraph::new(63 + 48, edges).unwrap();
    for method in METHODS {
        let (turns, info) = estimate(&both, method);
        assert_eq!(info.components.len(), 2);
        assert_eq!(turns[..63], estimate(&a.graph, method).0);
        assert_eq!(turns[63..], estimate(&b.graph, method).0);
    }
}

#[test]
fn the_smallest_graphs_are_solved() {
    let [zero, one, two, three] = QuarterTurn::ALL;
    for method in METHODS {
        for num_vertices in [0, 1] {
            let graph = ConnectionGraph::new(num_vertices, []).unwrap();
            let (rotations, info) = estimate(&graph, method);
            assert_eq!(rotations, vec![zero; num_vertices]);
            assert_eq!(info.isolated.len(), num_vertices);
        }
        for turn in [zero, one, two, three] {
            let pair = ConnectionGraph::new(2, [edge(0, 1, 0.3, turn)]).unwrap();
            let (rotations, info) = estimate(&pair, method);
            assert!(info.converged());
            assert_eq!(rotations[1] - rotations[0], turn);
        }
        // A light edge against two heavy ones.
        let triangle = ConnectionGraph::new(
            3,
            [edge(0, 1, 1.0, one), edge(1, 2, 1.0, one), edge(0, 2, 0.2, three)],
        )
        .unwrap();
        let (turns, _) = estimate(&triangle, method);
        assert_eq!((turns[1] - turns[0], turns[2] - turns[1]), (one, one));
    }
}

#[test]
fn uninformative_edges_do_not_connect_components() {
    let [zero, one, half, _] = QuarterTurn::ALL;
    let silent = EdgeTurn::mean(&[zero, half]).unwrap();
    let graph = ConnectionGraph::new(
        5,
        [
            edge(0, 1, 1.0, one),
            edge(1, 2, 0.0, half),
            ConnectionEdge { turn_j_from_i: silent, ..edge(1, 3, 0.5, zero) },
            edge(3, 4, 1e-300, one),
        ],
    )
    .unwrap();
    for method in METHODS {
        let (rotations, info) = estimate(&graph, method);
        assert_eq!(info.isolated[0], 2);
        assert_eq!(info.components[0].vertices, [0, 1]);
        assert_eq!(rotations[1] - rotations[0], one);
    }
}

#[test]
fn a_graph_of_contradictions_gives_an_answer() {
    let [zero, one, half, _] = QuarterTurn::ALL;
    for flux in [one, half] {
        let cycle = ConnectionGraph::new(
            4,
            [
                edge(0, 1, 1.0, zero),
                edge(1, 2, 1.0, zero),
                edge(2, 3, 1.0, zero),
                edge(0, 3, 1.0, flux),
            ],
        )
        .unwrap();
        for method in METHODS {
            let (rotations, info) = estimate(&cycle, method);
            assert_eq!(rotations.len(), 4);
            assert!(info.converged() && info.components[0].agreement < 1.0);
        }
    }
    for method in METHODS {
        let (rotations, info) = estimate(&problem(10, 12, 1.0, 3).graph, method);
        assert_eq!(rotations.len(), 120);
        assert!(info.converged(), "{info:?}");
    }
}

#[test]
fn a_large_grid_with_wrong_edges_converges() {
    let problem = synchronization_problem(&SynchronizationSettings {
        wrong_share: 0.15,
        ..SynchronizationSettings::clean(Grid::new(185, 123).unwrap())
    })
    .unwrap();
    let (_, info) = estimate(&problem.graph, RotationMethod::default());
    assert!(info.converged());
    assert!(info.components[0].residuals[0] <= 1e-6);
    assert!(info.components[0].num_products < 2000);
}

#[test]
fn few_wrong_edges_are_outvoted() {
    for seed in 0..3 {
        // Weights of 1, because with random weights S, unlike C, depends only on the heaviest vertices.
        let problem = synchronization_problem(&SynchronizationSettings {
            wrong_share: 0.03,
            seed,
            ..SynchronizationSettings::clean(Grid::new(20, 25).unwrap())
        })
        .unwrap();
        for method in METHODS {
            let (rotations, info) = estimate(&problem.graph, method);
            let mut votes = [0; 4];
            for (&turn, &right) in rotations.iter().zip(&problem.turns) {
                votes[(turn - right).index()] += 1;
            }
            assert!(votes.into_iter().max() >= Some(480), "{method:?}: {votes:?}");
            assert!(info.components[0].agreement > 0.85);
        }
    }
}

#[test]
fn the_second_eigenvector_differs_and_has_a_lower_value() {
    let problem = problem(10, 14, 0.05, 4);
    let second = RotationMethod::Spectral { normalized: true, eigenvector: Eigenvector::Second };
    let (first, first_info) = estimate(&problem.graph, RotationMethod::default());
    let (other, other_info) = estimate(&problem.graph, second);
    assert_ne!(first, other);
    let [top, next] = other_info.components[0].eigenvalues[..] else { panic!("two values") };
    assert!(top > next);
    assert!((top - first_info.components[0].eigenvalues[0]).abs() < 1e-9);
}

#[test]
fn missing_convergence_is_reported() {
    let problem = problem(40, 40, 0.1, 0);
    for method in METHODS {
        let settings = RotationSettings { method, max_products: 3, ..Default::default() };
        let (_, info) = estimate_rotations(&problem.graph, &settings).unwrap();
        assert!(!info.converged());
        assert!(info.components[0].residuals[0] > 1e-5);
    }
}

#[test]
fn settings_outside_their_range_are_refused() {
    let graph = ConnectionGraph::new(2, []).unwrap();
    let name = |settings: RotationSettings| match estimate_rotations(&graph, &settings) {
        Err(SettingError { name, .. }) => name,
        Ok(_) => "accepted",
    };
    for tolerance in [0.0, -1.0, 1.0, f64::NAN] {
        assert_eq!(name(RotationSettings { tolerance, ..Default::default() }), "tolerance");
    }
    assert_eq!(name(RotationSettings { max_products: 0, ..Default::default() }), "max_products");
    for rank in [0, 65] {
        let method = RotationMethod::Relaxation { rank };
        assert_eq!(name(RotationSettings { method, ..Default::default() }), "rank");
    }
}
