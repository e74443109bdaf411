// The page solves, stops, and gives the same answer as the command line.

import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SOLVE_MS, end, fretsaw, placementsOf, plainServer, scrambled, start, temporary, visiting } from "./harness.js";

before(start);
after(end);

test("the same places and turns as the command line, and the same picture", visiting({}, async (visit) => {
  for (const options of [{ cols: 12, rows: 9 }, { type: 1, piece: 20, cols: 10, rows: 8 }]) {
    const sheet = join(scrambled(options), "sheet.png");
    const copy = temporary(`loose-${options.cols}.png`);
    // Away from its puzzle.json.
    copyFileSync(sheet, copy);
    const solution = temporary(`cli-${options.cols}.json`);
    const picture = temporary(`cli-${options.cols}.png`);
    fretsaw("solve", copy, "--solution", solution, "--out", picture, "--threads", "1");
    await visit.open(copy);
    await visit.solve();
    assert.deepEqual(placementsOf(await visit.save("save-solution")), placementsOf(solution));
    assert.deepEqual(readFileSync(await visit.save("save-picture")), readFileSync(picture));
    await visit.page.click("#new-puzzle");
  }
}));

test("another seed and effort give the command line's answer to them", visiting({}, async (visit) => {
  const puzzle = scrambled({ as: "folder", seed: 9 });
  const solution = temporary("cli-seed.json");
  fretsaw("solve", puzzle, "--solution", solution, "--out", temporary("cli-seed.png"), "--seed", "7", "--effort", "fast", "--grid", "8x6");
  await visit.page.setInputFiles("#folder", puzzle);
  await visit.phase("found");
  await visit.page.click("#correct summary");
  await visit.page.fill("#columns", "8");
  await visit.page.fill("#rows", "6");
  await visit.page.fill("#seed", "7");
  await visit.page.selectOption("#effort", "fast");
  await visit.solve();
  assert.deepEqual(placementsOf(await visit.save("save-solution")), placementsOf(solution));
}));

test("boards are shown while it solves, and a stop keeps the best", visiting({}, async (visit) => {
  assert.equal(await visit.page.evaluate(() => crossOriginIsolated), true);
  await visit.page.click("#try-demo");
  await visit.phase("found");
  await visit.page.click("#solve");
  await visit.page.waitForFunction(() => document.getElementById("so-far").textContent !== "", null, { timeout: SOLVE_MS });
  await visit.page.click("#stop");
  await visit.phase("solved", SOLVE_MS);
  const solution = JSON.parse(readFileSync(await visit.save("save-solution"), "utf8"));
  assert.ok(["finished", "stopped early: interrupted"].includes(solution.status), solution.status);
  assert.ok(solution.seams.length > 0);
}));

test("where pages cannot share memory, a stop ends the worker and rates the board seen last", async (context) => {
  const server = await plainServer();
  try {
    await visiting({ address: server.address }, async (visit) => {
      assert.equal(await visit.page.evaluate(() => crossOriginIsolated), false);
      await visit.page.click("#try-demo");
      await visit.phase("found");
      await visit.page.click("#solve");
      await visit.page.waitForFunction(() => document.getElementById("so-far").textContent !== "", null, { timeout: SOLVE_MS });
      await visit.page.click("#stop");
      await visit.phase("solved", SOLVE_MS);
      const solution = JSON.parse(readFileSync(await visit.save("save-solution"), "utf8"));
      assert.ok(solution.seams.length > 0 && solution.placements.length > 400);
      // Before there is a board there is nothing to keep.
      await visit.page.click("#back");
      await visit.page.click("#solve");
      await visit.page.click("#stop");
      await visit.phase("found", SOLVE_MS);
      assert.match(await visit.page.textContent("#found-message"), /before there was a board/);
      await visit.solve();
    })(context);
  } finally {
    server.close();
  }
});

test("what is saved is read by the command line, and its solution by the page", visiting({}, async (visit) => {
  const puzzle = scrambled({ as: "folder" });
  await visit.page.setInputFiles("#folder", puzzle);
  await visit.phase("found");
  await visit.solve();
  const solution = await visit.save("save-solution");
  assert.match(fretsaw("eval", "--truth", join(puzzle, "truth.json"), solution), /neighbor\s+1\.0/);
  const painted = temporary("painted.png");
  fretsaw("apply", solution, puzzle, "--out", painted);
  assert.deepEqual(readFileSync(await visit.save("save-picture")), readFileSync(painted));
  const report = readFileSync(await visit.save("save-report"), "utf8");
  assert.match(report, /<title>.* fretsaw<\/title>/);
  assert.equal(readFileSync(await visit.save("save-animation")).subarray(0, 6).toString(), "GIF89a");

  // The same pieces with a solution of the command line.
  const own = temporary("own.json");
  fretsaw("solve", puzzle, "--solution", own, "--out", temporary("own.png"), "--effort", "fast");
  await visit.page.setInputFiles("#files", own);
  await visit.page.waitForFunction(() => document.getElementById("verdict").textContent.length > 0);
  await visit.settled();
  assert.deepEqual((await visit.places()).map((place, piece) => [piece, ...place]), placementsOf(own));
  const other = scrambled({ as: "folder", seed: 77 });
  const wrong = temporary("wrong.json");
  fretsaw("solve", other, "--solution", wrong, "--out", temporary("wrong.png"), "--effort", "fast");
  await visit.page.setInputFiles("#files", wrong);
  await visit.page.waitForFunction(() => /other pieces/.test(document.getElementById("solved-message").textContent));
}));
