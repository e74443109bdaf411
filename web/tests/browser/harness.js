// A browser for the tests, and puzzles made by the command line.

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DIST = join(ROOT, "web/dist");
/** The page as `cargo xtask web --serve` serves it. */
const ADDRESS = process.env.FRETSAW_PAGE;
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const CLI = process.env.FRETSAW_CLI;
/** The most milliseconds that a solve may take on a busy machine. */
export const SOLVE_MS = 120_000;

let browser = null;
let folder = null;

export async function start() {
  browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  folder = mkdtempSync(join(tmpdir(), "fretsaw-page-"));
}

export async function end() {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
}

/** A new file or folder of the tests. */
export function temporary(name) {
  return join(folder, name);
}

/** Runs the program `fretsaw` and returns what it prints. */
export function fretsaw(...args) {
  return execFileSync(CLI, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A scrambled part of the drawing of the demo: a folder with `puzzle.json` and the sheet or pieces. Made once for each set of flags. */
export function scrambled({ cols = 8, rows = 6, piece = 28, type = 2, as = "sheet", seed = 5, hide = true } = {}) {
  const demo = temporary("demo");
  if (!existsSync(demo)) fretsaw("demo", "--out", demo, "--seed", "3");
  const out = temporary(`puzzle-${cols}x${rows}-${piece}-${type}-${as}-${seed}-${hide}`);
  if (!existsSync(out)) {
    fretsaw("scramble", join(demo, "truth.png"), "--grid", `${cols}x${rows}`, "--piece", String(piece), "--type", String(type), "--as", as, "--seed", String(seed), "--out", out, ...(hide ? ["--hide-size"] : []));
  }
  return out;
}

/** A visit to the page, which must end without errors and without breaches of its policy. */
export class Visit {
  constructor(context, page, mayFail) {
    Object.assign(this, { context, page, mayFail, errors: [] });
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    page.on("pageerror", (error) => this.errors.push(String(error.stack)));
  }

  /** `options`: `dark`, `phone`, `address`, and `mayFail` if errors on the console are expected. */
  static async begin({ dark = false, phone = false, address = ADDRESS, mayFail = false, ...more } = {}) {
    const context = await browser.newContext({
      viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 820 },
      hasTouch: phone,
      isMobile: phone,
      colorScheme: dark ? "dark" : "light",
      acceptDownloads: true,
      ...more,
    });
    await context.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
    const page = await context.newPage();
    const visit = new Visit(context, page, mayFail);
    await page.goto(address);
    await page.waitForSelector("body[data-ready]");
    return visit;
  }

  async end() {
    await this.context.close();
    if (!this.mayFail && this.errors.length > 0) throw new Error(`errors in the page:\n${this.errors.join("\n")}`);
  }

  phase(name, timeout = 30_000) {
    return this.page.waitForSelector(`body[data-phase="${name}"]`, { timeout });
  }

  /** Opens files and waits until something was found. */
  async open(paths) {
    await this.page.setInputFiles("#files", paths);
    await this.phase("found");
    await this.page.waitForSelector("#solve:enabled");
  }

  async solve() {
    await this.page.click("#solve");
    await this.phase("solved", SOLVE_MS);
    await this.settled();
  }

  /** Waits until no piece moves and everything is drawn. */
  settled() {
    return this.page.waitForFunction(async () => {
      const { page } = await import("/js/main.js");
      return page.view.flying.size === 0 && page.view.dirty.length === 0 && page.view.frame === 0;
    });
  }

  /** Where a piece is on the screen: its middle. */
  async pointOf(piece) {
    return this.page.evaluate(async (number) => {
      const { page } = await import("/js/main.js");
      const { view } = page;
      const rect = view.layout.pieceRect(view.board, number);
      const at = view.camera.toCanvas(rect.x + rect.width / 2, rect.y + rect.height / 2);
      const box = view.canvas.getBoundingClientRect();
      return { x: box.left + at.x, y: box.top + at.y };
    }, piece);
  }

  /** The places of all pieces: `[board, row, column, turns]`. */
  async places() {
    return this.page.evaluate(async () => {
      const { page } = await import("/js/main.js");
      const { places } = page.history.state.board;
      return Array.from({ length: places.length / 4 }, (_, piece) => [...places.subarray(4 * piece, 4 * piece + 4)]);
    });
  }

  /** The piece in a cell of the first board. */
  async pieceAt(row, col) {
    return (await this.places()).findIndex((place) => place[0] === 0 && place[1] === row && place[2] === col);
  }

  async clickPiece(piece, options = {}) {
    const { x, y } = await this.pointOf(piece);
    if (options.shift) await this.page.keyboard.down("Shift");
    await this.page.mouse.click(x, y);
    if (options.shift) await this.page.keyboard.up("Shift");
  }

  /** Drags from one piece to another. */
  async drag(from, to) {
    const [start, stop] = [await this.pointOf(from), await this.pointOf(to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move((start.x + stop.x) / 2, (start.y + stop.y) / 2, { steps: 4 });
    await this.page.mouse.move(stop.x, stop.y, { steps: 4 });
    await this.page.mouse.up();
    await this.settled();
  }

  /** Clicks a button that saves a file, and returns where the file is. */
  async save(button) {
    const [download] = await Promise.all([this.page.waitForEvent("download", { timeout: SOLVE_MS }), this.page.click(`#${button}`)]);
    const path = temporary(`${Math.random().toString(36).slice(2)}-${download.suggestedFilename()}`);
    await download.saveAs(path);
    return path;
  }

  /** Waits until the session is kept once more. */
  async kept(action) {
    const before = await this.page.evaluate(() => document.body.dataset.saved ?? "0");
    await action();
    await this.page.waitForFunction((count) => (document.body.dataset.saved ?? "0") !== count, before);
  }
}

/** Runs a test on a visit. */
export function visiting(options, body) {
  return async (context) => {
    const visit = await Visit.begin(options);
    try {
      await body(visit, context);
    } catch (error) {
      const results = join(ROOT, "web/tests/results");
      mkdirSync(results, { recursive: true });
      await visit.page.screenshot({ path: join(results, `${context.name.replaceAll(/\W+/g, "-")}.png`) }).catch(() => {});
      await visit.context.close();
      throw new Error(`${error.stack}\n${visit.errors.join("\n")}`);
    }
    await visit.end();
  };
}

/** The placements of a solution file, in the order of the pieces. */
export function placementsOf(path) {
  const { placements } = JSON.parse(readFileSync(path, "utf8"));
  const plain = placements.map(({ piece, board = 0, row, col, turns }) => [piece, board, row, col, turns]);
  return plain.sort((a, b) => a[0] - b[0]);
}

/** All files of a folder. */
export function filesIn(path) {
  return readdirSync(path).map((name) => join(path, name));
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };

/** Serves the page as any plain server does: without the headers that let pages share memory with their workers. */
export async function plainServer() {
  const server = createServer((request, response) => {
    const name = normalize(new URL(request.url, "http://localhost").pathname).replace(/\/$/, "/index.html");
    try {
      const content = readFileSync(join(DIST, name));
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://localhost:${server.address().port}/`, close: () => server.close() };
}
