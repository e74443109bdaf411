// What the solver calls while it works: see `web/wasm/src/host.rs`.

/** How often the page wants to see a board and the progress, in milliseconds. */
const BOARD_INTERVAL = 300;
const PROGRESS_INTERVAL = 60;

let post = () => {};
/** A number in memory shared with the page that is 1 once the solve is to stop; null where memory cannot be shared. */
let stopFlag = null;
let lastBoard = 0;
let lastProgress = 0;
let stage = { name: "", total: 0, done: 0 };

/** Connects the solver with the page. */
export function connect(postMessage, sharedFlag) {
  post = postMessage;
  stopFlag = sharedFlag;
}

/** Called before each solve. */
export function beginWork() {
  lastBoard = performance.now();
  lastProgress = 0;
}

export function seconds() {
  return performance.now() / 1000;
}

/** The solver cannot wait for a promise, so this request is synchronous, as workers may. */
export function network(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(`../networks/${name}`, import.meta.url), false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    // Reported below.
  }
  if (request.status !== 200) {
    throw new Error(`the trained network ${name} could not be loaded; go online, or start the server of the page again`);
  }
  return new Uint8Array(request.response);
}

export function stageStarted(name, total) {
  stage = { name, total, done: 0 };
  tellProgress();
}

export function stageAdvanced(units) {
  stage.done += units;
  if (performance.now() - lastProgress > PROGRESS_INTERVAL) {
    tellProgress();
  }
}

function tellProgress() {
  lastProgress = performance.now();
  post({ event: "progress", stage: stage.name, share: stage.total > 0 ? Math.min(1, stage.done / stage.total) : 0 });
}

export function wantsBoard() {
  return performance.now() - lastBoard > BOARD_INTERVAL;
}

export function boardSoFar(board) {
  lastBoard = performance.now();
  // The solver's own memory is reused, so the page gets a copy.
  const copy = board.slice();
  post({ event: "board", board: copy }, [copy.buffer]);
}

export function isStopped() {
  return stopFlag !== null && Atomics.load(stopFlag, 0) === 1;
}
