// Where boards, and pieces without a place, lie in the world.

/** Space between boards, and around pieces beside them, as shares of a piece. */
const BOARD_GAP = 1;
const TRAY_GAP = 0.25;

export class Layout {
  /** `size` is that of a piece as handed in; `gap` is the space between the cells of a board, in world units. */
  constructor(board, size, gap = 0) {
    this.gap = gap;
    this.size = size;
    this.boards = [];
    let x = 0;
    let bottom = 0;
    board.grids.forEach(({ rows, cols }, number) => {
      // A board of oblong pieces that all lie on their side has cells on their side.
      const isOnSide = size.width !== size.height && firstTurns(board, number) % 2 === 1;
      const [width, height] = isOnSide ? [size.height, size.width] : [size.width, size.height];
      const part = { x, y: 0, cellWidth: width, cellHeight: height, rows, cols };
      part.width = cols * (width + gap) - gap;
      part.height = rows * (height + gap) - gap;
      this.boards.push(part);
      x += part.width + BOARD_GAP * size.width;
      bottom = Math.max(bottom, part.height);
    });
    this.width = Math.max(size.width, x - BOARD_GAP * size.width);
    this.placeTray(board, bottom);
  }

  /** Pieces without a place lie below the boards, row by row. */
  placeTray(board, bottom) {
    const side = Math.max(this.size.width, this.size.height) * (1 + TRAY_GAP);
    this.tray = board.unplaced();
    this.trayIndex = new Map(this.tray.map((piece, index) => [piece, index]));
    this.trayColumns = Math.max(1, Math.floor(this.width / side), Math.ceil(Math.sqrt(this.tray.length)));
    this.traySide = side;
    this.trayTop = bottom + side * 0.5;
    const rows = Math.ceil(this.tray.length / this.trayColumns);
    this.bounds = {
      x: 0,
      y: 0,
      width: Math.max(this.width, this.tray.length > 0 ? Math.min(this.tray.length, this.trayColumns) * side : 0),
      height: rows > 0 ? this.trayTop + rows * side : Math.max(bottom, 1),
    };
  }

  cellRect({ board, row, col }) {
    const { x, y, cellWidth, cellHeight } = this.boards[board];
    return {
      x: x + col * (cellWidth + this.gap),
      y: y + row * (cellHeight + this.gap),
      width: cellWidth,
      height: cellHeight,
    };
  }

  trayRect(index) {
    const { width, height } = this.size;
    const x = (index % this.trayColumns) * this.traySide;
    const y = this.trayTop + Math.floor(index / this.trayColumns) * this.traySide;
    return { x, y, width, height };
  }

  /** Where a piece lies. */
  pieceRect(board, piece) {
    const place = board.placeOf(piece);
    return place ? this.cellRect(place) : this.trayRect(this.trayIndex.get(piece) ?? 0);
  }

  /** A cell, or `{tray: index}` beside the boards; null if there is none. */
  spotRect(spot) {
    if (spot.tray !== undefined) return spot.tray < this.tray.length ? this.trayRect(spot.tray) : null;
    const part = this.boards[spot.board];
    return part && spot.row < part.rows && spot.col < part.cols ? this.cellRect(spot) : null;
  }

  /** The cell at a point of the world, null if there is none. */
  cellAt(x, y) {
    for (const [board, part] of this.boards.entries()) {
      const col = Math.floor((x - part.x) / (part.cellWidth + this.gap));
      const row = Math.floor((y - part.y) / (part.cellHeight + this.gap));
      if (row >= 0 && col >= 0 && row < part.rows && col < part.cols) return { board, row, col };
    }
    return null;
  }

  /** The piece at a point of the world, -1 if there is none. */
  pieceAt(board, x, y) {
    const cell = this.cellAt(x, y);
    if (cell) return board.pieceAt(cell.board, cell.row, cell.col);
    if (y < this.trayTop || x < 0) return -1;
    const col = Math.floor(x / this.traySide);
    const index = Math.floor((y - this.trayTop) / this.traySide) * this.trayColumns + col;
    return col < this.trayColumns && index < this.tray.length ? this.tray[index] : -1;
  }
}

function firstTurns(board, number) {
  const start = board.starts[number];
  const { rows, cols } = board.grids[number];
  for (let index = start; index < start + rows * cols; index++) {
    if (board.cells[index] >= 0) return board.turnsOf(board.cells[index]);
  }
  return 0;
}
