// Files that are dropped, pasted or chosen, as a list of `{name, blob}`. Names of files in folders have slashes.

/** Listens for everything that brings files; `take(files)` gets them, `refuse(error)` what went wrong. */
export function addIntake({ take, refuse, setHover }) {
  const entered = { depth: 0 };
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    entered.depth++;
    setHover(true);
  });
  addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener("dragleave", () => {
    entered.depth = Math.max(0, entered.depth - 1);
    if (entered.depth === 0) setHover(false);
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    entered.depth = 0;
    setHover(false);
    // Must be asked for before anything is awaited.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const plain = [...event.dataTransfer.files];
    filesOf(entries, plain).then(take, refuse);
  });
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    take(files.map((file, index) => ({ name: file.name || `pasted-${index + 1}.png`, blob: file })));
  });
}

/** The files of an input element; those of a folder keep its name. */
export function chosenFiles(input) {
  const files = [...input.files].map((file) => ({ name: file.webkitRelativePath || file.name, blob: file }));
  input.value = "";
  return files;
}

async function filesOf(entries, plain) {
  if (entries.length === 0) return plain.map((file) => ({ name: file.name, blob: file }));
  const files = [];
  for (const entry of entries) await collect(entry, "", files);
  return files;
}

async function collect(entry, folder, files) {
  const name = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => {
      entry.file(resolve, () => reject(new Error(`${name}: cannot be read; check the file and its permissions`)));
    });
    files.push({ name, blob: file });
    return;
  }
  const reader = entry.createReader();
  // A reader returns a part of a folder at a time, and nothing at its end.
  for (;;) {
    const part = await new Promise((resolve, reject) => {
      reader.readEntries(resolve, () => reject(new Error(`${name}: cannot be read; check the folder and its permissions`)));
    });
    if (part.length === 0) return;
    for (const child of part) await collect(child, `${name}/`, files);
  }
}

/** The most bytes of all files together. */
export const MAX_BYTES = 1e9;

/** Splits files into those of a puzzle and a solution of it, if there is one. */
export async function sorted(files) {
  const pieces = [];
  let solution = null;
  for (const file of files) {
    const isSolution = /\.json$/i.test(file.name) && (await isSolutionFile(file.blob));
    if (isSolution) solution = file;
    else pieces.push(file);
  }
  return { pieces, solution };
}

/** Whether a JSON file says in its first lines that it is a solution. */
async function isSolutionFile(blob) {
  const head = await blob.slice(0, 4096).text();
  return /"format"\s*:\s*"fretsaw-solution\//.test(head);
}

/** The name of an input: of its file or folder, or the first of several and how many more. */
export function inputName(files) {
  const folders = new Set(files.map(({ name }) => (name.includes("/") ? name.split("/")[0] : "")));
  const [folder] = folders;
  if (folders.size === 1 && folder) return folder;
  return files.length === 1 ? files[0].name : `${files[0].name} and ${files.length - 1} more`;
}
