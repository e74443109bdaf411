// How the page looks: nothing serious by axe-core in any phase, light, dark and on a phone; and the pictures of the guide.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { SOLVE_MS, end, start, visiting } from "./harness.js";

before(start);
after(end);

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Where screenshots go: with UPDATE_SCREENSHOTS to the documents. */
const FOLDER = fileURLToPath(new URL(process.env.UPDATE_SCREENSHOTS ? "../../../docs/img/browser/" : "../results/", import.meta.url));

async function check(visit) {
  // Injected past the policy of the page, which would refuse it.
  const session = await visit.context.newCDPSession(visit.page);
  const { readFileSync } = await import("node:fs");
  await session.send("Runtime.evaluate", { expression: readFileSync(AXE, "utf8") });
  const violations = await visit.page.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`), []);
}

/** No element of the panel is wider than it, and no button is cut off. */
async function fits(visit) {
  const wide = await visit.page.evaluate(() => {
    const isWide = (element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === "visible" && element.clientWidth > 0;
    return [...document.querySelectorAll("body, main, aside, aside button, .drop, header")].filter(isWide).map((element) => element.id || element.className || element.tagName);
  });
  assert.deepEqual(wide, []);
}

async function shoot(visit, name) {
  mkdirSync(FOLDER, { recursive: true });
  // Times differ from run to run.
  await visit.page.screenshot({ path: join(FOLDER, `${name}.png`) });
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

test("light", visiting({}, (visit) => through(visit, "")));
test("dark", visiting({ dark: true }, (visit) => through(visit, "dark-")));
test("phone", visiting({ phone: true }, (visit) => through(visit, "phone-")));
test("phone, dark", visiting({ phone: true, dark: true }, (visit) => through(visit, "phone-dark-")));
