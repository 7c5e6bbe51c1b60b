/** Which hypothesis a noisy sum of evidence is like: sums that are known, rounds that agree and that do not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evidenceBelief } from "../../../../../../src/learning/families/mixed/labels/evidence/evidence-belief.js";
import { surfaceShape } from "../../../../../../src/learning/families/mixed/labels/evidence/evidence-shape.js";
import { smoothSurface } from "../../../../../../src/learning/families/mixed/labels/evidence/evidence-surface.js";
import { hypotheses } from "../../../../../../src/learning/families/mixed/labels/evidence/logistic-hypotheses.js";
import { drawSyntheticTasks } from "../../../../../../src/learning/families/mixed/labels/evidence/logistic-synthetic.js";
import {
  posterior,
  syntheticLikelihood,
} from "../../../../../../src/learning/families/mixed/labels/evidence/synthetic-likelihood.js";
import { softmax } from "../../../../../../src/linalg/softmax.js";

const [m, d, clip] = [200, 3, 0.5];
const grid = hypotheses(d);
const shape = surfaceShape(drawSyntheticTasks({ m, d, meanRows: 8 }), grid, clip);
const prior = softmax(grid.logPrior);
/** What m tasks of a hypothesis are expected to upload, and a part of it. */
const sumOf = (truth: number, part = 0.9) => shape.means[truth]!.map((value) => part * m * value);
const most = (values: Float64Array) => values.indexOf(Math.max(...values));

test("uploads of a hypothesis vary around their mean: those of one task not at all, of many no more than the clip lets them", () => {
  const one = surfaceShape(drawSyntheticTasks({ m: 1, d, meanRows: 8 }), grid, clip);
  expect(Math.max(...one.within.map(Math.abs))).toBe(0);
  const varying = grid.logPrior.reduce((sum, _, h) => sum + shape.within[h * (grid.count + 1)]!, 0);
  expect(varying).toBeGreaterThan(0);
  const between = shape.means.reduce(
    (sum, mean, h) => sum + prior[h]! * mean.reduce((total, x) => total + x * x, 0),
    0,
  );
  expect(varying + between).toBeLessThanOrEqual(clip ** 2 + 1e-12);
});

test("what is expected of several classes is the same whatever was fitted before with two", () => {
  const synthetic = drawSyntheticTasks({ m: 150, d, meanRows: 6 });
  const several = hypotheses(d, 3);
  surfaceShape(synthetic, hypotheses(d), clip);
  // Nothing is kept of tasks by another name.
  const fresh = surfaceShape({ ...synthetic, key: "not asked for before" }, several, clip);
  expect(surfaceShape(synthetic, several, clip)).toEqual(fresh);
});

describe("a noisy sum of evidence", () => {
  test("is as likely under every hypothesis as normal densities of their sums say", () => {
    // One entry differs by its noise alone where synthetic tasks say nothing of the others.
    const small = {
      weights: Float64Array.of(1, 1),
      means: [Float64Array.of(0.1, 0), Float64Array.of(-0.2, 0)],
      within: new Float64Array(4),
      remainder: new Float64Array(4),
      kernel: new Float64Array(4),
    };
    const density = (sum: number, mean: number) =>
      [0.3, 0.6, 0.9, 1.2].reduce(
        (total, part, k) =>
          total + [0.15, 0.3, 0.35, 0.2][k]! * Math.exp(-((sum - part * mean) ** 2) / (2 * 9)),
        0,
      );
    const [one, other] = syntheticLikelihood(Float64Array.of(4, 0), 3, small, 50);
    expect(one! - other!).toBeCloseTo(Math.log(density(4, 5) / density(4, -10)), 6);
  });

  test("is most like the tasks that it is of", () => {
    for (const truth of prior.keys()) {
      const logs = syntheticLikelihood(sumOf(truth), 1e-3, shape, m);
      const nearest = logs.map((value, h) => (h === truth ? -Infinity : value));
      expect(logs[truth]!).toBeGreaterThanOrEqual(Math.max(...nearest) - 1e-9);
    }
  });

  test("says nothing where noise is all that there is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: grid.count - 1 }), (truth) => {
        const { weights } = evidenceBelief(sumOf(truth), 1e7, shape, grid.logPrior, m);
        const apart = Math.max(...weights.map((weight, h) => Math.abs(weight - prior[h]!)));
        expect(apart).toBeLessThan(0.0005);
      }),
    );
  });

  test("leaves probabilities that sum to 1, and without noise counts as evidence alone", () => {
    for (const deviation of [0, 0.1, 10, 1000]) {
      const { weights } = evidenceBelief(sumOf(7), deviation, shape, grid.logPrior, m);
      expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    }
    const sum = sumOf(7);
    const asEvidence = (deviation: number) =>
      smoothSurface(sum, deviation, shape, grid.logPrior, m).weights;
    expect(evidenceBelief(sum, 0, shape, grid.logPrior, m).weights).toEqual(asEvidence(0));
    // Where noise is a hundred times the sum, likeness alone counts.
    const loud = 3000;
    const { weights: alike } = posterior(syntheticLikelihood(sum, loud, shape, m), grid.logPrior);
    const { weights } = evidenceBelief(sum, loud, shape, grid.logPrior, m);
    const apart = (a: Float64Array, b: Float64Array) =>
      Math.max(...a.map((x, h) => Math.abs(x - b[h]!)));
    expect(apart(weights, alike)).toBeLessThan(apart(asEvidence(loud), alike) / 100);
  });
});

describe("rounds", () => {
  const flat = Float64Array.of(0, 0);
  test("that say the same count together", () => {
    const { weights, likelihood } = posterior(Float64Array.of(2, 0), flat, Float64Array.of(1, 0));
    expect(likelihood).toEqual(Float64Array.of(3, 0));
    expect(weights[0]!).toBeCloseTo(1 / (1 + Math.exp(-3)), 12);
  });
  test("that say the opposite do not: the later counts", () => {
    const { likelihood } = posterior(Float64Array.of(2, 0), flat, Float64Array.of(-5, 0));
    expect(likelihood).toEqual(Float64Array.of(2, 0));
  });
  test("most alike is where a likelihood is largest, under an even prior", () => {
    const even = new Float64Array(grid.count);
    const logs = syntheticLikelihood(sumOf(3), 5, shape, m);
    expect(most(posterior(logs, even).weights)).toBe(most(logs));
  });
});
