/** How many held-out rows lie within intervals, and what chance does to such a part. */
import { describe, expect, test } from "vitest";

type Fit = ReadonlyMap<string, readonly number[]>;
interface Held {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
}
interface Part {
  readonly part: number;
  readonly error: number;
}
interface Within {
  rowsWithin: (model: unknown, test: readonly Held[]) => Fit;
  partWithin: (fits: readonly Fit[]) => Part;
  outside: (parts: readonly Part[]) => { found: number; chance: number };
}

const file = "../../bench/accuracy/tables/within.js";
const { outside, partWithin, rowsWithin } = (await import(file)) as Within;

describe("the part of rows within intervals", () => {
  test("counts the rows of each task, the ends of an interval with them", () => {
    const model = {
      predictInterval: (_: string, x: number[]) => ({
        lower: x.map((v) => v - 1),
        upper: x.map((v) => v + 1),
      }),
    };
    const held = [
      { name: "a", x: [0, 0, 0], y: [1, -1, 1.1] },
      { name: "b", x: [5], y: [3] },
    ];
    expect([...rowsWithin(model, held)]).toEqual([
      ["a", [2, 3]],
      ["b", [0, 1]],
    ]);
  });

  test("is of all fits' rows, and its error of tasks: a task in two splits is one", () => {
    const fit = new Map([
      ["a", [2, 2]],
      ["b", [0, 2]],
    ]);
    const { part, error } = partWithin([fit, fit]);
    expect(part).toBe(0.5);
    // Two tasks, each two rows off. Four of one row would give a quarter.
    expect(error).toBeCloseTo(Math.sqrt(8) / 8, 15);
  });

  test("chance alone takes one table in three out of reach whose error is a fiftieth", () => {
    const { found, chance } = outside([
      { part: 0.8, error: 0.02 },
      { part: 0.83, error: 0.02 },
      { part: 0.77, error: 0.01 },
    ]);
    expect(found).toBe(2);
    // 2 Phi(-1) twice, and 2 Phi(-2).
    expect(chance).toBeCloseTo(2 * 0.317310507863 + 0.045500263896, 10);
  });
});
