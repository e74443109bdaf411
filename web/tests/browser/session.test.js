// A puzzle survives a reload, the page works offline, and a worker that ends does not end the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { SOLVE_MS, end, placementsOf, scrambled, start, visiting } from "./harness.js";

before(start);
after(end);

async function solved(visit) {
  await visit.page.setInputFiles("#folder", scrambled({ as: "folder", hide: false }));
  await visit.phase("found");
  await visit.solve();
}

async function reload(visit) {
  await visit.page.reload();
  await visit.page.waitForSelector("body[data-ready]");
}

test("a reload keeps board, pins and every step; a button forgets them", visiting({}, async (visit) => {
  await solved(visit);
  const right = await visit.places();
  await visit.page.waitForTimeout(700);
  await visit.clickPiece(await visit.pieceAt(1, 1));
  await visit.kept(async () => {
    await visit.page.keyboard.press("r");
    await visit.page.keyboard.press("p");
  });
  const turned = await visit.places();
  await reload(visit);
  await visit.phase("solved");
  await visit.settled();
  assert.deepEqual(await visit.places(), turned);
  const saved = await visit.save("save-solution");
  assert.equal(JSON.parse(readFileSync(saved, "utf8")).status, "changed by hand");
  await visit.page.keyboard.press("Control+z");
  await visit.page.keyboard.press("Control+z");
  assert.deepEqual(await visit.places(), right);
  const original = JSON.parse(readFileSync(await visit.save("save-solution"), "utf8"));
  assert.equal(original.status, "finished");
  assert.ok(original.timings.length > 0, "what the solver said is kept, too");
  assert.equal(placementsOf(saved).length, 48);
  await visit.page.click("#forget");
  await visit.phase("start");
  await reload(visit);
  assert.equal(await visit.page.getAttribute("body", "data-phase"), "start");
}));

test("a puzzle that is not solved yet survives, too, with what was typed", visiting({}, async (visit) => {
  await visit.page.setInputFiles("#folder", scrambled({ as: "folder" }));
  await visit.phase("found");
  await visit.page.waitForTimeout(900);
  await reload(visit);
  await visit.phase("found");
  assert.match(await visit.page.textContent("#facts"), /48/);
}));

test("offline the page starts, opens and solves", visiting({}, async (visit) => {
  await visit.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await reload(visit);
  await visit.context.setOffline(true);
  await reload(visit);
  await visit.page.click("#try-demo");
  await visit.phase("found");
  await visit.page.click("#solve");
  await visit.phase("solved", SOLVE_MS);
}));

test("no request leaves the address of the page", visiting({}, async (visit) => {
  const others = [];
  visit.context.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).hostname !== "localhost") others.push(request.url());
  });
  await reload(visit);
  await solved(visit);
  await visit.save("save-report");
  assert.deepEqual(others, []);
}));

test("a worker that crashes is replaced, and says so", visiting({ mayFail: true }, async (visit) => {
  await visit.page.setInputFiles("#folder", scrambled({ as: "folder", hide: false }));
  await visit.phase("found");
  // Networks that cannot be loaded end the solver in the middle of its work.
  await visit.context.route("**/networks/**", (route) => route.abort());
  await visit.page.click("#solve");
  await visit.page.waitForFunction(() => /could not be loaded/.test(document.getElementById("found-message").textContent), null, { timeout: SOLVE_MS });
  assert.equal(await visit.page.getAttribute("body", "data-phase"), "found");
  await visit.context.unroute("**/networks/**");
  await visit.solve();
  assert.match(await visit.page.textContent("#verdict"), /48 of 48/);
}));

test("opened as a file the page says how to serve it", async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`file://${join(fileURLToPath(new URL("../../dist/", import.meta.url)), "index.html")}`);
    assert.equal(await page.isVisible("#file-address"), true);
    assert.match(await page.textContent("#file-address"), /python3 -m http\.server/);
    assert.equal(await page.isDisabled("#try-demo"), true);
  } finally {
    await browser.close();
  }
});
