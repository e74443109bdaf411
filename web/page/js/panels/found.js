// What was found in the files, and the form that corrects it.

import { byId, make, typedNumber } from "./elements.js";
import { count } from "../words.js";

const TURNS = { none: "none", half: "half turns", quarter: "quarter turns" };

/** Lists what was found. */
export function showFound(found) {
  const { layout } = found;
  byId("found-title").textContent = "What was found";
  const facts = [
    ["Pieces", found.pieces.toLocaleString("en")],
    ["Piece", `${found.width} × ${found.height} px`],
  ];
  if (layout && !found.isDeclared) {
    facts.push(["On the sheet", `${layout.columns} × ${layout.rows}`]);
    facts.push(["Gaps", layout.gapX + layout.gapY > 0 ? `${Math.max(layout.gapX, layout.gapY)} px` : "none"]);
    if (layout.left + layout.top > 0) facts.push(["Border", `${Math.max(layout.left, layout.top)} px`]);
  }
  facts.push(["Turns", found.declaredTurns ? TURNS[found.declaredTurns] : "found while solving"]);
  facts.push(["Picture", found.declaredGrid ? `${found.declaredGrid.join(" × ")} pieces` : "size found while solving"]);
  if (found.bits === 16) facts.push(["Depth", "16 bits"]);
  byId("facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })]));
  const notes = [...(found.preparation ? [found.preparation] : []), ...found.warnings];
  byId("warnings").replaceChildren(...notes.map((text) => make("li", { textContent: text })));
  showSheetFields(layout && !found.isDeclared ? layout : null);
  byId("solve").disabled = false;
}

/** When nothing could be cut: only what the files are. */
export function showNotFound() {
  byId("found-title").textContent = "How is it cut?";
  byId("facts").replaceChildren();
  byId("warnings").replaceChildren();
  byId("solve").disabled = true;
  byId("correct").open = true;
  byId("sheet-fields").hidden = false;
  for (const id of SHEET_FIELDS) byId(id).value = "";
}

const SHEET_FIELDS = ["piece-width", "piece-height", "gap", "border"];

/** Whether somebody has begun to type how a sheet is to be cut. */
export function areSheetFieldsEmpty() {
  return SHEET_FIELDS.every((id) => byId(id).value === "");
}

export function showSheetFields(layout) {
  byId("sheet-fields").hidden = layout === null;
  if (!layout) return;
  byId("piece-width").value = layout.width;
  byId("piece-height").value = layout.height;
  byId("gap").value = Math.max(layout.gapX, layout.gapY);
  byId("border").value = Math.max(layout.left, layout.top);
}

/** Offers likely layouts of a sheet. */
export function showLikely(layouts, choose) {
  byId("likely").hidden = layouts.length === 0;
  byId("likely-sizes").replaceChildren(
    ...layouts.map((layout) => {
      const name = `${layout.width} × ${layout.height} px`;
      const title = `${count(layout.columns * layout.rows, "piece")}, ${layout.columns} × ${layout.rows}`;
      return make("button", { type: "button", textContent: name, title, onclick: () => choose(layout) });
    }),
  );
}

/** How a sheet is to be cut, by the form. */
export function typedSheet() {
  const [width, height] = [typedNumber("piece-width"), typedNumber("piece-height")];
  const request = {};
  if (width && height) request.piece = [width, height];
  const [gap, border] = [typedNumber("gap"), typedNumber("border")];
  if (gap !== null) request.gap = gap;
  if (border !== null) request.border = border;
  return request;
}

/** What is known of the answer, by the form. */
export function typedKnown() {
  const known = { effort: byId("effort").value, seed: typedNumber("seed") ?? 0 };
  for (const name of ["columns", "rows", "pictures"]) {
    const value = typedNumber(name);
    if (value) known[name] = value;
  }
  if (byId("turns").value) known.turns = byId("turns").value;
  return known;
}

const KNOWN_FIELDS = ["columns", "rows", "pictures", "turns", "effort", "seed"];

/** The form as it is, to be kept; and as it was. */
export function formState() {
  return Object.fromEntries(KNOWN_FIELDS.map((id) => [id, byId(id).value]));
}

export function restoreForm(state = { columns: "", rows: "", pictures: "", turns: "", effort: "normal", seed: "0" }) {
  for (const id of KNOWN_FIELDS) byId(id).value = state[id];
}
