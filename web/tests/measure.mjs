// The figures of the page: how long it takes from a drop to the answer beside the command line with one thread, the
// longest time for which the page does not answer meanwhile, by the clock and in processor time, which other programs do
// not lengthen, the first view, and the frames while panning and zooming.
//
//     FRETSAW_PAGE=http://localhost:8000/ FRETSAW_CLI=target/release/fretsaw node web/tests/measure.mjs FILE [ROUNDS]
//
// FILE is a sheet, or a zip archive of pieces. FRETSAW_PAGE is where `cargo xtask web --serve` serves the page.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [file, rounds = "3"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "fretsaw-measure-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function solveByProgram(round) {
  const start = performance.now();
  const out = join(folder, `${round}.png`);
  execFileSync(process.env.FRETSAW_CLI, ["solve", file, "--threads", "1", "--out", out], { stdio: "ignore" });
  return performance.now() - start;
}

async function visit() {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 820 } })).newPage();
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })))).observe({ type: "longtask", buffered: true });
  });
  const start = performance.now();
  await page.goto(process.env.FRETSAW_PAGE);
  await page.waitForSelector("body[data-ready]");
  return { page, firstView: performance.now() - start };
}

async function solveInPage() {
  const { page, firstView } = await visit();
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  // Whoever drops a puzzle has looked at the page before.
  await page.evaluate(async () => (await import("/js/main.js")).page.client.ready);
  await page.evaluate(() => {
    addEventListener("change", () => (globalThis.droppedAt = performance.now()), true);
    // Presses the button as soon as something was found.
    new MutationObserver(() => {
      const { phase } = document.body.dataset;
      if (phase === "solved") globalThis.solvedAt ??= performance.now();
      if (phase !== "found" || globalThis.solvingFrom) return;
      globalThis.solvingFrom = performance.now();
      document.getElementById("solve").click();
    }).observe(document.body, { attributes: true });
  });
  await page.setInputFiles("#files", file);
  await page.waitForSelector('body[data-phase="solved"]', { timeout: 600_000 });
  const time = await page.evaluate(() => globalThis.solvedAt - globalThis.droppedAt);
  const longest = await page.evaluate(() => Math.max(0, ...longTasks.filter(({ startTime }) => startTime > globalThis.solvingFrom).map(({ duration }) => duration)));
  const reading = await page.evaluate(() => Math.max(0, ...longTasks.filter(({ startTime }) => startTime <= globalThis.solvingFrom).map(({ duration }) => duration)));
  await page.waitForTimeout(1000);
  return { page, time, longest, reading, firstView, paint };
}

/** The most milliseconds of processor time that a task of the page takes while it solves once more. */
async function longestTask() {
  const { page } = await visit();
  await page.setInputFiles("#files", file);
  await page.waitForSelector('body[data-phase="found"]', { timeout: 600_000 });
  // The picture of a sheet with its lines.
  await page.waitForTimeout(3000);
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel"] } });
  await page.click("#solve");
  await page.waitForSelector('body[data-phase="solved"]', { timeout: 600_000 });
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await page.context().close();
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const ofPages = new Set(events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(thread));
  const tasks = events.filter((event) => event.name === "ThreadControllerImpl::RunTask" && ofPages.has(thread(event)));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Frames a second while the mouse pans and the wheel zooms. */
async function frames(page) {
  await page.evaluate(() => {
    globalThis.frameTimes = [];
    const note = (now) => {
      frameTimes.push(now);
      globalThis.noting = requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const box = await page.locator("#board").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  for (let times = 0; times < 40; times++) await page.mouse.wheel(0, times < 20 ? -60 : 60);
  await page.mouse.down();
  for (let step = 0; step < 60; step++) await page.mouse.move(x + 200 * Math.sin(step / 6), y + 150 * Math.cos(step / 5));
  await page.mouse.up();
  const times = await page.evaluate(() => (cancelAnimationFrame(globalThis.noting), globalThis.frameTimes));
  const gaps = times.slice(1).map((time, index) => time - times[index]);
  return { perSecond: (1000 * gaps.length) / (times.at(-1) - times[0]), worst: Math.max(...gaps) };
}

const programs = [];
const pages = [];
for (let round = 0; round < Number(rounds); round++) {
  programs.push(solveByProgram(round));
  const { page, ...figures } = await solveInPage();
  pages.push({ ...figures, ...(await frames(page)), placed: await page.textContent("#verdict") });
  await page.context().close();
}
const processorTime = await longestTask();
const of = (name) => median(pages.map((figures) => figures[name]));
console.log(pages[0].placed);
console.log(`program with one thread: ${(median(programs) / 1000).toFixed(2)} s`);
console.log(`page, drop to solved: ${(of("time") / 1000).toFixed(2)} s, ${(of("time") / median(programs)).toFixed(2)} times as long`);
console.log(`longest block of the page: ${Math.max(...pages.map(({ longest }) => longest)).toFixed(0)} ms while solving, ${Math.max(...pages.map(({ reading }) => reading)).toFixed(0)} ms before (0: none of 50 ms or more)`);
console.log(`longest task of the page while solving once more: ${processorTime.toFixed(0)} ms of processor time`);
console.log(`first view: painted after ${of("paint").toFixed(0)} ms, ready after ${of("firstView").toFixed(0)} ms`);
console.log(`pan and zoom: ${of("perSecond").toFixed(1)} frames a second, worst gap ${of("worst").toFixed(0)} ms`);
await browser.close();
rmSync(folder, { recursive: true, force: true });
