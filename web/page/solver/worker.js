// The worker that holds one puzzle and solves it. It answers one message after the other.

import init, { Files, Page, Sheet, demo, scrambled } from "./fretsaw.js";
import { beginWork, connect } from "./host.js";

/** The longest side of the picture of a sheet, and of a page of pieces, in pixels. */
const MAX_SHEET_PX = 2048;
const MAX_ATLAS_PX = 2048;
/** The most pixels of all pieces together that the canvas gets. */
const MAX_PIXELS = 24e6;

let page = null;
// Messages that arrive while the module is loaded wait.
let queue = Promise.resolve();

self.onmessage = ({ data }) => {
  queue = queue.then(() => handle(data));
};

async function handle({ id, call, args }) {
  try {
    const { result, transfer } = await CALLS[call](args);
    self.postMessage({ id, result }, transfer ?? []);
  } catch (error) {
    self.postMessage({ id, error: failure(error) });
  }
}

/** What went wrong. The solver throws JSON; anything else has ended it. */
function failure(error) {
  if (typeof error === "string") {
    try {
      return JSON.parse(error);
    } catch {
      return { kind: "other", message: error, layouts: [] };
    }
  }
  const isOutOfMemory = error instanceof RangeError || /memory|allocation/i.test(String(error?.message));
  return { kind: isOutOfMemory ? "out-of-memory" : "crashed", message: String(error?.message ?? error), layouts: [] };
}

const CALLS = {
  async start({ stopFlag }) {
    connect((message, transfer) => self.postMessage(message, transfer ?? []), stopFlag);
    await init();
    return { result: null };
  },

  async read({ name, files, request, solution }) {
    const text = JSON.stringify(request);
    const given = await filled(files);
    const read = solution
      ? Page.solved(name, given, text, solution.name, new Uint8Array(await solution.blob.arrayBuffer()))
      : new Page(name, given, text);
    // Only now: what cannot be read leaves the puzzle that is open as it is.
    page?.free();
    page = read;
    const found = JSON.parse(page.found());
    const atlas = await atlasOf(found);
    const result = { found, atlas };
    if (solution) {
      result.answer = JSON.parse(page.readAnswer());
      result.board = page.board();
    }
    return { result, transfer: atlas.pages.map((part) => part.bitmap) };
  },

  async inspect({ files, request }) {
    const sheet = new Sheet(await filled(files), JSON.stringify(request), MAX_SHEET_PX);
    const inspected = JSON.parse(sheet.inspected());
    const pixels = sheet.pixels();
    const bitmap = pixels ? await bitmapOf(pixels) : null;
    return { result: { ...inspected, bitmap }, transfer: bitmap ? [bitmap] : [] };
  },

  solve({ request, start }) {
    beginWork();
    const answer = JSON.parse(page.solve(JSON.stringify(request), start));
    const board = page.board();
    return { result: { answer, board }, transfer: [board.buffer] };
  },

  rate({ board }) {
    return { result: JSON.parse(page.rate(board)) };
  },

  suggest({ board, number, row, col }) {
    return { result: JSON.parse(page.suggest(board, number, row, col)) };
  },

  solution({ board }) {
    return content(page.solutionFile(board));
  },

  picture({ board, number }) {
    return content(page.picture(board, number));
  },

  report({ board }) {
    return { result: page.report(board) };
  },

  animation({ board }) {
    return content(page.animation(board));
  },

  demo() {
    return content(demo());
  },

  async scramble({ name, blob, request }) {
    return content(scrambled(name, new Uint8Array(await blob.arrayBuffer()), JSON.stringify(request)));
  },
};

function content(bytes) {
  return { result: bytes, transfer: [bytes.buffer] };
}

async function filled(files) {
  const given = new Files();
  for (const { name, blob } of files) {
    given.add(name, new Uint8Array(await blob.arrayBuffer()));
  }
  return given;
}

/** All pieces on a few bitmaps, in order, row by row. */
async function atlasOf({ pieces, width, height }) {
  const shrink = Math.max(1, Math.ceil(Math.sqrt((pieces * width * height) / MAX_PIXELS)));
  const [cellWidth, cellHeight] = [Math.ceil(width / shrink), Math.ceil(height / shrink)];
  const columns = Math.max(1, Math.floor(MAX_ATLAS_PX / cellWidth));
  const perPage = columns * Math.max(1, Math.floor(MAX_ATLAS_PX / cellHeight));
  const pages = [];
  for (let first = 0; first < pieces; first += perPage) {
    const end = Math.min(pieces, first + perPage);
    pages.push({ first, bitmap: await bitmapOf(page.piecePixels(first, end, Math.min(columns, end - first), shrink)) });
  }
  return { pages, columns, perPage, cellWidth, cellHeight };
}

function bitmapOf(pixels) {
  const { width, height } = pixels;
  const data = new Uint8ClampedArray(pixels.rgba().buffer);
  return createImageBitmap(new ImageData(data, width, height));
}
