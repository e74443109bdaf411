use super::affinity::{CellRelation, MAX_AFFINITY};
use super::climb::{Climb, dot};
use super::*;
use crate::connection_graph::{ConnectionEdge, ConnectionGraph};
use fretsaw::observer::Silent;
use fretsaw::puzzle::Side;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn grid(rows: u64, cols: u64) -> Grid {
    Grid::new(rows, cols).unwrap()
}

/// A board whose pieces lie in `cells`, with all true pairs and a share of wrong ones as strong.
fn pairs_of(frame: Grid, cells: &[Cell], wrong_share: f64, seed: u64) -> Vec<DirectedPair> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut piece_in = vec![None; frame.num_cells()];
    for (piece, &cell) in cells.iter().enumerate() {
        piece_in[frame.index_of(cell)] = Some(PieceId::new(piece));
    }
    let mut pairs = Vec::new();
    for (i, &cell) in cells.iter().enumerate() {
        for direction in [Side::Right, Side::Bottom] {
            let next = frame.neighbor(cell, direction);
            let Some(j) = next.and_then(|next| piece_in[frame.index_of(next)]) else {
                continue;
            };
            let i = PieceId::new(i);
            let j = if rng.random_bool(wrong_share) {
                PieceId::new(rng.random_range(0..cells.len()))
            } else {
                j
            };
            if i != j {
                pairs.push(DirectedPair { i, j, direction, weight: 1.0 });
            }
        }
    }
    pairs
}

fn shuffled(frame: Grid, num_pieces: usize, seed: u64) -> Vec<Cell> {
    let mut cells: Vec<Cell> = frame.cells().collect();
    cells.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    cells.truncate(num_pieces);
    cells
}

fn assigned(affinity: &GridAffinity, frame: Grid, seed: u64) -> (Vec<Cell>, QapInfo) {
    let found = assign_to_grid(affinity, frame, &QapSettings::default(), seed, &Silent).unwrap();
    assert_eq!(found.1.fulfilled, affinity.fulfilled(&found.0));
    let mut cells = found.0.clone();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), affinity.num_pieces(), "every piece has a cell of its own");
    assert!(cells.iter().all(|&cell| frame.contains(cell)));
    found
}

#[test]
fn clean_boards_are_solved() {
    for (rows, cols) in [(2, 3), (5, 7), (9, 6), (1, 12), (12, 1), (1, 1), (1, 2)] {
        let frame = grid(rows, cols);
        for seed in 0..3 {
            let truth = shuffled(frame, frame.num_cells(), seed);
            let pairs = pairs_of(frame, &truth, 0.0, seed);
            let affinity = GridAffinity::directed(truth.len(), pairs).unwrap();
            let (cells, _) = assigned(&affinity, frame, seed);
            assert_eq!(cells, truth, "{rows} x {cols}, seed {seed}");
        }
    }
}

#[test]
fn a_pair_may_be_given_from_either_end() {
    let frame = grid(3, 4);
    let truth = shuffled(frame, 12, 1);
    let pairs = pairs_of(frame, &truth, 0.0, 1);
    let back = pairs.iter().map(|&DirectedPair { i, j, direction, weight }| DirectedPair {
        i: j,
        j: i,
        direction: direction.opposite(),
        weight,
    });
    assert_eq!(
        GridAffinity::directed(12, back.rev()).unwrap(),
        GridAffinity::directed(12, pairs.clone()).unwrap()
    );
}

#[test]
fn a_tenth_of_wrong_pairs_does_little_harm() {
    let frame = grid(8, 10);
    let right: usize = (0..5)
        .map(|seed| {
            let truth = shuffled(frame, 80, seed);
            let pairs = pairs_of(frame, &truth, 0.1, seed);
            let affinity = GridAffinity::directed(80, pairs).unwrap();
            let (cells, _) = assigned(&affinity, frame, seed);
            cells.iter().zip(&truth).filter(|(found, right)| found == right).count()
        })
        .sum();
    assert!(right >= 5 * 80 * 9 / 10, "{right} of 400");
}

#[test]
fn other_labels_give_the_same_board() {
    let frame = grid(6, 7);
    let truth = shuffled(frame, 42, 3);
    let affinity = GridAffinity::directed(42, pairs_of(frame, &truth, 0.0, 3)).unwrap();
    let (cells, info) = assigned(&affinity, frame, 0);
    let mut label: Vec<usize> = (0..42).collect();
    label.shuffle(&mut ChaCha8Rng::seed_from_u64(4));
    let mut labelled_truth = truth.clone();
    for (piece, &label) in label.iter().enumerate() {
        labelled_truth[label] = truth[piece];
    }
    let pairs = pairs_of(frame, &labelled_truth, 0.0, 3);
    let relabelled = GridAffinity::directed(42, pairs).unwrap();
    let (labelled_cells, labelled_info) = assigned(&relabelled, frame, 0);
    assert_eq!(info.fulfilled, labelled_info.fulfilled);
    for (piece, &label) in label.iter().enumerate() {
        assert_eq!(cells[piece], labelled_cells[label]);
    }
}

#[test]
fn a_board_may_have_holes() {
    let frame = grid(5, 6);
    let truth = shuffled(frame, 27, 2);
    let affinity = GridAffinity::directed(27, pairs_of(frame, &truth, 0.0, 2)).unwrap();
    let (cells, _) = assigned(&affinity, frame, 0);
    let right = cells.iter().zip(&truth).filter(|(found, right)| found == right).count();
    assert!(right >= 20, "{right} of 27");
}

#[test]
fn equal_affinities_give_an_answer() {
    let frame = grid(4, 5);
    let all = |weight: f64| {
        (0..20).flat_map(move |i| {
            (0..20).filter(move |&j| j != i).flat_map(move |j| {
                [Side::Right, Side::Bottom].map(|direction| DirectedPair {
                    i: PieceId::new(i),
                    j: PieceId::new(j),
                    direction,
                    weight,
                })
            })
        })
    };
    for weight in [0.0, 1e-300, 1.0, MAX_AFFINITY] {
        let affinity = GridAffinity::directed(20, all(weight)).unwrap();
        let (one, _) = assigned(&affinity, frame, 1);
        let (two, _) = assigned(&affinity, frame, 2);
        // The order of the pieces must not decide.
        assert_ne!(one, two);
        assert_ne!(one, frame.cells().collect::<Vec<_>>());
    }
    let nothing = GridAffinity::directed(0, []).unwrap();
    assert!(assigned(&nothing, frame, 1).0.is_empty());
}

#[test]
fn the_graph_of_a_board_is_recognised_up_to_mirror_images() {
    for (rows, cols) in [(4, 6), (5, 5)] {
        let frame = grid(rows, cols);
        let num_pieces = frame.num_cells();
        let truth = shuffled(frame, num_pieces, 5);
        let mut edges = Vec::new();
        for i in 0..num_pieces {
            for j in 0..i {
                let (a, b) = (truth[i], truth[j]);
                if a.row.abs_diff(b.row).max(a.col.abs_diff(b.col)) == 1 {
                    let (i, j) = (PieceId::new(i), PieceId::new(j));
                    edges.push(ConnectionEdge::new(i, j, 1.0, QuarterTurn::ZERO));
                }
            }
        }
        let graph = ConnectionGraph::new(num_pieces, edges).unwrap();
        let affinity = GridAffinity::undirected(&graph, true).unwrap();
        let settings = QapSettings {
            form: QapForm::UndirectedDiagonal,
            num_starts: 10,
            warm_up_sharpness: 3.0,
            ..Default::default()
        };
        let (cells, info) = assign_to_grid(&affinity, frame, &settings, 0, &Silent).unwrap();
        assert_eq!(info.fulfilled, graph.edges().len() as f64);
        let directed = GridAffinity::directed(num_pieces, pairs_of(frame, &truth, 0.0, 0)).unwrap();
        assert_eq!(best_image(&cells, frame, &directed), truth);
    }
}

#[test]
fn the_gradient_of_a_permutation_is_that_of_its_matrix() {
    let frame = grid(4, 5);
    let pairs = pairs_of(frame, &shuffled(frame, 18, 1), 0.3, 1);
    let directed = GridAffinity::directed(18, pairs).unwrap();
    let undirected = GridAffinity {
        num_pieces: 18,
        terms: vec![(CellRelation::Around, directed.terms[0].1.clone())],
    };
    for affinity in [directed, undirected] {
        let climb = Climb::new(&affinity, frame, 1, 0);
        let mut cell_of: Vec<usize> = (0..20).collect();
        cell_of.shuffle(&mut ChaCha8Rng::seed_from_u64(2));
        cell_of.truncate(18);
        let mut matrix = vec![0.0; 18 * 20];
        for (piece, &cell) in cell_of.iter().enumerate() {
            matrix[piece * 20 + cell] = 1.0;
        }
        let mut gradient = vec![0.0; 18 * 20];
        climb.add_gradient(&cell_of, 1.0, &mut gradient);
        assert_eq!(gradient, climb.gradient_of_matrix(&matrix));
        assert_eq!(0.5 * dot(&gradient, &matrix), climb.value(&cell_of));
        assert_eq!(climb.value(&cell_of), affinity.fulfilled(&climb.cells_of(&cell_of)));
    }
}

#[test]
fn impossible_assignments_are_refused() {
    let settings = QapSettings::default();
    let affinity = GridAffinity::directed(7, []).unwrap();
    let refused = |frame, settings: &QapSettings| {
        assign_to_grid(&affinity, frame, settings, 0, &Silent).unwrap_err().to_string()
    };
    assert_eq!(refused(grid(2, 3), &settings), "7 pieces do not fit a board of 6 cells");
    let error = refused(grid(32, 33), &settings);
    assert!(error.starts_with("a board of 1056 cells is too large"), "{error}");
    let wrong: [(&str, QapSettings); 7] = [
        ("decay", QapSettings { decay: f64::NAN, ..settings }),
        ("start_noise", QapSettings { start_noise: 1.1, ..settings }),
        ("tolerance", QapSettings { tolerance: -1.0, ..settings }),
        ("num_starts", QapSettings { num_starts: 0, ..settings }),
        ("warm_up_steps", QapSettings { warm_up_steps: 10_001, ..settings }),
        ("warm_up_sharpness", QapSettings { warm_up_sharpness: 0.0, ..settings }),
        ("max_iterations", QapSettings { max_iterations: 0, ..settings }),
    ];
    for (expected, settings) in wrong {
        let error = refused(grid(3, 3), &settings);
        assert!(error.starts_with(&format!("{expected} is ")), "{error}");
    }
    let pair = |i, j, weight| DirectedPair {
        i: PieceId::new(i),
        j: PieceId::new(j),
        direction: Side::Top,
        weight,
    };
    for (i, j) in [(0, 7), (3, 3)] {
        let error = GridAffinity::directed(7, [pair(i, j, 1.0)]).unwrap_err().to_string();
        assert_eq!(error, format!("affinity {j} - {i} does not join two of the 7 pieces"));
    }
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let error = GridAffinity::directed(7, [pair(0, 1, weight)]).unwrap_err().to_string();
        assert!(error.starts_with(&format!("affinity 1 - 0 is {weight};")), "{error}");
    }
}
