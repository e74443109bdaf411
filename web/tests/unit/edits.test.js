// Changes by hand keep the board whole: no piece is lost and no cell holds two.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Board } from "../../page/js/model/board.js";
import { isSameSeam, moveBy, putInto, seamOf, takeOff, turnBy } from "../../page/js/model/edits.js";

const NO_PINS = new Set();

/** Rows of piece numbers. */
function rows(board) {
  const { rows, cols } = board.grids[0];
  return Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_, col) => board.pieceAt(0, row, col)));
}

test("a piece that is moved onto another exchanges places with it", () => {
  const board = Board.inOrder(6, 3);
  const moved = board.with(moveBy(board, NO_PINS, [0], 1, 2));
  assert.deepEqual(rows(moved), [[5, 1, 2], [3, 4, 0]]);
});

test("a block moves together, and what it covers goes where it was", () => {
  const board = Board.inOrder(9, 3);
  const moved = board.with(moveBy(board, NO_PINS, [0, 1], 1, 1));
  assert.deepEqual(rows(moved), [[4, 5, 2], [3, 0, 1], [6, 7, 8]]);
  const overlapping = board.with(moveBy(board, NO_PINS, [0, 1], 0, 1));
  assert.deepEqual(rows(overlapping)[0], [2, 0, 1]);
});

test("nothing moves off the board or over a pinned piece", () => {
  const board = Board.inOrder(6, 3);
  assert.match(moveBy(board, NO_PINS, [0], -1, 0), /outside/);
  assert.match(moveBy(board, new Set([1]), [0], 0, 1), /pinned piece lies there/);
  assert.match(moveBy(board, new Set([0]), [0], 0, 1), /Unpin it first/);
  assert.match(takeOff(board, new Set([0]), [0]), /Unpin/);
});

test("pieces beside the board are put in, and those that lie there make room", () => {
  const board = Board.inOrder(4, 2);
  const without = board.with(takeOff(board, NO_PINS, [3]));
  assert.deepEqual(without.unplaced(), [3]);
  const exchanged = without.with(putInto(without, NO_PINS, 3, { board: 0, row: 0, col: 0 }));
  assert.deepEqual(rows(exchanged), [[3, 1], [2, -1]]);
  assert.deepEqual(exchanged.unplaced(), [0]);
});

test("turning one piece leaves it in its cell; a block turns as a whole", () => {
  const board = Board.inOrder(6, 3);
  const one = board.with(turnBy(board, NO_PINS, [4], 1));
  assert.deepEqual(one.placeOf(4), { board: 0, row: 1, col: 1, turns: 1 });
  const block = board.with(turnBy(board, NO_PINS, [0, 1, 3, 4], 1));
  assert.deepEqual(rows(block), [[3, 0, 2], [4, 1, 5]]);
  let back = board;
  for (let times = 0; times < 4; times++) back = back.with(turnBy(back, NO_PINS, [0, 1, 3, 4], 1));
  assert.deepEqual(back.places, board.places);
  const undone = block.with(turnBy(block, NO_PINS, [0, 1, 3, 4], 3));
  assert.deepEqual(undone.places, board.places);
});

test("the sides of a seam are those of the pieces as handed in", () => {
  const board = Board.inOrder(2, 2).with([[1, { board: 0, row: 0, col: 1 }, 1]]);
  // Piece 1 is turned clockwise once: its bottom now faces left.
  assert.deepEqual(seamOf(board, 0, 1), { a: 0, aSide: 1, b: 1, bSide: 2 });
  assert.ok(isSameSeam(seamOf(board, 0, 1), seamOf(board, 1, 0)));
  assert.equal(seamOf(Board.inOrder(4, 2), 0, 3), null);
});

test("a board survives its encoding, with pieces that have no place", () => {
  const board = Board.inOrder(5, 3);
  const changed = board.with(takeOff(board, NO_PINS, [1]));
  const again = Board.decode(changed.encode());
  assert.deepEqual(again.places, changed.places);
  assert.deepEqual(again.cells, changed.cells);
  assert.equal(again.numPlaced, 4);
});
