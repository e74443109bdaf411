// Mouse, touch and wheel on the canvas: one finger drags or pans, two fingers pinch, the wheel zooms.

/** A pointer that moves less than this is a tap, in CSS pixels. */
const SLOP = 5;

/**
 * `handlers.grab(world, event)` returns what to do with a drag that starts there, `{move(world), drop(world), cancel()}`,
 * or null to pan. `handlers.tap(world, event)` is a click or a touch. `handlers.hover(at)` follows the mouse: a point of the
 * canvas in CSS pixels, null where the mouse is elsewhere.
 */
export function addGestures(view, handlers) {
  const { canvas } = view;
  const pointers = new Map();
  let held = null;
  let start = null;
  let pinch = null;

  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const world = (at) => view.camera.toWorld(at.x, at.y);

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
    if (pointers.size === 2) {
      held?.cancel();
      held = null;
      pinch = pinchOf(pointers);
      return;
    }
    start = { at: point(event), moved: false };
    held = event.button === 0 ? handlers.grab(world(start.at), event) : null;
  });

  canvas.addEventListener("pointermove", (event) => {
    const at = point(event);
    if (event.pointerType === "mouse") handlers.hover(at);
    const before = pointers.get(event.pointerId);
    if (!before) return;
    pointers.set(event.pointerId, at);
    view.isMoving = true;
    if (pinch && pointers.size === 2) {
      const now = pinchOf(pointers);
      view.moveCamera((camera) => {
        camera.panBy(now.x - pinch.x, now.y - pinch.y);
        camera.zoomAt(now.x, now.y, now.distance / pinch.distance);
      });
      pinch = now;
      return;
    }
    if (!start) return;
    if (!start.moved && Math.hypot(at.x - start.at.x, at.y - start.at.y) < SLOP) return;
    const previous = start.moved ? before : start.at;
    start.moved = true;
    if (held) held.move(world(at));
    else view.moveCamera((camera) => camera.panBy(at.x - previous.x, at.y - previous.y));
  });

  canvas.addEventListener("pointerleave", () => handlers.hover(null));

  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    view.isMoving = false;
    view.invalidate();
    if (pinch) {
      if (pointers.size === 0) pinch = null;
      start = null;
      return;
    }
    if (!start) return;
    const at = point(event);
    if (event.type === "pointercancel") held?.cancel();
    else if (start.moved) held?.drop(world(at));
    else {
      held?.cancel();
      handlers.tap(world(at), event);
    }
    held = null;
    start = null;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const at = point(event);
      const unit = event.deltaMode === 1 ? 16 : 1;
      view.moveCamera((camera) => {
        if (event.shiftKey) camera.panBy(-unit * (event.deltaX || event.deltaY), 0);
        else camera.zoomAt(at.x, at.y, Math.exp(-unit * event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)));
      });
    },
    { passive: false },
  );
}

function pinchOf(pointers) {
  const [a, b] = [...pointers.values()];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
}
