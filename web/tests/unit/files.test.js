// Files get the names that the solver expects, and solutions are told from pieces.

import assert from "node:assert/strict";
import { test } from "node:test";
import { outputName } from "../../page/js/files/download.js";
import { inputName, sorted } from "../../page/js/files/intake.js";
import { percent, seconds } from "../../page/js/words.js";

const file = (name, content = "") => ({ name, blob: new Blob([content]) });

test("an input is named after its file, its folder, or the first of several", () => {
  assert.equal(inputName([file("sheet.png")]), "sheet.png");
  assert.equal(inputName([file("tiles/1.png"), file("tiles/sub/2.png")]), "tiles");
  assert.equal(inputName([file("1.png"), file("2.png"), file("3.png")]), "1.png and 2 more");
});

test("outputs are named after the input", () => {
  assert.equal(outputName("tiles", "-solved.png"), "tiles-solved.png");
  assert.equal(outputName("sheet.v2.png", "-solution.json"), "sheet.v2-solution.json");
  assert.equal(outputName("1.png and 2 more", "-solved.png"), "1-solved.png");
});

test("a solution is told from pieces by its content", async () => {
  const solution = file("answer.json", '{\n"format": "fretsaw-solution/1",\n"boards": []}');
  const puzzle = file("puzzle.json", '{"format": "fretsaw-puzzle/1"}');
  const found = await sorted([file("1.png"), solution, puzzle]);
  assert.deepEqual(found.pieces.map(({ name }) => name), ["1.png", "puzzle.json"]);
  assert.equal(found.solution.name, "answer.json");
});

test("nothing uncertain is called 100 %", () => {
  assert.equal(percent(0.9996), "99.9\u00a0%");
  assert.equal(percent(1), "100\u00a0%");
  assert.equal(percent(0.123), "12\u00a0%");
  assert.equal(seconds(3.21), "3.2 s");
  assert.equal(seconds(75), "1 min 15 s");
});
