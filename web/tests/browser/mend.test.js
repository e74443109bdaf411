// Mending by hand, with the mouse and with the keyboard alone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SOLVE_MS, end, scrambled, start, visiting } from "./harness.js";

before(start);
after(end);

/** Opens and solves a puzzle of 8 x 6 pieces. */
async function solved(visit) {
  await visit.page.setInputFiles("#folder", scrambled({ as: "folder", hide: false }));
  await visit.phase("found");
  await visit.solve();
}

async function solveAgain(visit) {
  // A quick solve may be over before anybody sees that it began.
  const steps = () => visit.page.evaluate(async () => (await import("/js/main.js")).page.history.position);
  const before = await steps();
  await visit.page.click("#solve-again");
  await visit.until(
    async (count) => (await import("/js/main.js")).page.history.position > count || !document.getElementById("solved-message").hidden,
    before,
  );
  assert.equal(await visit.page.textContent("#solved-message"), "");
  await visit.phase("solved");
  await visit.settled();
}

test("a piece is dragged, a block too, turned, and all is undone", visiting({}, async (visit) => {
  await solved(visit);
  const right = await visit.places();
  const [one, other] = [await visit.pieceAt(0, 0), await visit.pieceAt(3, 4)];
  await visit.page.click("#mode-mend");
  await visit.drag(one, other);
  assert.equal(await visit.pieceAt(3, 4), one);
  assert.equal(await visit.pieceAt(0, 0), other);

  const before = (await visit.places())[one][3];
  await visit.page.keyboard.press("r");
  assert.equal((await visit.places())[one][3], (before + 1) % 4);
  await visit.page.keyboard.press("Shift+R");
  assert.equal((await visit.places())[one][3], before);

  const block = [await visit.pieceAt(0, 5), await visit.pieceAt(0, 6)];
  await visit.clickPiece(block[0]);
  await visit.clickPiece(block[1], { shift: true });
  await visit.drag(block[0], await visit.pieceAt(5, 1));
  assert.deepEqual([await visit.pieceAt(5, 1), await visit.pieceAt(5, 2)], block);

  for (let times = 0; times < 4; times++) await visit.page.click("#undo");
  assert.deepEqual(await visit.places(), right);
  assert.equal(await visit.page.isDisabled("#undo"), true);
}));

test("fifty steps are undone and done again", visiting({}, async (visit) => {
  await solved(visit);
  const right = await visit.places();
  await visit.clickPiece(await visit.pieceAt(2, 2));
  for (let times = 0; times < 50; times++) await visit.page.keyboard.press("r");
  const last = await visit.places();
  for (let times = 0; times < 50; times++) await visit.page.keyboard.press("Control+z");
  assert.deepEqual(await visit.places(), right);
  for (let times = 0; times < 50; times++) await visit.page.keyboard.press("Control+y");
  assert.deepEqual(await visit.places(), last);
}));

test("solving again keeps what is pinned, and mends the rest", visiting({}, async (visit) => {
  await solved(visit);
  const right = await visit.places();
  const [wrong, displaced] = [await visit.pieceAt(1, 1), await visit.pieceAt(4, 6)];
  await visit.page.click("#mode-mend");
  await visit.drag(wrong, displaced);
  await solveAgain(visit);
  assert.deepEqual(await visit.places(), right, "without pins the exchange is mended");

  await visit.page.click("#mode-mend");
  await visit.drag(wrong, displaced);
  await visit.page.click("#pin");
  await visit.drag(wrong, displaced);
  assert.equal(await visit.pieceAt(4, 6), wrong, "a pinned piece cannot be dragged");
  await solveAgain(visit);
  assert.equal(await visit.pieceAt(4, 6), wrong, "it stays where it was pinned");
}));

test("two pieces are kept apart, and others together", visiting({}, async (visit) => {
  await solved(visit);
  const [a, b] = [await visit.pieceAt(2, 3), await visit.pieceAt(2, 4)];
  /** Whether the two touch with the sides with which they touched at first. */
  const seam = () =>
    visit.page.evaluate(async (pair) => {
      const [{ page }, { seamOf }] = [await import("/js/main.js"), await import("/js/model/edits.js")];
      return seamOf(page.history.state.board, ...pair);
    }, [a, b]);
  const first = JSON.stringify(await seam());
  const touching = async () => JSON.stringify(await seam()) === first;
  await visit.clickPiece(a);
  await visit.clickPiece(b, { shift: true });
  await visit.page.click("#apart");
  await solveAgain(visit);
  assert.equal(await touching(), false);
  await visit.page.click("#undo");
  assert.equal(await touching(), true);
  await visit.page.click("#undo");
  await visit.clickPiece(a);
  await visit.clickPiece(b, { shift: true });
  await visit.page.click("#together");
  await solveAgain(visit);
  assert.equal(await touching(), true);
}));

test("suggestions name the right piece for a wrong place, best first", visiting({}, async (visit) => {
  await solved(visit);
  const [wrong, belongs] = [await visit.pieceAt(5, 7), await visit.pieceAt(2, 2)];
  await visit.page.click("#mode-mend");
  await visit.drag(wrong, belongs);
  await visit.clickPiece(wrong);
  await visit.page.click("#suggest");
  const first = visit.page.locator("#suggestions button:enabled").first();
  await first.waitFor({ timeout: SOLVE_MS });
  assert.match(await first.textContent(), new RegExp(`piece ${belongs}$`));
  await first.click();
  await visit.settled();
  assert.equal(await visit.pieceAt(2, 2), belongs);
}));

test("key S asks for the piece under the mouse, unless the cursor was moved since", visiting({}, async (visit) => {
  await solved(visit);
  const { page } = visit;
  const [pointed, selected] = [await visit.pieceAt(2, 2), await visit.pieceAt(4, 5)];
  const asksFor = async (piece) => {
    await page.keyboard.press("s");
    await page.locator("#suggestions li").first().waitFor({ timeout: SOLVE_MS });
    assert.equal(await page.textContent("#selection-title"), `Piece ${piece}`);
  };
  await visit.clickPiece(selected);
  const { x, y } = await visit.pointOf(pointed);
  await page.mouse.move(x, y);
  await asksFor(pointed);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await asksFor(await visit.pieceAt(2, 3));
  await visit.clickPiece(selected);
  await page.mouse.move(0, 0);
  await asksFor(selected);
}));

test("the keyboard alone suffices", visiting({}, async (visit) => {
  const { keyboard } = visit.page;
  /** Tabs until an element has the focus. */
  const tabTo = async (id) => {
    for (let times = 0; times < 60; times++) {
      if ((await visit.page.evaluate(() => document.activeElement?.id)) === id) return;
      await keyboard.press("Tab");
    }
    assert.fail(`${id} cannot be reached with Tab`);
  };
  await tabTo("try-demo");
  await keyboard.press("Enter");
  await visit.phase("found");
  await tabTo("solve");
  await keyboard.press("Enter");
  await visit.phase("solved", SOLVE_MS);
  await visit.settled();
  const right = await visit.places();
  await tabTo("board");
  await keyboard.press("ArrowRight");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await keyboard.press(key);
  const carried = await visit.pieceAt(1, 2);
  assert.match(await visit.page.textContent("#selection-title"), new RegExp(`Piece ${carried}$`));
  await keyboard.press("Enter");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await keyboard.press(key);
  await keyboard.press("Enter");
  assert.equal(await visit.pieceAt(3, 3), carried);
  await keyboard.press("p");
  assert.match(await visit.page.textContent("#selection-text"), /pinned/);
  await keyboard.press("p");
  await keyboard.press("Delete");
  assert.equal((await visit.places())[carried][0], -1);
  await keyboard.press("Control+z");
  await keyboard.press("Control+z");
  await keyboard.press("Control+z");
  await keyboard.press("Control+z");
  assert.deepEqual(await visit.places(), right);
  await keyboard.press("?");
  assert.equal(await visit.page.isVisible("#keys-dialog"), true);
  await keyboard.press("Escape");
  await keyboard.press("c");
  assert.equal(await visit.page.getAttribute("#show-heat", "aria-pressed"), "true");
  const [download] = await Promise.all([
    visit.page.waitForEvent("download", { timeout: SOLVE_MS }),
    tabTo("save-picture").then(() => keyboard.press("Enter")),
  ]);
  assert.equal(download.suggestedFilename(), "demo-solved.png");
}));

test("played by hand, with hints, to the end", visiting({}, async (visit) => {
  await visit.page.setInputFiles("#folder", scrambled({ as: "folder", cols: 4, rows: 3, piece: 56, hide: false }));
  await visit.phase("found");
  await visit.solve();
  const right = await visit.places();
  await visit.page.click("#play");
  await visit.settled();
  assert.ok((await visit.places()).every(([board]) => board === -1));
  for (let times = 0; times < 12; times++) await visit.page.click("#hint");
  assert.deepEqual(await visit.places(), right);
  assert.match(await visit.page.textContent("#toast"), /Solved by hand/);
  await visit.page.click("#play");
  assert.deepEqual(await visit.places(), right);
}));
