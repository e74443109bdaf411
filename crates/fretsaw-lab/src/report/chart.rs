//! Charts as SVG texts: histograms, lines and bars.
//!
//! Every chart is complete in itself, the same text for the same figures, and can be read without
//! colours: lines have dashes and markers, bars have their names and values beside them. Widths of
//! texts are estimated generously, and charts are made as wide as their texts need.

use fretsaw_cli::table::escape;
use std::fmt::Write;

const FONT_PX: f64 = 12.0;
/// More than the mean width of letters: texts are shorter than estimated.
const LETTER_PX: f64 = 0.6 * FONT_PX;
/// Space between things.
const GAP: f64 = 8.0;
/// Width of the area in which figures are drawn.
const PLOT_WIDTH: f64 = 480.0;
const INK: &str = "#222222";
const GRID: &str = "#dddddd";
const BAR: &str = "#4477aa";

/// Colours of lines, of different lightness where they come first.
const COLOURS: [&str; 6] = ["#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#777777"];
/// Dashes of lines; their number has no divisor in common with the number of markers.
const DASHES: [&str; 5] = ["none", "7 3", "2 3", "9 3 2 3", "4 2"];

fn text_width(text: &str) -> f64 {
    LETTER_PX * text.chars().count() as f64
}

/// An SVG text in the making. Writing to a string cannot fail, so results of writing are dropped.
#[derive(Default)]
struct Svg {
    body: String,
}

/// Where a text lies against its place: it begins there, is centred there, or ends there.
const START: &str = "start";
const MIDDLE: &str = "middle";
const END: &str = "end";

impl Svg {
    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        );
    }

    fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{BAR}\" stroke=\"{INK}\" stroke-width=\"0.5\"/>"
        );
    }

    /// Text on the line `y`.
    fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{INK}\">{text}</text>"
        );
    }

    /// Text centred on the height `y`.
    fn text_beside(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        self.text((x, y + 0.35 * FONT_PX), anchor, text);
    }

    fn curve(&mut self, points: &[(f64, f64)], style: usize) {
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" \
             stroke-dasharray=\"{}\"/>",
            list.join(" "),
            COLOURS[style % COLOURS.len()],
            DASHES[style % DASHES.len()]
        );
        for &point in points {
            self.marker(point, style);
        }
    }

    fn marker(&mut self, (x, y): (f64, f64), style: usize) {
        let path = match style % 4 {
            0 => format!("M{:.1} {y:.1}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", x - 3.5),
            1 => format!("M{:.1} {:.1}h6v6h-6z", x - 3.0, y - 3.0),
            2 => format!("M{x:.1} {:.1}l4 7h-8z", y - 4.0),
            _ => format!("M{x:.1} {:.1}l4 4l-4 4l-4 -4z", y - 4.0),
        };
        let colour = COLOURS[style % COLOURS.len()];
        // Every other round of markers is hollow.
        let fill = if (style / 4).is_multiple_of(2) { colour } else { "#ffffff" };
        let _ = writeln!(
            self.body,
            "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"
        );
    }

    /// Bars of these counts side by side, `PLOT_WIDTH` wide, with a label above; the highest bar
    /// that fits has `most`. Gives the line on which the bars stand.
    fn histogram(
        &mut self,
        (left, top): (f64, f64),
        label: &str,
        counts: &[usize],
        most: usize,
    ) -> f64 {
        const PANEL_HEIGHT: f64 = 80.0;
        const LABEL_HEIGHT: f64 = FONT_PX + GAP;
        self.text((left, top + FONT_PX), START, label);
        let bottom = top + LABEL_HEIGHT + PANEL_HEIGHT;
        self.line((left, bottom - PANEL_HEIGHT), (left + PLOT_WIDTH, bottom - PANEL_HEIGHT), GRID);
        for (number, y) in [(0, bottom), (most, bottom - PANEL_HEIGHT)] {
            self.text_beside((left - GAP, y), END, &number.to_string());
        }
        let bin_width = PLOT_WIDTH / counts.len() as f64;
        for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let height = PANEL_HEIGHT * count as f64 / most as f64;
            self.bar((left + bin_width * bin as f64, bottom - height), (bin_width, height));
        }
        self.line((left, bottom), (left + PLOT_WIDTH, bottom), INK);
        bottom
    }

    /// The whole text, with a title that is also shown at the top.
    fn finish(self, (width, height): (f64, f64), title: &str) -> String {
        // Bold letters are wider.
        let width = width.max(1.15 * text_width(title) + 2.0 * GAP);
        let shown = escape(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" font-family=\"sans-serif\" \
             font-size=\"{FONT_PX}\">\n<title>{shown}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{GAP}\" y=\"{:.1}\" font-weight=\"bold\" fill=\"{INK}\">{shown}</text>\n\
             {}</svg>\n",
            GAP + FONT_PX,
            self.body
        )
    }
}

/// Height of the title with its space.
const TITLE_HEIGHT: f64 = FONT_PX + 3.0 * GAP;
/// Height of the numbers of an axis and its name below a plot.
const AXIS_HEIGHT: f64 = 2.0 * FONT_PX + 3.0 * GAP;

/// An axis: round numbers from the first at or below the least figure to the last at or above the
/// largest.
struct Axis {
    ticks: Vec<f64>,
    decimals: usize,
}

impl Axis {
    /// With about `count` numbers; figures that are not finite are passed over.
    fn new(figures: impl Iterator<Item = f64>, count: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for figure in figures.filter(|figure| figure.is_finite()) {
            (low, high) = (low.min(figure), high.max(figure));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // All figures the same: any step will do.
        let span = if high > low { high - low } else { low.abs().max(1.0) };
        let power = 10_f64.powf((span / count).log10().floor());
        let step = [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter();
        let step = step.filter(|step| span / step <= count).fold(10.0 * power, f64::min);
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil().max(first + 1.0);
        let mut ticks = vec![];
        let mut tick = first;
        while tick <= last {
            ticks.push(tick * step);
            tick += 1.0;
        }
        let is_whole = |x: f64| (x - x.round()).abs() < 1e-6;
        let decimals =
            (0..9).find(|&places| is_whole(step * 10_f64.powi(places))).unwrap_or_default();
        Self { ticks, decimals: usize::try_from(decimals).unwrap_or_default() }
    }

    fn first(&self) -> f64 {
        self.ticks.first().copied().unwrap_or(0.0)
    }

    fn last(&self) -> f64 {
        self.ticks.last().copied().unwrap_or(1.0)
    }

    /// 0 at the first number, 1 at the last.
    fn share(&self, value: f64) -> f64 {
        (value - self.first()) / (self.last() - self.first())
    }

    fn label(&self, tick: f64) -> String {
        // No "-0".
        format!("{:.*}", self.decimals, if tick.abs() < 1e-12 { 0.0 } else { tick })
    }
}

/// One histogram among several that share their axes.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// What is shown, above the panel.
    pub(crate) label: String,
    /// 0 to 1.
    pub(crate) values: Vec<f64>,
}

/// Histograms one below the other: how many values lie in each of 20 parts of 0 to 1, shown in
/// percent. A value on the border of two parts belongs to the upper one.
pub(crate) fn histograms(title: &str, x_name: &str, panels: &[Panel]) -> String {
    const NUM_BINS: usize = 20;
    let count = |values: &[f64]| -> [usize; NUM_BINS] {
        let mut counts = [0; NUM_BINS];
        for value in values {
            let below = |bin: &usize| *value < (bin + 1) as f64 / NUM_BINS as f64;
            counts[(0..NUM_BINS).find(below).unwrap_or(NUM_BINS - 1)] += 1;
        }
        counts
    };
    let counts: Vec<[usize; NUM_BINS]> = panels.iter().map(|p| count(&p.values)).collect();
    let most = counts.iter().flatten().copied().max().unwrap_or(0).max(1);
    let left = 2.0 * GAP + text_width(&most.to_string());
    let width = panels.iter().map(|p| text_width(&p.label)).fold(PLOT_WIDTH, f64::max);
    let mut svg = Svg::default();
    let mut top = TITLE_HEIGHT;
    for (panel, counts) in panels.iter().zip(&counts) {
        top = svg.histogram((left, top), &panel.label, counts, most) + GAP;
    }
    for percent in [0, 20, 40, 60, 80, 100] {
        let x = left + PLOT_WIDTH * f64::from(percent) / 100.0;
        svg.text((x, top + FONT_PX), MIDDLE, &percent.to_string());
    }
    svg.text((left + PLOT_WIDTH / 2.0, top + 2.0 * FONT_PX + GAP), MIDDLE, x_name);
    svg.finish((left + width + 3.0 * GAP, top + AXIS_HEIGHT - GAP), title)
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    /// Its points, from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines with markers, and a legend beside them.
pub(crate) fn lines(title: &str, x_name: &str, y_name: &str, lines: &[Line]) -> String {
    let mut svg = Svg::default();
    let (_, size) = draw_lines(&mut svg, x_name, y_name, lines, 0.0);
    svg.finish(size, title)
}

/// Draws lines and their legend, with at least so much space left of them for the labels of what
/// lies below. Gives where the plot begins on the left, and width and height with all labels.
fn draw_lines(
    svg: &mut Svg,
    x_name: &str,
    y_name: &str,
    lines: &[Line],
    least_left: f64,
) -> (f64, (f64, f64)) {
    const PLOT_HEIGHT: f64 = 300.0;
    const SAMPLE_WIDTH: f64 = 40.0;
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let x_axis = Axis::new(points().map(|(x, _)| x), 8.0);
    let y_axis = Axis::new(points().map(|(_, y)| y), 8.0);
    let y_labels: Vec<String> = y_axis.ticks.iter().map(|&tick| y_axis.label(tick)).collect();
    let left = y_labels.iter().map(|label| text_width(label)).fold(0.0, f64::max) + 2.0 * GAP;
    let left = left.max(least_left);
    let top = TITLE_HEIGHT + FONT_PX + GAP;
    let bottom = top + PLOT_HEIGHT;
    let right = left + PLOT_WIDTH;
    svg.text((GAP, TITLE_HEIGHT + FONT_PX - GAP), START, y_name);
    for (&tick, label) in y_axis.ticks.iter().zip(&y_labels) {
        let y = bottom - PLOT_HEIGHT * y_axis.share(tick);
        svg.line((left, y), (right, y), GRID);
        svg.text_beside((left - GAP, y), END, label);
    }
    for &tick in &x_axis.ticks {
        let x = left + PLOT_WIDTH * x_axis.share(tick);
        svg.line((x, bottom), (x, bottom + GAP / 2.0), INK);
        svg.text((x, bottom + FONT_PX + GAP), MIDDLE, &x_axis.label(tick));
    }
    svg.line((left, bottom), (right, bottom), INK);
    svg.text((left + PLOT_WIDTH / 2.0, bottom + 2.0 * FONT_PX + 2.0 * GAP), MIDDLE, x_name);
    let mut legend_y = top + GAP;
    let legend_x = right + 3.0 * GAP;
    for (style, line) in lines.iter().enumerate() {
        let place = |&(x, y): &(f64, f64)| {
            let (x, y) = (x_axis.share(x), y_axis.share(y));
            (left + PLOT_WIDTH * x, bottom - PLOT_HEIGHT * y)
        };
        svg.curve(&line.points.iter().map(place).collect::<Vec<_>>(), style);
        svg.curve(&[(legend_x, legend_y), (legend_x + SAMPLE_WIDTH, legend_y)], style);
        let name_x = legend_x + SAMPLE_WIDTH + 2.0 * GAP;
        svg.text_beside((name_x, legend_y), START, &line.name);
        legend_y += FONT_PX + GAP;
    }
    let names = lines.iter().map(|line| text_width(&line.name)).fold(0.0, f64::max);
    let width = legend_x + SAMPLE_WIDTH + 3.0 * GAP + names;
    (left, (width, legend_y.max(bottom + AXIS_HEIGHT)))
}

/// How predicted probabilities of one kind came true.
#[derive(Clone, Debug)]
pub(crate) struct Reliability {
    /// Mean probability predicted, 0 to 1, and the share that came true.
    pub(crate) line: Line,
    /// What is shown above the counts.
    pub(crate) label: String,
    /// Predictions in each of several equal parts of 0 to 1.
    pub(crate) counts: Vec<usize>,
}

/// A reliability diagram: predicted probabilities against shares that came true, with the diagonal
/// on which a calibrated predictor lies, and below it histograms of the predictions.
pub(crate) fn reliability(
    title: &str,
    x_name: &str,
    y_name: &str,
    kinds: &[Reliability],
) -> String {
    // It also makes both axes go from 0 to 1, as the histograms do.
    let diagonal = Line { name: "calibrated".into(), points: vec![(0.0, 0.0), (1.0, 1.0)] };
    let lines: Vec<Line> =
        std::iter::once(diagonal).chain(kinds.iter().map(|kind| kind.line.clone())).collect();
    let most_of = |kind: &Reliability| kind.counts.iter().copied().max().unwrap_or(0).max(1);
    let numbers = kinds.iter().map(|kind| text_width(&most_of(kind).to_string()));
    let least_left = 2.0 * GAP + numbers.fold(0.0, f64::max);
    let mut svg = Svg::default();
    let (left, (width, mut bottom)) = draw_lines(&mut svg, x_name, y_name, &lines, least_left);
    for kind in kinds {
        bottom = svg.histogram((left, bottom + GAP), &kind.label, &kind.counts, most_of(kind));
    }
    let labels = kinds.iter().map(|kind| left + text_width(&kind.label) + GAP);
    svg.finish((labels.fold(width, f64::max), bottom + GAP + FONT_PX), title)
}

#[derive(Clone, Debug)]
pub(crate) struct Bar {
    /// Its name, at its left.
    pub(crate) name: String,
    /// Its length, 0 or more.
    pub(crate) value: f64,
    /// Its value in words, at its right.
    pub(crate) label: String,
}

/// Bars from left to right, one below the other.
pub(crate) fn bars(title: &str, x_name: &str, bars: &[Bar]) -> String {
    const BAR_HEIGHT: f64 = 16.0;
    let axis = Axis::new(std::iter::once(0.0).chain(bars.iter().map(|bar| bar.value)), 6.0);
    let left = 2.0 * GAP + bars.iter().map(|bar| text_width(&bar.name)).fold(0.0, f64::max);
    let top = TITLE_HEIGHT;
    let bottom = top + (BAR_HEIGHT + GAP) * bars.len() as f64;
    let mut svg = Svg::default();
    for &tick in &axis.ticks {
        let x = left + PLOT_WIDTH * axis.share(tick);
        svg.line((x, top), (x, bottom), GRID);
        svg.text((x, bottom + FONT_PX + GAP / 2.0), MIDDLE, &axis.label(tick));
    }
    for (place, bar) in bars.iter().enumerate() {
        let y = top + (BAR_HEIGHT + GAP) * place as f64 + GAP / 2.0;
        let length = PLOT_WIDTH * axis.share(bar.value);
        let middle = y + BAR_HEIGHT / 2.0;
        svg.bar((left, y), (length, BAR_HEIGHT));
        svg.text_beside((left - GAP, middle), END, &bar.name);
        svg.text_beside((left + length + GAP / 2.0, middle), START, &bar.label);
    }
    svg.line((left, top), (left, bottom), INK);
    svg.text((left + PLOT_WIDTH / 2.0, bottom + 2.0 * FONT_PX + 1.5 * GAP), MIDDLE, x_name);
    let labels = bars.iter().map(|bar| text_width(&bar.label)).fold(0.0, f64::max);
    svg.finish((left + PLOT_WIDTH + labels + 2.0 * GAP, bottom + AXIS_HEIGHT), title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(figures: &[f64]) -> Vec<String> {
        let axis = Axis::new(figures.iter().copied(), 8.0);
        axis.ticks.iter().map(|&tick| axis.label(tick)).collect()
    }

    #[test]
    fn axes_have_round_numbers_around_all_figures() {
        assert_eq!(
            ticks(&[0.0, 0.14]),
            ["0.00", "0.02", "0.04", "0.06", "0.08", "0.10", "0.12", "0.14"]
        );
        assert_eq!(ticks(&[71.0, 99.0]), ["70", "75", "80", "85", "90", "95", "100"]);
        assert_eq!(ticks(&[0.0, 2857.0]), ["0", "500", "1000", "1500", "2000", "2500", "3000"]);
        assert_eq!(ticks(&[]).first().map(String::as_str), Some("0.0"));
        for same in [0.0, 1.0, -3.0, 1e-9, 95.2] {
            let axis = Axis::new([same].into_iter(), 8.0);
            let around = axis.first() - 1e-6..=axis.last() + 1e-6;
            assert!(around.contains(&same) && axis.last() > axis.first(), "{same}");
            assert!(axis.ticks.len() < 15, "{same}: {:?}", axis.ticks);
        }
        assert!(Axis::new([f64::NAN, f64::INFINITY].into_iter(), 8.0).last().is_finite());
    }

    /// One element a line, each closed, every attribute quoted.
    fn check(svg: &str) {
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert_eq!((svg.matches("<svg").count(), svg.matches("</svg>").count()), (1, 1));
        for line in svg.lines() {
            assert!(line.starts_with('<') && line.ends_with('>'), "{line}");
            assert_eq!(line.matches('"').count() % 2, 0, "{line}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn names_are_escaped_and_charts_of_nothing_are_charts() {
        let title = "a <set> & \"more\"";
        for svg in [
            histograms(title, "%", &[]),
            lines(title, "x", "y", &[]),
            bars(title, "s", &[]),
            histograms(title, "%", &[Panel { label: title.into(), values: vec![] }]),
            lines(title, "x", "y", &[Line { name: title.into(), points: vec![(0.0, 0.0)] }]),
            bars(title, "s", &[Bar { name: title.into(), value: 0.0, label: title.into() }]),
            reliability(title, "x", "y", &[]),
            reliability(
                title,
                "x",
                "y",
                &[Reliability {
                    line: Line { name: title.into(), points: vec![] },
                    label: title.into(),
                    counts: vec![0; 3],
                }],
            ),
        ] {
            check(&svg);
            assert!(svg.contains("a &lt;set&gt; &amp; &quot;more&quot;"), "{svg}");
        }
    }

    #[test]
    fn every_value_is_counted_once_and_borders_go_up() {
        let panel = Panel { label: "p".into(), values: vec![0.0, 0.95, 1.0, 0.949, 0.5] };
        let svg = histograms("t", "%", &[panel]);
        check(&svg);
        let bars: Vec<&str> = svg.lines().filter(|line| line.contains(BAR)).collect();
        assert_eq!(bars.len(), 4);
        // The last one is twice as high.
        let is_high = |bar: &&str| bar.contains("height=\"80.0\"");
        assert_eq!(bars.iter().map(is_high).collect::<Vec<_>>(), [false, false, false, true]);
    }

    #[test]
    fn lines_differ_without_colours() {
        let lines_drawn: Vec<Line> = (0..20)
            .map(|n| Line { name: n.to_string(), points: vec![(0.0, 90.0), (0.1, 80.0)] })
            .collect();
        let svg = lines("t", "x", "y", &lines_drawn);
        check(&svg);
        let styles: std::collections::BTreeSet<(usize, usize, bool)> = (0..20)
            .map(|style| (style % DASHES.len(), style % 4, (style / 4).is_multiple_of(2)))
            .collect();
        assert_eq!(styles.len(), 20);
        assert_eq!(svg.matches("<polyline").count(), 40);
    }
}
