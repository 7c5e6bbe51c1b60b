/**
 * The licences of packages that are bundled into ours.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const installed = fileURLToPath(new URL("../../node_modules/", import.meta.url));

/** The comment at the head of a package's main file, where the licence of some stands. */
const headOf = (path) => /^\/\*([\s\S]*?)\*\//.exec(readFileSync(path, "utf8"))[1].trim();

/** Name, version and licence text of an installed package. */
function licenceOf(name) {
  const folder = join(installed, name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "license"].find((f) => existsSync(join(folder, f)));
  const text = file
    ? readFileSync(join(folder, file), "utf8").trim()
    : headOf(join(folder, `${name}.js`));
  return `${name} ${version}\n\n${text}\n`;
}

/** Writes the licences of all packages that esbuild's metafile names among the inputs. */
export function writeLicences({ inputs }, path) {
  const packages = new Set(
    Object.keys(inputs).flatMap(
      (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
    ),
  );
  writeFileSync(
    path,
    [...packages]
      .sort()
      .map(licenceOf)
      .join(`\n${"-".repeat(72)}\n\n`),
  );
}
