// What a visitor downloads, compressed: before solving, and with the networks that a photograph needs.
//
//     node web/tests/sizes.mjs

import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** The most bytes before solving. */
const LIMIT = 1.2e6;

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

function sum(files) {
  const contents = files.map((path) => readFileSync(path));
  const total = (compress) => contents.reduce((bytes, content) => bytes + compress(content).length, 0);
  return { plain: total((content) => content), gzip: total((content) => gzipSync(content, { level: 9 })), brotli: total((content) => brotliCompressSync(content)) };
}

const files = filesBelow(dist);
const isNetwork = (path) => relative(dist, path).startsWith("networks");
const before = sum(files.filter((path) => !isNetwork(path)));
const photograph = sum(files.filter((path) => /matching.networks\.bin$|upright.network\.bin$/.test(path)));
const show = (what, { plain, gzip, brotli }) => console.log(`${what}: ${plain} bytes, gzip ${gzip}, brotli ${brotli}`);
show("before solving", before);
show("networks for a photograph, loaded while solving", photograph);
show("all networks, kept for offline use", sum(files.filter(isNetwork)));
if (before.plain === 0) {
  console.error("there is no page: cargo xtask web");
  process.exit(1);
}
if (before.gzip > LIMIT) {
  console.error(`more than the ${LIMIT} bytes before solving`);
  process.exit(1);
}
