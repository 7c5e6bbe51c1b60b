/**
 * The part of a task's own model in what it keeps: by what its rows say, and `single-task`'s model.
 */
import { describe, expect, test } from "vitest";
import { makeEstimator } from "../../../../../src/learning/index.js";
import { partsAlone } from "../../../../../src/learning/families/prior/strength/alone.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { makeLabelled, makeTasks } from "../../../tasks.js";

const random = { mode: "seeded", seed: "s" } as const;

describe("parts", () => {
  const intercept = { loss: "squared", intercept: true } as const;
  const parts = (identity: number[], shared = [1, 1, 1, 1, 1]) => {
    const losses = { shared: Float64Array.from(shared), identity: Float64Array.from(identity) };
    return partsAlone(intercept, Uint32Array.of(0, identity.length), losses)[0]!;
  };

  test("are two thirds where both predict alike, and follow half of the rows' likelihood", () => {
    expect(parts([1, 1, 1, 1, 1])).toBeCloseTo(2 / 3, 12);
    // Four degrees of freedom, of which half count: errors half as large have twice the odds.
    expect(parts([0.5, 0.5, 0.5, 0.5, 0.5])).toBeCloseTo(4 / 5, 12);
    expect(parts([2, 2, 2, 2, 2])).toBeCloseTo(1 / 2, 12);
    expect(parts(new Array<number>(80).fill(1), new Array<number>(80).fill(2))).toBeGreaterThan(
      0.999,
    );
  });

  test("are less without an intercept, and of one row nothing", () => {
    const losses = { shared: Float64Array.of(1, 1, 9), identity: Float64Array.of(1, 1, 0) };
    const origin = { loss: "squared", intercept: false } as const;
    const found = partsAlone(origin, Uint32Array.of(0, 2, 3), losses);
    expect(found[0]).toBeCloseTo(1 / 21, 12);
    expect(found[1]).toBe(0);
  });

  test("follow sums of log-losses", () => {
    const losses = { shared: Float64Array.of(1, 1), identity: Float64Array.of(0.5, 0.5) };
    const found = partsAlone({ loss: "logistic", intercept: true }, Uint32Array.of(0, 2), losses);
    const odds = 2 * Math.exp(0.5);
    expect(found[0]).toBeCloseTo(odds / (1 + odds), 12);
  });

  test("are whole or nothing where one of the two is no number, or without error", () => {
    expect(parts([1, 1, 1, 1, 1], [Infinity, 1, 1, 1, 1])).toBe(1);
    expect(parts([Infinity, 1, 1, 1, 1])).toBe(0);
    expect(parts([0, 0, 0, 0, 0])).toBe(1);
    expect(parts([0, 0, 0, 0, 0], [0, 0, 0, 0, 0])).toBe(0);
    expect(parts([Infinity, 1], [Infinity, 1])).toBe(0);
  });
});

/** Columns of years, shares and sums of money, with a level of its own for every task. */
function rawTable(): TaskSet {
  const sizes = [1, 1e-3, 1e4, 30];
  const tasks = makeTasks({ m: 40, d: 4, rows: () => 12, rank: 2, noise: 0.3 });
  return TaskSet.from(
    [...tasks].map(({ name, x, y }, i) => ({
      name,
      x: Float64Array.from(x, (value, k) => sizes[k % 4]! * (value + 2)),
      y: Float64Array.from(y, (value) => value + i),
    })),
    { featureNames: tasks.featureNames },
  );
}

describe.each(["mp-feature-learning", "mp-hierarchical"])("%s", (method) => {
  test.each([
    ["numbers", rawTable(), "squared"],
    ["labels", makeLabelled({ m: 12, d: 3, rows: () => 12, rank: 1 }), "logistic"],
  ] as const)(
    "%s: a task's model lies between its shared one and single-task's",
    async (_, data, loss) => {
      const options = { loss, epsilon: 30, delta: 1e-3, random };
      const [kept, shared, alone] = await Promise.all([
        makeEstimator(method, options).fit(data),
        makeEstimator(method, { ...options, safeguard: false }).fit(data),
        makeEstimator("single-task", { loss }).fit(data),
      ]);
      const [d, found] = [data.d, new Set<number>()];
      for (let i = 0; i < data.m; i++) {
        const models = [kept, shared, alone].map(({ weights, intercepts }) => [
          ...weights.subarray(i * d, (i + 1) * d),
          intercepts![i]!,
        ]);
        const [w, from, to] = models as [number[], number[], number[]];
        const along = to.map((value, k) => value - from[k]!);
        const most = along.reduce((at, v, k) => (Math.abs(v) > Math.abs(along[at]!) ? k : at), 0);
        const part = (w[most]! - from[most]!) / along[most]!;
        expect(part).toBeGreaterThanOrEqual(-1e-9);
        expect(part).toBeLessThanOrEqual(1 + 1e-9);
        w.forEach((value, k) => {
          const size = Math.abs(from[k]!) + Math.abs(to[k]!) + Math.abs(value);
          expect(Math.abs(value - (from[k]! + part * along[k]!))).toBeLessThan(1e-9 * size + 1e-12);
        });
        found.add(Math.round(20 * part));
      }
      // Not of all tasks the same, and not of all the whole.
      expect(found.size).toBeGreaterThan(2);
    },
  );
});
