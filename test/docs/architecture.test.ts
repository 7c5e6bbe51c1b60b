/** Paths that documents name in the project are there: who looks for a change's place finds it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";

const FOLDERS = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => !["node_modules", "build", "dist", "coverage", ".git"].includes(name));

/** What commands write and the project does not keep. */
const WRITTEN = ["bench/paper/results/"];

/** Paths between backticks that begin with a folder of the project and hold no placeholder. */
function pathsIn(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/`([\w.@-]+\/[^`\s]*)`/g)]
    .map(([, path]) => path!)
    .filter((path) => FOLDERS.includes(path.split("/")[0]!))
    .filter((path) => !/[*<>…]|NAME/.test(path));
}

test.each([
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
])("every path that %s names exists", (page) => {
  const missing = pathsIn(page).filter(
    (path) => !WRITTEN.includes(path) && !existsSync(join(root, path)),
  );
  expect(missing).toEqual([]);
});

test("ARCHITECTURE.md, or the drawing in it, names every folder of src/", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const drawing = readFileSync(join(root, "docs/figures/folders.svg"), "utf8");
  const folders = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const unnamed = folders.filter(
    (name) => !text.includes(`src/${name}/`) && !drawing.includes(`>${name}/<`),
  );
  expect(unnamed).toEqual([]);
  expect(pathsIn("ARCHITECTURE.md").length).toBeGreaterThan(25);
});

test.each(["data", "cli"])("the drawing of them names every folder of src/%s/", (layer) => {
  const drawing = readFileSync(join(root, "docs/figures/folders-data-cli.svg"), "utf8");
  const folders = readdirSync(join(root, "src", layer), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((name) => !drawing.includes(`>${name}/<`))).toEqual([]);
});

test("every source that ARCHITECTURE.md names by the end of its path is there", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const sources = ["src", "assembly", "test", "page", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      join(folder, path).replaceAll("\\", "/"),
    ),
  );
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter((path) => !sources.some((one) => `/${one}`.endsWith(`/${path}`)));
  // NAME.ts stands for any.
  expect(missing.filter((path) => !path.includes("NAME"))).toEqual([]);
});
