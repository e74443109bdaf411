// Starts the page: connects its buttons, keys and files with the puzzle.

import { PuzzlePage } from "./puzzle-page.js";
import { download, outputName } from "./files/download.js";
import { addIntake, chosenFiles } from "./files/intake.js";
import { forgetSession, loadSession, saveSession } from "./files/storage.js";
import { addKeyboard } from "./keyboard.js";
import { byId, showMessage, typedNumber } from "./panels/elements.js";

/** The puzzle, for tests. */
export const page = new PuzzlePage({ save: saveSession, forget: forgetSession });
const { mend, view, play } = page;

function onClick(id, action) {
  byId(id).addEventListener("click", () => action());
}

// Files.

addIntake({
  take: (files) => page.open(files),
  refuse: (error) => page.refuse(error.message),
  setHover: (isOn) => document.body.toggleAttribute("data-hover", isOn),
});
for (const [button, input] of [["choose-files", "files"], ["choose-folder", "folder"], ["make-choose", "make-file"]]) {
  onClick(button, () => byId(input).click());
}
for (const input of ["files", "folder"]) {
  byId(input).addEventListener("change", () => page.open(chosenFiles(byId(input))));
}
onClick("try-demo", () => openMade("demo.zip", () => page.client.call("demo")));
byId("make-file").addEventListener("change", () => {
  const [file] = chosenFiles(byId("make-file"));
  if (!file) return;
  const request = { piece: typedNumber("make-piece") ?? 48, turned: byId("make-turned").checked, seed: newSeed() };
  openMade(outputName(file.name, "-puzzle.zip"), () => page.client.call("scramble", { name: file.name, blob: file.blob, request }));
});

/** Opens a puzzle that the worker makes. */
async function openMade(name, make) {
  try {
    const blob = new Blob([await make()], { type: "application/zip" });
    await page.open([{ name, blob }], { made: name });
  } catch (error) {
    showMessage("start-message", page.failureText(error));
  }
}

/** Another scramble each time. */
function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

onClick("hand-on", () => download(page.files[0].name, page.files[0].blob, "application/zip"));

// Solving.

onClick("solve", () => page.solve());
onClick("solve-again", () => page.solve({ again: true }));
onClick("stop", () => page.stop());
onClick("apply-sheet", () => page.cutAsTyped());
onClick("back", () => page.correct());
onClick("new-puzzle", () => page.forget());
onClick("forget", () => page.forget());
onClick("play", () => play.toggle());

// The view.

const zoom = (factor) => view.moveCamera((camera) => camera.zoomAt(camera.width / 2, camera.height / 2, factor));
onClick("show-picture", () => page.showHeat(false));
onClick("show-heat", () => page.showHeat(true));
onClick("zoom-in", () => zoom(1.4));
onClick("zoom-out", () => zoom(1 / 1.4));
onClick("zoom-fit", () => view.fit());

// Mending, with buttons and with keys.

const actions = {
  turn: () => mend.turn(true),
  turnBack: () => mend.turn(false),
  pin: () => mend.pin(),
  together: () => mend.pair("joins"),
  apart: () => mend.pair("apart"),
  takeOff: () => mend.takeOff(),
  undo: () => mend.undo(),
  redo: () => mend.redo(),
  suggest: () => {
    mend.selectUnderMouse();
    page.suggest();
  },
  hint: () => play.hint(),
  nextDoubt: () => page.nextDoubt(1),
  previousDoubt: () => page.nextDoubt(-1),
  toggleHeat: () => page.showHeat(!view.showHeat),
  toggleMode: () => page.setMode(mend.mode === "look" ? "mend" : "look"),
  zoomIn: () => zoom(1.4),
  zoomOut: () => zoom(1 / 1.4),
  fit: () => view.fit(),
  showKeys: () => byId("keys-dialog").showModal(),
  escape: () => mend.escape(),
  step: (rows, cols, extend) => mend.step(rows, cols, extend),
  enter: () => mend.enter(),
};
for (const [id, name] of [
  ["turn", "turn"], ["pin", "pin"], ["together", "together"], ["apart", "apart"], ["take-off", "takeOff"],
  ["undo", "undo"], ["redo", "redo"], ["hint", "hint"], ["keys", "showKeys"],
]) {
  onClick(id, actions[name]);
}
onClick("suggest", () => page.suggest());
onClick("mode-look", () => page.setMode("look"));
onClick("mode-mend", () => page.setMode("mend"));
onClick("several", () => {
  mend.isAdding = !mend.isAdding;
  byId("several").setAttribute("aria-pressed", String(mend.isAdding));
});
addKeyboard(byId("board"), actions, () => page.isMendable && !byId("keys-dialog").open);

// Taking it away.

/** Asks the worker for a file and hands it to the browser. */
async function take(button, call, arguments_, save) {
  byId(button).disabled = true;
  try {
    save(await page.client.call(call, { board: page.history.state.board.encode(), ...arguments_ }));
  } catch (error) {
    await page.lost(error);
  } finally {
    byId(button).disabled = false;
  }
}
const save = (ending, type) => (content) => download(outputName(page.name, ending), content, type);
onClick("save-picture", async () => {
  const { grids } = page.history.state.board;
  for (const number of grids.keys()) {
    const ending = grids.length > 1 ? `-solved-${number + 1}.png` : "-solved.png";
    await take("save-picture", "picture", { number }, save(ending, "image/png"));
  }
});
onClick("save-solution", () => take("save-solution", "solution", {}, save("-solution.json", "application/json")));
onClick("save-report", () => take("save-report", "report", {}, save("-report.html", "text/html")));
onClick("save-animation", () => take("save-animation", "animation", {}, save("-animation.gif", "image/gif")));

// The session of the last visit, and the copy of the page that works offline.

const session = await loadSession().catch(() => undefined);
if (session && page.phase === "start") {
  await page.restore(session).catch((error) => {
    page.clear();
    page.refuse(page.failureText(error));
  });
}
document.body.dataset.ready = "";
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  // What the page needs now comes first.
  await page.client.ready.catch(() => {});
  navigator.serviceWorker.register("service-worker.js").catch(() => {
    // The page works without, only not offline.
  });
}
