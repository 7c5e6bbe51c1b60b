/** Exact steps by systems of rows: those by systems of columns, and the optimality condition of the step itself. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { withFreeIntercepts } from "../../../src/learning/convex/free-intercepts.js";
import { ColumnSolves } from "../../../src/learning/convex/splitting/exact-solves.js";
import { quadraticsOf } from "../../../src/learning/convex/splitting/quadratics.js";
import { RowSolves } from "../../../src/learning/convex/splitting/row-solves.js";
import {
  descendsFast,
  solvesByRows,
  splittingBytes,
  splittingPays,
} from "../../../src/learning/convex/splitting/suits.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { makeLabelled, makeTasks } from "../tasks.js";

const sizes = { m: 5, d: 7, rows: (i: number) => 1 + i };
const SETS = { squared: makeTasks(sizes), logistic: makeLabelled(sizes) };
const values = (length: number, seed: number) =>
  Float64Array.from({ length }, (_, k) => Math.sin(seed + 3.7 * k));
const RELAXATION = 1.7;

describe.each(["squared", "logistic"] as const)("%s", (loss) => {
  describe.each([true, false])("intercept %s", (intercept) => {
    test.each([false, true])("weights of rows %s", (weighted) => {
      const data = SETS[loss];
      const sampleWeights = weighted ? data.y.map((_, row) => 1 + (row % 3)) : undefined;
      const set = TaskSet.adopt({ ...data.arrays(), ...(sampleWeights ? { sampleWeights } : {}) });
      const core = openCore();
      const { arena } = core;
      const options = { loss, lossScale: "mean", intercept } as const;
      // The first task has one row, and so one label: its intercept is fixed.
      const tasks = withFreeIntercepts(placeTasks(set, options, { core }).tasks);
      const { m, d } = tasks;
      const size = m * d;
      const quadratics = quadraticsOf(tasks);
      quadratics.around(
        arena.copyOf(values(size, 1)),
        intercept ? arena.copyOf(values(m, 2)) : 0,
        1,
      );
      const [byRows, byColumns] = [
        new RowSolves(quadratics),
        new ColumnSolves(core, m, d, quadratics),
      ];
      const [grams, moments] = [arena.f64(m * d * d), arena.f64(size)];
      quadratics.write(grams, moments);
      byRows.curvatures().forEach((curvature, i) => {
        expect(curvature).toBeCloseTo(byColumns.curvatures()[i]!, 13);
      });
      for (const rho of [0.01, 3]) {
        const steps = [byRows, byColumns].map((solves) => {
          expect(solves.prepare(rho)).toBe(0);
          const [z, v] = [arena.copyOf(values(size, 4)), arena.copyOf(values(size, 5))];
          const w = arena.f64(size);
          solves.step(z, v, w, RELAXATION);
          return { w: arena.view(w, size).slice(), v: arena.view(v, size).slice() };
        });
        const [rows, columns] = steps as [(typeof steps)[0], (typeof steps)[0]];
        const [z, v] = [values(size, 4), values(size, 5)];
        for (let k = 0; k < size; k++) {
          const i = Math.floor(k / d);
          const [row, column] = [k % d, (a: number, b: number) => (a >= b ? a * d + b : b * d + a)];
          const h = arena.view(grams + 8 * i * d * d, d * d);
          // (H + rho I) w = h + rho (2 z - v).
          let left = rho * (rows.w[k]! - 2 * z[k]! + v[k]!) - arena.view(moments, size)[k]!;
          for (let j = 0; j < d; j++) left += h[column(row, j)]! * rows.w[i * d + j]!;
          expect(left).toBeCloseTo(0, 12);
          expect(rows.w[k]).toBeCloseTo(columns.w[k]!, 10);
          expect(rows.v[k]).toBeCloseTo(v[k]! + RELAXATION * (rows.w[k]! - z[k]!), 12);
        }
      }
    });
  });
});

test("tasks of several groups take the steps of each alone, to the bit", () => {
  // Two tasks, then one and one, have at most 256 kB of rows.
  const all = makeTasks({ m: 4, d: 1500, rows: (i) => 8 + i });
  const options = { loss: "squared", lossScale: "mean", intercept: true } as const;
  const stepOf = (set: TaskSet, z: Float64Array, v: Float64Array) => {
    const core = openCore();
    const { arena } = core;
    const tasks = withFreeIntercepts(placeTasks(set, options, { core }).tasks);
    const solves = new RowSolves(quadraticsOf(tasks));
    expect(solves.prepare(0.3)).toBe(0);
    const at = { v: arena.copyOf(v), w: arena.f64(v.length) };
    solves.step(arena.copyOf(z), at.v, at.w, RELAXATION);
    return [at.w, at.v].map((block) => arena.view(block, v.length).slice());
  };
  const [z, v] = [values(4 * all.d, 1), values(4 * all.d, 2)];
  const together = stepOf(all, z, v);
  [...all].forEach((task, i) => {
    const own = (block: Float64Array) => block.subarray(i * all.d, (i + 1) * all.d);
    expect(together.map(own)).toEqual(stepOf(TaskSet.from([task]), own(z), own(v)));
  });
});

test("numbers whose squares overflow are refused by their task", () => {
  const large = TaskSet.from([
    { name: "a", x: [[1, 2]], y: [1] },
    { name: "b", x: [[1e200, 1]], y: [1] },
  ]);
  const options = { loss: "squared", lossScale: "mean", intercept: false } as const;
  const solves = new RowSolves(quadraticsOf(placeTasks(large, options).tasks));
  expect(solves.prepare(1)).toBe(2);
});

test("a penalty that bends as the losses do is descended where rows are few", () => {
  const wide = makeTasks({ m: 6, d: 30, rows: () => 5 });
  // Rows of length 1, five a task: curvatures of .2 with means, 1 with sums.
  expect(descendsFast(wide, "mean", 0.2 / 1.9)).toBe(true);
  expect(descendsFast(wide, "mean", 0.2 / 2.1)).toBe(false);
  expect(descendsFast(wide, "sum", 1 / 1.9)).toBe(true);
  expect(descendsFast(wide, "sum", 1 / 2.1)).toBe(false);
  expect(descendsFast(wide, "mean", 0)).toBe(false);
  expect(descendsFast(makeTasks({ m: 6, d: 30, rows: () => 8 }), "mean", 1)).toBe(false);
});

test("rows are chosen by the sizes of the whole run, and take no d x d matrices", () => {
  expect(solvesByRows({ m: 10, d: 41, rows: 100 })).toBe(true);
  expect(solvesByRows({ m: 10, d: 40, rows: 100 })).toBe(false);
  const wide = { m: 100, d: 2000, rows: 1000, mostRows: 10 };
  expect(splittingPays(wide, 2)).toBe(true);
  expect(splittingBytes(wide, 2)).toBeLessThan(8 * 100 * 2000 * 2000);
  expect(splittingPays({ ...wide, entries: 3000 }, 2)).toBe(false);
});
