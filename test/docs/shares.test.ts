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

interface Table {
  readonly name: string;
  readonly owners: number;
  readonly shares: readonly number[];
}
interface Section {
  readonly tables: readonly Table[];
  readonly medians: readonly number[];
}
const script = join(root, "scripts/figures/shares.mjs");
const { sharesIn: sharesOf } = (await import(/* @vite-ignore */ script)) as {
  sharesIn(results: string, heading: string): Section;
};
const sharesIn = (heading: string) => sharesOf(read("docs/RESULTS-MIXED.md"), heading);

const median = (list: readonly number[]) => {
  const sorted = [...list].sort((a, b) => a - b);
  return (
    (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2
  );
};
const mediansOf = (tables: readonly Table[]) =>
  [0, 1, 2, 3].map((at) => median(tables.map(({ shares }) => shares[at]!)));

test("the medians of the results are those of their tables", () => {
  for (const heading of [
    "On five real tables",
    "Tables that constants were not settled on",
    "Tables that were looked at last",
    "Tables that were taken after that",
  ]) {
    const { tables, medians: stated } = sharesIn(heading);
    mediansOf(tables).forEach((value, k) =>
      expect(Math.abs(value - stated[k]!), `${heading}, column ${k + 1}`).toBeLessThanOrEqual(1),
    );
  }
});

test("so are the medians by number of owners", async () => {
  const module = join(root, "scripts/figures/owners.mjs");
  const { mediansByOwners } = (await import(/* @vite-ignore */ module)) as {
    mediansByOwners(results: string): { name: string; count: number; medians: number[] }[];
  };
  const results = read("docs/RESULTS-MIXED.md");
  for (const { name, count, medians } of mediansByOwners(results)) {
    const stated = percentages(results, name);
    expect(stated, name).toHaveLength(4);
    medians.forEach((value, k) => expect(Math.abs(value - stated[k]!), name).toBeLessThan(1));
    expect(results).toMatch(new RegExp(`\\| ${name} +\\| ${count} `));
  }
  const said =
    /Over (\d+) real tables whose columns have declared ranges the median at epsilon 1 is (\d+) % with 60 owners or fewer, (\d+) % with up to 150, and (\d+) % with more/;
  const [, all, ...atOne] = said.exec(read("README.md").replace(/\s+/g, " "))!;
  const groups = mediansByOwners(results);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(Number(all));
  groups.forEach(({ medians }, k) =>
    expect(Math.abs(medians[1]! - Number(atOne[k]))).toBeLessThan(1),
  );
});

test("README has the same", () => {
  const readme = read("README.md");
  const others = sharesIn("Tables that constants were not settled on").medians;
  expect(percentages(readme, "eighteen others")).toEqual(others.slice(0, 3));
  const last = sharesIn("Tables that were taken after that").medians;
  expect(percentages(readme, "eighteen taken after these")).toEqual(last.slice(0, 3));
  const { tables } = sharesIn("Tables that were looked at last");
  const [many, few] = [tables.filter((t) => t.owners > 90), tables.filter((t) => t.owners <= 50)];
  for (const [start, some] of [
    ["ten looked at last", many],
    ["six looked at last", few],
  ] as const) {
    percentages(readme, start).forEach((value, k) =>
      expect(Math.abs(value - mediansOf(some)[k]!), start).toBeLessThanOrEqual(1),
    );
    expect(percentages(readme, start)).toHaveLength(3);
  }
  expect([many.length, few.length]).toEqual([10, 6]);
});

test("the last line of a summary is drawn, whether something follows or not", async () => {
  const records = join(root, "scripts/figures/records.mjs");
  const { sharesByOwners } = (await import(/* @vite-ignore */ records)) as {
    sharesByOwners(results: string): readonly { readonly points: readonly object[] }[];
  };
  const results = read("docs/RESULTS-RECORDS.md");
  const begin = results.indexOf("\n## Summary\n");
  const end = results.indexOf("|\n\n", begin) + 1;
  const alone = sharesByOwners(results.slice(0, end));
  expect(alone[0]!.points.length).toBeGreaterThan(1);
  expect(alone).toEqual(sharesByOwners(results));
});
