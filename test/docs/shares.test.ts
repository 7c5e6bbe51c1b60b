/** What README says that a budget buys is what the results say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";

const read = (name: string) => readFileSync(join(root, name), "utf8");

/** Percentages of a table's row that begins so. */
function percentages(text: string, start: string): number[] {
  const row = text.split("\n").find((line) => line.startsWith(`| ${start}`));
  return [...(row ?? "").matchAll(/(-?\d+) %/g)].map(([, value]) => Number(value));
}

/** Of a section: shares of its tables by name, and the medians. */
function sharesIn(heading: string) {
  const results = read("docs/RESULTS-MIXED.md");
  const from = results.indexOf(`\n## ${heading}\n`);
  expect(from, heading).toBeGreaterThan(0);
  const section = results.slice(from, results.indexOf("\n## ", from + 5));
  const rows = section.split("\n").filter((line) => /^\| .*%/.test(line));
  const cells = rows.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const shares = cells.map((row) => ({
    name: row[0]!.replaceAll("`", ""),
    owners: Number(row.at(-6)),
    values: row.slice(-4).map((cell) => parseInt(cell, 10)),
  }));
  return {
    tables: shares.filter(({ name }) => name !== "median"),
    median: shares.find(({ name }) => name === "median")!.values,
  };
}

const median = (list: readonly number[]) => {
  const sorted = [...list].sort((a, b) => a - b);
  return (
    (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2
  );
};
const medians = (tables: readonly { values: readonly number[] }[]) =>
  [0, 1, 2, 3].map((at) => median(tables.map(({ values }) => values[at]!)));

test("the medians of the results are those of their tables", () => {
  for (const heading of [
    "On five real tables",
    "Tables that constants were not settled on",
    "Tables that were looked at last",
    "Tables that were taken after that",
  ]) {
    const { tables, median: stated } = sharesIn(heading);
    medians(tables).forEach((value, k) =>
      expect(Math.abs(value - stated[k]!), `${heading}, column ${k + 1}`).toBeLessThanOrEqual(1),
    );
  }
});

test("README has the same", () => {
  const readme = read("README.md");
  const others = sharesIn("Tables that constants were not settled on").median;
  expect(percentages(readme, "eighteen others")).toEqual(others.slice(0, 3));
  const last = sharesIn("Tables that were taken after that").median;
  expect(percentages(readme, "eighteen taken after these")).toEqual(last.slice(0, 3));
  const { tables } = sharesIn("Tables that were looked at last");
  const [many, few] = [tables.filter((t) => t.owners > 90), tables.filter((t) => t.owners <= 50)];
  for (const [start, some] of [
    ["ten looked at last", many],
    ["six looked at last", few],
  ] as const) {
    percentages(readme, start).forEach((value, k) =>
      expect(Math.abs(value - medians(some)[k]!), start).toBeLessThanOrEqual(1),
    );
    expect(percentages(readme, start)).toHaveLength(3);
  }
  expect([many.length, few.length]).toEqual([10, 6]);
});
