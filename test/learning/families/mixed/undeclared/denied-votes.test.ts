/** Where a vote failed, tasks whose own rows show it learn alone from their rows as they were given. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import {
  fitNewTask,
  MpMixed,
  SingleTask,
  type FittedModel,
} from "../../../../../src/learning/index.js";
import { deniedVotes } from "../../../../../src/learning/families/mixed/undeclared/denied-votes.js";
import type { MixedModels } from "../../../../../src/learning/families/mixed/exchange.js";
import { givenUnits } from "../../../../../src/learning/families/mixed/units/units.js";
import { triangle } from "../../../../../src/linalg/packed-symmetric.js";
import { generator } from "../tasks.js";

/** Tasks of n rows to train and to test; the second column is 47.5 in all of them but for a twentieth. */
function partsOf(m: number, n: number, weights?: (row: number) => number) {
  const draw = generator(5);
  const tasks = Array.from({ length: m }, (_, i) => {
    const [level, first, second] = [0.6 * draw(), 1 + 0.2 * draw(), -0.6 + 0.2 * draw()];
    const x: number[][] = [];
    const y: number[] = [];
    for (let row = 0; row < 2 * n; row++) {
      const [a, b] = [draw(), draw()];
      x.push([a, 47.5 + 0.05 * b]);
      y.push(level + first * a + second * b + 0.4 * draw());
    }
    return { name: `t${i}`, x, y };
  });
  const part = (from: number, to: number) =>
    TaskSet.from(
      tasks.map(({ name, x, y }) => ({
        name,
        x: x.slice(from, to),
        y: y.slice(from, to),
        ...(weights && { weights: y.slice(from, to).map((_, row) => weights(row)) }),
      })),
    );
  return { train: part(0, n), test: part(n, 2 * n) };
}

/** Models of all tasks alike, w and the intercept last. */
function sharedModels(m: number, model: readonly number[]): MixedModels {
  const d = model.length;
  const levels = Float64Array.of(0.01, 0.1, 1);
  const square = new Float64Array(d * d);
  return {
    models: Float64Array.from({ length: m * d }, (_, k) => model[k % d]!),
    covariances: new Float64Array(m * triangle(d)).fill(0.5),
    noise: new Float64Array(m).fill(0.1),
    noises: {
      levels,
      weights: new Float64Array(3 * m).fill(1 / 3),
      parts: new Float64Array(3 * m).fill(1),
    },
    alone: new Float64Array(m).fill(0.2),
    prior: {
      fixedEffects: new Float64Array(d),
      stated: () => ({ fixedEffectsCovariance: square }),
      releaseCovariance: square,
      covariance: square,
      noise: 0.1,
    },
  };
}

/** [m, d + 1]. */
const withIntercepts = ({ weights, intercepts }: FittedModel) =>
  Float64Array.from({ length: weights.length + intercepts!.length }, (_, at) =>
    at % 3 < 2 ? weights[2 * Math.floor(at / 3) + (at % 3)]! : intercepts![Math.floor(at / 3)]!,
  );

/** Places and sizes that hold the second column at its edge, 8. */
const MISSED = { ...givenUnits(3), voted: [0, 1] };

describe("votes", () => {
  test("are denied by tasks whose rows a shared model does not fit, and by no others", async () => {
    const { train } = partsOf(40, 30);
    // Near the truth of the first column, nothing of the second, which is held.
    const spoilt = deniedVotes(sharedModels(40, [1, 0, 0]), MISSED, train);
    expect(spoilt.denied!.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(32);
    const alone = withIntercepts(await new SingleTask().fit(train));
    spoilt.denied!.forEach((denied, i) => {
      const model = spoilt.models.subarray(3 * i, 3 * i + 3);
      if (denied === 0) {
        expect([...model]).toEqual([1, 0, 0]);
        expect(spoilt.alone[i]).toBe(0.2);
        expect(spoilt.covariances[6 * i]).toBe(0.5);
        return;
      }
      const own = alone.subarray(3 * i, 3 * i + 3);
      own.forEach((value, c) => expect(Math.abs(model[c]! / value - 1)).toBeLessThan(1e-9));
      expect(spoilt.alone[i]).toBe(1);
      expect(spoilt.noise[i]).toBeGreaterThan(0.05);
      expect(spoilt.noise[i]).toBeLessThan(0.5);
      const weights = spoilt.noises!.weights.subarray(3 * i, 3 * i + 3);
      const mean = weights.reduce((sum, w, k) => sum + w * spoilt.noises!.levels[k]!, 0);
      expect(mean).toBeCloseTo(spoilt.noise[i]!, 12);
      expect(spoilt.covariances[6 * i]).toBeGreaterThan(0);
    });
    // A slope's variance is s^2 / n; the jackknife's mean over 33 tasks and more is within a factor of 1.8 of it, five standard errors.
    const own = [...spoilt.denied!.keys()].filter((i) => spoilt.denied![i] === 1);
    const variance = own.reduce((sum, i) => sum + spoilt.covariances[6 * i]!, 0) / own.length;
    expect(variance / (0.4 ** 2 / 30)).toBeGreaterThan(1 / 1.8);
    expect(variance / (0.4 ** 2 / 30)).toBeLessThan(1.8);
  });

  test("are not denied where models fit, of few rows, or of rows that are differences", async () => {
    const { train } = partsOf(40, 30);
    const alone = await new SingleTask().fit(train);
    const fitting = { ...sharedModels(40, [1, 0, 0]), models: withIntercepts(alone) };
    const units = { ...MISSED, centers: Float64Array.of(0, 47.5, 0) };
    expect(deniedVotes(fitting, units, train).denied!.every((one) => one === 0)).toBe(true);
    const spoilt = sharedModels(40, [1, 0, 0]);
    const few = deniedVotes(spoilt, MISSED, partsOf(40, 4).train);
    expect(few.denied!.every((one) => one === 0)).toBe(true);
    expect(few.models).toEqual(spoilt.models);
    expect(deniedVotes(spoilt, { ...MISSED, untold: [2] }, train)).toBe(spoilt);
  });

  test("are not denied by what a task's own model owes to chance: rows that it is left without are told no better", () => {
    const draw = generator(8);
    const noise = TaskSet.from(
      Array.from({ length: 200 }, (_, i) => ({
        name: `t${i}`,
        x: Array.from({ length: 6 }, () => [draw(), 47.5 + 0.05 * draw()]),
        y: Array.from({ length: 6 }, () => 0.4 * draw()),
      })),
    );
    const { denied } = deniedVotes(sharedModels(200, [0, 0, 0]), MISSED, noise);
    // By the rows that they were fitted to 40 would.
    expect(denied!.reduce((sum, one) => sum + one, 0)).toBeLessThan(10);
  });

  test("leave the models as they are that were given", () => {
    const { train } = partsOf(10, 30);
    const given = sharedModels(10, [1, 0, 0]);
    const { models, covariances, noise, noises, alone } = given;
    const numbers = [models, covariances, noise, alone, noises!.weights, noises!.parts];
    const before = numbers.map((one) => one.slice());
    expect(deniedVotes(given, MISSED, train).denied!.includes(1)).toBe(true);
    expect(numbers).toEqual(before);
  });

  test("are not denied where rows are neither held nor close together, however badly a shared model fits", () => {
    const { train } = partsOf(40, 30);
    const [centers, sizes] = [Float64Array.of(0, 47.5, 0), Float64Array.of(1, 0.05, 1)];
    const placed = { ...MISSED, centers, sizes };
    const { denied, models } = deniedVotes(sharedModels(40, [-3, 0, 5]), placed, train);
    expect(denied!.every((one) => one === 0)).toBe(true);
    expect(models.subarray(0, 3)).toEqual(Float64Array.of(-3, 0, 5));
    // A size that is far too large.
    const large = { ...placed, sizes: Float64Array.of(1, 2, 1) };
    expect(deniedVotes(sharedModels(40, [-3, 0, 5]), large, train).denied!.includes(1)).toBe(true);
  });

  test("are denied for models of rows by their weights", async () => {
    const { train } = partsOf(10, 30, (row) => 1 + (row % 4));
    const { models, denied } = deniedVotes(sharedModels(10, [1, 0, 0]), MISSED, train);
    const own = withIntercepts(await new SingleTask().fit(train));
    expect(denied!.includes(1)).toBe(true);
    models.forEach((value, at) => {
      if (denied![Math.floor(at / 3)] === 1)
        expect(Math.abs(value / own[at]! - 1)).toBeLessThan(1e-9);
    });
  });

  test("end nothing where a task's numbers are too large to be squared", () => {
    const { train } = partsOf(3, 8);
    const huge = TaskSet.from(
      train.names.map((name, i) => ({
        name,
        x: Array.from({ length: 8 }, (_, row) => [1e300 * (row + 1), -1e300 * row]),
        y: Array.from({ length: 8 }, (_, row) => (i === 0 ? 1e300 : 1) * row),
      })),
    );
    const given = sharedModels(3, [1, 0, 0]);
    expect(deniedVotes(given, MISSED, huge).models.every(Number.isFinite)).toBe(true);
  });
});

test("a fit whose votes miss a column's place is rescued in tasks that can see it", async () => {
  const { train, test: rows } = partsOf(60, 12);
  const random = { mode: "seeded", seed: "21" } as const;
  const model = await new MpMixed({ epsilon: 3, delta: 1e-3, random }).fit(train);
  const alone = await new SingleTask().fit(train);
  // 2.04 without it.
  expect(model.score(rows).nmse! / alone.score(rows).nmse!).toBeLessThan(1.7);
  // A task that comes later denies the votes as it would have in the fit.
  fitNewTask(model, train).weights.forEach((value, at) =>
    expect(Math.abs(value - model.weights[at]!)).toBeLessThan(1e-6),
  );
  let [held, whole] = [0, 0];
  train.names.forEach((name, i) => {
    if (model.components["alone"]!.data[i] !== 1) return;
    const [from, to] = [rows.offsets[i]!, rows.offsets[i + 1]!];
    const x = rows.x.subarray(2 * from, 2 * to);
    const found = model.predict(name, x);
    alone.predict(name, x).forEach((value, k) => expect(found[k]).toBeCloseTo(value, 9));
    const { lower, upper } = model.predictInterval!(name, x, 0.8);
    for (let k = 0; k < to - from; k++) {
      whole++;
      if (rows.y[from + k]! >= lower[k]! && rows.y[from + k]! <= upper[k]!) held++;
    }
  });
  expect(whole).toBeGreaterThan(200);
  // 80 %, with a standard error of 2.5 points.
  expect(held / whole).toBeGreaterThan(0.7);
  expect(held / whole).toBeLessThan(0.92);
});
