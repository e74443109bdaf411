// Undo and redo bring back every state, also after a reload.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Board } from "../../page/js/model/board.js";
import { moveBy, turnBy } from "../../page/js/model/edits.js";
import { History, NO_MARKS } from "../../page/js/model/history.js";

function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** A history of so many random steps, and all its states. */
function many(steps) {
  const pick = random(7);
  const history = new History({ board: Board.inOrder(12, 4), marks: NO_MARKS });
  const states = [history.state];
  while (states.length <= steps) {
    const { board, marks } = history.state;
    const piece = pick(12);
    if (pick(5) === 0) {
      history.mark("Pin", { pins: new Set([...marks.pins, piece]) });
    } else if (pick(9) === 0) {
      history.replace("Solve again", Board.inOrder(12, 4));
    } else {
      const moves = pick(2) ? moveBy(board, new Set(), [piece], pick(3) - 1, pick(3) - 1) : turnBy(board, new Set(), [piece], 1);
      if (typeof moves === "string" || moves.length === 0) continue;
      history.move("Move", moves);
    }
    states.push(history.state);
  }
  return { history, states };
}

function same(one, other) {
  assert.deepEqual(one.board.places, other.board.places);
  assert.deepEqual(one.marks, other.marks);
}

test("a hundred steps are undone and done again", () => {
  const { history, states } = many(100);
  for (const state of states.slice(0, -1).reverse()) {
    history.undo();
    same(history.state, state);
  }
  assert.equal(history.canUndo, false);
  for (const state of states.slice(1)) {
    history.redo();
    same(history.state, state);
  }
  assert.equal(history.canRedo, false);
});

test("a new step ends the future of the old ones", () => {
  const { history } = many(5);
  history.undo();
  history.undo();
  history.mark("Pin", { pins: new Set([3]) });
  assert.equal(history.canRedo, false);
  assert.equal(history.steps.length, 4);
});

test("a history that was kept goes on where it was", () => {
  const { history, states } = many(40);
  for (let times = 0; times < 15; times++) history.undo();
  const restored = History.restored(structuredClone(history.stored()));
  same(restored.state, states[25]);
  restored.redo();
  same(restored.state, states[26]);
  for (let times = 0; times < 26; times++) restored.undo();
  same(restored.state, states[0]);
});
