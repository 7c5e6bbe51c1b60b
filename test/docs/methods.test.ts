/** The tables of docs/METHODS.md are those that the declarations make. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { METHODS } from "../../src/learning/methods.js";
import { defaultText, flagOf } from "../../src/learning/options/option.js";
import { root } from "../package/packed.js";

test("methods and options are as the code declares them (node scripts/method-tables.mjs)", async () => {
  const script = join(root, "scripts/method-tables.mjs");
  const { withTables } = (await import(/* @vite-ignore */ script)) as {
    withTables(page: string, parts: object): Promise<string>;
  };
  const page = readFileSync(join(root, "docs/METHODS.md"), "utf8");
  expect(await withTables(page, { ALL_METHODS, METHODS, flagOf, defaultText })).toBe(page);
});
