// Undo and redo without end.

import { Board } from "./board.js";

/** What a person can change, and its past and future. */
export class History {
  constructor(state, steps = [], position = 0) {
    this.state = state;
    this.steps = steps;
    this.position = position;
  }

  /** Moves pieces. Only what moves is remembered, not the whole board. */
  move(label, moves) {
    const before = moves.map(([piece]) => [piece, this.state.board.placeOf(piece), this.state.board.turnsOf(piece)]);
    this.push({ kind: "moves", label, before, after: moves });
  }

  /** Replaces marks: pins, joins and pairs to keep apart. */
  mark(label, marks) {
    this.push({ kind: "marks", label, before: this.state.marks, after: { ...this.state.marks, ...marks } });
  }

  /** Replaces the board, as a solve does. */
  replace(label, board) {
    this.push({ kind: "board", label, before: this.state.board, after: board });
  }

  push(step) {
    this.steps.length = this.position;
    this.steps.push(step);
    this.redo();
  }

  get canUndo() {
    return this.position > 0;
  }

  get canRedo() {
    return this.position < this.steps.length;
  }

  /** Undoes a step and returns its label. */
  undo() {
    const step = this.steps[--this.position];
    this.apply(step.kind, step.before);
    return step.label;
  }

  /** Does a step again and returns its label. */
  redo() {
    const step = this.steps[this.position++];
    this.apply(step.kind, step.after);
    return step.label;
  }

  /** As plain data, to be kept. */
  stored() {
    const { board, marks } = this.state;
    const encoded = ({ before, after, ...step }) => ({ ...step, before: before.encode(), after: after.encode() });
    const steps = this.steps.map((step) => (step.kind === "board" ? encoded(step) : step));
    return { board: board.encode(), marks, steps, position: this.position };
  }

  /** What was kept. */
  static restored({ board, marks, steps, position }) {
    const decoded = ({ before, after, ...step }) => ({ ...step, before: Board.decode(before), after: Board.decode(after) });
    const alive = steps.map((step) => (step.kind === "board" ? decoded(step) : step));
    return new History({ board: Board.decode(board), marks }, alive, position);
  }

  apply(kind, value) {
    if (kind === "moves") this.state = { ...this.state, board: this.state.board.with(value) };
    else if (kind === "marks") this.state = { ...this.state, marks: value };
    else this.state = { ...this.state, board: value };
  }
}

/** No pins, no joins, nothing apart. */
export const NO_MARKS = Object.freeze({ pins: new Set(), joins: [], apart: [] });
