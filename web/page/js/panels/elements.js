// Elements of the page by their id, and small ones made anew. Text is always text, never markup.

export function byId(id) {
  return document.getElementById(id);
}

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Shows a message, or hides its element if there is none. */
export function showMessage(id, text) {
  const element = byId(id);
  element.textContent = text ?? "";
  element.hidden = !text;
}

/** A number that was typed; null if there is none. */
export function typedNumber(id) {
  const { value, valueAsNumber } = byId(id);
  return value === "" || !Number.isFinite(valueAsNumber) ? null : Math.round(valueAsNumber);
}
