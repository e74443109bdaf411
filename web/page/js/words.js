// Numbers and stages in words.

const STAGES = {
  prepare: "Reading the edges",
  measure: "Comparing the edges",
  match: "Judging which edges belong together",
  rotate: "Finding the turns",
  assemble: "Putting the pieces together",
  search: "Improving the picture",
  update: "Improving the turns",
};

/** Where each stage begins and ends, as shares of a usual solve. */
const SHARES = { prepare: [0, 0.02], measure: [0.02, 0.1], match: [0.1, 0.3], rotate: [0.1, 0.3], assemble: [0.3, 0.45], search: [0.45, 1] };

/** How much of a solve is done, when so much of a stage is. */
export function shareDone(stage, share) {
  const [begin, end] = SHARES[stage] ?? [0, 0];
  return begin + share * (end - begin);
}

export function stageName(stage) {
  return STAGES[stage] ?? "Working";
}

export function percent(share) {
  const value = 100 * share;
  if (value > 99 && value < 100) return `${Math.floor(value * 10) / 10}\u00a0%`;
  return `${Math.round(value)}\u00a0%`;
}

export function seconds(value) {
  return value < 60 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function bytes(number) {
  return number < 1e6 ? `${Math.ceil(number / 1e3)} kB` : `${(number / 1e6).toFixed(1)} MB`;
}

/** A place, counted from 1 as people count. */
export function placeName({ board, row, col }, numBoards) {
  const where = `row ${row + 1}, column ${col + 1}`;
  return numBoards > 1 ? `board ${board + 1}, ${where}` : where;
}
