/**
 * Expectation propagation of one task: against quadrature in one dimension and finite differences in more.
 */
import { describe, expect, test } from "vitest";
import { withCore } from "../../../../../../src/core/core.js";
import {
  infer,
  inferEach,
  logEvidences,
} from "../../../../../../src/learning/families/mixed/labels/posterior/expectation-propagation.js";
import { averagedModel } from "../../../../../../src/learning/families/mixed/labels/posterior/logistic-average.js";
import { linkMoments } from "../../../../../../src/learning/models/logistic-link.js";

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const link = (mean: number, variance: number) =>
  linkMoments(mean, variance, { logMean: 0, slope: 0, curvature: 0 });

/** Integral of f against N(0, 1). */
function integral(f: (u: number) => number): number {
  const step = 1e-3;
  let sum = 0;
  for (let u = -12; u <= 12; u += step) sum += f(u) * Math.exp((-u * u) / 2);
  return (sum * step) / Math.sqrt(2 * Math.PI);
}

describe("the logistic link", () => {
  test("is the logistic function to 8e-5 up to |x| = 15", () => {
    for (let x = -15; x <= 15; x += 0.25) {
      expect(Math.abs(Math.exp(link(x, 0).logMean) / sigmoid(x) - 1)).toBeLessThan(8e-5);
    }
  });

  test.each([
    [-3, 0.5],
    [0.2, 4],
    [2, 30],
    [-8, 9],
  ])("has the mean of quadrature at mean %f, variance %f", (mean, variance) => {
    const wanted = integral((u) => sigmoid(mean + Math.sqrt(variance) * u));
    expect(Math.exp(link(mean, variance).logMean) / wanted).toBeCloseTo(1, 4);
  });

  test.each([-40, -6, -0.3, 0, 0.3, 6, 40])("has the derivatives of its own values at %f", (x) => {
    const h = 1e-4;
    const [below, at, above] = [link(x - h, 2), link(x, 2), link(x + h, 2)];
    expect(at.slope).toBeCloseTo((above.logMean - below.logMean) / (2 * h), 6);
    expect(at.curvature).toBeCloseTo(-(above.slope - below.slope) / (2 * h), 6);
  });

  test("stays finite far out", () => {
    for (const x of [-1e5, 1e5]) {
      const { logMean, slope, curvature } = link(x, 3);
      for (const value of [logMean, slope, curvature]) expect(Number.isFinite(value)).toBe(true);
    }
  });
});

describe("inference of one task", () => {
  test("of rows to which something is added is that of a prior whose intercept lies as much higher, whichever rows have it", () => {
    const x = [0.4, 1, -0.9, 1, 0.2, 1, 1.5, 1];
    const y = [1, -1, -1, 1];
    const task = { rows: Float64Array.from(x, (v, at) => v * y[at >> 1]!), n: 4, d: 2 };
    const root = Float64Array.of(1.5, 0, 0.4, 0.9);
    const prior = { mean: Float64Array.of(0.3, -0.5), root };
    const added = Float64Array.from(y, (label) => 0.7 * label);
    const higher = { mean: Float64Array.of(0.3, 0.2), root };
    const [found, wanted] = [infer({ ...task, added }, prior)!, infer(task, higher)!];
    expect(found.evidence).toBeCloseTo(wanted.evidence, 12);
    [...found.mean, ...found.covariance].forEach((value, at) =>
      expect(value).toBeCloseTo([...wanted.mean, ...wanted.covariance][at]!, 12),
    );
    expect(logEvidences({ ...task, added }, [prior])[0]).toBeCloseTo(wanted.evidence, 12);
    // What is added to one row is as a slope where the other rows' feature is 0.
    const one = { rows: Float64Array.of(0, 1, 2, 1), n: 2, d: 2 };
    const upright = { mean: Float64Array.of(0, 0.1), root };
    const steeper = { mean: Float64Array.of(0.45, 0.1), root };
    const moved = infer({ ...one, added: Float64Array.of(0, 0.9) }, upright)!;
    expect(moved.evidence).toBeCloseTo(infer(one, steeper)!.evidence, 12);
  });

  test.each([
    [0.5, 1e-3, 0.01],
    [2, 0.02, 0.07],
  ])("agrees with quadrature for an intercept of scale %f", (scale, evidence, relative) => {
    const labels = [1, 1, -1, 1, 1];
    const rows = Float64Array.from(labels);
    const prior = { mean: Float64Array.of(-0.4), root: Float64Array.of(scale) };
    const found = infer({ rows, n: 5, d: 1 }, prior)!;
    const likelihood = (u: number) =>
      labels.reduce((p, y) => p * sigmoid(y * (-0.4 + scale * u)), 1);
    const total = integral(likelihood);
    const mean = integral((u) => u * likelihood(u)) / total;
    const variance = integral((u) => (u - mean) ** 2 * likelihood(u)) / total;
    expect(Math.abs(found.evidence - Math.log(total))).toBeLessThan(evidence);
    expect(Math.abs(found.mean[0]! - mean)).toBeLessThan(relative * Math.sqrt(variance));
    expect(Math.abs(found.covariance[0]! / variance - 1)).toBeLessThan(2 * relative);
  });

  const d = 3;
  const rows = Float64Array.from({ length: 2 * d }, (_, i) => Math.sin(3 * i + 1));
  const root = Float64Array.of(0.7, 0, 0, 0.1, 0.5, 0, -0.2, 0.3, 0.9);

  test("has the gradient of its evidence as posterior mean", () => {
    const mean = Float64Array.of(0.2, -0.1, 0.4);
    const task = { rows, n: 2, d };
    const u = infer(task, { mean, root })!.mean;
    const h = 1e-3;
    for (let k = 0; k < d; k++) {
      const moved = (sign: number) =>
        infer(task, { mean: mean.map((a, j) => a + sign * h * root[j * d + k]!), root })!.evidence;
      expect(u[k]!).toBeCloseTo((moved(1) - moved(-1)) / (2 * h), 3);
    }
  });

  test("is the prior without rows", () => {
    const found = infer(
      { rows: new Float64Array(), n: 0, d },
      { mean: new Float64Array(d), root },
    )!;
    expect(found.evidence).toBe(0);
    expect([...found.mean]).toEqual([0, 0, 0]);
    expect([...found.covariance]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  test("is undefined where arithmetic breaks down", () => {
    const huge = rows.map((x) => x * 1e300);
    const task = { rows: huge, n: 2, d };
    const prior = { mean: new Float64Array(d), root };
    expect(infer(task, prior)).toBeUndefined();
    expect([...logEvidences(task, [prior])]).toEqual([NaN]);
  });
});

describe("inference under several priors", () => {
  const task = {
    rows: Float64Array.from({ length: 18 }, (_, at) => Math.sin(3 * at) * (at % 3 ? 1 : 2)),
    n: 9,
    d: 2,
  };
  const priors = [0.5, 2, 1].map((scale) => ({
    mean: Float64Array.of(scale, -1),
    root: Float64Array.of(scale, 0, 0.3, scale),
  }));

  test("is that under each in turn to the bit, from zeros or from where the one before ended", () => {
    expect(inferEach(task, priors)).toEqual(priors.map((prior) => infer(task, prior)));
    const [all, turns] = [new Float64Array(18), new Float64Array(18)];
    const found = inferEach(task, priors, all);
    expect(found).toEqual(priors.map((prior) => infer(task, prior, turns)));
    expect(all).toEqual(turns);
    expect(found).not.toEqual(inferEach(task, priors));
  });

  test("leaves nothing in the kernels' memory, also where it breaks down", () => {
    const mark = withCore(({ arena }) => arena.mark());
    // What others left there is not asked for.
    withCore(({ arena }) => arena.view(mark, 2000).fill(0));
    inferEach({ ...task, added: new Float64Array(9).fill(0.5) }, priors, new Float64Array(18));
    inferEach({ ...task, added: new Float64Array(9).fill(NaN) }, priors);
    const left = withCore(({ arena }) => arena.view(mark, 2000).slice());
    expect(left.every((value) => value === 0)).toBe(true);
  });
});

test("is the same in the space of rows and of weights", () => {
  const [n, d] = [4, 3];
  const mean = Float64Array.of(0.3, -0.2, 0.5);
  const rows = Float64Array.from({ length: n * d }, (_, i) => Math.cos(5 * i));
  // With two coordinates that no row has there are more of them than rows.
  const wide = d + 2;
  const widened = (a: Float64Array, count: number, one: number) =>
    Float64Array.from({ length: count * wide }, (_, at) => {
      const [i, j] = [Math.floor(at / wide), at % wide];
      return j < d && i < a.length / d ? a[i * d + j]! : i === j ? one : 0;
    });
  const root = Float64Array.of(0.7, 0, 0, 0.1, 2.5, 0, -0.2, 0.3, 0.9);
  const few = infer({ rows, n, d }, { mean, root })!;
  const many = infer(
    { rows: widened(rows, n, 0), n, d: wide },
    { mean: widened(mean, 1, 0), root: widened(root, wide, 1) },
  )!;
  expect(many.evidence).toBeCloseTo(few.evidence, 8);
  const close = (x: Float64Array, y: Float64Array) =>
    x.forEach((value, i) => expect(value).toBeCloseTo(y[i]!, 8));
  close(many.mean, widened(few.mean, 1, 0));
  close(many.covariance, widened(few.covariance, wide, 1));
});

test("under two priors that lie apart, a task without much of its own is as unsure as both together", () => {
  const task = { rows: Float64Array.of(0.1, 0.02, -0.05, 0.1), n: 2, d: 2 };
  const priors = [-1.5, 2].map((mean) => ({
    mean: Float64Array.of(mean, -mean),
    root: Float64Array.of(0.3, 0, 0.1, 0.2),
  }));
  const { whole, components } = averagedModel(task, {
    priors,
    logWeights: Float64Array.of(0, 0),
    shared: 2,
    ownPart: 0,
  });
  const [one, other] = components as [(typeof components)[0], (typeof components)[0]];
  expect(one.weight + other.weight).toBeCloseTo(1, 9);
  const mean = (j: number) => one.weight * one.mean[j]! + other.weight * other.mean[j]!;
  // The law of total variance; the distance between two means is all that it has of them.
  const apart = [0, 1].map((j) => one.mean[j]! - other.mean[j]!);
  let at = 0;
  for (let i = 0; i < 2; i++) {
    expect(whole.mean[i]).toBeCloseTo(mean(i), 12);
    for (let j = 0; j <= i; j++, at++) {
      const within = one.weight * one.covariance[at]! + other.weight * other.covariance[at]!;
      const between = one.weight * other.weight * apart[i]! * apart[j]!;
      expect(whole.covariance[at]).toBeCloseTo(within + between, 10);
      expect(Math.abs(between)).toBeGreaterThan(1);
    }
  }
});

test("evidence that is known is not computed again, and changes no bit", () => {
  const task = { rows: Float64Array.of(0.4, 1, -0.5, 1, 0.9, -1), n: 3, d: 2 };
  const priors = [0.1, 1, 4].map((scale) => ({
    mean: Float64Array.of(scale, 0),
    root: Float64Array.of(scale, 0, 0, scale),
  }));
  const logWeights = Float64Array.of(0, -1, -40);
  const known = Float64Array.from(priors.slice(0, 2), (prior) => infer(task, prior)!.evidence);
  const given = { priors, logWeights, shared: 1, ownPart: 0.3 };
  const first = averagedModel(task, given, known);
  expect(first).toEqual(averagedModel(task, given));
  // What is said to be known is believed.
  const other = averagedModel(task, given, Float64Array.of(known[0]! - 50, known[1]!));
  expect(other.alone).toBeGreaterThan(1 - 1e-9);
  expect(first.alone).toBeLessThan(0.9);
});

test("an own part is the average of learning alone, of which predictions take the mean", () => {
  const task = { rows: Float64Array.of(0.4, 1, -0.5, 1, 0.9, -1, 0.2, 1), n: 4, d: 2 };
  const prior = (center: number, scale: number) => ({
    mean: Float64Array.of(center, 0),
    root: Float64Array.of(scale, 0, 0, scale),
  });
  const [together, ...alone] = [prior(2, 0.2), prior(0, 1), prior(0, 3)];
  const logWeights = Float64Array.of(0, -0.3, -2);
  const all = { priors: [together, ...alone], logWeights, shared: 1 };
  const without = averagedModel(task, { ...all, ownPart: 0 });
  const own = averagedModel(task, {
    priors: alone,
    logWeights: logWeights.slice(1),
    shared: 0,
    ownPart: 0,
  }).whole;
  const pooled = averagedModel(task, { ...all, ownPart: 0.5 });
  // Half of the part of a task of many rows, since it has four.
  const part = 0.25;
  const mixed = (a: Float64Array, b: Float64Array) =>
    a.map((value, k) => (1 - part) * value + part * b[k]!);
  const off = without.whole.mean.map((value, k) => value - own.mean[k]!);
  const between = [off[0]! ** 2, off[0]! * off[1]!, off[1]! ** 2].map((v) => part * (1 - part) * v);
  const covariance = mixed(without.whole.covariance, own.covariance);
  pooled.whole.mean.forEach((value, k) => {
    expect(value).toBeCloseTo(mixed(without.whole.mean, own.mean)[k]!, 10);
  });
  pooled.whole.covariance.forEach((value, k) => {
    expect(value).toBeCloseTo(covariance[k]! + between[k]!, 10);
  });
  expect(pooled.alone).toBeCloseTo(part + (1 - part) * without.alone, 10);
  const sure = pooled.components.filter(
    ({ covariance: own, weight }) => weight > 0 && own[0] === 0,
  );
  expect(sure).toHaveLength(1);
  expect(sure[0]!.weight).toBeCloseTo(part, 12);
  sure[0]!.mean.forEach((value, k) => expect(value).toBeCloseTo(own.mean[k]!, 10));
});
