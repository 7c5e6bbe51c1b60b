/**
 * Other JavaScript libraries with dense linear algebra, and whether their answers are right.
 *
 * They are installed into this folder on demand, so that the project's own installation stays lean.
 * Left out after a look: `mathjs`, `vectorious` and `ndarray` packages (slower than `ml-matrix` or
 * single precision), TensorFlow.js (single precision).
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./", import.meta.url));
const NAMES = ["ml-matrix", "numpy-ts", "stdlib", "eigen", "emlapack", "webr"];
/** Built by whoever runs the bench; left out, saying so, where the environment names no module. */
const BUILT = ["openblas"];

/**
 * The rivals that could be installed and loaded.
 * @param names default all.
 */
export async function openRivals(names = [...NAMES, ...BUILT]) {
  const installed = names.every((name) => BUILT.includes(name));
  if (!installed && !existsSync(`${folder}node_modules/.package-lock.json`)) {
    console.error("Installing the other libraries (first run only, about 200 MB)...");
    const shell = process.platform === "win32"; // npm is a .cmd file there
    spawnSync("npm", ["install", "--no-save", "--loglevel=error"], {
      cwd: folder,
      stdio: ["ignore", 2, 2],
      shell,
    });
  }
  const rivals = [];
  for (const name of names) {
    try {
      rivals.push(await import(`./${name}.js`));
    } catch (error) {
      console.error(`(${name} is left out: ${error.message.split("\n")[0]})`);
    }
  }
  return rivals;
}

/**
 * Largest difference between two lists of values, relative to the largest value. Decompositions
 * order their values differently, so those are sorted.
 */
export function difference(kernel, expected, found) {
  const sorted = kernel === "eigh" || kernel.startsWith("svd");
  const [x, y] = [expected, found].map((list) =>
    sorted ? Float64Array.from(list).sort() : Float64Array.from(list),
  );
  if (x.length !== y.length) return Infinity;
  const top = x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return x.reduce((most, value, i) => Math.max(most, Math.abs(value - y[i])), 0) / top;
}
