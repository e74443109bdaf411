// The puzzle that is open: from its files to its answer, and what a person does with it.

import { addGestures } from "./view/gestures.js";
import { Atlas } from "./view/atlas.js";
import { BoardView } from "./view/board-view.js";
import { Board } from "./model/board.js";
import { History, NO_MARKS } from "./model/history.js";
import { Mend } from "./mend.js";
import { Play } from "./play.js";
import { SheetView } from "./view/sheet-view.js";
import { SolverClient, SolverError } from "./solver-client.js";
import { MAX_BYTES, inputName, sorted } from "./files/intake.js";
import { putInto, seamOf } from "./model/edits.js";
import { byId, showMessage } from "./panels/elements.js";
import { areSheetFieldsEmpty, formState, restoreForm, showFound, showLikely, showNotFound, showSheetFields, typedKnown, typedSheet } from "./panels/found.js";
import { clearSuggestions, describe, showAnswer, showDoubts, showSelection, showSuggestions } from "./panels/result.js";
import { bytes, seconds, shareDone, stageName } from "./words.js";

/** The space between pieces before they are solved, as a share of a piece. */
const LOOSE_GAP = 0.08;
const TOAST_MS = 2600;
const RATE_DELAY_MS = 350;
const SAVE_DELAY_MS = 500;
const INSPECT_DELAY_MS = 150;

export class PuzzlePage {
  /** `save(session)` keeps a session, `forget()` forgets it. */
  constructor({ save, forget }) {
    this.keep = { save, forget };
    this.client = new SolverClient({
      onProgress: (progress) => this.showProgress(progress),
      onBoard: (numbers) => this.showBoardSoFar(numbers),
    });
    this.view = new BoardView(byId("board"), document.querySelectorAll(".zoom, .tools"));
    this.sheetView = new SheetView(this.view, (layout) => this.cutAgain(requestOf(layout)));
    this.mend = new Mend(this);
    this.play = new Play(this);
    /** Counts what was begun, so that a late answer to something older is known. */
    this.runNumber = 0;
    /** Whether the worker lost the puzzle that is shown. */
    this.isWorkerEmpty = false;
    addGestures(this.view, {
      tap: (at, event) => this.isMendable && this.mend.tap(at, event),
      grab: (at, event) => {
        byId("board").focus({ preventScroll: true });
        return this.sheetView.grab(at) ?? (this.isMendable ? this.mend.grab(at, event) : null);
      },
      hover: (at) => (this.mend.mouse = at),
    });
    this.clear();
  }

  clear() {
    this.setSource({ files: [], name: "", readRequest: {}, solution: null, made: null });
    this.solutionBytes = null;
    this.found = null;
    this.history = null;
    this.answer = null;
    this.rating = null;
    this.setPhase("start");
  }

  get phase() {
    return document.body.dataset.phase;
  }

  setPhase(phase) {
    document.body.dataset.phase = phase;
    this.view.resize();
  }

  get isMendable() {
    return this.phase === "solved";
  }

  say(text) {
    const toast = byId("toast");
    toast.textContent = text;
    toast.classList.add("shown");
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => toast.classList.remove("shown"), TOAST_MS);
  }

  /** Takes away what was said. */
  hush() {
    this.say("");
    byId("toast").classList.remove("shown");
  }

  // Reading.

  /** Opens files as a new puzzle, or a solution of the puzzle that is open. */
  async open(files, { made = null } = {}) {
    if (files.length === 0) return;
    const total = files.reduce((sum, { blob }) => sum + blob.size, 0);
    if (total > MAX_BYTES) {
      return this.refuse(`The files have ${bytes(total)}, more than the ${bytes(MAX_BYTES)} that a page takes. The command line takes them: fretsaw solve ${inputName(files)}`);
    }
    const { pieces, solution } = await sorted(files);
    if (pieces.length === 0 && this.files.length === 0) {
      return this.refuse(`${solution.name}: is a solution; drop it together with the pieces that it is of, or open them first`);
    }
    this.stopAnyWork();
    if (pieces.length === 0) return void (await this.read({ solution }));
    const form = formState();
    restoreForm();
    const wasRead = await this.read({ files: pieces, name: inputName(pieces), readRequest: {}, solution, made });
    if (!wasRead && this.found) restoreForm(form);
  }

  refuse(text) {
    if (this.phase === "start") showMessage("start-message", text);
    else if (this.phase === "found") showMessage("found-message", text);
    else showMessage("solved-message", text);
    this.say(text.split("\n")[0]);
  }

  /** Ends whatever the worker does for the puzzle before. */
  stopAnyWork() {
    this.runNumber++;
    clearInterval(this.ticking);
    if (this.client.calls.size === 0) return;
    this.client.restart();
    this.isWorkerEmpty = true;
    if (this.phase === "solving") this.setPhase(this.history ? "solved" : "found");
  }

  /** What is open: its files, how they are read, and a solution that came with them. */
  get source() {
    const { files, name, readRequest, solution, made } = this;
    return { files, name, readRequest, solution, made };
  }

  setSource(source) {
    Object.assign(this, source);
    byId("puzzle-name").textContent = this.name ?? "";
    document.body.toggleAttribute("data-made", Boolean(this.made));
  }

  /** Reads files and shows what was found. What cannot be read leaves the puzzle that is open as it is. */
  async read(changes) {
    const run = this.runNumber;
    const source = { ...this.source, solution: null, ...changes };
    for (const id of ["start-message", "found-message", "solved-message"]) showMessage(id, null);
    this.say("Reading…");
    try {
      const { files, name, readRequest: request, solution } = source;
      const { found, atlas, answer, board } = await this.client.call("read", { name, files, request, solution });
      if (run !== this.runNumber) return false;
      this.isWorkerEmpty = false;
      this.setSource(source);
      this.took(found, atlas);
      if (answer) {
        this.solutionBytes = solution.blob;
        this.showSolved(answer, Board.decode(board));
      } else {
        this.showLoose();
        this.inspectSheet();
        this.changed("found");
      }
      return true;
    } catch (error) {
      if (run === this.runNumber) await this.notRead(error, source);
      return false;
    }
  }

  took(found, atlas) {
    this.play.end();
    this.sheetView.hide();
    this.found = found;
    this.answer = null;
    this.solutionBytes = null;
    this.view.underlay = null;
    this.view.setPieces(new Atlas(atlas), { width: found.width, height: found.height });
  }

  /** Shows the pieces in the order of the files. */
  showLoose() {
    const { found } = this;
    this.history = null;
    this.view.setRating(null);
    this.view.marks = null;
    this.view.showHeat = false;
    showFound(found);
    this.setPhase("found");
    const columns = found.layout?.columns ?? Math.ceil(Math.sqrt((found.pieces * found.height) / found.width));
    this.view.setBoard(Board.inOrder(found.pieces, columns), { gap: LOOSE_GAP * found.width, fit: true });
    byId("solve").focus({ preventScroll: true });
    this.hush();
  }

  /** Shows the picture of a sheet with the lines along which it was cut, and which other lines are likely. */
  async inspectSheet() {
    const run = this.runNumber;
    showLikely([], null);
    if (!this.found?.layout || this.found.isDeclared) return;
    // Whoever solves at once need not wait for it.
    await new Promise((resolve) => setTimeout(resolve, INSPECT_DELAY_MS));
    if (run !== this.runNumber || this.phase !== "found") return;
    const { sheet, layouts, bitmap } = await this.inspected();
    if (run !== this.runNumber || this.phase !== "found" || !sheet) return;
    this.sheetView.show(bitmap, sheet, this.found.layout);
    const isOther = ({ width, height }) => width !== this.found.width || height !== this.found.height;
    showLikely(layouts.filter(isOther).slice(0, 3), (layout) => this.cutAgain(requestOf(layout)));
  }

  inspected() {
    return this.client.call("inspect", { files: this.files, request: {} }).catch(() => ({ sheet: null, layouts: [], bitmap: null }));
  }

  /** Files that could not be read: a sheet can still be cut by hand. */
  async notRead(error, source) {
    if (error.kind === "stopped") return;
    const text = this.failureText(error, source.name);
    if (error.kind !== "size-needed") {
      if (this.found && (this.isWorkerEmpty || error.endedWorker) && !(await this.reread())) return;
      if (!this.found && this.files.length === 0) this.setPhase("start");
      return this.refuse(text);
    }
    this.setSource(source);
    this.found = null;
    this.history = null;
    this.play.end();
    this.setPhase("found");
    showNotFound();
    this.hush();
    showMessage("found-message", text);
    const { sheet, layouts, bitmap } = await this.inspected();
    const layout = error.layouts[0] ?? layouts[0] ?? null;
    if (sheet && layout) {
      this.sheetView.show(bitmap, sheet, layout);
      if (areSheetFieldsEmpty()) showSheetFields(layout);
    }
    showLikely(error.layouts.length > 0 ? error.layouts : layouts.slice(0, 3), (chosen) => this.cutAgain(requestOf(chosen)));
  }

  failureText(error, name = this.name) {
    if (!(error instanceof SolverError)) return String(error?.message ?? error);
    const command = `fretsaw solve ${name || "INPUT"}`;
    switch (error.kind) {
      case "size-needed":
        // The advice behind it is of the command line.
        return `${error.message.split("; give the piece size")[0]}.\nIf it is one, say how large a piece is: drag the handles, choose a size, or type it. To shuffle a picture of your own, press New puzzle.`;
      case "too-large":
        return `${error.message}\nA page takes less than the command line, which solves larger puzzles: ${command}`;
      case "out-of-memory":
        return `There was not enough memory in this page. Close other pages and try again, or use the command line: ${command}`;
      case "crashed":
        return `The solver ended unexpectedly: ${error.message}\nThe page goes on; try again, or use the command line: ${command}`;
      default:
        return error.message;
    }
  }

  /** Cuts a sheet as a person says. */
  async cutAgain(request) {
    await this.read({ readRequest: { ...request } });
  }

  cutAsTyped() {
    return this.cutAgain(typedSheet());
  }

  // Solving.

  /** Solves, from the board as it is if `again`. */
  async solve({ again = false } = {}) {
    const known = typedKnown();
    const request = { ...known };
    let start;
    if (again) {
      const { board, marks } = this.history.state;
      start = board.encode();
      request.pins = [...marks.pins].map((piece) => ({ piece, ...board.placeOf(piece) }));
      request.joins = marks.joins;
      request.apart = marks.apart;
      // The start keeps its boards.
      for (const name of ["columns", "rows", "pictures"]) delete request[name];
      this.allowTurns(request, board);
    } else {
      // The size of the picture helps to cut a sheet, as on the command line.
      const { columns, rows } = known;
      const isKnown = columns || rows;
      const wanted = isKnown ? { ...this.readRequest, columns, rows } : this.readRequest;
      if (JSON.stringify(wanted) !== JSON.stringify(this.readRequest)) {
        if (!(await this.read({ readRequest: wanted }))) return;
      }
    }
    await this.runSolve(request, start, again);
  }

  /** A piece that was turned by hand may be turned, whatever was found before. */
  allowTurns(request, board) {
    const isTurned = [...Array(board.numPieces).keys()].some((piece) => board.turnsOf(piece) > 0);
    if (!isTurned && this.answer?.turns) request.turns = request.turns ?? this.answer.turns;
    else if (isTurned) request.turns = this.found.isSquare ? "quarter" : "half";
  }

  async runSolve(request, start, again) {
    const run = ++this.runNumber;
    this.running = { request, again, lastBoard: null, shape: null };
    showMessage("solved-message", null);
    showMessage("found-message", null);
    this.sheetView.hide();
    this.view.showHeat = false;
    this.view.isSparing = true;
    this.mend.clear();
    this.play.end();
    this.setPhase("solving");
    byId("stop").disabled = false;
    byId("stop").focus({ preventScroll: true });
    this.tick(performance.now());
    try {
      const { answer, board } = await this.client.call("solve", { request, start });
      if (run === this.runNumber) this.finish(answer, Board.decode(board), again);
    } catch (error) {
      if (run === this.runNumber) await this.notSolved(error, again);
    } finally {
      if (run === this.runNumber) {
        clearInterval(this.ticking);
        this.view.isSparing = false;
        this.view.invalidate();
      }
    }
  }

  tick(start) {
    clearInterval(this.ticking);
    byId("so-far").textContent = "";
    byId("progress").value = 0;
    const show = () => (byId("elapsed").textContent = seconds((performance.now() - start) / 1000));
    show();
    this.ticking = setInterval(show, 100);
  }

  showProgress({ stage, share }) {
    if (this.phase !== "solving") return this.tellAdvice(stage);
    const name = stageName(stage);
    if (byId("stage-name").textContent !== name) byId("stage-name").textContent = name;
    // Stages run more than once; what was shown as done stays so.
    const bar = byId("progress");
    bar.value = Math.max(bar.value, shareDone(stage, share));
  }

  /** While suggestions are prepared. */
  tellAdvice(stage) {
    if (this.phase === "solved" && this.isWaitingForAdvice) this.say(`${stageName(stage)}…`);
  }

  showBoardSoFar(numbers) {
    if (this.phase !== "solving") return;
    this.running.lastBoard = numbers;
    const board = Board.decode(numbers);
    const gap = 0;
    this.view.setBoard(board, { animate: true, gap, fit: this.running.shape === null });
    this.running.shape = board.grids;
    byId("so-far").textContent = `${board.numPlaced.toLocaleString("en")} of ${board.numPieces.toLocaleString("en")} placed`;
  }

  /** Ends the solve with its best board. */
  async stop() {
    byId("stop").disabled = true;
    if (this.client.canStop) {
      this.client.requestStop();
      byId("stage-name").textContent = "Stopping";
      return;
    }
    // Without shared memory the worker cannot be reached: it is ended, and a new one rates the board seen last.
    const { lastBoard, request, again } = this.running;
    this.runNumber++;
    this.client.restart();
    if (!(await this.reread())) return;
    if (lastBoard) return this.runSolve({ ...request, onlyRate: true }, lastBoard, again);
    clearInterval(this.ticking);
    if (again) return this.setPhase("solved");
    this.showLoose();
    showMessage("found-message", "It was stopped before there was a board to show.");
  }

  /** A new worker reads the same files. */
  async reread() {
    const { files, name, readRequest: request } = this;
    const solution = this.solutionBytes ? { name: "solution.json", blob: this.solutionBytes } : null;
    try {
      const { found, atlas } = await this.client.call("read", { name, files, request, solution });
      const board = this.view.board;
      this.isWorkerEmpty = false;
      this.found = found;
      this.view.atlas.close();
      this.view.atlas = new Atlas(atlas);
      if (board) this.view.setBoard(board);
      return true;
    } catch (error) {
      this.clear();
      this.refuse(this.failureText(error));
      return false;
    }
  }

  async notSolved(error, again) {
    if (error.kind === "stopped") return;
    const text = this.failureText(error);
    if (error.endedWorker && !(await this.reread())) return;
    if (again) {
      this.setPhase("solved");
      this.changed("all");
      showMessage("solved-message", text);
    } else {
      this.showLoose();
      showMessage("found-message", text);
    }
  }

  finish(answer, board, again) {
    if (again) {
      this.history.replace("Solve again", board);
      this.showAnswer(answer, board);
    } else {
      this.showSolved(answer, board);
    }
    this.keepSolution();
    byId("board").focus({ preventScroll: true });
  }

  showSolved(answer, board) {
    this.history = new History({ board, marks: NO_MARKS });
    this.mend.clear();
    this.showAnswer(answer, board);
    this.changed("session");
  }

  showAnswer(answer, board) {
    this.answer = answer;
    this.rating = answer.rating;
    this.isRatingOld = false;
    this.setPhase("solved");
    this.setMode("look");
    const isNew = this.view.board === null || this.view.layout.gap !== 0;
    this.view.setBoard(board, { animate: true, fit: isNew });
    this.view.marks = this.history.state.marks;
    this.view.setRating(this.rating);
    showAnswer(answer, board, { wasTurnsKnown: Boolean(this.found.declaredTurns) });
    this.listDoubts();
    this.showHeat(this.view.showHeat);
    this.showButtons();
  }

  /** The document of the answer, so that a reload loses nothing of it. */
  async keepSolution() {
    const run = this.runNumber;
    const content = await this.client.call("solution", { board: this.history.state.board.encode() }).catch(() => null);
    if (run !== this.runNumber || !content) return;
    this.solutionBytes = new Blob([content]);
    this.changed("session");
  }

  // Mending.

  /** Something was changed by hand: `what` is `board`, `marks`, `all` of them, or only what is kept. */
  changed(what) {
    if (what === "board" || what === "all") {
      const { board } = this.history.state;
      this.isRatingOld = true;
      clearSuggestions();
      this.view.setBoard(board, { animate: true });
      this.play.check(board);
      this.rateLater();
    }
    if (this.history) {
      this.view.marks = this.history.state.marks;
      this.showButtons();
      this.selectionChanged();
    }
    this.view.invalidate();
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), SAVE_DELAY_MS);
  }

  showButtons() {
    byId("undo").disabled = !this.history.canUndo;
    byId("redo").disabled = !this.history.canRedo;
  }

  /** Confidences of a board that was changed, once nothing has changed for a moment. */
  rateLater() {
    clearTimeout(this.ratingTimer);
    if (this.play.isOn) return;
    this.ratingTimer = setTimeout(async () => {
      const { board } = this.history?.state ?? {};
      if (!board || this.phase !== "solved") return;
      const rating = await this.client.call("rate", { board: board.encode() }).catch(() => null);
      if (!rating || this.history?.state.board !== board || this.phase !== "solved") return;
      this.rating = rating;
      this.isRatingOld = false;
      this.view.setRating(rating);
      this.listDoubts();
      this.selectionChanged();
    }, RATE_DELAY_MS);
  }

  listDoubts() {
    const { board } = this.history.state;
    const doubts = this.rating.doubts.filter(({ a, b }) => seamOf(board, a, b));
    this.doubts = doubts;
    this.doubtAt = -1;
    showDoubts(doubts, board, (doubt) => this.showDoubt(doubts.indexOf(doubt)));
  }

  showDoubt(index) {
    if (this.doubts.length === 0) return this.say("No seam is in doubt.");
    this.doubtAt = (index + this.doubts.length) % this.doubts.length;
    const { a, b } = this.doubts[this.doubtAt];
    const [one, other] = [a, b].map((piece) => this.view.layout.pieceRect(this.view.board, piece));
    const part = {
      x: Math.min(one.x, other.x),
      y: Math.min(one.y, other.y),
      width: Math.abs(one.x - other.x) + one.width,
      height: Math.abs(one.y - other.y) + one.height,
    };
    this.view.moveCamera((camera) => camera.showPart(part, 4));
    this.mend.select([a, b]);
  }

  nextDoubt(step) {
    this.showDoubt(this.doubtAt < 0 && step < 0 ? this.doubts.length - 1 : this.doubtAt + step);
  }

  selectionChanged() {
    if (!this.history || !this.found) return;
    const { board, marks } = this.history.state;
    showSelection(this.mend.selected, board, marks, this.currentRating, this.found.names);
  }

  /** The rating, unless the board has changed since. */
  get currentRating() {
    return this.isRatingOld ? null : this.rating;
  }

  /** Says where the selected piece is, for those who do not see it. */
  tellSelection() {
    const { board, marks } = this.history.state;
    const pieces = this.mend.selected;
    if (pieces.length === 1) this.say(`Piece ${pieces[0]}: ${describe(pieces[0], board, marks, this.currentRating, this.found.names)}.`);
    else if (pieces.length === 0) this.say("Empty cell.");
    else this.say(`${pieces.length} pieces selected.`);
  }

  /** Which pieces fit where the selected one lies, or where the cursor is. */
  async suggest() {
    const { board } = this.history.state;
    const [piece] = this.mend.selected;
    const cell = piece === undefined ? this.view.cursor : board.placeOf(piece);
    if (!cell || cell.tray !== undefined) return this.say("Select a piece on the board first.");
    this.isWaitingForAdvice = true;
    try {
      const { board: number, row, col } = cell;
      const suggested = await this.client.call("suggest", { board: board.encode(), number, row, col });
      if (this.history.state.board !== board) return;
      const here = board.pieceAt(number, row, col);
      byId("selection").hidden = false;
      showSuggestions(suggested, here, here >= 0 ? board.turnsOf(here) : 0, this.view.atlas, ({ piece: other, turns }) => {
        const moved = this.mend.move("Suggestion", putInto(board, this.history.state.marks.pins, other, { board: number, row, col }, turns));
        if (moved) this.mend.select([other]);
      });
      if (suggested.alternatives.length === 0) this.say("No other piece fits here.");
    } catch (error) {
      await this.lost(error);
    } finally {
      this.isWaitingForAdvice = false;
    }
  }

  /** After a failure in a solved puzzle: a worker that ended is replaced. */
  async lost(error) {
    if (error.kind === "stopped") return;
    const text = this.failureText(error);
    if (error.endedWorker && !(await this.reread())) return;
    showMessage("solved-message", text);
  }

  setMode(mode) {
    this.mend.mode = mode;
    document.body.dataset.mode = mode;
    byId("mode-look").setAttribute("aria-pressed", String(mode === "look"));
    byId("mode-mend").setAttribute("aria-pressed", String(mode === "mend"));
  }

  showHeat(isOn) {
    this.view.showHeat = isOn;
    byId("legend").hidden = !isOn;
    byId("show-heat").setAttribute("aria-pressed", String(isOn));
    byId("show-picture").setAttribute("aria-pressed", String(!isOn));
    this.view.invalidate();
  }

  /** Back to what was found, to correct it. */
  correct() {
    this.play.end();
    this.mend.clear();
    this.showLoose();
    this.inspectSheet();
    this.changed("found");
    byId("correct").open = true;
  }

  // Keeping.

  async save() {
    if (!this.found || this.phase === "solving") return;
    const { files, name, readRequest, solutionBytes, answer, rating, history, made } = this;
    const isSolved = history !== null;
    const session = {
      files, name, readRequest, made, form: formState(),
      solved: isSolved ? { answer, rating, solutionBytes, ...history.stored(), play: this.play.stored() } : null,
    };
    // A browser without space or with its storage off only loses the reload.
    await this.keep.save(session).catch(() => {});
    document.body.dataset.saved = String((Number(document.body.dataset.saved) || 0) + 1);
  }

  async restore({ files, name, readRequest, made, form, solved }) {
    restoreForm(form);
    const solution = solved?.solutionBytes ? { name: "solution.json", blob: solved.solutionBytes } : null;
    if (!(await this.read({ files, name, readRequest, made, solution })) || !solved) return;
    this.history = History.restored(solved);
    this.showAnswer(solved.answer, this.history.state.board);
    this.rating = solved.rating;
    this.view.setRating(this.rating);
    this.listDoubts();
    this.play.restore(solved.play);
  }

  async forget() {
    clearTimeout(this.saving);
    this.stopAnyWork();
    this.client.restart();
    this.sheetView.hide();
    this.play.end();
    this.clear();
    await this.keep.forget().catch(() => {});
  }
}

/** How to cut a sheet as a layout says. */
function requestOf({ width, height, gapX, gapY, left, top }) {
  return { piece: [width, height], gap: Math.max(gapX, gapY), border: Math.max(left, top) };
}
