/**
 * src/browser.ts with all it imports as one minified file, dist/mp-mtl.browser.js, and the licences
 * of the packages in it. The types are those of the unbundled entry.
 */
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeLicences } from "./bundling/licences.mjs";
import { seedrandomAsModule } from "./bundling/seedrandom.mjs";
import { zstddecWithoutRequest } from "./bundling/zstddec.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const licences = "mp-mtl.browser.licenses.txt";
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(root, "src/browser.ts")],
  outfile: join(dist, "mp-mtl.browser.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  alias: { "#kernels": join(root, "src/core/builds/packed-bytes.ts") },
  plugins: [seedrandomAsModule(licences), zstddecWithoutRequest],
  metafile: true,
  logLevel: "warning",
  banner: { js: `/*! mp-mtl ${version}, MIT; the packages in it: ${licences} */` },
});
writeLicences(metafile, join(dist, licences));
