// Mending by hand: what is selected, and what mouse, touch and keys do with it.

import { isSameSeam, moveBy, putInto, seamOf, takeOff, turnBy } from "./model/edits.js";
import { clearSuggestions } from "./panels/result.js";
import { placeName } from "./words.js";

export class Mend {
  /** `page` offers `history`, `view`, `found`, `changed(what)`, `say(text)` and `phase`. */
  constructor(page) {
    this.page = page;
    this.mode = "look";
    /** Whether a click adds to the selection, for those without a Shift key. */
    this.isAdding = false;
    /** Carrying with the keyboard: where the cursor was when it began. */
    this.carry = null;
    /** Where the mouse is on the canvas, in CSS pixels; null if it is elsewhere, or the cursor was moved since. */
    this.mouse = null;
  }

  get board() {
    return this.page.history.state.board;
  }

  get marks() {
    return this.page.history.state.marks;
  }

  get view() {
    return this.page.view;
  }

  get selected() {
    return [...this.view.selection];
  }

  select(pieces) {
    this.view.selection = new Set(pieces);
    this.view.invalidate();
    clearSuggestions();
    this.page.selectionChanged();
  }

  clear() {
    this.carry = null;
    this.view.carried = null;
    this.view.cursor = null;
    this.select([]);
  }

  // Changes. Each is one step of the history; what is not possible is said.

  /** Does moves, or says why not. Returns whether something moved. */
  move(label, moves) {
    if (typeof moves === "string") {
      this.page.say(moves);
      return false;
    }
    if (moves.length === 0) return false;
    this.page.history.move(label, moves);
    this.page.changed("board");
    return true;
  }

  turn(clockwise) {
    if (this.selected.length === 0) return this.page.say("Select a piece first.");
    const turns = this.page.found.isSquare ? (clockwise ? 1 : 3) : 2;
    if (this.move("Turn", turnBy(this.board, this.marks.pins, this.selected, turns))) this.page.tellSelection();
  }

  takeOff() {
    if (this.selected.length === 0) return this.page.say("Select a piece first.");
    this.move("Take off", takeOff(this.board, this.marks.pins, this.selected));
  }

  pin() {
    const pieces = this.selected.filter((piece) => this.board.placeOf(piece) !== null);
    if (pieces.length === 0) return this.page.say("Select a piece on the board first.");
    const areAllPinned = pieces.every((piece) => this.marks.pins.has(piece));
    if (!areAllPinned && pieces.some((piece) => this.board.placeOf(piece).board > 0)) {
      return this.page.say("Pieces can be pinned on the first board only.");
    }
    const pins = new Set(this.marks.pins);
    for (const piece of pieces) {
      if (areAllPinned) pins.delete(piece);
      else pins.add(piece);
    }
    this.page.history.mark(areAllPinned ? "Unpin" : "Pin", { pins });
    this.page.changed("marks");
    this.page.say(areAllPinned ? "Unpinned." : "Pinned: it stays there when you solve again.");
  }

  /** The seam of the two selected pieces; says what is missing. */
  selectedSeam() {
    const pieces = this.selected;
    const seam = pieces.length === 2 ? seamOf(this.board, ...pieces) : null;
    if (!seam) this.page.say("Select two pieces that lie side by side.");
    return seam;
  }

  /** Joins the selected two, or frees them if they are joined: `kind` is `joins` or `apart`. */
  pair(kind) {
    const seam = this.selectedSeam();
    if (!seam) return;
    const other = kind === "joins" ? "apart" : "joins";
    const isThere = this.marks[kind].some((pair) => isSameSeam(pair, seam));
    const without = (pairs) => pairs.filter((pair) => !isSameSeam(pair, seam));
    const marks = { [kind]: isThere ? without(this.marks[kind]) : [...this.marks[kind], seam], [other]: without(this.marks[other]) };
    const label = kind === "joins" ? "Together" : "Apart";
    this.page.history.mark(isThere ? `Not ${label.toLowerCase()}` : label, marks);
    this.page.changed("marks");
    if (isThere) this.page.say("Forgotten.");
    else if (kind === "joins") this.page.say("They stay together when you solve again.");
    else this.page.say("They part when you solve again.");
  }

  undo() {
    if (!this.page.history.canUndo) return this.page.say("Nothing to undo.");
    this.page.say(`Undone: ${this.page.history.undo()}.`);
    this.page.changed("all");
  }

  redo() {
    if (!this.page.history.canRedo) return this.page.say("Nothing to redo.");
    this.page.say(`Done again: ${this.page.history.redo()}.`);
    this.page.changed("all");
  }

  // Mouse and touch.

  tap(at, event) {
    const piece = this.view.layout.pieceAt(this.board, at.x, at.y);
    this.view.cursor = null;
    if (piece < 0) return this.select([]);
    if (event.shiftKey || event.ctrlKey || event.metaKey || this.isAdding) {
      const selection = new Set(this.view.selection);
      if (!selection.delete(piece)) selection.add(piece);
      return this.select(selection);
    }
    this.select([piece]);
  }

  /** Selects the piece under the mouse, or an empty cell there with the cursor; beside the boards nothing changes. */
  selectUnderMouse() {
    if (!this.mouse) return;
    const { camera, layout } = this.view;
    const at = camera.toWorld(this.mouse.x, this.mouse.y);
    const cell = layout.cellAt(at.x, at.y);
    if (!cell) return;
    const piece = this.board.pieceAt(cell.board, cell.row, cell.col);
    this.view.cursor = piece < 0 ? cell : null;
    this.select(piece < 0 ? [] : [piece]);
  }

  grab(at, event) {
    if (event.shiftKey) return this.grabFrame(at);
    if (this.mode !== "mend") return null;
    const piece = this.view.layout.pieceAt(this.board, at.x, at.y);
    if (piece < 0) return null;
    const wasSelected = this.view.selection.has(piece);
    const carry = (to) => {
      // Selected only once it moves, so that a tap with Shift can still add to the selection.
      if (!wasSelected && !this.view.selection.has(piece)) this.select([piece]);
      const moves = this.movesTo(piece, to);
      this.view.carried = { pieces: this.carriedWith(piece), dx: to.x - at.x, dy: to.y - at.y, isAllowed: typeof moves !== "string" };
      this.view.invalidate();
    };
    const stop = () => {
      this.view.carried = null;
      this.view.invalidate();
    };
    return {
      move: carry,
      drop: (to) => {
        stop();
        this.move("Move", this.movesTo(piece, to));
        this.page.tellSelection();
      },
      cancel: stop,
    };
  }

  /** The pieces that move with a piece: the selection, or a piece beside the board alone. */
  carriedWith(piece) {
    if (this.board.placeOf(piece) === null) return [piece];
    return this.selected.filter((other) => this.board.placeOf(other) !== null);
  }

  movesTo(piece, at) {
    const cell = this.view.layout.cellAt(at.x, at.y);
    const { pins } = this.marks;
    const pieces = this.carriedWith(piece);
    const from = this.board.placeOf(piece);
    if (!cell) return from ? takeOff(this.board, pins, pieces) : [];
    if (!from) return putInto(this.board, pins, piece, cell);
    return moveBy(this.board, pins, pieces, cell.row - from.row, cell.col - from.col, cell.board);
  }

  /** Selects all pieces in a frame. */
  grabFrame(at) {
    const { view } = this;
    const rect = (to) => ({
      x: Math.min(at.x, to.x),
      y: Math.min(at.y, to.y),
      width: Math.abs(at.x - to.x),
      height: Math.abs(at.y - to.y),
    });
    const isIn = (frame, piece) => {
      const { x, y, width, height } = view.layout.pieceRect(this.board, piece);
      const [middleX, middleY] = [x + width / 2, y + height / 2];
      return middleX >= frame.x && middleY >= frame.y && middleX <= frame.x + frame.width && middleY <= frame.y + frame.height;
    };
    const stop = () => {
      view.frameRect = null;
      view.invalidate();
    };
    return {
      move: (to) => {
        view.frameRect = rect(to);
        view.invalidate();
      },
      drop: (to) => {
        const frame = rect(to);
        stop();
        this.select([...Array(this.board.numPieces).keys()].filter((piece) => isIn(frame, piece)));
      },
      cancel: stop,
    };
  }

  // Keys.

  /** Moves the cursor, and with `extend` selects what it passes. */
  step(rows, cols, extend) {
    const { view } = this;
    this.mouse = null;
    const before = view.cursor ?? this.firstSpot();
    const next = view.cursor ? this.nextSpot(before, rows, cols) : before;
    view.cursor = next;
    const rect = view.layout.spotRect(next);
    if (rect) view.moveCamera((camera) => camera.reveal(rect));
    if (this.carry) return this.showCarry();
    const piece = this.pieceAtCursor();
    if (extend) this.select([...view.selection, ...(piece >= 0 ? [piece] : [])]);
    else this.select(piece >= 0 ? [piece] : []);
    this.page.tellSelection();
  }

  /** Where the cursor appears: at the selection, or in the first cell. */
  firstSpot() {
    const [piece] = this.selected;
    return (piece !== undefined && this.spotOf(piece)) || { board: 0, row: 0, col: 0 };
  }

  spotOf(piece) {
    const place = this.board.placeOf(piece);
    if (place) return { board: place.board, row: place.row, col: place.col };
    const tray = this.view.layout.trayIndex.get(piece);
    return tray === undefined ? null : { tray };
  }

  nextSpot(spot, rows, cols) {
    const { layout } = this.view;
    const { grids } = this.board;
    if (spot.tray !== undefined) {
      const tray = spot.tray + cols + rows * layout.trayColumns;
      if (tray < 0) return { board: 0, row: grids[0].rows - 1, col: Math.min(spot.tray, grids[0].cols - 1) };
      return { tray: Math.min(tray, Math.max(0, layout.tray.length - 1)) };
    }
    const { board, row, col } = { ...spot, row: spot.row + rows, col: spot.col + cols };
    const grid = grids[board];
    if (col >= grid.cols && board + 1 < grids.length) return { board: board + 1, row: Math.min(row, grids[board + 1].rows - 1), col: 0 };
    if (col < 0 && board > 0) return { board: board - 1, row: Math.min(row, grids[board - 1].rows - 1), col: grids[board - 1].cols - 1 };
    if (row >= grid.rows && layout.tray.length > 0 && !this.carry) return { tray: 0 };
    const clamp = (value, high) => Math.min(Math.max(value, 0), high);
    return { board, row: clamp(row, grid.rows - 1), col: clamp(col, grid.cols - 1) };
  }

  pieceAtCursor() {
    const { cursor, layout } = this.view;
    if (!cursor) return -1;
    if (cursor.tray !== undefined) return layout.tray[cursor.tray] ?? -1;
    return this.board.pieceAt(cursor.board, cursor.row, cursor.col);
  }

  /** Takes the selected pieces along with the cursor, or puts them down. */
  enter() {
    if (this.carry) return this.putDown();
    if (this.selected.length === 0) this.step(0, 0, false);
    const [first] = this.selected;
    if (first === undefined) return;
    const atCursor = this.pieceAtCursor();
    const piece = this.view.selection.has(atCursor) ? atCursor : first;
    const spot = this.spotOf(piece);
    this.carry = { piece };
    // A piece beside the board is carried onto it.
    this.view.cursor = spot.tray === undefined ? spot : this.firstEmptyCell();
    this.showCarry();
    this.page.say("Carrying. Arrow keys move it, Enter puts it down, Escape puts it back.");
  }

  firstEmptyCell() {
    for (const [board, { rows, cols }] of this.board.grids.entries()) {
      for (let at = 0; at < rows * cols; at++) {
        const cell = { board, row: Math.floor(at / cols), col: at % cols };
        if (this.board.pieceAt(board, cell.row, cell.col) < 0) return cell;
      }
    }
    return { board: 0, row: 0, col: 0 };
  }

  cursorCentre() {
    const rect = this.view.layout.spotRect(this.view.cursor);
    return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  }

  showCarry() {
    const { piece } = this.carry;
    const from = this.view.layout.pieceRect(this.board, piece);
    const to = this.cursorCentre();
    const moves = this.movesTo(piece, to);
    this.view.carried = {
      pieces: this.carriedWith(piece),
      dx: to.x - (from.x + from.width / 2),
      dy: to.y - (from.y + from.height / 2),
      isAllowed: typeof moves !== "string",
    };
    this.view.invalidate();
    this.page.say(`To ${placeName(this.view.cursor, this.board.grids.length)}.`);
  }

  putDown() {
    const { piece } = this.carry;
    const to = this.cursorCentre();
    this.carry = null;
    this.view.carried = null;
    this.move("Move", this.movesTo(piece, to));
    this.view.cursor = this.spotOf(piece);
    this.page.tellSelection();
  }

  escape() {
    if (this.carry) {
      this.view.cursor = this.spotOf(this.carry.piece);
      this.carry = null;
      this.view.carried = null;
      this.view.invalidate();
      return this.page.say("Put back.");
    }
    this.clear();
  }
}
