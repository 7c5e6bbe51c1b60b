/**
 * dist/browser.js with all it imports as one minified file, dist/mp-mtl.browser.js, and the licences
 * of the packages in it. The types stay those of the unbundled entry.
 */
import { build } from "esbuild";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const licences = "mp-mtl.browser.licenses.txt";
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(dist, "browser.js")],
  outfile: join(dist, "mp-mtl.browser.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  metafile: true,
  logLevel: "warning",
  banner: { js: `/*! mp-mtl ${version}, MIT; the packages in it: ${licences} */` },
});
rmSync(join(dist, "browser.js"));

const packages = new Set(
  Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  ),
);

/** Name, version and licence text of an installed package; the name of the licence where it has no text. */
function licenceOf(name) {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "license"].find((f) => existsSync(join(folder, f)));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}
writeFileSync(
  join(dist, licences),
  [...packages]
    .sort()
    .map(licenceOf)
    .join(`\n${"-".repeat(72)}\n\n`),
);
