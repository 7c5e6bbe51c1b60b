/** The tables of docs/METHODS.md are those that the declarations make. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { inCodeOnly } from "../../src/learning/options/kinds.js";
import { defaultText, flagOf } from "../../src/learning/options/option.js";
import { root } from "../package/packed.js";

test("methods and options are as the code declares them (node scripts/method-tables.mjs)", async () => {
  const script = join(root, "scripts/method-tables.mjs");
  const { withTables } = (await import(/* @vite-ignore */ script)) as {
    withTables(page: string, parts: object): Promise<string>;
  };
  const page = readFileSync(join(root, "docs/METHODS.md"), "utf8");
  const words = { flagOf, defaultText, inCodeOnly };
  expect(await withTables(page, { ALL_METHODS, ...words })).toBe(page);
  await expect(
    withTables(page.replace("<!-- options of single-task -->", ""), { ALL_METHODS, ...words }),
  ).rejects.toThrow("no table for single-task");
});

test("every method has a section with its objective, algorithm and advice", () => {
  const page = readFileSync(join(root, "docs/METHODS.md"), "utf8");
  for (const { name } of ALL_METHODS) {
    const [, section] = page.split(`### \`${name}\`\n`);
    expect(section, name).toBeDefined();
    const own = section!.split(/^#{2,3} /m)[0]!;
    expect(own, name).toMatch(/\*\*Objective\.\*\*[\s\S]*\*\*Algorithm\.\*\*/);
    expect(section!.split(/^## /m)[0], name).toContain("**Advice.**");
  }
});
