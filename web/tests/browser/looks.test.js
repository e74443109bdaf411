// How the page looks: nothing serious by axe-core in any phase, light, dark and on a phone; and the pictures of the guide.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { SOLVE_MS, end, scrambled, start, temporary, visiting } from "./harness.js";

before(start);
after(end);

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RESULTS = fileURLToPath(new URL("../results/", import.meta.url));
/** The pictures of docs/guides/browser.md are written anew with UPDATE_SCREENSHOTS=1. */
const GUIDE = process.env.UPDATE_SCREENSHOTS ? fileURLToPath(new URL("../../../docs/img/browser/", import.meta.url)) : RESULTS;

async function check(visit) {
  // Injected past the policy of the page, which would refuse it.
  const session = await visit.context.newCDPSession(visit.page);
  await session.send("Runtime.evaluate", { expression: readFileSync(AXE, "utf8") });
  const violations = await visit.page.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`), []);
}

/** No element of the panel is wider than it, and no button is cut off. */
async function fits(visit) {
  const wide = await visit.page.evaluate(() => {
    const isWide = (element) => element.scrollWidth > element.clientWidth + 1 && (getComputedStyle(element).overflowX === "visible" || element.matches("dialog")) && element.clientWidth > 0;
    return [...document.querySelectorAll("body, main, aside, aside button, .drop, header, dialog[open], dialog[open] td")].filter(isWide).map((element) => element.id || element.className || element.tagName);
  });
  assert.deepEqual(wide, []);
}

async function shoot(visit, name, folder = RESULTS) {
  mkdirSync(folder, { recursive: true });
  await visit.page.screenshot({ path: join(folder, `${name}.png`) });
}

async function look(visit, name) {
  await visit.page.waitForTimeout(250);
  await shoot(visit, name);
  await check(visit);
  await fits(visit);
}

async function through(visit, prefix) {
  await look(visit, `${prefix}start`);
  await visit.page.click("#try-demo");
  await visit.phase("found");
  await visit.settled();
  await look(visit, `${prefix}found`);
  await visit.page.click("#solve");
  await visit.page.waitForFunction(() => document.getElementById("so-far").textContent !== "" || document.body.dataset.phase === "solved", null, { timeout: SOLVE_MS });
  await shoot(visit, `${prefix}solving`);
  await visit.phase("solved", SOLVE_MS);
  await visit.settled();
  await look(visit, `${prefix}solved`);
  await visit.page.click("#show-heat");
  await visit.page.locator("#doubt-list button").first().click();
  await visit.page.click("#pin");
  await visit.page.waitForTimeout(2800);
  await look(visit, `${prefix}mend`);
  await visit.page.click("#keys");
  await look(visit, `${prefix}keys`);
  await visit.page.keyboard.press("Escape");
}

/** At the size of the guide, so that its pictures stay small. */
const SMALL = { viewport: { width: 1000, height: 640 }, deviceScaleFactor: 0.7 };

test("the pictures of the guide", visiting(SMALL, async (visit) => {
  const sheet = temporary("sheet-of-the-guide.png");
  copyFileSync(join(scrambled({ cols: 24, rows: 18 }), "sheet.png"), sheet);
  await visit.open(sheet);
  await visit.until(async () => (await import("/js/main.js")).page.sheetView.isShown);
  await visit.page.waitForTimeout(400);
  await shoot(visit, "guide-found", GUIDE);
  await visit.page.click("#solve");
  await visit.page.waitForFunction(() => document.getElementById("so-far").textContent !== "", null, { timeout: SOLVE_MS });
  await shoot(visit, "guide-solving", GUIDE);
  await visit.phase("solved", SOLVE_MS);
  await visit.settled();
  await visit.page.click("#mode-mend");
  await visit.drag(await visit.pieceAt(4, 6), await visit.pieceAt(11, 15));
  await visit.clickPiece(await visit.pieceAt(11, 15));
  await visit.page.click("#suggest");
  await visit.page.locator("#suggestions button").first().waitFor({ timeout: SOLVE_MS });
  await visit.page.waitForTimeout(3200);
  await shoot(visit, "guide-mend", GUIDE);
  await visit.page.click("#show-heat");
  await visit.page.waitForTimeout(300);
  await shoot(visit, "guide-confidence", GUIDE);
}));

test("light", visiting({}, (visit) => through(visit, "")));
test("dark", visiting({ dark: true }, (visit) => through(visit, "dark-")));
test("phone", visiting({ phone: true }, (visit) => through(visit, "phone-")));
test("phone, dark", visiting({ phone: true, dark: true }, (visit) => through(visit, "phone-dark-")));
