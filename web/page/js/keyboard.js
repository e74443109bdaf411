// The keys of the board. They count while nothing else that takes keys has the focus.

/** The keys that work with the Control or Command key. */
const WITH_CONTROL = { z: "undo", y: "redo", Z: "redo" };

const KEYS = {
  r: "turn", R: "turnBack", p: "pin", t: "together", f: "apart", s: "suggest", n: "nextDoubt", N: "previousDoubt",
  h: "hint", c: "toggleHeat", m: "toggleMode", "+": "zoomIn", "=": "zoomIn", "-": "zoomOut", 0: "fit", "?": "showKeys",
  Delete: "takeOff", Backspace: "takeOff", Escape: "escape",
};

const ARROWS = { ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowDown: [1, 0], ArrowLeft: [0, -1] };

/** `actions` has a function for each name above, and `step(rows, cols, extend)` and `enter()`. `isOn()` says when. */
export function addKeyboard(canvas, actions, isOn) {
  addEventListener("keydown", (event) => {
    if (!isOn() || event.defaultPrevented || event.altKey || takesKeys(event.target)) return;
    const isOnBoard = event.target === canvas || event.target === document.body;
    const name = event.ctrlKey || event.metaKey ? WITH_CONTROL[event.key] : KEYS[event.key];
    if (name) {
      event.preventDefault();
      actions[name]();
    } else if (ARROWS[event.key] && isOnBoard) {
      event.preventDefault();
      actions.step(...ARROWS[event.key], event.shiftKey);
    } else if ((event.key === "Enter" || event.key === " ") && event.target === canvas) {
      event.preventDefault();
      actions.enter();
    }
  });
}

function takesKeys(target) {
  return target instanceof Element && target.matches("input, select, textarea, dialog, dialog *");
}
