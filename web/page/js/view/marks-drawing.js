// What lies over the pieces: selection, cursor, pins, joins, seams in doubt, and pieces that are carried.

import { seamOf } from "../model/edits.js";

/** Seams of a lower confidence get a line. */
const UNLIKELY = 0.5;

export function drawMarks(view) {
  const { context, camera } = view;
  const colours = view.colours;
  const line = (width) => width / camera.scale;
  if (view.showHeat) drawDoubts(view, colours, line);
  drawPairs(view, view.marks?.joins ?? [], colours.accent, line);
  drawPairs(view, view.marks?.apart ?? [], colours.warn, line);
  drawPins(view, colours, line);
  for (const piece of view.selection) {
    outline(context, view.layout.pieceRect(view.board, piece), colours.ground, line(4));
    outline(context, view.layout.pieceRect(view.board, piece), colours.accent, line(2.5));
  }
  const cursor = view.cursor ? view.layout.spotRect(view.cursor) : null;
  if (cursor) {
    context.setLineDash([line(5), line(4)]);
    outline(context, cursor, colours.ink, line(2));
    context.setLineDash([]);
  }
  if (view.carried) drawCarried(view, colours, line);
  if (view.frameRect) {
    context.setLineDash([line(5), line(4)]);
    outline(context, view.frameRect, colours.accent, line(1.5));
    context.setLineDash([]);
  }
}

function outline(context, { x, y, width, height }, colour, width_) {
  context.strokeStyle = colour;
  context.lineWidth = width_;
  context.strokeRect(x, y, width, height);
}

/** The line between two cells side by side: its ends. */
function seamLine(view, a, b) {
  const [one, other] = [a, b].map((piece) => view.layout.pieceRect(view.board, piece));
  if (Math.abs(one.y - other.y) < 1e-6) {
    const x = Math.max(one.x, other.x) - view.layout.gap / 2;
    return [x, one.y, x, one.y + one.height];
  }
  const y = Math.max(one.y, other.y) - view.layout.gap / 2;
  return [one.x, y, one.x + one.width, y];
}

function drawDoubts(view, colours, line) {
  const { context } = view;
  context.strokeStyle = "#1b1d22";
  context.lineWidth = line(3);
  context.beginPath();
  for (const { a, b, confidence } of view.rating?.doubts ?? []) {
    if (confidence >= UNLIKELY || !seamOf(view.board, a, b)) continue;
    const [x1, y1, x2, y2] = seamLine(view, a, b);
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
}

/** A dot on the seam of each pair that is together or apart; a line if the two are not side by side. */
function drawPairs(view, pairs, colour, line) {
  const { context } = view;
  context.fillStyle = colour;
  context.strokeStyle = colour;
  for (const { a, b } of pairs) {
    const [one, other] = [a, b].map((piece) => {
      const rect = view.layout.pieceRect(view.board, piece);
      return [rect.x + rect.width / 2, rect.y + rect.height / 2];
    });
    context.lineWidth = line(2);
    context.beginPath();
    context.moveTo(...one);
    context.lineTo(...other);
    context.stroke();
    context.beginPath();
    context.arc((one[0] + other[0]) / 2, (one[1] + other[1]) / 2, line(5), 0, 2 * Math.PI);
    context.fill();
  }
}

function drawPins(view, colours, line) {
  const { context, camera } = view;
  for (const piece of view.marks?.pins ?? []) {
    const rect = view.layout.pieceRect(view.board, piece);
    if (!view.visible(rect)) continue;
    const radius = Math.min(line(5), rect.width / 6);
    context.beginPath();
    context.arc(rect.x + rect.width - 1.6 * radius, rect.y + 1.6 * radius, radius, 0, 2 * Math.PI);
    context.fillStyle = colours.accent;
    context.fill();
    context.lineWidth = Math.min(line(1.5), radius / 2);
    context.strokeStyle = colours.ground;
    context.stroke();
  }
}

/** Pieces that are dragged, or carried with the keyboard: where they would lie. */
function drawCarried(view, colours, line) {
  const { context } = view;
  const { pieces, dx, dy, isAllowed } = view.carried;
  context.save();
  context.globalAlpha = 0.85;
  for (const piece of pieces) {
    const rect = view.layout.pieceRect(view.board, piece);
    const moved = { ...rect, x: rect.x + dx, y: rect.y + dy };
    view.atlas.draw(context, piece, moved.x, moved.y, moved.width, moved.height, view.board.turnsOf(piece));
    outline(context, moved, isAllowed ? colours.accent : colours.warn, line(2.5));
  }
  context.restore();
}
