// Where the pieces lie. A board never holds two pieces in a cell: `edits.js` makes the changes.

/** Numbers for each piece: board (-1 without a place), row, column, clockwise quarter turns. */
const STRIDE = 4;

export class Board {
  /** `grids` has rows and columns of each board. */
  constructor(grids, places) {
    this.grids = grids;
    this.places = places;
    this.starts = [];
    let numCells = 0;
    for (const { rows, cols } of grids) {
      this.starts.push(numCells);
      numCells += rows * cols;
    }
    this.cells = new Int32Array(numCells).fill(-1);
    for (let piece = 0; piece < this.numPieces; piece++) {
      const index = this.cellIndex(this.placeOf(piece));
      if (index >= 0) this.cells[index] = piece;
    }
  }

  /** From the numbers that the solver gives: see `web/wasm/src/boards.rs`. */
  static decode(numbers) {
    const numBoards = numbers[0];
    const grids = [];
    for (let board = 0; board < numBoards; board++) {
      grids.push({ rows: numbers[1 + 2 * board], cols: numbers[2 + 2 * board] });
    }
    return new Board(grids, Int32Array.from(numbers.subarray(1 + 2 * numBoards)));
  }

  encode() {
    const heading = [this.grids.length, ...this.grids.flatMap(({ rows, cols }) => [rows, cols])];
    const numbers = new Int32Array(heading.length + this.places.length);
    numbers.set(heading);
    numbers.set(this.places, heading.length);
    return numbers;
  }

  /** The pieces row by row in their order, so many in a row. */
  static inOrder(numPieces, cols) {
    const places = new Int32Array(numPieces * STRIDE);
    for (let piece = 0; piece < numPieces; piece++) {
      places.set([0, Math.floor(piece / cols), piece % cols, 0], piece * STRIDE);
    }
    return new Board([{ rows: Math.ceil(numPieces / cols), cols }], places);
  }

  get numPieces() {
    return this.places.length / STRIDE;
  }

  get numPlaced() {
    return this.cells.reduce((count, piece) => count + (piece >= 0 ? 1 : 0), 0);
  }

  /** The place of a piece, null if it has none. */
  placeOf(piece) {
    const at = piece * STRIDE;
    const board = this.places[at];
    if (board < 0) return null;
    return { board, row: this.places[at + 1], col: this.places[at + 2], turns: this.places[at + 3] };
  }

  /** The turns of a piece without a place are kept, too. */
  turnsOf(piece) {
    return this.places[piece * STRIDE + 3];
  }

  cellIndex(place) {
    if (!place || !this.contains(place)) return -1;
    return this.starts[place.board] + place.row * this.grids[place.board].cols + place.col;
  }

  contains({ board, row, col }) {
    const grid = this.grids[board];
    return grid !== undefined && row >= 0 && col >= 0 && row < grid.rows && col < grid.cols;
  }

  /** The piece in a cell, -1 if it is empty or does not exist. */
  pieceAt(board, row, col) {
    const index = this.cellIndex({ board, row, col });
    return index < 0 ? -1 : this.cells[index];
  }

  unplaced() {
    const pieces = [];
    for (let piece = 0; piece < this.numPieces; piece++) {
      if (this.places[piece * STRIDE] < 0) pieces.push(piece);
    }
    return pieces;
  }

  /** A copy in which pieces lie elsewhere: `[piece, place or null, turns]`. */
  with(moves) {
    const places = this.places.slice();
    for (const [piece, place, turns] of moves) {
      const { board, row, col } = place ?? { board: -1, row: 0, col: 0 };
      places.set([board, row, col, turns], piece * STRIDE);
    }
    return new Board(this.grids, places);
  }

  /** The pieces whose place or turns differ. */
  differences(other) {
    const pieces = [];
    for (let at = 0; at < this.places.length; at += STRIDE) {
      for (let k = 0; k < STRIDE; k++) {
        if (this.places[at + k] !== other.places[at + k]) {
          pieces.push(at / STRIDE);
          break;
        }
      }
    }
    return pieces;
  }
}
