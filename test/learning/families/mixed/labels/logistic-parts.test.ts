/**
 * What a logistic mixed model makes of its releases: each step against a closed form or what it promises.
 */
import { packed as packInto } from "../../../../../src/linalg/packed-symmetric.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attenuationRatio } from "../../../../../src/learning/families/mixed/labels/effects/logistic-attenuation.js";
import { pooledInformation } from "../../../../../src/learning/families/mixed/labels/effects/logistic-information.js";
import { linkMoments } from "../../../../../src/learning/models/logistic-link.js";
import {
  clippedWeight,
  fixedEffects,
  scoreMetric,
} from "../../../../../src/learning/families/mixed/labels/effects/logistic-scores.js";
import { scoreMeasurement } from "../../../../../src/learning/families/mixed/labels/effects/logistic-measurement.js";
import { evidenceBelief } from "../../../../../src/learning/families/mixed/labels/evidence/evidence-belief.js";
import { logisticPlan } from "../../../../../src/learning/families/mixed/labels/logistic-plan.js";
import { LogisticState } from "../../../../../src/learning/families/mixed/labels/logistic-state.js";
import { EFFECTS } from "../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { sharedWeight } from "../../../../../src/learning/families/mixed/labels/evidence/shared-weight.js";
import { diagonal } from "../../../../../src/linalg/small-matrices.js";
import { generator } from "../../../../../bench/uniform-draws.js";

const packed = (a: Float64Array, d: number) => {
  const out = new Float64Array((d * (d + 1)) / 2);
  packInto(a, d, 1, out);
  return out;
};

test("rescaled effects keep the mean probability of the mixture to .02", () => {
  const mean = (center: number, scale: number) =>
    Math.exp(linkMoments(center, scale ** 2, { logMean: 0, slope: 0, curvature: 0 }).logMean);
  fc.assert(
    fc.property(
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
      (center, from, to) => {
        const [a, b] = [Float64Array.of(from), Float64Array.of(to)];
        const ratio = attenuationRatio(b, a, Float64Array.of(1));
        expect(Math.abs(mean(center * ratio, to) - mean(center, from))).toBeLessThan(0.02);
      },
    ),
  );
});

test("a score's noise enters the error of what it measures, in the units of the direction that was sent", () => {
  const d = 3;
  const context = {
    clip: 2,
    weight: 1,
    asked: 2,
    metric: { directions: diagonal([1, 1, 1]), factors: Float64Array.of(0.5, 0, 4) },
    pooled: { information: diagonal([30, 20, 10]), errors: new Float64Array(d * d) },
    scales: Float64Array.of(1, 2, 0.5),
    belief: { mean: Float64Array.of(0.1, 0.2, 0.3), covariance: diagonal([1, 1, 1]) },
  };
  const sum = Float64Array.of(0.3, 9, -0.2);
  const [exact, noisy] = [0, 5].map((deviation) => scoreMeasurement(sum, deviation, context));
  // The direction without a factor was not sent.
  expect(noisy!.value).toEqual(exact!.value);
  expect(noisy!.value).toHaveLength(2);
  const added = noisy!.error.map((value, at) => value - exact!.error[at]!);
  expect([...added].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([
    (5 * (2 / 0.5)) ** 2,
    0,
    0,
    (5 * (2 / 4)) ** 2,
  ]);
  // score / factor * clip = information / scale (effects - mean).
  expect(noisy!.value[0]).toBeCloseTo(30 * 0.1 + 0.3 * 4, 12);
  expect(noisy!.value[1]).toBeCloseTo((10 / 0.5) * 0.3 - 0.2 * 0.5, 12);
  // Of clipped scores as much less of the effects is seen, and of what tasks vary by; the noise is the same.
  const clipped = scoreMeasurement(sum, 5, { ...context, weight: 0.6 });
  expect(clipped.value[0]).toBeCloseTo(0.6 * 30 * 0.1 + 0.3 * 4, 12);
  expect(clipped.design[0]).toBeCloseTo(0.6 * noisy!.design[0]!, 12);
  expect(clipped.error[0]).toBeCloseTo(0.36 * exact!.error[0]! + (5 * (2 / 0.5)) ** 2, 9);
});

test("a clip leaves of scores their lengths within it, by their squares", () => {
  const metric = { directions: diagonal([1, 1]), factors: Float64Array.of(2, 1) };
  const scores = [Float64Array.of(0.3, 0), Float64Array.of(0, 5)];
  expect(clippedWeight(scores, metric, 10)).toBe(1);
  expect(clippedWeight(scores, metric, 1)).toBeCloseTo((0.36 + 25 / 5) / 25.36, 12);
  expect(clippedWeight([], metric, 1)).toBe(1);
});

test("sums of evidence and their noise are read in the same units", () => {
  const sizes = { m: 60, d: 3, meanRows: 20 };
  const state = new LogisticState(sizes, 2, logisticPlan(sizes, 2));
  const clip = state.clips.evidence;
  expect(clip).not.toBe(1);
  const { uniform } = generator(12);
  const sum = state.grid.logPrior.map(() => 4 * (uniform() - 0.5));
  const [deviation, before] = [0.8, state.grid.logPrior];
  const { weights } = evidenceBelief(
    sum.map((value) => value * clip),
    deviation * clip,
    state.shape,
    before,
    sizes.m,
  );
  state.receive(0, sum, deviation);
  expect(state.belief).toEqual(weights);
});

describe("the sum of the tasks' information", () => {
  const d = 2;
  const expected = Float64Array.of(0.5, 0.1, 0.1, 0.3);
  const own = Float64Array.of(60, 5, 5, 20);

  test("is what was released where there is no noise", () => {
    const { information, errors } = pooledInformation(packed(own, d), 0, expected, 100, d);
    information.forEach((value, i) => expect(value).toBeCloseTo(own[i]!, 6));
    expect(Math.max(...errors)).toBeLessThan(1e-9);
  });

  test("is near the synthetic tasks' where there is much, and within its bounds always", () => {
    const { information } = pooledInformation(packed(own, d), 1e5, expected, 100, d);
    information.forEach((value, i) =>
      expect(Math.abs(value - 100 * expected[i]!)).toBeLessThan(0.1),
    );
    const wild = pooledInformation(
      Float64Array.of(-1e6, 1e6, 1e6),
      1,
      expected,
      100,
      d,
    ).information;
    for (const value of wild) expect(Math.abs(value)).toBeLessThanOrEqual(100 + 1e-9);
  });

  test("is smaller in all slopes where columns vary less, though noise hides each entry", () => {
    const [slopes, m] = [8, 100];
    const size = slopes + 1;
    const tasks = diagonal(Array.from({ length: size }, () => 0.4));
    const noise = generator(4).normal;
    const sum = packed(
      tasks.map((value, at) => m * value * (at === tasks.length - 1 ? 1 : 0.4)),
      size,
    ).map((value) => value + 15 * noise());
    const of = (vary?: number) => pooledInformation(sum, 15, tasks, m, size, vary);
    const factor = ({ information }: ReturnType<typeof of>) =>
      Array.from({ length: slopes }, (_, j) => information[j * (size + 1)]! / (40 * slopes)).reduce(
        (a, b) => a + b,
      );
    expect(Math.abs(factor(of(0.5)) - 0.4)).toBeLessThan(0.2);
    expect(factor(of())).toBeGreaterThan(factor(of(0.5)) + 0.05);
    expect(of(0.5).common).toBeGreaterThan(0);
    expect(of().common).toBe(0);
  });
});

describe("the metric of scores", () => {
  test.each([
    // Of the second, one direction is known well enough to be left out.
    [[1, 0.5, 2], 4],
    [[0.05, 0.004, 2], 40],
  ])(
    "has expected squared norm 1, and no other leaves less of variances %j",
    (variances, noise) => {
      const [d, m] = [3, 200];
      const lambda = [60, 15, 2];
      const { factors } = scoreMetric(diagonal(lambda), diagonal(variances), m, d, noise);
      const squares = Array.from(factors, (value) => value ** 2);
      const used = (s: readonly number[]) => s.reduce((sum, x, k) => sum + (x * lambda[k]!) / m, 0);
      const left = (s: readonly number[]) =>
        s.reduce((sum, x, k) => {
          const gain = (lambda[k]! / noise) ** 2;
          return sum + lambda[k]! / (1 / variances[k]! + gain * x);
        }, 0);
      expect(used(squares)).toBeCloseTo(1, 9);
      const best = left(squares);
      const { uniform } = generator(2);
      for (let trial = 0; trial < 200; trial++) {
        const other = squares.map(() => uniform() ** 3);
        const scale = used(other);
        expect(left(other.map((x) => x / scale))).toBeGreaterThanOrEqual(best - 1e-9);
      }
    },
  );
});

describe("fixed effects", () => {
  /** One number seen with noise of a variance, slope and intercept each. */
  const seen = (values: readonly [number, number], noise: number) => ({
    design: diagonal([1, 1]),
    value: Float64Array.from(values),
    error: diagonal([noise, noise]),
    sampling: new Float64Array(4),
  });

  test("are drawn to zero the more, the less they stand out of the noise, and are surer than what was measured", () => {
    const own = Float64Array.of(1, 1);
    const part = (value: number) => {
      const measurement = seen([value, value], 0.2);
      const { mean, covariance } = fixedEffects([measurement], own);
      mean.forEach((x, j) => {
        expect(covariance[3 * j]!).toBeLessThan(0.2);
        expect(Math.abs(x)).toBeLessThan(Math.abs(value));
      });
      return mean[0]! / value;
    };
    const [little, more, much] = [part(0.2), part(1), part(4)];
    expect(little).toBeLessThan(more);
    expect(more).toBeLessThan(much);
    expect(much).toBeGreaterThan(0.95);
  });

  test("of two measurements are those of their mean by precision, whatever the order", () => {
    const [one, other] = [seen([0.8, -1.1], 0.1), seen([0.2, -0.5], 0.3)];
    const together = seen([(0.8 * 3 + 0.2) / 4, (-1.1 * 3 - 0.5) / 4], 0.075);
    const own = Float64Array.of(0.5, 2);
    const expected = fixedEffects([together], own);
    for (const order of [
      [one, other],
      [other, one],
    ]) {
      const found = fixedEffects(order, own);
      found.mean.forEach((value, j) => expect(value).toBeCloseTo(expected.mean[j]!, 9));
      found.covariance.forEach((value, j) => expect(value).toBeCloseTo(expected.covariance[j]!, 9));
    }
  });

  test("stay at zero, as uncertain as their prior, without a measurement", () => {
    const { mean, covariance } = fixedEffects([], Float64Array.of(0.3, 2));
    expect([...mean]).toEqual([0, 0]);
    const { slopes, intercept } = EFFECTS;
    const square = ({ sizes, prior }: typeof slopes | typeof intercept) =>
      sizes.reduce((sum, size, k) => sum + prior[k]! * size, 0);
    const [size, off, back, last] = covariance;
    expect(size! / (0.3 * square(slopes))).toBeCloseTo(last! / (2 * square(intercept)), 5);
    expect([off! + 0, back! + 0]).toEqual([0, 0]);
  });
});

describe("the weight of the shared prior", () => {
  test("follows the tasks where noise is small, and what was learned where it is not", () => {
    const m = 200;
    const asked = (g: number) => sharedWeight(Float64Array.of(m * g, m * (g * g - 1)), 0.5, m, 1);
    expect(asked(0.9)).toBe(0.98);
    expect(asked(-0.9)).toBeLessThan(0.05);
    expect(sharedWeight(Float64Array.of(1e6, 0), 1e7, m, 0)).toBeLessThan(0.01);
    expect(sharedWeight(Float64Array.of(-1e6, 0), 1e7, m, 0.25)).toBeCloseTo(0.75, 5);
  });

  test.each([
    { classes: 2, weights: [0.3, 0.8625, 0.975] },
    { classes: 3, weights: [0.3, 0.75, 0.75] },
  ])("grows with what was learned, of $classes classes", ({ classes, weights }) => {
    // Noise drowns what tasks said.
    const drowned = (known: number) => sharedWeight(new Float64Array(2), 1e7, 200, known, classes);
    const found = [0.1, 0.625, 1].map(drowned);
    weights.forEach((weight, k) => expect(found[k]).toBeCloseTo(weight, 5));
  });
});
