// Which part of the world the canvas shows. The world's unit is a pixel of the pieces.

const MAX_SCALE = 24;

export class Camera {
  constructor() {
    /** Canvas pixels (CSS) per world unit, and the world point at the canvas's top left. */
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.width = 1;
    this.height = 1;
    this.bounds = { x: 0, y: 0, width: 1, height: 1 };
    /** What buttons cover at the edges of the canvas, in its pixels. */
    this.insets = { left: 0, top: 0, right: 0, bottom: 0 };
  }

  resize(width, height) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
  }

  /** The scale at which all of the bounds is seen. */
  get fitScale() {
    const { left, top, right, bottom } = this.insets;
    const free = (length, covered) => Math.max(length - covered, length / 3);
    return Math.min(free(this.width, left + right) / this.bounds.width, free(this.height, top + bottom) / this.bounds.height);
  }

  /** Shows all of the bounds. */
  fit() {
    this.scale = Math.min(this.fitScale, 8);
    const { left, top, right, bottom } = this.insets;
    this.x = this.bounds.x + (this.bounds.width - (this.width + left - right) / this.scale) / 2;
    this.y = this.bounds.y + (this.bounds.height - (this.height + top - bottom) / this.scale) / 2;
  }

  toWorld(x, y) {
    return { x: this.x + x / this.scale, y: this.y + y / this.scale };
  }

  toCanvas(x, y) {
    return { x: (x - this.x) * this.scale, y: (y - this.y) * this.scale };
  }

  panBy(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.stayNear();
  }

  /** Zooms by a factor; the world point under (x, y) stays there. */
  zoomAt(x, y, factor) {
    const fixed = this.toWorld(x, y);
    const least = Math.min(this.fitScale * 0.5, 1);
    this.scale = Math.min(MAX_SCALE, Math.max(least, this.scale * factor));
    this.x = fixed.x - x / this.scale;
    this.y = fixed.y - y / this.scale;
    this.stayNear();
  }

  /** Brings a part of the world into the middle, not smaller than `least` canvas pixels per unit. */
  showPart({ x, y, width, height }, least) {
    const fitting = Math.min((0.4 * this.width) / width, (0.4 * this.height) / height);
    this.scale = Math.min(MAX_SCALE, Math.max(this.scale, Math.min(fitting, least)));
    this.x = x + width / 2 - this.width / this.scale / 2;
    this.y = y + height / 2 - this.height / this.scale / 2;
    this.stayNear();
  }

  /** Moves as little as needed to see a part of the world. */
  reveal({ x, y, width, height }) {
    const [right, bottom] = [this.x + this.width / this.scale, this.y + this.height / this.scale];
    if (x < this.x) this.x = x - width;
    if (y < this.y) this.y = y - height;
    if (x + width > right) this.x += x + 2 * width - right;
    if (y + height > bottom) this.y += y + 2 * height - bottom;
    this.stayNear();
  }

  /** The middle of the canvas stays over the bounds, so that nobody gets lost. */
  stayNear() {
    const { bounds } = this;
    const [halfWidth, halfHeight] = [this.width / this.scale / 2, this.height / this.scale / 2];
    const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
    this.x = clamp(this.x + halfWidth, bounds.x, bounds.x + bounds.width) - halfWidth;
    this.y = clamp(this.y + halfHeight, bounds.y, bounds.y + bounds.height) - halfHeight;
  }
}
