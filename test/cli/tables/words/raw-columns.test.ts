import { expect, test } from "vitest";
import {
  columnsFarFromUnit,
  rawColumnsRemark,
} from "../../../../src/cli/tables/words/raw-columns.js";
import { warningsBefore } from "../../../../src/cli/fitted/remarks.js";
import { Table, TaskSet, tasksFromTable, type FeatureKind } from "../../../../src/data/index.js";
import { makeEstimator } from "../../../../src/learning/index.js";

const numbers = (...values: number[]) => Float64Array.from(values);

/** Two tasks; a year, an amount of unit size, a category, and what is said of the year. */
function tasks(year: FeatureKind = { kind: "number" }, target = numbers(1, 2, 0, 1)) {
  const table = new Table([
    { name: "site", values: ["a", "a", "b", "b"] },
    { name: "year", values: numbers(1984, 1985, 1984, 1986) },
    { name: "amount", values: numbers(0.5, -9, 9, 3) },
    { name: "ward", values: ["x", "y", "x", "y"] },
    { name: "y", values: target },
  ]);
  return tasksFromTable(table, {
    task: "site",
    target: "y",
    features: ["year", "amount", "ward"],
    kinds: { year, ward: { kind: "category", levels: ["x", "y"] } },
  }).tasks;
}

test("columns far from unit size of which nothing is declared, and such a target", () => {
  expect(columnsFarFromUnit(tasks())).toEqual(["year"]);
  expect(columnsFarFromUnit(tasks(undefined, numbers(200, 250, 300, 0)))).toEqual(["year", "y"]);
  expect(columnsFarFromUnit(tasks({ kind: "number", range: [1980, 1990] }))).toEqual([]);
});

test("of sparse rows, too", () => {
  const x = { indptr: [0, 2, 3], indices: [0, 1, 1], values: [900, 1, -1], shape: [2, 2] } as const;
  const set = TaskSet.from([{ name: "a", x, y: [0, 1] }]);
  expect(columnsFarFromUnit(set)).toEqual([set.featureNames[0]]);
});

test("a fit that takes them as they are is warned of before anything is spent; one that learns sizes is not", () => {
  const said = (method: string) =>
    warningsBefore(makeEstimator(method, { epsilon: 1, delta: 1e-3 }), tasks()).filter((warning) =>
      warning.includes('"year"'),
    );
  expect(said("private-fedavg")).toEqual([
    expect.stringMatching(/^private-fedavg: .*nothing is declared of "year".*--ranges FILE/),
  ]);
  expect(said("mp-mixed")).toEqual([]);
});

test("who says that columns are of unit size hears of those that are not", () => {
  const said = (options: object, of = tasks()) =>
    warningsBefore(makeEstimator("mp-mixed", { epsilon: 1, delta: 1e-3, ...options }), of).filter(
      (warning) => warning.startsWith("--scale unit"),
    );
  const declared = tasks({ kind: "number", range: [1980, 1990] });
  for (const unit of ["task", "record"]) {
    expect(said({ scale: "unit", unit })).toEqual([
      expect.stringMatching(/and "year" is far larger.*--ranges FILE.*: for the curator only$/),
    ]);
    expect(said({ scale: "unit", unit }, declared)).toEqual([]);
  }
  expect(said({ scale: "auto" })).toEqual([]);
});

test("of several methods those are named that it concerns", () => {
  const [remark] = rawColumnsRemark(
    ["auto", "mp-mixed", "single-task", "pmtl", "private-fedavg"],
    ["year"],
  );
  expect(remark).toMatch(/^pmtl, private-fedavg: .* is not charged: for the curator only$/);
  expect(rawColumnsRemark(["auto", "mixed-model"], ["year"])).toEqual([]);
  expect(rawColumnsRemark(["pmtl"], [])).toEqual([]);
});
