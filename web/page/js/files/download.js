// Hands a file to the browser to save.

export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Later, because some browsers read it only then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for a file made of an input: its own without folder and extension, and an ending. */
export function outputName(input, ending) {
  const stem = input.split("/").pop().replace(/ and \d+ more$/, "").replace(/\.[A-Za-z0-9]{1,5}$/, "");
  return `${stem || "puzzle"}${ending}`;
}
