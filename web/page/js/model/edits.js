// Changes by hand. Each function returns the moves for `Board.with`, or a sentence that says why not.

/** Steps to the neighbour above, right, below and left: the sides in their order. */
export const STEPS = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

/**
 * Moves pieces to places of their own. Pieces that lie there go to the places that become free, the first to the first;
 * those for which none is left lose their place.
 *
 * `targets` has `[piece, place or null, turns]`.
 */
function arrange(board, pins, targets) {
  const moved = new Set(targets.map(([piece]) => piece));
  const changed = targets.filter(([piece, place, turns]) => {
    const before = board.placeOf(piece);
    return board.cellIndex(before) !== board.cellIndex(place) || board.turnsOf(piece) !== turns;
  });
  if (changed.some(([piece]) => pins.has(piece))) return "A pinned piece stays where it is. Unpin it first.";
  const wanted = new Set();
  for (const [, place] of targets) {
    if (place === null) continue;
    if (!board.contains(place)) return "That would lie outside of the board.";
    wanted.add(board.cellIndex(place));
  }
  const displaced = [...wanted].map((index) => board.cells[index]).filter((piece) => piece >= 0 && !moved.has(piece));
  if (displaced.some((piece) => pins.has(piece))) return "A pinned piece lies there. Unpin it first.";
  const free = targets
    .map(([piece]) => board.placeOf(piece))
    .filter((place) => place !== null && !wanted.has(board.cellIndex(place)));
  const others = displaced.map((piece, index) => [piece, free[index] ?? null, board.turnsOf(piece)]);
  return [...changed, ...others];
}

/** Moves pieces that have a place by rows and columns, perhaps to another board. */
export function moveBy(board, pins, pieces, rows, cols, toBoard = null) {
  const targets = pieces.map((piece) => {
    const { board: from, row, col, turns } = board.placeOf(piece);
    return [piece, { board: toBoard ?? from, row: row + rows, col: col + cols }, turns];
  });
  return arrange(board, pins, targets);
}

/** Puts a piece into a cell, with turns if they are given. */
export function putInto(board, pins, piece, place, turns = board.turnsOf(piece)) {
  return arrange(board, pins, [[piece, place, turns]]);
}

/** Takes pieces off their boards. */
export function takeOff(board, pins, pieces) {
  return arrange(board, pins, pieces.map((piece) => [piece, null, board.turnsOf(piece)]));
}

/**
 * Turns a piece in its place, or several together as a block, clockwise. `turns` is 2 for oblong pieces, which fit
 * their cells only so.
 */
export function turnBy(board, pins, pieces, turns) {
  const placed = pieces.filter((piece) => board.placeOf(piece) !== null);
  const [rows, cols] = ["row", "col"].map((axis) => placed.map((piece) => board.placeOf(piece)[axis]));
  const [top, left] = [Math.min(...rows), Math.min(...cols)];
  const [height, width] = [Math.max(...rows) - top, Math.max(...cols) - left];
  const turned = (row, col) =>
    [
      [row, col],
      [col, height - row],
      [height - row, width - col],
      [width - col, row],
    ][turns];
  const targets = pieces.map((piece) => {
    const place = board.placeOf(piece);
    const newTurns = (board.turnsOf(piece) + turns) % 4;
    if (place === null) return [piece, null, newTurns];
    const [row, col] = turned(place.row - top, place.col - left);
    return [piece, { ...place, row: top + row, col: left + col }, newTurns];
  });
  return arrange(board, pins, targets);
}

/** The sides with which two pieces touch: `{a, aSide, b, bSide}`, null if they do not. */
export function seamOf(board, a, b) {
  const [one, other] = [board.placeOf(a), board.placeOf(b)];
  if (!one || !other || one.board !== other.board) return null;
  const direction = STEPS.findIndex(([row, col]) => one.row + row === other.row && one.col + col === other.col);
  if (direction < 0) return null;
  return { a, aSide: (direction - one.turns + 4) % 4, b, bSide: (direction + 2 - other.turns + 8) % 4 };
}

/** Whether two pairs of sides are the same. */
export function isSameSeam(x, y) {
  const key = ({ a, aSide, b, bSide }) => [4 * a + aSide, 4 * b + bSide].sort((p, q) => p - q).join();
  return key(x) === key(y);
}
