// Points of the canvas and of the world agree, and every piece is found where it is drawn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Board } from "../../page/js/model/board.js";
import { takeOff } from "../../page/js/model/edits.js";
import { heatCss } from "../../page/js/model/heat.js";
import { Camera } from "../../page/js/view/camera.js";
import { Layout } from "../../page/js/view/layout.js";

test("zooming keeps the point under the pointer", () => {
  const camera = new Camera();
  camera.resize(800, 600);
  camera.bounds = { x: 0, y: 0, width: 1000, height: 500 };
  camera.fit();
  const before = camera.toWorld(300, 250);
  camera.zoomAt(300, 250, 3);
  const after = camera.toWorld(300, 250);
  assert.ok(Math.hypot(before.x - after.x, before.y - after.y) < 1e-9);
  const { x, y } = camera.toCanvas(after.x, after.y);
  assert.ok(Math.hypot(x - 300, y - 250) < 1e-9);
});

test("the whole board is seen beside the buttons", () => {
  const camera = new Camera();
  camera.resize(800, 600);
  camera.bounds = { x: 0, y: 0, width: 1000, height: 1000 };
  camera.insets = { left: 10, top: 10, right: 90, bottom: 80 };
  camera.fit();
  const [first, last] = [camera.toCanvas(0, 0), camera.toCanvas(1000, 1000)];
  assert.ok(first.x >= 10 && first.y >= 10 - 1e-9);
  assert.ok(last.x <= 710 && last.y <= 520 + 1e-9);
});

test("no pan loses the board", () => {
  const camera = new Camera();
  camera.resize(800, 600);
  camera.bounds = { x: 0, y: 0, width: 100, height: 100 };
  camera.fit();
  camera.panBy(1e6, -1e6);
  const middle = camera.toWorld(400, 300);
  assert.ok(middle.x >= 0 && middle.x <= 100 && middle.y >= 0 && middle.y <= 100);
});

test("every piece is found where it is drawn, on two boards and beside them", () => {
  const start = new Board(
    [{ rows: 2, cols: 3 }, { rows: 2, cols: 2 }],
    Int32Array.from([...Array(10).keys()].flatMap((piece) => (piece < 6 ? [0, Math.floor(piece / 3), piece % 3, 0] : [1, Math.floor((piece - 6) / 2), piece % 2, 0]))),
  );
  const board = start.with(takeOff(start, new Set(), [4, 7, 9]));
  const layout = new Layout(board, { width: 28, height: 28 });
  for (let piece = 0; piece < 10; piece++) {
    const { x, y, width, height } = layout.pieceRect(board, piece);
    assert.equal(layout.pieceAt(board, x + width / 2, y + height / 2), piece);
  }
  assert.equal(layout.pieceAt(board, -5, -5), -1);
});

test("the colours of confidence are those of the report", () => {
  assert.equal(heatCss(0), "rgb(107 0 13)");
  assert.equal(heatCss(1), "rgb(238 241 244)");
  assert.equal(heatCss(2), heatCss(1));
});
