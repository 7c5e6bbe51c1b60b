import fc from "fast-check";
import { expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import type { MixedPrior } from "../../../../src/learning/families/mixed/exchange.js";
import { aloneRoots } from "../../../../src/learning/families/mixed/squared/solve/alone-roots.js";
import {
  alonePrior,
  noiseLevels,
  sharedRoots,
  type Root,
} from "../../../../src/learning/families/mixed/squared/solve/hypotheses.js";
import { ownPart } from "../../../../src/learning/families/mixed/own-part.js";
import {
  MANY_ROWS,
  OWN_PART,
} from "../../../../src/learning/families/mixed/squared/squared-settings.js";
import { solveTasks } from "../../../../src/learning/families/mixed/squared/solve/squared-solve.js";
import { TaskSpectra } from "../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { SQUARED } from "../../../../src/learning/tasks/own-models/settings.js";
import { diagonal } from "../../../../src/linalg/small-matrices.js";
import { average, dense } from "./squared/dense-posterior.js";

/** A slope and an intercept; `error` of the slope's second moment .2 + .3 + error is of its fixed effect. */
function prior(error: number): MixedPrior {
  const releases = diagonal([error, 0.1]);
  return {
    fixedEffects: Float64Array.of(Math.sqrt(0.3), -0.4),
    stated: () => ({ fixedEffectsCovariance: releases }),
    releaseCovariance: releases,
    covariance: diagonal([0.2, 0.5]),
    noise: 0.3,
    unsure: diagonal([0.1, 0.1, 0.1]),
  };
}

const { most, error: full, rows } = OWN_PART;
/** The error that is such a part of the second moment. */
const errorOf = (part: number) => (0.5 * part) / (1 - part);

test("of the square of the error's part, up to the most, and half of that at so many rows", () => {
  expect(ownPart(prior(errorOf(full)))(1e9)).toBeCloseTo(most, 6);
  expect(ownPart(prior(errorOf(0.9)))(1e9)).toBeCloseTo(most, 6);
  expect(ownPart(prior(errorOf(full)))(rows)).toBeCloseTo(most / 2, 9);
  expect(ownPart(prior(errorOf(full / 2)))(1e9)).toBeCloseTo(most / 4, 6);
  expect(ownPart(prior(errorOf(0.01)))(1e9)).toBe(0);
});

test("no smaller of more error or more rows, and never all", () => {
  const error = fc.double({ min: 0, max: 20, noNaN: true });
  fc.assert(
    fc.property(error, error, fc.integer({ min: 1, max: 500 }), (one, more, n) => {
      const part = ownPart(prior(one))(n);
      expect(part).toBeLessThanOrEqual(most);
      expect(ownPart(prior(one + more))(n)).toBeGreaterThanOrEqual(part - 1e-12);
      expect(ownPart(prior(one))(n + 1)).toBeGreaterThanOrEqual(part);
    }),
    { seed: 6, numRuns: 200 },
  );
});

test("the hypotheses alone are those of single-task's grid, on the noises that are counted, of sum 1 in each kind of units", () => {
  const zero = Float64Array.of(1, 2, 3);
  const units = { of: () => diagonal([1, 1, 1]), part: () => 0.5 };
  for (const [apart, kinds] of [
    [{}, 1],
    [{ zero }, 1],
    [{ zero, units }, 2],
  ] as const) {
    const hypotheses = aloneRoots(3, apart).flatMap((root) => root.hypotheses);
    expect([...new Set(hypotheses.map(({ noise }) => noise))]).toEqual([...SQUARED.noise]);
    expect([...new Set(hypotheses.map(({ spread }) => spread))]).toEqual([...SQUARED.slopes]);
    const levels = noiseLevels(0);
    for (const { level, noise } of hypotheses) expect(levels[level]).toBe(noise);
    const sum = hypotheses.reduce((total, { weight }) => total + Math.exp(weight), 0);
    expect(sum).toBeCloseTo(kinds, 9);
  }
});

test("many rows ask for closer spreads of the same roots", () => {
  const { few, many } = sharedRoots({ ...prior(errorOf(0.2)), unsure: diagonal([1, 0.5, 0.2]) });
  expect(many.map(({ l }) => l)).toEqual(few.map(({ l }) => l));
  expect(many.every(({ hypotheses }, k) => hypotheses.length > few[k]!.hypotheses.length)).toBe(
    true,
  );
  for (const roots of [few, many]) {
    const weights = roots.flatMap(({ hypotheses }) => hypotheses.map((h) => Math.exp(h.weight)));
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
  }
});

test("a task of many rows averages over the closer spreads, by dense matrices", () => {
  const n = MANY_ROWS;
  const x = Float64Array.from({ length: 2 * n }, (_, k) => (k % 2 ? 1 : Math.sin(k)));
  const y = Float64Array.from({ length: n }, (_, k) => 1.2 * Math.sin(2 * k) + Math.cos(7 * k) / 3);
  const given = prior(errorOf(0.7));
  const rows = { x, y, offsets: [0, n] };
  const { models } = solveTasks(given, new TaskSpectra(openCore(), rows, 2));
  const kinds = [Math.log(1 - alonePrior(given)(n)), Math.log(alonePrior(given)(n))];
  const pooled = (shared: readonly Root[]) => {
    const compared = average(
      [shared, aloneRoots(2)].flatMap((roots, kind) =>
        roots.flatMap((root) =>
          dense(root, x, y).map(({ log, mean }) => ({ log: log + kinds[kind]!, mean })),
        ),
      ),
    );
    const own = average(aloneRoots(2).flatMap((root) => dense(root, x, y)));
    const part = ownPart(given)(n);
    return compared.map((value, c) => (1 - part) * value + part * own[c]!);
  };
  const { few, many } = sharedRoots(given);
  pooled(many).forEach((value, c) => expect(models[c]).toBeCloseTo(value, 8));
  const differences = pooled(few).map((value, c) => Math.abs(value - models[c]!));
  expect(Math.max(...differences)).toBeGreaterThan(1e-6);
});

test("a model is the pool of the average by evidence and of the task's own, by dense matrices", () => {
  const x = Float64Array.of(0.3, 1, -1.2, 1, 0.8, 1);
  const y = Float64Array.of(2.1, 1.2, 2.9);
  for (const error of [errorOf(0.2), errorOf(0.7)]) {
    const given = prior(error);
    const spectra = new TaskSpectra(openCore(), { x, y, offsets: [0, 3] }, 2);
    const { models, alone } = solveTasks(given, spectra);
    const kinds = [Math.log(1 - alonePrior(given)(3)), Math.log(alonePrior(given)(3))];
    const compared = average(
      [sharedRoots(given).few, aloneRoots(2)].flatMap((roots, kind) =>
        roots.flatMap((root) =>
          dense(root, x, y).map(({ log, mean }) => ({ log: log + kinds[kind]!, mean })),
        ),
      ),
    );
    const own = average(aloneRoots(2).flatMap((root) => dense(root, x, y)));
    const part = ownPart(given)(3);
    expect(part).toBeGreaterThan(0);
    expect(alone[0]).toBeGreaterThan(part);
    models.forEach((value, c) =>
      expect(value).toBeCloseTo((1 - part) * compared[c]! + part * own[c]!, 8),
    );
  }
});
