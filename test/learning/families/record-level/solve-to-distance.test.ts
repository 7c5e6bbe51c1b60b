/** How the record-level baselines solve: near enough whatever the rows, and every task by itself. */
import seedrandom from "seedrandom";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { TaskSet } from "../../../../src/data/index.js";
import { ClippedTasks } from "../../../../src/learning/families/record-level/clipped-slopes.js";
import { DpAggregation } from "../../../../src/learning/index.js";
import { checkFeatureBound } from "../../../../src/learning/options/check-feature-bound.js";
import { releaseBound } from "../../../../src/learning/families/record-level/release-plan.js";
import {
  knownSmoothness,
  solveToDistance,
} from "../../../../src/learning/families/record-level/solve-to-distance.js";

const featureBound = 1;
const G = 1;

interface Rows {
  readonly x: number[][];
  readonly y: number[];
}

function placed(tasks: readonly Rows[]) {
  const data = TaskSet.from(tasks.map((rows, i) => ({ name: `t${i}`, ...rows })));
  return new ClippedTasks(openCore(), data, data.y, { loss: "squared", lossScale: "mean" }, G);
}

/** Rows of norm 1, every third the same, and targets up to `size`. */
function rowsOf(n: number, d: number, size: number, seed: string): Rows {
  const random = seedrandom(seed);
  const x = Array.from({ length: n }, (_, r) => {
    if (r % 3 === 0) return Array.from({ length: d }, (_, j) => (j === 0 ? 1 : 0));
    const row = Array.from({ length: d }, () => 2 * random() - 1);
    const length = Math.hypot(...row);
    return row.map((value) => value / length);
  });
  return { x, y: x.map(() => size * (2 * random() - 1)) };
}

/** ||W - W*|| of one task is at most the norm of the gradient there over mu. */
function farthest({ x, y }: Rows, model: Float64Array, mu: number): number {
  const gradient = Float64Array.from(model, (value) => mu * value);
  x.forEach((row, r) => {
    const margin = row.reduce((sum, value, j) => sum + value * model[j]!, 0);
    const slope = Math.max(-G, Math.min(G, margin - y[r]!));
    row.forEach((value, j) => (gradient[j]! += (slope * value) / y.length));
  });
  return Math.hypot(...gradient) / mu;
}

describe.each([
  [4, 2, 1e-8],
  [30, 5, 1e-6],
  [300, 20, 1e-3],
])("%i rows of %i features under a penalty of %d", (n, d, mu) => {
  // Targets of the size of the models are what rounds worst.
  test.each([1, 1 / mu])("end as near as is paid for, with targets up to %d", async (size) => {
    const rows = rowsOf(n, d, size, "near");
    const tasks = placed([rows]);
    const exact = featureBound / n / mu;
    const condition = knownSmoothness(tasks, mu, { featureBound }) / mu;
    const sizes = { mostRows: n, d, parts: 1 };
    const { distance, clip } = releaseBound(exact, condition, sizes);
    const at = await solveToDistance({ tasks, strongConvexity: mu, featureBound, distance });
    const model = tasks.core.arena.view(at, d).slice();
    expect(farthest(rows, model, mu)).toBeLessThan(clip - exact - distance);
  });
});

test("what a task is given alone does not depend on a record of another", async () => {
  const others = [rowsOf(7, 3, 5, "one"), rowsOf(9, 3, 5, "two")];
  const spread = rowsOf(12, 3, 5, "three");
  const all: Rows = { x: spread.x.map(() => [1, 0, 0]), y: spread.y };
  const models: Float64Array[] = [];
  const curvatures: number[] = [];
  for (const last of [spread, all]) {
    const tasks = placed([...others, last]);
    const problem = { tasks, strongConvexity: 0.01, featureBound, distance: 1e-6 };
    const at = await solveToDistance(problem);
    models.push(tasks.core.arena.view(at, 6).slice());
    curvatures.push(tasks.smoothness()[2]!);
  }
  // The largest curvature of all is that task's in one world, and far from it in the other.
  expect(curvatures[1]! / curvatures[0]!).toBeGreaterThan(1.5);
  expect(models[0]).toEqual(models[1]);
});

test.each([1e-200, 1e200])("rows are held to a bound of %d, whose square is no number", (bound) => {
  const data = (value: number) => TaskSet.from([{ name: "a", x: [[0, value]], y: [1] }]);
  expect(() => checkFeatureBound(data(bound), bound)).not.toThrow();
  expect(() => checkFeatureBound(data(1.01 * bound), bound)).toThrow(/featureBound/);
});

test.each([{ lambda: 1e-30 }, { featureBound: 1e200 }])(
  "%o is refused where no steps would end, by public sizes",
  async (options) => {
    const tasks = TaskSet.from([{ name: "a", x: [[1]], y: [1] }]);
    const fit = new DpAggregation({ delta: 0, ...options }).fit(tasks);
    await expect(fit).rejects.toThrow(/lambda.*featureBound/);
  },
);
