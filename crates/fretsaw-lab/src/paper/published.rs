//! Figures as the paper prints them, \[HLW20\]. Each table has its label in the paper's
//! source. Shares are in percent.

/// A figure of the paper, or of ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) value: f64,
    /// Its standard deviation, where one is printed.
    pub(crate) deviation: Option<f64>,
    /// Digits after the point with which it is printed.
    pub(crate) decimals: usize,
}

impl Figure {
    pub(crate) const fn new(value: f64, decimals: usize) -> Self {
        Self { value, deviation: None, decimals }
    }
}

/// In percent, with one digit after the point.
const fn percent((value, deviation): (f64, f64)) -> Figure {
    Figure { value, deviation: Some(deviation), decimals: 1 }
}

/// The paper's sets by the names that they have here, in its order.
pub(crate) const SETS: [&str; 4] = [MIT, MCGILL, POMERANZ, LARGE_POMERANZ];
/// MIT: 20 images, 432 pieces.
pub(crate) const MIT: &str = "mit-432";
/// `McGill`: 20 images, 540 pieces.
pub(crate) const MCGILL: &str = "mcgill-540";
/// Pomeranz: 20 images, 805 pieces.
pub(crate) const POMERANZ: &str = "pomeranz-805";
/// Large Pomeranz: 3 images, 3300 pieces.
pub(crate) const LARGE_POMERANZ: &str = "pomeranz-3300";

/// Images of one of the paper's sets.
pub(crate) fn num_images(set: &str) -> Option<usize> {
    match set {
        MIT | MCGILL | POMERANZ => Some(20),
        LARGE_POMERANZ => Some(3),
        _ => None,
    }
}

pub(crate) const SCORES_LABEL: &str = "tab:comp_table";
/// The label of the figure of histograms, which prints no numbers.
pub(crate) const HISTOGRAMS_LABEL: &str = "fig:hist_all_dat";
/// The label of the figure of curves, which prints no numbers.
pub(crate) const CORRUPTION_LABEL: &str = "fig:corruption_test";
pub(crate) const TIMES_LABEL: &str = "tab:running_time";
pub(crate) const ITERATIONS_LABEL: &str = "tab:update_5_iter_res";

type ScoreLine = (&'static str, &'static str, [(f64, f64); 3], f64);

/// [`SCORES_LABEL`]: set, method, mean and deviation of `direct`, `neighbor` and `largest`, and `perfect`.
const SCORES: [ScoreLine; 12] = [
    (MIT, "gallagher", [(84.2, 19.7), (89.1, 12.4), (87.2, 14.3)], 9.0),
    (MIT, "yu", [(95.5, 13.0), (95.4, 8.7), (95.4, 13.2)], 13.0),
    (MIT, "gcl", [(94.8, 11.3), (95.2, 9.2), (95.4, 9.1)], 13.0),
    (MCGILL, "gallagher", [(77.2, 35.3), (85.8, 19.8), (84.6, 21.3)], 7.0),
    (MCGILL, "yu", [(92.9, 24.6), (93.5, 14.8), (93.1, 15.4)], 13.0),
    (MCGILL, "gcl", [(88.3, 25.6), (92.2, 15.2), (91.4, 17.2)], 13.0),
    (POMERANZ, "gallagher", [(77.5, 27.8), (85.3, 15.5), (79.3, 22.6)], 5.0),
    (POMERANZ, "yu", [(91.8, 14.2), (92.7, 13.0), (91.7, 14.2)], 9.0),
    (POMERANZ, "gcl", [(86.8, 21.4), (90.0, 14.2), (89.3, 15.4)], 9.0),
    (LARGE_POMERANZ, "gallagher", [(82.9, 15.6), (84.2, 14.2), (82.8, 15.7)], 1.0),
    (LARGE_POMERANZ, "yu", [(89.7, 12.3), (90.2, 11.0), (89.7, 12.3)], 1.0),
    (LARGE_POMERANZ, "gcl", [(86.4, 14.0), (88.1, 11.7), (86.4, 14.0)], 1.0),
];

/// `direct`, `neighbor`, `largest` and `perfect` of [`SCORES_LABEL`]: type 2, MGC, over all images and 20
/// instances of each.
pub(crate) fn scores(set: &str, method: &str) -> Option<[Figure; 4]> {
    let is_it = |line: &&ScoreLine| line.0 == set && line.1 == method;
    let &(_, _, [direct, neighbor, largest], perfect) = SCORES.iter().find(is_it)?;
    Some([percent(direct), percent(neighbor), percent(largest), Figure::new(perfect, 0)])
}

/// [`TIMES_LABEL`], in seconds: comparing all sides by MGC, which is a part of all others; the methods of
/// Gallagher and of Yu; the paper's method with one iteration, without any update, and with five.
const TIMES: [(&str, [Figure; 5]); 4] = [
    (MIT, [tenths(32.5), tenths(36.4), tenths(60.2), tenths(38.1), tenths(57.6)]),
    (MCGILL, [tenths(51.3), tenths(58.5), tenths(100.1), tenths(58.5), tenths(87.5)]),
    (POMERANZ, [tenths(112.3), tenths(135.5), whole(234.0), whole(128.0), whole(178.0)]),
    (LARGE_POMERANZ, [tenths(1908.5), whole(3288.0), whole(6120.0), whole(2214.0), whole(2857.0)]),
];

const fn tenths(value: f64) -> Figure {
    Figure::new(value, 1)
}

const fn whole(value: f64) -> Figure {
    Figure::new(value, 0)
}

/// The line of a set in a table.
fn line_of<T: Copy>(table: &[(&str, T)], set: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == set).map(|&(_, line)| line)
}

/// Seconds of [`TIMES_LABEL`], in the order of [`TIMES`].
pub(crate) fn seconds(set: &str) -> Option<[Figure; 5]> {
    line_of(&TIMES, set)
}

/// [`ITERATIONS_LABEL`]: mean and deviation of neighbor after 1 to 5 iterations.
const ITERATIONS: [(&str, [(f64, f64); 5]); 4] = [
    (MIT, [(90.8, 14.7), (94.4, 10.0), (94.5, 9.9), (93.4, 10.1), (94.4, 10.0)]),
    (MCGILL, [(84.9, 23.7), (88.7, 18.6), (89.5, 17.8), (91.0, 16.5), (91.7, 15.1)]),
    (POMERANZ, [(87.4, 16.9), (88.9, 15.4), (87.9, 18.4), (90.0, 14.2), (89.9, 14.1)]),
    (LARGE_POMERANZ, [(81.7, 12.2), (87.2, 12.4), (84.7, 13.8), (87.5, 12.4), (87.8, 12.4)]),
];

/// Neighbor of [`ITERATIONS_LABEL`]; the first iteration is the solution before any update.
pub(crate) fn neighbor_after(set: &str, iteration: usize) -> Option<Figure> {
    let line = line_of(&ITERATIONS, set)?;
    line.get(iteration.checked_sub(1)?).copied().map(percent)
}

/// The standard deviation of neighbor over 20 runs of a puzzle, averaged over the puzzles of a set,
/// from the text before [`SCORES_LABEL`].
pub(crate) fn spread(set: &str, method: &str) -> Option<Figure> {
    match (set, method) {
        (MIT, "gallagher") => Some(Figure::new(6.5, 1)),
        (MIT, "yu") => Some(Figure::new(1.5, 1)),
        (MIT, "gcl") => Some(Figure::new(0.17, 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_the_paper_has_all_figures_and_others_have_none() {
        let mut num_found = 0;
        for set in SETS.into_iter().chain(["mine"]) {
            for method in ["gallagher", "yu", "gcl"] {
                num_found += scores(set, method).into_iter().flatten().count();
                num_found += spread(set, method).iter().count();
            }
            num_found += seconds(set).into_iter().flatten().count();
            num_found += (0..=6).filter_map(|iteration| neighbor_after(set, iteration)).count();
        }
        assert_eq!(num_found, 4 * 3 * 4 + 3 + 4 * 5 + 4 * 5);
        assert_eq!(seconds(POMERANZ).unwrap()[3].value.to_string(), "128");
        assert_eq!(scores(MIT, "assignment"), None);
    }
}
