/**
 * src/ as the JavaScript that is published, dist/: the entry points of package.json, the program and the scripts
 * of threads, with what they share in chunks. A file costs a start in Node about half a millisecond, whatever is
 * in it, and there are 400 modules.
 *
 * No entry point loads a module that it does not import: a chunk is what the same entry points need.
 */
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { writeLicences } from "./bundling/licences.mjs";
import { pureInitialisers } from "./bundling/pure-initialisers.mjs";
import { seedrandomAsModule } from "./bundling/seedrandom.mjs";
import { zstddecWithoutRequest } from "./bundling/zstddec.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "src");
const dist = join(root, "dist");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Scripts of threads, which the modules name by `new URL("./….js", import.meta.url)`. */
const threads = [
  "node/threads/fit-worker.js",
  "node/threads/task-worker.js",
  "node/tables/parquet-worker.js",
  "cli/evaluation/cells/worker.js",
];
const targets = [manifest.exports, manifest.imports, manifest.bin]
  .flatMap((map) => Object.values(map))
  .flatMap((target) => (typeof target === "string" ? target : Object.values(target)))
  .map((target) => target.replace(/^(\.\/)?dist\//, ""))
  // The one file for pages is made by bundle-browser.mjs.
  .filter((path) => path.endsWith(".js") && path !== "mp-mtl.browser.js");

/** Names the scripts of threads by their place in dist/, since a chunk lies elsewhere than its modules. */
function nameThreads(text, path) {
  const outsideComments = /^(?!\s*\*)(.*)new URL\("(\.[^"]+)", import\.meta\.url\)/gm;
  return text.replace(outsideComments, (_, before, relativePath) => {
    const script = relative(sources, join(dirname(path), relativePath)).replaceAll(sep, "/");
    if (!threads.includes(script)) throw new Error(`${path}: ${script} is not one of the threads`);
    return `${before}new URL("dist:${script}", import.meta.url)`;
  });
}

/** Puts the place of each thread's script relative to the file that names it. */
const placeThreads = (text, folder) =>
  text.replace(/"dist:([^"]+)"/g, (_, script) => {
    const path = relative(folder, join(dist, script)).replaceAll(sep, "/");
    return JSON.stringify(path.startsWith(".") ? path : `./${path}`);
  });

/** esbuild calls a class that refers to itself _Name inside, and so would everything that shows it. */
const keepClassNames = (text) =>
  [...text.matchAll(/^var (\w+) = class _\1\b/gm)].reduce(
    (done, [, name]) => done.replace(new RegExp(`\\b_${name}\\b`, "g"), name),
    text,
  );

const licences = "mp-mtl.licenses.txt";
const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: [...targets, ...threads].map((path) => join(sources, path.replace(/js$/, "ts"))),
  outbase: sources,
  outdir: dist,
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[hash]",
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "es2022",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  external: [
    ...Object.keys(manifest.peerDependencies),
    ...Object.keys(manifest.imports),
    "node:*",
    "*.wasm",
  ],
  plugins: [
    seedrandomAsModule(licences),
    zstddecWithoutRequest,
    pureInitialisers(sources, nameThreads),
  ],
  legalComments: "inline",
  write: false,
  metafile: true,
  logLevel: "warning",
});
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, keepClassNames(placeThreads(text, dirname(path))));
}
writeLicences(metafile, join(dist, licences));
