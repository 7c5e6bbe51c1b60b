/**
 * What expectation propagation ends with, beside its fixed point: of usual tasks, and of hard ones.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  infer,
  logEvidences,
  posteriorMean,
  type GaussianPrior,
} from "../../../../../../src/learning/families/mixed/labels/posterior/expectation-propagation.js";
import { linkMoments } from "../../../../../../src/learning/models/logistic-link.js";
import { fixedPoint } from "./fixed-point.js";
import { linkMomentsInNumbers } from "./link-moments-in-numbers.js";

const KINDS = ["usual", "separable", "huge", "constant column", "equal rows", "one label"] as const;
type Kind = (typeof KINDS)[number];

/** Rows y_j x_j, the constant last, of a task of a kind. */
function rowsOf(kind: Kind, n: number, d: number, phase: number): Float64Array {
  const wave = (k: number) => Math.sin(phase + 1.7 * k) + Math.cos(3.1 * k * (1 + (phase % 7)));
  const rows = new Float64Array(n * d);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) {
      const value = kind === "equal rows" ? wave((i % 2) * d + j) : wave(i * d + j);
      const column = kind === "constant column" && j === 0 ? 0.7 : value;
      rows[i * d + j] = j === d - 1 ? 1 : kind === "huge" ? 100 * column : column;
    }
    const label =
      kind === "separable"
        ? Math.sign(rows[i * d]!)
        : kind === "one label"
          ? 1
          : wave(9 * i + 4) > 0
            ? 1
            : -1;
    for (let j = 0; j < d; j++) rows[i * d + j]! *= label;
  }
  return rows;
}

/** A task and a surface of priors: their scales times those of a grid. */
const problems = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    n: fc.constantFrom(1, 2, 5, 12, 40),
    d: fc.integer({ min: 1, max: 8 }),
    phase: fc.integer({ min: 0, max: 10_000 }),
    far: fc.constantFrom(0, 0, 0.5, 3),
  })
  .map(({ kind, n, d, phase, far }) => {
    const priors = [0.1, 0.4, 1.5, 6].flatMap((slope) =>
      [0.1, 1, 10].map((intercept): GaussianPrior => {
        const root = new Float64Array(d * d);
        for (let j = 0; j < d; j++) root[j * d + j] = j === d - 1 ? intercept : slope;
        return {
          mean: Float64Array.from({ length: d }, (_, j) => far * Math.cos(phase + j)),
          root,
        };
      }),
    );
    return { task: { rows: rowsOf(kind, n, d, phase), n, d }, priors };
  });

const farthest = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!)), 0);

test("ends within the tolerance of the fixed point, from nothing or from the prior before", () => {
  let compared = 0;
  fc.assert(
    fc.property(problems, ({ task, priors }) => {
      const surface = logEvidences(task, priors);
      const sites = new Float64Array(2 * task.n);
      priors.forEach((prior, k) => {
        const mean = posteriorMean(task, prior, sites)!;
        const exact = fixedPoint(task, prior);
        if (!exact) return;
        compared++;
        const found = infer(task, prior)!;
        // Of forty rows of one label and a wide prior the tolerance leaves most.
        const most = { evidence: 2e-2, mean: 0.05 };
        expect(Math.abs(found.evidence - exact.evidence)).toBeLessThan(most.evidence);
        expect(Math.abs(surface[k]! - exact.evidence)).toBeLessThan(most.evidence);
        expect(farthest(found.mean, exact.mean)).toBeLessThan(most.mean);
        expect(farthest(mean, exact.mean)).toBeLessThan(most.mean);
        expect(farthest(found.covariance, exact.covariance)).toBeLessThan(most.mean);
      });
    }),
    { numRuns: 60, seed: 1 },
  );
  expect(compared).toBeGreaterThan(600);
});

test("evidence under the first prior is that of inference to the bit, and does not depend on priors after it", () => {
  fc.assert(
    fc.property(problems, ({ task, priors }) => {
      const surface = logEvidences(task, priors);
      expect(surface[0]).toBe(infer(task, priors[0]!)!.evidence);
      expect(logEvidences(task, priors.slice(0, 5))).toEqual(surface.slice(0, 5));
      expect(logEvidences(task, priors)).toEqual(surface);
    }),
    { numRuns: 20, seed: 2 },
  );
});

test("where arithmetic breaks down under one prior, the next starts from nothing", () => {
  const task = { rows: rowsOf("usual", 6, 3, 5), n: 6, d: 3 };
  const prior = (scale: number) => ({
    mean: new Float64Array(3),
    root: Float64Array.from({ length: 9 }, (_, at) => (at % 4 === 0 ? scale : 0)),
  });
  const [first, broken, last] = logEvidences(task, [prior(1), prior(1e300), prior(2)]);
  expect(first).toBe(infer(task, prior(1))!.evidence);
  expect(broken).toBeNaN();
  expect(last).toBe(infer(task, prior(2))!.evidence);
});

test("moments of the link are those of predictions to 1e-9", () => {
  const moments = { logMean: 0, slope: 0, curvature: 0 };
  for (const variance of [0, 1e-6, 0.01, 0.5, 3, 40, 1e4, 1e8])
    for (let mean = -40; mean <= 40; mean += 0.37) {
      const found = linkMomentsInNumbers(mean, variance);
      linkMoments(mean, variance, moments);
      const logMean = Math.log(found.total) - found.square / 2;
      expect(Math.abs(logMean - moments.logMean)).toBeLessThan(1e-9);
      expect(Math.abs(found.slope / moments.slope - 1)).toBeLessThan(1e-9);
      expect(Math.abs(found.curvature - moments.curvature)).toBeLessThan(1e-9);
    }
});
