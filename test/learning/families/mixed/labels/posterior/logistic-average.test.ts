/** A task's model that is made once more, with something added to its rows, against integrals and against one that starts from nothing. */
import { expect, test } from "vitest";
import {
  averagedModel,
  averagedOnceMore,
  type FirstLook,
} from "../../../../../../src/learning/families/mixed/labels/posterior/logistic-average.js";
import type { SignedRows } from "../../../../../../src/learning/families/mixed/labels/posterior/expectation-propagation.js";
import type { TaskPriors } from "../../../../../../src/learning/families/mixed/labels/posterior/task-priors.js";

type Given = Omit<TaskPriors, "inOwn">;

function lookAt(task: SignedRows, given: Given): FirstLook {
  let found: FirstLook | undefined;
  averagedModel(task, given, undefined, (look) => (found = look));
  return found!;
}

/** Priors of one coordinate: one shared, one of learning alone. */
const pair: Given = {
  priors: [
    { mean: Float64Array.of(1), root: Float64Array.of(0.7) },
    { mean: Float64Array.of(0), root: Float64Array.of(2) },
  ],
  logWeights: Float64Array.of(Math.log(0.3), Math.log(0.7)),
  shared: 1,
  ownPart: 0,
};

test("has the moments of an integral over the coefficient, and the weights of its evidence", () => {
  const task = { rows: Float64Array.of(-1.3), n: 1, d: 1 };
  const added = Float64Array.of(1.1);
  // Of w and w^2, under either prior.
  const sums = pair.priors.map(({ mean, root }) => {
    const [step, out] = [1e-3, [0, 0, 0]];
    for (let u = -10; u <= 10; u += step) {
      const w = mean[0]! + root[0]! * u;
      const density = Math.exp((-u * u) / 2) / Math.sqrt(2 * Math.PI);
      const likelihood = 1 / (1 + Math.exp(1.3 * w - added[0]!));
      [1, w, w * w].forEach((value, k) => (out[k]! += step * value * density * likelihood));
    }
    return out as [number, number, number];
  });
  const all = [0, 1, 2].map((k) => 0.3 * sums[0]![k]! + 0.7 * sums[1]![k]!);
  const { whole, components, alone } = averagedOnceMore(
    { ...task, added },
    pair,
    lookAt(task, pair),
  )!;
  const mean = all[1]! / all[0]!;
  expect(whole.mean[0]).toBeCloseTo(mean, 3);
  expect(whole.covariance[0]).toBeCloseTo(all[2]! / all[0]! - mean ** 2, 3);
  expect(alone).toBeCloseTo((0.7 * sums[1]![0]) / all[0]!, 3);
  sums.forEach(([evidence, first]) => {
    const own = components.find((one) => Math.abs(one.mean[0]! - first / evidence) < 1e-3);
    expect(own).toBeDefined();
  });
});

/** Rows of two coordinates and hypotheses of three scales around either center. */
const rows = Float64Array.from({ length: 24 }, (_, at) =>
  at % 2 ? 1 : Math.sin(at) * (at % 3 ? 1 : -1),
);
const many: Given = {
  priors: [0.5, 0].flatMap((center) =>
    [0.5, 1, 2].map((scale) => ({
      mean: Float64Array.of(center, -center),
      root: Float64Array.of(scale, 0, 0, scale),
    })),
  ),
  logWeights: new Float64Array(6),
  shared: 3,
  ownPart: 0.4,
};

test("is nearly that of one who knows from the start what is added", () => {
  const task = { rows, n: 12, d: 2 };
  const added = Float64Array.from({ length: 12 }, (_, j) => Math.cos(j));
  const found = averagedOnceMore({ ...task, added }, many, lookAt(task, many))!;
  const wanted = averagedModel({ ...task, added }, many);
  const before = averagedModel(task, many);
  [0, 1].forEach((j) => {
    const moved = wanted.whole.mean[j]! - before.whole.mean[j]!;
    expect(Math.abs(moved)).toBeGreaterThan(0.05);
    // What is left is of priors that are left out.
    expect(Math.abs(found.whole.mean[j]! - wanted.whole.mean[j]!)).toBeLessThan(
      0.05 * Math.abs(moved),
    );
  });
  expect(found.alone).toBeCloseTo(wanted.alone, 2);
});

test("leaves out priors that rows leave unlikely, not the likeliest, and is of no other task's sites", () => {
  const task = { rows, n: 12, d: 2 };
  const unlikely = { ...many, logWeights: Float64Array.of(0, -30, -30, -1, -30, -30) };
  const first = lookAt(task, unlikely);
  const again = averagedOnceMore(task, unlikely, first)!;
  const sites = first.sites.slice();
  // Both likely ones and the own part, which is of one of them; places for others are empty.
  expect(again.components.filter(({ weight }) => weight > 0)).toHaveLength(3);
  expect(averagedOnceMore(task, unlikely, first)).toEqual(again);
  expect(first.sites).toEqual(sites);
});

test("is nothing where inference breaks down", () => {
  const task = { rows, n: 12, d: 2 };
  const added = new Float64Array(12).fill(NaN);
  expect(averagedOnceMore({ ...task, added }, many, lookAt(task, many))).toBeUndefined();
});
