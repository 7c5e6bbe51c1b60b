/** Columns that tell the target: which are shown, and which are not. */
import { describe, expect, test } from "vitest";
import { inspectTable, tableFrom } from "../../../../src/data/index.js";
import { targetCopies } from "../../../../src/data/inspect/signs/target-copies.js";

const rows = Array.from({ length: 60 }, (_, i) => i);
/** Spread without order. */
const y = rows.map((i) => ((i * 37) % 61) / 7);
const label = rows.map((i) => (i % 3 === 0 ? "ill" : "well"));

const tells = (target: readonly unknown[], column: readonly unknown[]) =>
  targetCopies(tableFrom({ column: [...column], target: [...target] }), ["column"], "target")
    .length > 0;

describe("tells the target", () => {
  test.each([
    ["a copy", y, y],
    ["another unit, falling", y, y.map((value) => 40 - 24 * value)],
    ["rounded", y, y.map((value) => Math.round(10 * value) / 10)],
    [
      "as text, as files with gaps are read",
      y,
      y.map((value, i) => (i > 2 ? value.toFixed(2) : "")),
    ],
    ["a copy with gaps", y, y.map((value, i) => (i % 5 === 0 ? NaN : value))],
    ["other words", label, label.map((word) => (word === "ill" ? "krank" : "gesund"))],
    ["numbers for words", label, label.map((word) => (word === "ill" ? 1 : 2))],
    ["a code of its own for each grade", rows.map((i) => i % 4), rows.map((i) => "DBCA"[i % 4])],
  ])("%s", (_what, target, column) => {
    expect(tells(target, column)).toBe(true);
  });
});

describe("does not", () => {
  test.each([
    ["numbers of cases", y, rows],
    ["numbers whose squares overflow", y, rows.map((i) => ((i * 17) % 61) * 1e300)],
    ["nor does a target of such", y.map((value) => value * 1e200), rows.map((i) => i % 7)],
    ["names of cases", y, rows.map((i) => `case-${i}`)],
    ["a good feature", y, y.map((value, i) => value + (i % 2))],
    ["nearly other words", label, label.map((word, i) => (i === 30 ? "well" : word))],
    ["finer words", label, label.map((word, i) => word + (i % 2))],
    ["a constant", y, rows.map(() => 1)],
    ["nothing", y, rows.map(() => NaN)],
    ["few rows", [1, 2, 3, 1], [1, 2, 3, 1]],
  ])("%s", (_what, target, column) => {
    expect(tells(target, column)).toBe(false);
  });
});

test("is reported of features only", () => {
  const table = tableFrom({ site: rows.map((i) => `s${i % 6}`), y, copy: y, left: y });
  const report = (features: readonly string[]) =>
    inspectTable(table, { task: "site", target: "y", features })
      .columns.filter((column) => column.tellsTarget)
      .map(({ name }) => name);
  expect(report(["copy", "left"])).toEqual(["copy", "left"]);
  expect(report(["copy"])).toEqual(["copy"]);
});
