//! Short views of an answer for notebooks.

use super::data_uri::{GROUND, data_uri, png};
use super::heat_map::heat_map;
use super::percent;
use crate::paint::BoardView;
use crate::{Answer, EncodeError};
use std::fmt::Write;

/// The largest size of a picture on the card: two fit side by side in a notebook.
const CARD_PX: (u32, u32) = (420, 420);
/// The largest size of the picture alone.
const PICTURE_PX: (u32, u32) = (1000, 1000);
/// The most boards on the card.
const MAX_BOARDS: usize = 6;

/// A piece of HTML with each board beside its map of confidence. It needs no style sheet, script or other file.
pub fn card(answer: Answer<'_>) -> Result<String, EncodeError> {
    let Answer { pieces, assembly, details } = answer;
    let known: Vec<f64> = details.confidences.iter().copied().flatten().collect();
    let mut html = String::from("<div style=\"font-family:sans-serif\">");
    let mut caption = format!(
        "{} of {} pieces of {} &times; {} px placed",
        assembly.num_placed(),
        assembly.num_pieces(),
        pieces.shape().width_px(),
        pieces.shape().height_px()
    );
    let sizes: Vec<String> = assembly
        .boards()
        .iter()
        .map(|grid| format!("{} columns &times; {} rows", grid.cols(), grid.rows()))
        .collect();
    let _ = write!(caption, ", {}", sizes.join(", "));
    if !known.is_empty() {
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let _ = write!(caption, "; mean confidence {}", percent(mean));
    }
    let _ = write!(html, "<p style=\"margin:0 0 6px\">{caption}</p>");
    for view in BoardView::all(pieces, assembly).take(MAX_BOARDS) {
        let mut pictures = vec![(view.painted(CARD_PX, GROUND).image, "Solved picture")];
        if !known.is_empty() {
            pictures.push((heat_map(&answer, &view, CARD_PX), "Map of confidence"));
        }
        html.push_str("<div style=\"display:flex;flex-wrap:wrap;gap:8px;margin-bottom:8px\">");
        for (picture, what) in pictures {
            let _ = write!(
                html,
                "<img style=\"max-width:100%\" src=\"{}\" alt=\"{what}\" title=\"{what}\">",
                data_uri(picture)?
            );
        }
        html.push_str("</div>");
    }
    html.push_str("</div>");
    Ok(html)
}

/// The picture of the first board as a PNG file, shrunk to about a screen; `None` if there is no board.
pub fn picture_png(answer: Answer<'_>) -> Result<Option<Vec<u8>>, EncodeError> {
    let first = BoardView::all(answer.pieces, answer.assembly).next();
    first.map(|view| png(view.painted(PICTURE_PX, GROUND).image)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::tests::{Example, plain_pieces};

    #[test]
    fn a_card_shows_every_board_and_its_map() {
        let (example, pieces) = (Example::new(), plain_pieces());
        let answer = example.answer(&pieces);
        let boards = answer.assembly.boards().len();
        let html = card(answer).unwrap();
        assert_eq!(html.matches("Solved picture\" title").count(), boards);
        assert_eq!(html.matches("Map of confidence\" title").count(), boards);
        assert!(html.contains("of 6 pieces") && !html.contains("<script"));
    }

    #[test]
    fn the_picture_of_an_answer_is_a_png_file() {
        let (example, pieces) = (Example::new(), plain_pieces());
        let png = picture_png(example.answer(&pieces)).unwrap().unwrap();
        assert!(png.starts_with(b"\x89PNG"));
    }
}
