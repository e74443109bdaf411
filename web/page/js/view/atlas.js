// The pixels of all pieces, on a few large bitmaps.

export class Atlas {
  /** As the worker made it: see `atlasOf` in `solver/worker.js`. */
  constructor({ pages, columns, perPage, cellWidth, cellHeight }) {
    Object.assign(this, { pages, columns, perPage, cellWidth, cellHeight });
  }

  /** Draws a piece into the cell at (x, y), turned clockwise. `width` and `height` are those of the turned piece. */
  draw(context, piece, x, y, width, height, turns) {
    const page = this.pages[Math.floor(piece / this.perPage)];
    const index = piece - page.first;
    const columns = page.bitmap.width / this.cellWidth;
    const [left, top] = [(index % columns) * this.cellWidth, Math.floor(index / columns) * this.cellHeight];
    if (turns === 0) {
      context.drawImage(page.bitmap, left, top, this.cellWidth, this.cellHeight, x, y, width, height);
      return;
    }
    const [across, down] = turns % 2 === 0 ? [width, height] : [height, width];
    context.save();
    context.translate(x + width / 2, y + height / 2);
    context.rotate((turns * Math.PI) / 2);
    context.drawImage(
      page.bitmap, left, top, this.cellWidth, this.cellHeight, -across / 2, -down / 2, across, down,
    );
    context.restore();
  }

  close() {
    for (const { bitmap } of this.pages) bitmap.close();
  }
}
