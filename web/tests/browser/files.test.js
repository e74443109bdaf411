// Everything that people drop: sheets, tiles, folders, archives, and files that are no puzzle.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { end, filesIn, fretsaw, scrambled, start, temporary, visiting } from "./harness.js";

before(start);
after(end);

/** The pieces that were found, as the page says. */
async function found(visit) {
  const facts = await visit.page.locator("#facts").evaluate((list) =>
    Object.fromEntries([...list.querySelectorAll("dt")].map((name) => [name.textContent, name.nextSibling.textContent])),
  );
  return [facts.Pieces, facts.Piece];
}

/** Drops files on the page, as names and contents. */
function drop(visit, files) {
  const given = files.map(([name, content]) => [name, content.toString("base64")]);
  return visit.page.evaluate((list) => {
    const data = new DataTransfer();
    for (const [name, content] of list) {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    dispatchEvent(new DragEvent("dragenter", { dataTransfer: data, bubbles: true, cancelable: true }));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, given);
}

function sheet(options) {
  const name = `sheet-${JSON.stringify(options).replaceAll(/\W+/g, "-")}.png`;
  copyFileSync(join(scrambled(options), "sheet.png"), temporary(name));
  return temporary(name);
}

test("a sheet that is dropped is cut, and shown with the lines of the cut", visiting({}, async (visit) => {
  await drop(visit, [["sheet.png", readFileSync(sheet({}))]]);
  await visit.phase("found");
  assert.deepEqual(await found(visit), ["48", "28 × 28 px"]);
  await visit.until(async () => (await import("/js/main.js")).page.sheetView.isShown);
}));

test("many files, a folder and a zip archive give the same pieces", visiting({}, async (visit) => {
  const puzzle = scrambled({ as: "folder" });
  await visit.open(filesIn(join(puzzle, "pieces")));
  assert.deepEqual(await found(visit), ["48", "28 × 28 px"]);
  const fingerprint = () => visit.page.evaluate(async () => (await import("/js/main.js")).page.found.fingerprint);
  const first = await fingerprint();
  await visit.page.click("#new-puzzle");
  await visit.page.setInputFiles("#folder", puzzle);
  await visit.phase("found");
  assert.equal(await fingerprint(), first);
  await visit.page.click("#new-puzzle");
  // The page's own archive.
  await visit.page.click("#try-demo");
  await visit.phase("found");
  const archive = await visit.save("hand-on");
  assert.equal(readFileSync(archive).subarray(0, 2).toString(), "PK");
  await visit.page.click("#new-puzzle");
  await visit.open(archive);
  assert.deepEqual(await found(visit), ["432", "28 × 28 px"]);
  assert.match(fretsaw("inspect", archive), /432/);
}));

test("a picture that is pasted is read", visiting({}, async (visit) => {
  const content = readFileSync(sheet({ type: 1 })).toString("base64");
  await visit.page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], "image.png", { type: "image/png" }));
    dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, content);
  await visit.phase("found");
  assert.deepEqual(await found(visit), ["48", "28 × 28 px"]);
}));

/** The head of a PNG file that claims to have so many pixels. */
function pngClaiming(width, height) {
  const chunk = (name, content) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    const body = Buffer.concat([Buffer.from(name), content]);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.alloc(8))), chunk("IEND", Buffer.alloc(0))]);
}

test("bad files are refused with what is wrong and what to do, and the page goes on", visiting({}, async (visit) => {
  const write = (name, content) => {
    writeFileSync(temporary(name), content);
    return temporary(name);
  };
  const good = readFileSync(sheet({}));
  const cases = [
    [write("notes.png", "no picture"), /notes\.png: is not a picture/],
    [write("cut.png", good.subarray(0, good.length / 2)), /cut\.png: the picture is damaged or cut short/],
    [write("empty.zip", Buffer.concat([Buffer.from("PK\x05\x06"), Buffer.alloc(18)])), /empty\.zip/],
    [write("broken.zip", Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(60, 7)])), /broken\.zip: the zip archive is damaged/],
    [write("huge.png", pngClaiming(60_000, 60_000)), /huge\.png: .* limit[^]*fretsaw solve huge\.png/],
    [write("lost.json", '{"format": "fretsaw-solution/1"}'), /lost\.json: is a solution; drop it together with the pieces/],
  ];
  for (const [path, message] of cases) {
    await visit.page.setInputFiles("#files", path);
    await visit.page.waitForFunction((source) => new RegExp(source).test(document.getElementById("start-message").textContent), message.source);
    assert.equal(await visit.page.getAttribute("body", "data-phase"), "start");
  }
  await visit.open(sheet({}));
  assert.deepEqual(await found(visit), ["48", "28 × 28 px"]);
  // A bad file leaves the puzzle that is open as it is.
  await visit.page.setInputFiles("#files", cases[0][0]);
  await visit.page.waitForFunction(() => /is not a picture/.test(document.getElementById("found-message").textContent));
  assert.match(await visit.page.textContent("#puzzle-name"), /^sheet/);
  await visit.solve();
  await visit.page.setInputFiles("#files", cases[1][0]);
  await visit.page.waitForFunction(() => /damaged or cut short/.test(document.getElementById("solved-message").textContent));
  await visit.save("save-picture");
}));

test("a picture whose pieces cannot be told asks for their size, and takes it", visiting({}, async (visit) => {
  const folder = temporary("plain");
  mkdirSync(folder);
  fretsaw("demo", "--out", join(folder, "demo"), "--seed", "4");
  await visit.page.setInputFiles("#files", join(folder, "demo", "truth.png"));
  // In words for those who have the page only.
  await visit.page.waitForFunction(() => /no piece size stands out[^]*drag the handles/.test(document.getElementById("found-message").textContent));
  assert.doesNotMatch(await visit.page.textContent("#found-message"), /puzzle\.json/);
  assert.equal(await visit.page.textContent("#found-title"), "How is it cut?");
  assert.equal(await visit.page.locator(".toast.shown").count(), 0);
  assert.equal(await visit.page.isDisabled("#solve"), true);
  // The form moves down when the likely sizes come, which could be between the two halves of a click.
  await visit.page.waitForFunction(() => document.getElementById("piece-width").value !== "");
  await visit.settled();
  await visit.page.fill("#piece-width", "56");
  await visit.page.fill("#piece-height", "56");
  await visit.page.fill("#gap", "0");
  await visit.page.fill("#border", "0");
  await visit.page.click("#apply-sheet");
  await visit.page.waitForSelector("#solve:enabled");
  assert.deepEqual(await found(visit), ["108", "56 × 56 px"]);
  // More pieces than a page takes.
  await visit.page.fill("#piece-width", "4");
  await visit.page.fill("#piece-height", "4");
  await visit.page.click("#apply-sheet");
  await visit.page.waitForFunction(() => /21168 pieces are more than the limit of 20000[^]*fretsaw solve truth\.png/.test(document.getElementById("found-message").textContent));
  assert.deepEqual(await found(visit), ["108", "56 × 56 px"]);
}));

test("the lines of the cut are corrected with their handle", visiting({}, async (visit) => {
  await visit.open(sheet({}));
  await visit.until(async () => (await import("/js/main.js")).page.sheetView.isShown);
  await visit.settled();
  const corner = (size) =>
    visit.page.evaluate(async (at) => {
      const { view } = (await import("/js/main.js")).page;
      const { x, y } = view.camera.toCanvas(at, at);
      const box = view.canvas.getBoundingClientRect();
      return { x: box.left + x, y: box.top + y };
    }, size);
  const [from, to] = [await corner(28), await corner(14)];
  await visit.page.mouse.move(from.x, from.y);
  await visit.page.mouse.down();
  await visit.page.mouse.move(to.x, to.y, { steps: 5 });
  await visit.page.mouse.up();
  await visit.page.waitForFunction(() => document.getElementById("facts").textContent.includes("14 × 14 px"));
  assert.deepEqual(await found(visit), ["196", "14 × 14 px"]);
}));

test("names of files are text, never markup", visiting({}, async (visit) => {
  const pieces = filesIn(join(scrambled({ as: "folder" }), "pieces"));
  const name = "<img src=x onerror=alert(1)>.png";
  await drop(visit, [[name, readFileSync(pieces[0])], ...pieces.slice(1).map((path, index) => [`${index}.png`, readFileSync(path)])]);
  await visit.phase("found");
  await visit.page.waitForSelector("#solve:enabled");
  assert.equal(await visit.page.locator("main img").count(), 0);
  assert.match(await visit.page.textContent("#puzzle-name"), /<img src=x onerror=alert\(1\)>\.png and 47 more/);
  await visit.solve();
  const piece = await visit.page.evaluate(async (wanted) => (await import("/js/main.js")).page.found.names.indexOf(wanted), name);
  await visit.clickPiece(piece);
  assert.match(await visit.page.textContent("#selection-text"), /<img src=x/);
  assert.equal(await visit.page.locator("main img").count(), 0);
}));

test("a puzzle of one's own is made, handed on as a file, and solved", visiting({}, async (visit) => {
  const folder = temporary("own");
  mkdirSync(folder);
  fretsaw("demo", "--out", join(folder, "demo"), "--seed", "8");
  await visit.page.click(".make summary");
  await visit.page.fill("#make-piece", "56");
  await visit.page.setInputFiles("#make-file", join(folder, "demo", "truth.png"));
  await visit.phase("found");
  assert.deepEqual(await found(visit), ["108", "56 × 56 px"]);
  const archive = await visit.save("hand-on");
  const solution = temporary("own-solution.json");
  fretsaw("solve", archive, "--solution", solution, "--out", temporary("own-solved.png"));
  await visit.solve();
  assert.match(await visit.page.textContent("#verdict"), /108 of 108 pieces placed, 12\s×\s9/);
}));
