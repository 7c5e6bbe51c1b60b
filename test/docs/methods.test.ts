/** The tables of docs/METHODS.md and its pages by family are those that the declarations make. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { inCodeOnly } from "../../src/learning/options/kinds.js";
import { defaultText, flagOf } from "../../src/learning/options/option.js";
import { root } from "../package/packed.js";
import { thorough } from "../thorough.js";

test("methods and options are as the code declares them (node scripts/method-tables.mjs)", async () => {
  const script = join(root, "scripts/method-tables.mjs");
  const { withTables, PAGES } = (await import(/* @vite-ignore */ script)) as {
    PAGES: readonly string[];
    withTables(pages: readonly string[], parts: object): Promise<string[]>;
  };
  const pages = PAGES.map((page) => readFileSync(join(root, page), "utf8"));
  const parts = { ALL_METHODS, flagOf, defaultText, inCodeOnly };
  expect(await withTables(pages, parts)).toEqual(pages);
  // Pages take long to format.
  if (!thorough) return;
  const without = pages.map((page) => page.replace("<!-- options of single-task -->", ""));
  await expect(withTables(without, parts)).rejects.toThrow("no table for single-task");
});

test("every method has a section with its objective, algorithm and advice", () => {
  const page = readdirSync(join(root, "docs"))
    .filter((name) => name.startsWith("METHODS"))
    .map((name) => readFileSync(join(root, "docs", name), "utf8"))
    .join("\n## \n");
  for (const { name } of ALL_METHODS) {
    const [, section] = page.split(`### \`${name}\`\n`);
    expect(section, name).toBeDefined();
    const own = section!.split(/^#{2,3} /m)[0]!;
    expect(own, name).toMatch(/\*\*Objective\.\*\*[\s\S]*\*\*Algorithm\.\*\*/);
    expect(section!.split(/^## /m)[0], name).toContain("**Advice.**");
  }
});
