/** The documentation site's navigation: every document and entry point is in it, by its title, in the order of reading. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { manifest, root } from "../package/packed.js";

const { entryPoints, projectDocuments, sortEntryPoints } = JSON.parse(
  readFileSync(join(root, "typedoc.json"), "utf8"),
) as { entryPoints: string[]; projectDocuments: string[]; sortEntryPoints: boolean };
const { headingOf, entryPointOf, siteLinks } = (await import(
  /* @vite-ignore */ join(root, "scripts/typedoc-titles.mjs")
)) as {
  headingOf(page: string): string;
  entryPointOf(source: string): string | undefined;
  siteLinks(html: string, url: string): string;
};

test("every page of docs/ is listed, and has one title that is nobody else's", () => {
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);
  expect([...projectDocuments].sort()).toEqual(
    [...pages.map((name) => `docs/${name}`), ...examples].sort(),
  );
  const titles = projectDocuments.map((page) => headingOf(readFileSync(join(root, page), "utf8")));
  expect(new Set(titles).size).toBe(titles.length);
  expect(() => headingOf("## No title\n")).toThrow("expected a page to have a heading");
});

test("every entry point is listed by the name under which it is imported", () => {
  const names = entryPoints.map(entryPointOf);
  const typed = Object.keys(manifest.exports)
    .map((path) => join("mp-mtl", path))
    .filter((name) => !name.endsWith(".json") && !name.endsWith(".wasm"));
  expect(sortEntryPoints).toBe(false);
  expect([...names].sort()).toEqual(typed.sort());
  expect(names[0]).toBe("mp-mtl");
  expect(entryPointOf("src/core/index.ts")).toBeUndefined();
});

test("links to the playground hold wherever a page lies", () => {
  const link = '<a href="site:playground/index.html">';
  expect(siteLinks(link, "index.html")).toBe('<a href="playground/index.html">');
  expect(siteLinks(link, "documents/Guide.html")).toBe('<a href="../playground/index.html">');
});
