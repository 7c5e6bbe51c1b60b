import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../../src/core/index.js";
import { noiseScore } from "../../../../../../src/learning/families/mixed/squared/spread/noise-score.js";
import {
  NOISE_MULTIPLES,
  NOISE_PRIOR,
  NOISE_SPREAD,
} from "../../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { SquaredState } from "../../../../../../src/learning/families/mixed/squared/squared-state.js";
import {
  receiveVariances,
  varianceUploads,
} from "../../../../../../src/learning/families/mixed/squared/spread/squared-variances.js";
import { TaskSpectra } from "../../../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { mixedTasks } from "../../tasks.js";

/** Logarithm of the density of `rest`, of q rows, where the noise is log-normal around `noise`: by the trapezoidal rule. */
function logMarginal(q: number, rest: number, noise: number): number {
  const [width, points] = [8 * Math.sqrt(NOISE_SPREAD), 4001];
  const logs = Array.from({ length: points }, (_, k) => {
    const z = width * ((2 * k) / (points - 1) - 1);
    const own = noise * Math.exp(z);
    return -(z * z) / (2 * NOISE_SPREAD) - (q / 2) * Math.log(own) - rest / (2 * own);
  });
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

/** The score of a likelihood that averages over the multiples of the common noise. */
function byMultiples(q: number, rest: number, noise: number): number {
  const logs = NOISE_MULTIPLES.map(
    (multiple, j) =>
      Math.log(NOISE_PRIOR[j]!) - (q * Math.log(multiple * noise) + rest / (multiple * noise)) / 2,
  );
  const most = Math.max(...logs);
  const weights = logs.map((value) => Math.exp(value - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return NOISE_MULTIPLES.reduce(
    (sum, multiple, j) => sum + ((weights[j]! / total) * (rest / (multiple * noise) - q)) / 2,
    0,
  );
}

describe("the score of the common noise", () => {
  test.each([200, 1000])(
    "of a task of %i rows it is the derivative of its likelihood with a log-normal noise",
    (q) => {
      for (const ratio of [0.2, 0.5, 1, 1.7, 6]) {
        const rest = q * ratio;
        const step = 1e-3;
        const slope = (at: number) => logMarginal(q, rest, Math.exp(at));
        const exact = (slope(step) - slope(-step)) / (2 * step);
        const found = noiseScore(byMultiples(q, rest, 1), q, rest, 1);
        // log(rest / q) is a normal up to terms in 1 / q, and of the multiples' score, at most q / 2, (18 / q)^4 is left.
        expect(Math.abs(found - exact)).toBeLessThan(2 / q + 18 ** 4 / q ** 3 / 2);
      }
    },
  );

  test("it falls as the common noise rises, where the average over multiples rises and falls", () => {
    const noises = Array.from({ length: 41 }, (_, k) => 10 ** ((k - 20) / 20));
    const falls = (scoreOf: (noise: number) => number) =>
      noises.slice(1).every((noise, k) => scoreOf(noise) <= scoreOf(noises[k]!) + 1e-9);
    const [q, rest] = [400, 400];
    expect(falls((noise) => byMultiples(q, rest, noise))).toBe(false);
    expect(falls((noise) => noiseScore(byMultiples(q, rest, noise), q, rest, noise))).toBe(true);
  });

  test("few rows keep the average over multiples, none has it alone", () => {
    expect(noiseScore(0.7, 0, 0, 1)).toBe(0.7);
    expect(Math.abs(noiseScore(0.7, 1, 1, 1) - 0.7)).toBeLessThan(0.01);
  });

  test("rows without any noise, and beyond any, have a finite score", () => {
    for (const rest of [0, 1e300])
      expect(Number.isFinite(noiseScore(0, 50, rest, 1e-4))).toBe(true);
  });
});

test.each([0.05, 0.16, 0.5])(
  "the noise that tasks of many rows have in common is found from %f",
  (first) => {
    const { rows, sizes } = mixedTasks(5, 60, 60, [0.8, -0.5, 0.3]);
    const tasks = new TaskSpectra(openCore(), rows, sizes.d);
    const state = new SquaredState(sizes);
    state.logs[2] = Math.log(first);
    for (let round = 0; round < 4; round++) {
      const sum = new Float64Array(3);
      varianceUploads(state, tasks).forEach((value, at) => (sum[at % 3]! += value));
      receiveVariances(state, sum, 1e-9, 0.3);
    }
    // 60 tasks of 57 rows tell a common noise of .16 within 2.4 %; clipped scores and the models' directions leave a tenth.
    expect(state.noise / 0.16).toBeGreaterThan(0.8);
    expect(state.noise / 0.16).toBeLessThan(1.25);
  },
);
