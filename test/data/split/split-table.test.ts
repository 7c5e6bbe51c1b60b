import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitTable, Table, tasksFromTable, type TableSplit } from "../../../src/data/index.js";

function tableOf(sizes: readonly number[]): Table {
  const school: string[] = [];
  sizes.forEach((size, i) => school.push(...Array.from({ length: size }, () => `s${i}`)));
  const rows = school.length;
  return new Table([
    { name: "school", values: school },
    { name: "score", values: Float64Array.from({ length: rows }, (_, row) => row) },
    { name: "when", values: Float64Array.from({ length: rows }, (_, row) => (row * 7) % 11) },
  ]);
}

const split = { task: "school", testFraction: 0.4, by: "rows", seed: "x" } as const;
const schema = { task: "school", target: "score" };
const scores = (table: Table) => [...table.numbers("score")];

describe("splitTable", () => {
  test("within tasks: the rows that TaskSet.split takes for the same seed", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.string({ minLength: 1 }), (n, seed) => {
        fc.pre(n.some((size) => size > 1));
        const table = tableOf(n);
        const { train, test: held } = splitTable(table, { ...split, seed });
        const sets = tasksFromTable(table, schema).tasks.split({ trainFraction: 0.6, seed });
        expect(scores(train)).toEqual([...sets.train.y]);
        expect(scores(held)).toEqual([...sets.test.y]);
      }),
    );
  });

  test("by whole tasks: no task on both sides, no row lost", () => {
    const table = tableOf([2, 3, 4, 1, 5]);
    const { train, test: held } = splitTable(table, { ...split, by: "tasks" });
    const [a, b] = [train, held].map((part) => new Set(part.texts("school")));
    expect([a!.size, b!.size]).toEqual([3, 2]);
    expect([...a!].some((name) => b!.has(name))).toBe(false);
    expect(train.rows + held.rows).toBe(15);
  });

  test("by time: nothing of a task is tested on before something it was trained on", () => {
    const { train, test: held } = splitTable(tableOf([5, 8, 1]), {
      ...split,
      by: "time",
      time: "when",
    });
    expect([train.rows, held.rows]).toEqual([3 + 5 + 1, 2 + 3]);
    for (const name of ["s0", "s1"]) {
      const of = (table: Table) =>
        [...table.numbers("when")].filter((_, row) => table.texts("school")[row] === name);
      expect(Math.max(...of(train))).toBeLessThanOrEqual(Math.min(...of(held)));
    }
  });

  test("blank rows are on neither side, and change nothing for the others", () => {
    const dated = (more: readonly string[]) => {
      const whens = ["2024-03-01", "2024-01-01", "2024-02-01", "2024-01-02", ...more];
      return new Table([
        { name: "school", values: whens.map((when, row) => (when === "" ? "" : `s${row % 2}`)) },
        { name: "when", values: whens },
      ]);
    };
    for (const by of ["rows", "tasks", "time"] as const) {
      const parts = [[], ["", ""]].map((more) => {
        const asked = { task: "school", testFraction: 0.5, by, seed: "x" };
        const time = by === "time" ? { time: "when" } : {};
        const { train, test: held } = splitTable(dated(more), { ...asked, ...time });
        return [train.texts("when"), held.texts("when")];
      });
      expect(parts[1]).toEqual(parts[0]);
    }
  });

  test("dates are times; other texts are not, and are not shown", () => {
    const dated = (when: string[]) =>
      new Table([
        { name: "school", values: when.map(() => "a") },
        { name: "when", values: when },
      ]);
    const by = { ...split, by: "time", time: "when" } as const;
    const { test: held } = splitTable(dated(["2024-03-01", "2023-12-31", "2024-01-05"]), by);
    expect(held.texts("when")).toEqual(["2024-03-01"]);
    const refused: [string[], Partial<TableSplit>, string][] = [
      [["3 March", "2024-01-01"], {}, 'row 0, column "when": expected a number or a date'],
      [["2024-01-01", ""], {}, 'row 1, column "when": the time is missing'],
      [["2024-01-01", "2024-01-02"], { time: undefined }, "--time"],
      [["2024-01-01"], {}, "table: the split leaves no test rows: every task has one row"],
      [["2024-01-01"], { by: "tasks" }, "leaves no test rows: there is one task only."],
      [["2024-01-01"], { testFraction: 1 }, "testFraction: expected 0 < testFraction < 1, got 1"],
      [["2024-01-01"], { by: "random" as never }, "by: expected one of rows, tasks, time"],
    ];
    for (const [when, more, message] of refused) {
      expect(() => splitTable(dated(when), { ...by, ...more })).toThrow(message);
    }
  });
});
