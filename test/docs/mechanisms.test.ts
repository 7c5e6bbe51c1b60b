/**
 * docs/MECHANISMS.md and docs/mechanisms.json are what the code says (`npm run mechanisms` writes them), and complete.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { describe, expect, test } from "vitest";
import { createMechanism, MECHANISM_NAMES } from "../../src/privacy/index.js";
import { mechanismNamed } from "../../src/privacy/mechanisms/catalogue.js";
import { mechanismsPage } from "../../scripts/mechanisms/page.mjs";
import { mechanismTable, statementOf } from "../../scripts/mechanisms/table.mjs";

const file = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(file(path), "utf8");
const table = mechanismTable(createMechanism as (options: object) => object, read);

describe("the table of mechanisms", () => {
  test.each([
    ["docs/MECHANISMS.md", "markdown", () => mechanismsPage(table)],
    ["docs/mechanisms.json", "json", () => JSON.stringify(table)],
  ] as const)("%s is up to date (npm run mechanisms)", async (path, parser, text) => {
    const style = await resolveConfig(file(path));
    expect(read(path)).toBe(await format(text(), { ...style, parser }));
  });

  test("has every mechanism in every form that there is", () => {
    for (const name of MECHANISM_NAMES) {
      const forms = table.mechanisms.filter((row) => row.mechanism === name).map((row) => row.form);
      expect(new Set(forms), name).toEqual(
        new Set(mechanismNamed(name).makeExact ? ["exact", "float"] : ["float"]),
      );
    }
  });

  test("has every file that makes a mechanism, and each opens with its proof", () => {
    const proofs = new Set(table.mechanisms.flatMap((row) => row.proof));
    for (const folder of ["src/privacy/mechanisms", "src/privacy/mechanisms/exact"]) {
      for (const name of readdirSync(file(folder))) {
        const path = `${folder}/${name}`;
        if (!name.endsWith(".ts") || !/^export function \w+Mechanism\(/m.test(read(path))) continue;
        if (["catalogue.ts", "create.ts", "unit.ts"].includes(name)) continue;
        expect(proofs, path).toContain(path);
        expect(read(path), path).toMatch(/\*\*Statement[\s\S]*\*\*Proof\.\*\*[\s\S]*QED/);
      }
    }
  });

  test("says of floating-point noise that it is proven for real numbers only", () => {
    for (const { form, exact, sound, why } of table.mechanisms) {
      expect(exact).toBe(form === "exact");
      if (sound) expect(why.includes("proven for real numbers only")).toBe(form === "float");
    }
  });

  test("names tests that name the mechanism, and an audit that plays it", () => {
    for (const { mechanism, tests, audit } of table.mechanisms) {
      expect(tests.every((path) => existsSync(file(path)))).toBe(true);
      const [first] = tests;
      expect(read(first!), first).toContain(mechanism);
      expect(read(audit.test)).toMatch(/MECHANISM_NAMES/);
    }
  });

  test("a file without statement or proof is refused", () => {
    expect(() => statementOf("/**\n * Noise.\n */\n", undefined, "x.ts")).toThrow(
      "x.ts: expected it to open with a statement and its proof",
    );
    expect(() => statementOf("/**\n * **Statement.** It is.\n */\n", undefined, "x.ts")).toThrow(
      "and its proof",
    );
  });
});
