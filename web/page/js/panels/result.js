// The answer: how good it probably is, the seams in doubt, and the piece that is selected.

import { byId, make } from "./elements.js";
import { heatCss } from "../model/heat.js";
import { count, percent, placeName, seconds } from "../words.js";

const HELPS = {
  mirror: "solve it on the command line with --mirror, as some pieces seem to be mirrored",
  size: "say how many columns and rows the picture has",
  turns: "say that no piece is turned",
  effort: "choose the effort 'most accurate'",
};

const FOUND_TURNS = {
  none: "No piece is turned.",
  half: "Pieces are turned by half turns.",
  quarter: "Pieces are turned by quarter turns.",
};

export function showAnswer(answer, board, { wasTurnsKnown }) {
  const each = board.grids.map(({ rows, cols }) => `${cols}\u00a0×\u00a0${rows}`);
  const sizes = each.length > 1 ? `${each.length} pictures of ${each.slice(0, -1).join(", ")} and ${each.at(-1)}` : each[0];
  const stopped = answer.status === "finished" ? "" : `, ${answer.status}`;
  byId("solved-title").textContent = stopped ? "The best so far" : "Solved";
  const placed = `${board.numPlaced.toLocaleString("en")} of ${count(board.numPieces, "piece")} placed, ${sizes}`;
  const time = answer.seconds > 0 ? ` in ${seconds(answer.seconds)}${stopped}` : stopped;
  byId("verdict").textContent = `${placed}${time}. ${answer.verdict ? `${capital(answer.verdict)}.` : ""}`;
  const notes = [...answer.warnings, ...answer.notes.map(capital)];
  if (!wasTurnsKnown && FOUND_TURNS[answer.turns]) notes.push(FOUND_TURNS[answer.turns]);
  // A guess that turned nothing needs no words.
  if (answer.upright?.turns > 0) {
    notes.push(`Turned by ${90 * answer.upright.turns}° to stand upright, ${percent(answer.upright.probability)} sure.`);
  }
  if (answer.helps.length > 0) notes.push(`It may help to ${answer.helps.map((help) => HELPS[help]).join(", or to ")}.`);
  byId("notes").replaceChildren(...notes.map((text) => make("li", { textContent: text })));
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lists the seams in doubt; `show(doubt)` is called for one that is clicked. */
export function showDoubts(doubts, board, show) {
  byId("num-doubts").textContent = doubts.length.toLocaleString("en");
  const nameOf = (piece) => {
    const place = board.placeOf(piece);
    return place ? placeName(place, board.grids.length) : "beside the board";
  };
  byId("doubt-list").replaceChildren(
    ...doubts.slice(0, 100).map((doubt) => {
      const where = board.placeOf(doubt.a)?.row === board.placeOf(doubt.b)?.row ? "right of" : "below";
      const text = `${percent(doubt.confidence)}: ${where} ${nameOf(doubt.a)}`;
      return make("li", {}, make("button", { type: "button", onclick: () => show(doubt) }, chip(doubt.confidence), text));
    }),
  );
}

function chip(confidence) {
  const mark = make("span", { className: "chip" });
  mark.style.backgroundColor = heatCss(confidence);
  return mark;
}

/** Says what is selected. */
export function showSelection(pieces, board, marks, rating, names) {
  byId("selection").hidden = pieces.length === 0;
  if (pieces.length === 0) return;
  const isOne = pieces.length === 1;
  byId("selection-title").textContent = isOne ? `Piece ${pieces[0]}` : count(pieces.length, "piece");
  byId("selection-text").textContent = isOne ? describe(pieces[0], board, marks, rating, names) : blockText(pieces, marks);
  byId("suggest").hidden = !isOne;
}

function blockText(pieces, marks) {
  const pinned = pieces.filter((piece) => marks.pins.has(piece)).length;
  return pinned > 0 ? `${count(pinned, "piece")} pinned` : "They move and turn as a block.";
}

/** A piece in one sentence. */
export function describe(piece, board, marks, rating, names) {
  const place = board.placeOf(piece);
  const parts = [place ? placeName(place, board.grids.length) : "beside the board"];
  const turns = board.turnsOf(piece);
  if (turns > 0) parts.push(`turned by ${90 * turns}°`);
  const confidence = rating?.pieces[piece];
  if (place && confidence !== null && confidence !== undefined) parts.push(`${percent(confidence)} certain`);
  if (marks.pins.has(piece)) parts.push("pinned");
  if (names[piece]) parts.push(names[piece]);
  return capital(parts.join(", "));
}

/** Suggestions are of a board that has changed, or of another place. */
export function clearSuggestions() {
  byId("suggestions").replaceChildren();
}

/** Lists what may lie in a place; `choose({piece, turns})` is called for one that is clicked. */
export function showSuggestions({ here, alternatives }, piece, turnsHere, atlas, choose) {
  const entry = ({ piece: other, turns, likelihood }, isHere) => {
    const picture = make("canvas", { width: 52, height: 52 });
    atlas.draw(picture.getContext("2d"), other, 0, 0, 52, 52, turns);
    const what = isHere ? "as it is" : other === piece ? "turned" : `piece ${other}`;
    const button = make("button", { type: "button", disabled: isHere, onclick: () => choose({ piece: other, turns }) }, picture, `${percent(likelihood)}: ${what}`);
    return { likelihood, item: make("li", {}, button) };
  };
  const entries = alternatives.map((other) => entry(other, false));
  if (piece >= 0) entries.push(entry({ piece, turns: turnsHere, likelihood: here }, true));
  entries.sort((a, b) => b.likelihood - a.likelihood);
  byId("suggestions").replaceChildren(...entries.map(({ item }) => item));
}
