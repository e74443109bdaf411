// Draws boards on a canvas. All pieces that lie still are kept on one bitmap per board, so that panning and zooming cost
// one copy and not one per piece; pieces that move, and a few seen from near, are drawn one by one.

import { Camera } from "./camera.js";
import { Layout } from "./layout.js";
import { drawMarks } from "./marks-drawing.js";
import { heatColour } from "../model/heat.js";

/** The most pixels of a board's bitmap, and the most of a side: what phones allow. */
const MAX_BITMAP_PIXELS = 16e6;
const MAX_BITMAP_SIDE = 8192;
/** The most pieces that are drawn one by one, and the most that fly at once. */
const MAX_DRAWN = 700;
const MAX_FLYING = 1200;
/** Milliseconds of a frame in which bitmaps are brought up to date. */
const BUDGET_MS = 9;
const FLIGHT_MS = 420;
/** Between two frames of a flight while a solve needs the processor. */
const SPARING_MS = 45;

export class BoardView {
  /** `overlays` are the elements over the canvas. */
  constructor(canvas, overlays) {
    this.canvas = canvas;
    this.overlays = overlays;
    this.context = canvas.getContext("2d", { alpha: true });
    this.camera = new Camera();
    this.atlas = null;
    this.board = null;
    this.layout = null;
    this.bitmaps = [];
    this.dirty = [];
    this.flying = new Map();
    this.marks = null;
    this.rating = null;
    this.showHeat = false;
    this.heat = [];
    this.selection = new Set();
    this.cursor = null;
    this.carried = null;
    this.frame = 0;
    this.underlay = null;
    /** Whether a solve is running, which needs the processor more than the pieces that fly. */
    this.isSparing = false;
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    this.ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    this.canvas.width = Math.round(clientWidth * this.ratio);
    this.canvas.height = Math.round(clientHeight * this.ratio);
    const wasFitted = this.isFitted;
    this.camera.resize(clientWidth, clientHeight);
    this.camera.insets = this.coveredEdges();
    if (wasFitted) this.camera.fit();
    this.invalidate();
  }

  /** How far buttons reach into the canvas. */
  coveredEdges() {
    const margin = 14;
    const canvas = this.canvas.getBoundingClientRect();
    const insets = { left: margin, top: margin, right: margin, bottom: margin };
    for (const element of this.overlays) {
      const box = element.getBoundingClientRect();
      if (box.width === 0) continue;
      const isWide = box.width > box.height;
      if (!isWide) insets.right = Math.max(insets.right, canvas.right - box.left + margin);
      else if (box.top - canvas.top > canvas.bottom - box.bottom) insets.bottom = Math.max(insets.bottom, canvas.bottom - box.top + margin);
      else insets.top = Math.max(insets.top, box.bottom - canvas.top + margin);
    }
    return insets;
  }

  /** Shows another puzzle. */
  setPieces(atlas, size) {
    this.atlas?.close();
    this.atlas = atlas;
    this.size = size;
    this.board = null;
    this.flying.clear();
    this.selection = new Set();
    this.cursor = this.carried = this.marks = this.rating = null;
    this.heat = [];
  }

  /** Shows a board. With `animate` the pieces move there from where they lie. */
  setBoard(board, { animate = false, gap = 0, fit = false } = {}) {
    const before = this.board && this.layout ? { board: this.board, layout: this.layout } : null;
    const isSameShape = before && gap === before.layout.gap && sameGrids(before.board, board);
    const changed = before && before.board.numPieces === board.numPieces ? before.board.differences(board) : null;
    this.board = board;
    this.layout = new Layout(board, this.size, gap);
    if (!isSameShape) this.makeBitmaps();
    const moving = isSameShape ? changed : [...Array(board.numPieces).keys()];
    if (animate && before && changed && moving.length <= MAX_FLYING) {
      this.startFlights(before, moving);
    }
    if (isSameShape) {
      for (const piece of changed) {
        this.touch(before.board.placeOf(piece));
        this.touch(board.placeOf(piece));
      }
    }
    this.camera.bounds = this.layout.bounds;
    if (fit || !isSameShape) {
      this.camera.fit();
      this.isFitted = true;
    }
    this.updateHeat();
    this.invalidate();
  }

  startFlights(before, moving) {
    const now = performance.now();
    for (const piece of moving) {
      const flown = this.flying.get(piece);
      const from = flown ? positionOf(flown, now) : centre(before.layout.pieceRect(before.board, piece));
      const turnsBefore = flown ? positionOf(flown, now).angle : before.board.turnsOf(piece);
      const to = centre(this.layout.pieceRect(this.board, piece));
      // The shorter way round.
      const turns = this.board.turnsOf(piece);
      const way = ((((turns - turnsBefore) % 4) + 6) % 4) - 2;
      this.flying.set(piece, { from: { ...from, angle: turns - way }, to: { ...to, angle: turns }, start: now });
      this.touch(this.board.placeOf(piece));
    }
  }

  makeBitmaps() {
    this.bitmaps = this.layout.boards.map((part) => {
      const pixels = part.width * part.height;
      const fitting = Math.min(1, Math.sqrt(MAX_BITMAP_PIXELS / pixels), MAX_BITMAP_SIDE / Math.max(part.width, part.height));
      // Whole pixels a cell, so that pieces meet without a line between them.
      const scale = Math.max(1, Math.floor(part.cellWidth * fitting)) / part.cellWidth;
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.ceil(part.width * scale));
      canvas.height = Math.max(1, Math.ceil(part.height * scale));
      return { canvas, context: canvas.getContext("2d"), scale };
    });
    this.dirty = [];
    this.dirtySet = new Set();
    for (let index = 0; index < this.board.cells.length; index++) this.touchIndex(index);
  }

  touch(place) {
    const index = this.board.cellIndex(place);
    if (index >= 0) this.touchIndex(index);
  }

  touchIndex(index) {
    if (this.dirtySet.has(index)) return;
    this.dirtySet.add(index);
    this.dirty.push(index);
  }

  /** Brings bitmaps up to date, for a few milliseconds. */
  updateBitmaps() {
    const end = performance.now() + BUDGET_MS;
    let count = 0;
    while (this.dirty.length > 0) {
      const index = this.dirty.pop();
      this.dirtySet.delete(index);
      this.drawCell(index);
      if (++count % 32 === 0 && performance.now() > end) break;
    }
    if (this.dirty.length > 0) this.invalidate();
  }

  drawCell(index) {
    let number = this.board.starts.length - 1;
    while (this.board.starts[number] > index) number--;
    const { cols } = this.board.grids[number];
    const at = index - this.board.starts[number];
    const { canvas, context, scale } = this.bitmaps[number];
    const rect = this.layout.cellRect({ board: number, row: Math.floor(at / cols), col: at % cols });
    const origin = this.layout.boards[number];
    const [x, y] = [(rect.x - origin.x) * scale, (rect.y - origin.y) * scale];
    const [width, height] = [Math.min(rect.width * scale, canvas.width - x), Math.min(rect.height * scale, canvas.height - y)];
    context.clearRect(x, y, width, height);
    const piece = this.board.cells[index];
    if (piece >= 0 && !this.flying.has(piece)) {
      this.atlas.draw(context, piece, x, y, width, height, this.board.turnsOf(piece));
    }
  }

  setRating(rating) {
    this.rating = rating;
    this.updateHeat();
    this.invalidate();
  }

  /** One pixel a cell, in the colours of confidence. */
  updateHeat() {
    this.heat = [];
    if (!this.rating || !this.board) return;
    this.heat = this.board.grids.map(({ rows, cols }, number) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [cols, rows];
      const context = canvas.getContext("2d");
      const image = context.createImageData(cols, rows);
      for (let at = 0; at < rows * cols; at++) {
        const piece = this.board.cells[this.board.starts[number] + at];
        const confidence = piece >= 0 ? this.rating.pieces[piece] : null;
        if (confidence === null || confidence === undefined) continue;
        image.data.set([...heatColour(confidence), 255], 4 * at);
      }
      context.putImageData(image, 0, 0);
      return canvas;
    });
  }

  invalidate() {
    if (this.frame) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      this.draw(now);
    });
  }

  /** Moves the camera, after which the whole board is no longer fitted to the window. */
  moveCamera(move) {
    move(this.camera);
    this.isFitted = false;
    this.invalidate();
  }

  fit() {
    this.camera.fit();
    this.isFitted = true;
    this.invalidate();
  }

  draw() {
    const { context, camera, ratio } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.underlay) {
      context.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, -ratio * camera.scale * camera.x, -ratio * camera.scale * camera.y);
      this.underlay(context, camera);
      return;
    }
    if (!this.board) return;
    this.landFlights();
    this.updateBitmaps();
    context.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, -ratio * camera.scale * camera.x, -ratio * camera.scale * camera.y);
    this.layout.boards.forEach((part, number) => this.drawBoard(part, number));
    this.drawTray();
    if (this.showHeat) this.drawHeat();
    drawMarks(this);
    this.drawFlights();
  }

  visible({ x, y, width, height }) {
    const { camera } = this;
    return (
      x < camera.x + camera.width / camera.scale &&
      y < camera.y + camera.height / camera.scale &&
      x + width > camera.x &&
      y + height > camera.y
    );
  }

  /** The first and last row and column of a board that are seen. */
  visibleCells(part) {
    const { camera } = this;
    const range = (from, length, cell, count) => {
      const first = Math.max(0, Math.floor(from / cell));
      return [first, Math.min(count - 1, Math.floor((from + length) / cell))];
    };
    const [top, bottom] = range(camera.y - part.y, camera.height / camera.scale, part.cellHeight + this.layout.gap, part.rows);
    const [left, right] = range(camera.x - part.x, camera.width / camera.scale, part.cellWidth + this.layout.gap, part.cols);
    return { top, bottom, left, right, count: Math.max(0, bottom - top + 1) * Math.max(0, right - left + 1) };
  }

  drawBoard(part, number) {
    if (!this.visible(part)) return;
    const { context, camera, ratio } = this;
    context.fillStyle = this.colours.board;
    if (this.layout.gap === 0) context.fillRect(part.x, part.y, part.width, part.height);
    const { canvas, scale } = this.bitmaps[number];
    const cells = this.visibleCells(part);
    context.imageSmoothingEnabled = camera.scale * ratio < 3;
    // A whole board, shrunk well, takes longer than a frame where there is no graphics card.
    const isInHurry = this.isMoving || this.isSparing || this.dirty.length > 0;
    context.imageSmoothingQuality = camera.scale * ratio < 0.6 && !isInHurry ? "medium" : "low";
    const isNear = camera.scale * ratio > scale * 1.01 && cells.count <= MAX_DRAWN && scale < 1;
    if (!isNear) {
      context.drawImage(canvas, part.x, part.y, canvas.width / scale, canvas.height / scale);
      return;
    }
    for (let row = cells.top; row <= cells.bottom; row++) {
      for (let col = cells.left; col <= cells.right; col++) {
        const piece = this.board.pieceAt(number, row, col);
        if (piece < 0 || this.flying.has(piece)) continue;
        const { x, y, width, height } = this.layout.cellRect({ board: number, row, col });
        this.atlas.draw(context, piece, x, y, width, height, this.board.turnsOf(piece));
      }
    }
  }

  drawTray() {
    this.layout.tray.forEach((piece, index) => {
      const rect = this.layout.trayRect(index);
      if (this.flying.has(piece) || !this.visible(rect)) return;
      this.atlas.draw(this.context, piece, rect.x, rect.y, rect.width, rect.height, this.board.turnsOf(piece));
    });
  }

  drawHeat() {
    const { context } = this;
    context.save();
    context.imageSmoothingEnabled = false;
    context.globalAlpha = 0.72;
    this.layout.boards.forEach((part, number) => {
      if (this.heat[number]) context.drawImage(this.heat[number], part.x, part.y, part.width, part.height);
    });
    context.restore();
  }

  /** Pieces that have arrived lie still again. */
  landFlights() {
    const now = performance.now();
    for (const [piece, flight] of this.flying) {
      if (now - flight.start < FLIGHT_MS) continue;
      this.flying.delete(piece);
      this.touch(this.board.placeOf(piece));
    }
  }

  drawFlights() {
    if (this.flying.size === 0) return;
    const now = performance.now();
    const { context } = this;
    for (const [piece, flight] of this.flying) {
      const { x, y, angle } = positionOf(flight, now);
      const { width, height } = this.size;
      context.save();
      context.translate(x, y);
      context.rotate((angle * Math.PI) / 2);
      this.atlas.draw(context, piece, -width / 2, -height / 2, width, height, 0);
      context.restore();
    }
    if (this.isSparing) setTimeout(() => this.invalidate(), SPARING_MS);
    else this.invalidate();
  }

  /** Colours of the page, which follow light and dark. */
  get colours() {
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    return { board: colour("board"), accent: colour("accent"), ink: colour("ink"), ground: colour("ground"), warn: colour("warn") };
  }
}

function sameGrids(one, other) {
  return (
    one.grids.length === other.grids.length &&
    one.grids.every(({ rows, cols }, index) => rows === other.grids[index].rows && cols === other.grids[index].cols)
  );
}

function centre({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}

function positionOf({ from, to, start }, now) {
  const time = Math.min(1, Math.max(0, (now - start) / FLIGHT_MS));
  const share = 1 - (1 - time) ** 3;
  const mix = (axis) => from[axis] + share * (to[axis] - from[axis]);
  return { x: mix("x"), y: mix("y"), angle: mix("angle") };
}
