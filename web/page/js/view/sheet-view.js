// Shows a sheet with the lines along which it is cut, and handles to move them.

const HANDLE_PX = 7;
const REACH_PX = 18;

export class SheetView {
  /** `onChange(layout)` is called when a handle is let go. */
  constructor(view, onChange) {
    this.view = view;
    this.onChange = onChange;
    this.bitmap = null;
    this.layout = null;
  }

  /** Shows a sheet of `[width, height]` pixels. */
  show(bitmap, size, layout) {
    this.bitmap?.close?.();
    Object.assign(this, { bitmap, size, layout });
    const { view } = this;
    view.camera.bounds = { x: 0, y: 0, width: size[0], height: size[1] };
    view.underlay = (context, camera) => this.draw(context, camera);
    view.fit();
  }

  setLayout(layout) {
    this.layout = layout;
    this.view.invalidate();
  }

  hide() {
    if (!this.bitmap) return;
    this.bitmap.close();
    this.bitmap = null;
    this.view.underlay = null;
  }

  get isShown() {
    return this.bitmap !== null;
  }

  /** The corners that can be dragged: where the first piece begins, and where it ends. */
  handles() {
    const { left, top, width, height } = this.layout;
    return [
      { name: "origin", x: left, y: top },
      { name: "size", x: left + width, y: top + height },
    ];
  }

  /** The handle at a point of the world, null if there is none. */
  grab(at) {
    if (!this.isShown || !this.layout) return null;
    const reach = REACH_PX / this.view.camera.scale;
    const near = this.handles()
      .map((handle) => ({ ...handle, distance: Math.hypot(handle.x - at.x, handle.y - at.y) }))
      .filter(({ distance }) => distance < reach)
      .sort((a, b) => a.distance - b.distance)[0];
    if (!near) return null;
    const before = this.layout;
    return {
      move: (to) => this.setLayout(this.dragged(before, near.name, to)),
      drop: (to) => {
        this.setLayout(this.dragged(before, near.name, to));
        this.onChange(this.layout);
      },
      cancel: () => this.setLayout(before),
    };
  }

  dragged(before, name, to) {
    const clamp = (value, low, high) => Math.round(Math.min(Math.max(value, low), high));
    if (name === "origin") {
      // The border is the same at the left and above.
      const border = clamp(Math.max(to.x, to.y), 0, Math.min(...this.size) / 2);
      return this.recounted({ ...before, left: border, top: border });
    }
    const width = clamp(to.x - before.left, 2, this.size[0]);
    const height = clamp(to.y - before.top, 2, this.size[1]);
    return this.recounted({ ...before, width, height });
  }

  /** As many pieces as fit the sheet. */
  recounted(layout) {
    const count = (length, start, piece, gap) => Math.max(1, Math.floor((length - start + gap) / (piece + gap)));
    return {
      ...layout,
      columns: count(this.size[0], layout.left, layout.width, layout.gapX),
      rows: count(this.size[1], layout.top, layout.height, layout.gapY),
    };
  }

  draw(context, camera) {
    const { bitmap, size, layout } = this;
    context.imageSmoothingEnabled = camera.scale < 3;
    context.drawImage(bitmap, 0, 0, size[0], size[1]);
    if (!layout) return;
    const colours = this.view.colours;
    const { left, top, width, height, columns, rows, gapX, gapY } = layout;
    const [right, bottom] = [left + columns * (width + gapX) - gapX, top + rows * (height + gapY) - gapY];
    context.beginPath();
    for (let col = 0; col <= columns; col++) {
      const x = Math.min(left + col * (width + gapX), right);
      context.moveTo(x, top);
      context.lineTo(x, bottom);
    }
    for (let row = 0; row <= rows; row++) {
      const y = Math.min(top + row * (height + gapY), bottom);
      context.moveTo(left, y);
      context.lineTo(right, y);
    }
    // Light over dark, so that the lines are seen on any picture.
    context.lineWidth = 2.4 / camera.scale;
    context.strokeStyle = "rgb(0 0 0 / 45%)";
    context.stroke();
    context.lineWidth = 1 / camera.scale;
    context.strokeStyle = "rgb(255 255 255 / 85%)";
    context.stroke();
    context.lineWidth = 3 / camera.scale;
    context.strokeStyle = colours.accent;
    context.strokeRect(left, top, width, height);
    for (const { x, y } of this.handles()) {
      context.beginPath();
      context.arc(x, y, HANDLE_PX / camera.scale, 0, 2 * Math.PI);
      context.fillStyle = colours.ground;
      context.fill();
      context.lineWidth = 3 / camera.scale;
      context.stroke();
    }
  }
}
