//! The report on a solution: one HTML page with the picture before and after, the heat map of confidence,
//! the least certain seams and places, and how the solution was made.
//!
//! The page has no scripts and needs no other file: pictures are embedded, and shrunk to keep it small. It
//! follows the reader's choice of light or dark.

mod card;
mod data_uri;
mod heat_map;
mod seam_drawing;

pub use card::{card, picture_png};

use crate::paint::{BoardView, Miniatures, painted_sheet, sheet_columns};
use crate::{Answer, EncodeError};
use data_uri::{GROUND, data_uri};
use fretsaw::puzzle::{Cell, PieceId, Place};
use fretsaw::solution::{Alternative, SeamConfidence, Suggestion};
use heat_map::heat_map;
use seam_drawing::seam_drawing;
use std::fmt::Write;

/// The largest size of a picture on the page.
const MAX_WIDTH_PX: u32 = 1600;
const MAX_HEIGHT_PX: u32 = 1600;
/// The most seams that are shown enlarged.
const MAX_SEAMS: usize = 24;
/// The largest size of a piece in the drawings of seams.
const SEAM_PIECE_PX: u32 = 72;
/// How many doubtful places are listed, and how many alternatives for each.
const MAX_SUGGESTIONS: usize = 12;
const MAX_ALTERNATIVES: usize = 3;
/// How many unplaced pieces are shown, and their size.
const MAX_UNPLACED: usize = 120;
const UNPLACED_PX: u32 = 72;

const STYLE: &str = include_str!("report/style.css");

/// Information about the solve for the page. All fields may be empty.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The name of the puzzle, such as the input's path.
    pub title: String,
    /// The warnings of reading the input and of the solve.
    pub warnings: Vec<String>,
    /// Names and values to show at the top, such as the method and the seed.
    pub facts: Vec<(&'static str, String)>,
    /// The stages of the solve in their order, and the seconds that each took.
    pub timings: Vec<(String, f64)>,
    /// The settings of the solver, as text.
    pub settings: Option<String>,
}

/// The HTML page.
pub fn page(answer: Answer<'_>, about: &About) -> Result<String, EncodeError> {
    let mut page = Page { answer, about, html: String::new() };
    let title = escape(&about.title);
    page.put(format_args!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} \u{2013} fretsaw</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header>\n<p class=\"eyebrow\">fretsaw report</p>\n<h1>{title}</h1>\n"
    ));
    page.facts();
    page.put(format_args!("</header>\n"));
    page.warnings();
    page.before_and_after()?;
    page.heat_maps()?;
    page.seams()?;
    page.suggestions();
    page.unplaced()?;
    page.making();
    page.put(format_args!("</main>\n</body>\n</html>\n"));
    Ok(page.html)
}

/// A page that is being written.
struct Page<'a> {
    answer: Answer<'a>,
    about: &'a About,
    html: String,
}

impl<'a> Page<'a> {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.html.write_fmt(text);
    }

    fn boards(&self) -> impl Iterator<Item = BoardView<'a>> + use<'a> {
        BoardView::all(self.answer.pieces, self.answer.assembly)
    }

    /// The number of a piece, and its name if it has one.
    fn piece_name(&self, piece: PieceId) -> String {
        let number = piece.number();
        match self.answer.details.names.get(piece.index()) {
            Some(name) => format!("{number} <span class=\"name\">{}</span>", escape(name)),
            None => number.to_string(),
        }
    }

    /// A place in words, with the board if there are several.
    fn place_name(&self, Place { board, cell: Cell { row, col }, .. }: Place) -> String {
        let board = if self.answer.assembly.boards().len() > 1 {
            format!("board {}, ", board + 1)
        } else {
            String::new()
        };
        format!("{board}row {row}, column {col}")
    }

    fn facts(&mut self) {
        let Answer { pieces, assembly, details } = self.answer;
        let shape = pieces.shape();
        let boards: Vec<String> = assembly
            .boards()
            .iter()
            .map(|grid| format!("{} \u{d7} {}", grid.cols(), grid.rows()))
            .collect();
        let mut facts = vec![
            ("Pieces", format!("{} placed of {}", assembly.num_placed(), assembly.num_pieces())),
            ("Piece", format!("{} \u{d7} {} px", shape.width_px(), shape.height_px())),
            ("Columns \u{d7} rows", boards.join(", ")),
        ];
        let known: Vec<f64> = details.confidences.iter().flatten().copied().collect();
        if !known.is_empty() {
            let sure = known.iter().filter(|&&confidence| confidence >= 0.9).count();
            facts.push(("Confidence of 90 % or more", format!("{sure} of {} pieces", known.len())));
        }
        let seconds: f64 = self.about.timings.iter().map(|(_, seconds)| seconds).sum();
        if seconds > 0.0 {
            facts.push(("Solved in", format!("{seconds:.2} s")));
        }
        facts.extend(self.about.facts.iter().cloned());
        self.put(format_args!("<dl class=\"facts\">\n"));
        for (name, value) in facts {
            self.put(format_args!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(&value)));
        }
        self.put(format_args!("</dl>\n"));
    }

    fn warnings(&mut self) {
        let warnings = &self.about.warnings;
        if warnings.is_empty() {
            return;
        }
        self.put(format_args!("<section class=\"warnings\">\n<h2>Warnings</h2>\n<ul>\n"));
        for warning in warnings {
            self.put(format_args!("<li>{}</li>\n", escape(warning)));
        }
        self.put(format_args!("</ul>\n</section>\n"));
    }

    fn before_and_after(&mut self) -> Result<(), EncodeError> {
        let pieces = self.answer.pieces;
        let max_px = (MAX_WIDTH_PX, MAX_HEIGHT_PX);
        let columns = sheet_columns(pieces.num_pieces(), pieces.shape());
        let sheet = painted_sheet(pieces, columns, max_px, GROUND);
        self.put(format_args!(
            "<section>\n<h2>Before and after</h2>\n<div class=\"pair\">\n\
             <figure><img src=\"{}\" alt=\"The pieces, row by row\">\
             <figcaption>The pieces before solving, row by row</figcaption></figure>\n",
            data_uri(sheet)?
        ));
        for view in self.boards() {
            let caption = self.caption(&view, "Solved");
            let painted = view.painted(max_px, GROUND).image;
            self.put(format_args!(
                "<figure><img src=\"{}\" alt=\"The solved picture\">\
                 <figcaption>{caption}</figcaption></figure>\n",
                data_uri(painted)?
            ));
        }
        self.put(format_args!("</div>\n</section>\n"));
        Ok(())
    }

    /// The caption of a board's picture, with the board's number if there are several.
    fn caption(&self, view: &BoardView<'_>, what: &str) -> String {
        let num_boards = self.answer.assembly.boards().len();
        let number =
            if num_boards > 1 { format!(", board {}", view.board + 1) } else { String::new() };
        let empty = view.grid.cells().filter(|&cell| view.place_at(cell).is_none()).count();
        let holes = match empty {
            0 => String::new(),
            1 => "; one cell is empty".into(),
            empty => format!("; {empty} cells are empty"),
        };
        format!("{what}{number}{holes}")
    }

    fn heat_maps(&mut self) -> Result<(), EncodeError> {
        if self.answer.details.confidences.iter().all(Option::is_none) {
            return Ok(());
        }
        self.put(format_args!(
            "<section>\n<h2>Confidence</h2>\n\
             <p>The colour of a piece is the confidence in its place. Dark lines are seams that are more \
             likely wrong than right.</p>\n\
             <div class=\"legend\" role=\"img\" aria-label=\"From dark, doubtful, to pale, certain\">\
             <span>doubtful&ensp;0 %</span><span class=\"scale\" style=\"background:{}\"></span>\
             <span>100 %&ensp;certain</span></div>\n<div class=\"pair\">\n",
            heat_map::gradient()
        ));
        for view in self.boards() {
            let map = heat_map(&self.answer, &view, (MAX_WIDTH_PX, MAX_HEIGHT_PX));
            let caption = self.caption(&view, "Confidence");
            self.put(format_args!(
                "<figure class=\"map\"><img src=\"{}\" alt=\"Map of confidence\">\
                 <figcaption>{caption}</figcaption></figure>\n",
                data_uri(map)?
            ));
        }
        self.put(format_args!("</div>\n</section>\n"));
        Ok(())
    }

    fn seams(&mut self) -> Result<(), EncodeError> {
        let mut seams = self.answer.details.seams.to_vec();
        if seams.is_empty() {
            return Ok(());
        }
        seams.sort_by(|a, b| a.confidence.total_cmp(&b.confidence).then(a.join.cmp(&b.join)));
        let num_seams = seams.len();
        seams.truncate(MAX_SEAMS);
        self.put(format_args!(
            "<section>\n<h2>The least certain seams</h2>\n\
             <p>{} of {num_seams}, least certain first. The frame encloses the two pieces, and the \
             notches mark their seam. The numbers are those of the pieces.</p>\n<div class=\"seams\">\n",
            seams.len()
        ));
        let views: Vec<_> = self.boards().collect();
        let miniatures = Miniatures::of_size(self.answer.pieces, SEAM_PIECE_PX);
        for SeamConfidence { join, confidence } in seams {
            let pieces = [join.first.piece(), join.second.piece()];
            let places = pieces.map(|piece| self.answer.assembly.place_of(piece));
            let [Some(mut one), Some(mut other)] = places else { continue };
            let mut names = pieces.map(|piece| self.piece_name(piece));
            if other.cell < one.cell {
                std::mem::swap(&mut one, &mut other);
                names.reverse();
            }
            let drawing = seam_drawing(&views[one.board], &miniatures, one.cell, other.cell)?;
            let [first, second] = names;
            self.put(format_args!(
                "<figure>{drawing}<figcaption><strong><span class=\"chip\" style=\"background:{}\">\
                 </span>{}</strong> {}<br>{first} and {second}</figcaption></figure>\n",
                heat_map::css(confidence),
                percent(confidence),
                self.place_name(one),
            ));
        }
        self.put(format_args!("</div>\n</section>\n"));
        Ok(())
    }

    fn suggestions(&mut self) {
        let suggestions = self.answer.details.suggestions.iter();
        let mut doubtful = suggestions.filter(|found| !found.alternatives.is_empty()).peekable();
        if doubtful.peek().is_none() {
            return;
        }
        self.put(format_args!(
            "<section>\n<h2>Alternatives</h2>\n\
             <p>The least certain places, and the likelihood of each piece there, given its neighbours. \
             <code>fretsaw suggest</code> lists more.</p>\n<div class=\"doubts\">\n"
        ));
        for Suggestion { piece, likelihood, alternatives } in doubtful.take(MAX_SUGGESTIONS) {
            let Some(place) = self.answer.assembly.place_of(*piece) else { continue };
            let confidence = self.answer.confidence(*piece).unwrap_or(0.0);
            self.put(format_args!(
                "<div><h3><span class=\"chip\" style=\"background:{}\"></span>{}</h3>\n<ul>\n\
                 <li><b>{}</b> {}, as placed</li>\n",
                heat_map::css(confidence),
                self.place_name(place),
                percent(*likelihood),
                self.piece_name(*piece),
            ));
            for &Alternative { piece, turn, likelihood } in
                alternatives.iter().take(MAX_ALTERNATIVES)
            {
                let turned = match turn.clockwise() {
                    0 => String::new(),
                    turns => format!(", turned {turns}"),
                };
                let (name, share) = (self.piece_name(piece), percent(likelihood));
                self.put(format_args!("<li><b>{share}</b> {name}{turned}</li>\n"));
            }
            self.put(format_args!("</ul></div>\n"));
        }
        self.put(format_args!("</div>\n</section>\n"));
    }

    fn unplaced(&mut self) -> Result<(), EncodeError> {
        let unplaced: Vec<PieceId> = self.answer.assembly.unplaced().collect();
        if unplaced.is_empty() {
            return Ok(());
        }
        self.put(format_args!(
            "<section>\n<h2>Unplaced pieces</h2>\n<p>{} in all{}.</p>\n<div class=\"loose\">\n",
            unplaced.len(),
            if unplaced.len() > MAX_UNPLACED {
                format!(", of which the first {MAX_UNPLACED} are shown")
            } else {
                String::new()
            }
        ));
        let miniatures = Miniatures::of_size(self.answer.pieces, UNPLACED_PX);
        for piece in unplaced.into_iter().take(MAX_UNPLACED) {
            let painted = data_uri(miniatures.piece(piece))?;
            let name = self.piece_name(piece);
            self.put(format_args!(
                "<figure><img src=\"{painted}\" alt=\"\"><figcaption>{name}</figcaption></figure>\n"
            ));
        }
        self.put(format_args!("</div>\n</section>\n"));
        Ok(())
    }

    fn making(&mut self) {
        let About { timings, settings, .. } = self.about;
        if timings.is_empty() && settings.is_none() {
            return;
        }
        self.put(format_args!("<section>\n<h2>Timings and settings</h2>\n"));
        let longest = timings.iter().map(|&(_, seconds)| seconds).fold(0.0, f64::max);
        if !timings.is_empty() {
            self.put(format_args!(
                "<table class=\"times\">\n<thead><tr><th>Stage</th><th class=\"number\">Seconds</th><th></th></tr>\
                 </thead>\n<tbody>\n"
            ));
            for (stage, seconds) in timings {
                let share = if longest > 0.0 { 100.0 * seconds / longest } else { 0.0 };
                self.put(format_args!(
                    "<tr><td>{}</td><td class=\"number\">{seconds:.3}</td><td class=\"bars\">\
                     <span class=\"bar\" style=\"width:{share:.1}%\"></span></td></tr>\n",
                    escape(stage)
                ));
            }
            self.put(format_args!("</tbody>\n</table>\n"));
        }
        if let Some(settings) = settings {
            self.put(format_args!(
                "<details>\n<summary>All settings</summary>\n<pre>{}</pre>\n</details>\n",
                escape(settings)
            ));
        }
        self.put(format_args!("</section>\n"));
    }
}

fn percent(share: f64) -> String {
    if share < 0.01 {
        "&lt;1&nbsp;%".into()
    } else if share > 0.99 {
        "&gt;99&nbsp;%".into()
    } else {
        format!("{:.0}&nbsp;%", 100.0 * share)
    }
}

/// Escapes a text for use between tags or as an attribute in double quotes, in HTML and XML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Details;
    use crate::paint::tests::{Example, plain_pieces};
    use fretsaw::puzzle::{Join, QuarterTurn, Side, SideId};

    fn example_page() -> String {
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        let alternative = Alternative {
            piece: PieceId::new(5),
            turn: QuarterTurn::from_clockwise(3),
            likelihood: 0.75,
        };
        // Piece 2 is upside down above piece 3, which is turned by three quarters.
        let join = Join::new(side(2, Side::Top), side(3, Side::Right));
        let seams = [SeamConfidence { join, confidence: 0.123 }];
        let suggestions = [Suggestion {
            piece: PieceId::new(0),
            likelihood: 0.25,
            alternatives: vec![alternative],
        }];
        let names: Vec<String> = (0..6).map(|piece| format!("<tile>&{piece}.png")).collect();
        let (pieces, Example { assembly, confidences }) = (plain_pieces(), Example::new());
        let details = Details {
            confidences: &confidences,
            seams: &seams,
            suggestions: &suggestions,
            names: &names,
        };
        let about = About {
            title: "a \"<b>\"".into(),
            warnings: vec!["x < y was skipped".into()],
            facts: vec![("Seed", "77".into())],
            timings: vec![("measure".into(), 0.5)],
            settings: Some("\"effort\": \"high\"".into()),
        };
        page(Answer::new(&pieces, &assembly, details).unwrap(), &about).unwrap()
    }

    #[test]
    fn the_page_shows_everything_and_needs_no_other_file() {
        let html = example_page();
        for words in [
            "a &quot;&lt;b&gt;&quot;",
            "4 placed of 6",
            "x &lt; y was skipped",
            "12&nbsp;%",
            "board 2, row 0, column 0",
            "&lt;tile&gt;&amp;5.png",
            "<b>75&nbsp;%</b> 5 <span class=\"name\">&lt;tile&gt;&amp;5.png</span>, turned 3",
            "one cell is empty",
            "measure",
            "&quot;effort&quot;: &quot;high&quot;",
            "<dd>77</dd>",
            "prefers-color-scheme: dark",
        ] {
            assert!(html.contains(words), "no {words:?} in {html}");
        }
        assert!(!html.contains("<tile>") && !html.contains("<script"));
        // The page refers to no address outside.
        assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("@import"));
        for address in html.split("src=\"").chain(html.split("href=\"")).skip(1) {
            let is_start = address.starts_with("data:image/") || address.starts_with("<!DOCTYPE");
            assert!(is_start, "{}", &address[..address.len().min(60)]);
        }
        assert_eq!(html, example_page(), "the same answer, the same page");
    }

    #[test]
    fn elements_are_closed() {
        let html = example_page();
        for name in
            ["section", "figure", "div", "dl", "ul", "table", "tbody", "svg", "main", "details"]
        {
            let count = |pattern: String| html.matches(&pattern).count();
            let opened = count(format!("<{name}>")) + count(format!("<{name} "));
            assert_eq!(opened, count(format!("</{name}>")), "{name}");
            assert!(opened > 0, "{name}");
        }
    }

    #[test]
    fn a_page_needs_only_an_assembly() {
        let (pieces, Example { assembly, .. }) = (plain_pieces(), Example::new());
        let answer = Answer::new(&pieces, &assembly, Details::default()).unwrap();
        let html = page(answer, &About::default()).unwrap();
        assert!(html.contains("Before and after") && !html.contains("Confidence"));
    }
}
