/** The shape of C: scores are derivatives of the likelihood, and steps lead to where tasks lie. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../../src/core/index.js";
import {
  receiveShape,
  ShapeScores,
  shapeUploads,
} from "../../../../../../src/learning/families/mixed/squared/spread/squared-shape.js";
import {
  squaredReleases,
  squaredSteps,
} from "../../../../../../src/learning/families/mixed/squared/squared-plan.js";
import {
  NOISE_MULTIPLES,
  NOISE_PRIOR,
} from "../../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { SquaredState } from "../../../../../../src/learning/families/mixed/squared/squared-state.js";
import { TaskSpectra } from "../../../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { eigh } from "../../../../../../src/linalg/index.js";
import { unpacked } from "../../../../../../src/linalg/packed-symmetric.js";
import { factor, multiply, transpose } from "../../../../../../src/linalg/small-matrices.js";
import { generator } from "../../tasks.js";

/** m tasks of n rows y = x . L z + e, e of deviation `noise`; the last coordinate is the constant. */
function tasksWith(seed: number, m: number, n: number, l: readonly number[], noise: number) {
  const draw = generator(seed);
  const d = Math.sqrt(l.length);
  const offsets = Uint32Array.from({ length: m + 1 }, (_, i) => i * n);
  const x = new Float64Array(m * n * d);
  const y = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const z = Array.from({ length: d }, draw);
    for (let row = i * n; row < (i + 1) * n; row++) {
      y[row] = noise * draw();
      for (let c = 0; c < d; c++) {
        x[row * d + c] = c === d - 1 ? 1 : draw();
        for (let k = 0; k <= c; k++) y[row]! += x[row * d + c]! * l[c * d + k]! * z[k]!;
      }
    }
  }
  return { spectra: new TaskSpectra(openCore(), { x, y, offsets }, d), d };
}

/** A state of such logarithms of the variances of slopes, intercept and noise. */
function stateOf(m: number, d: number, n: number, logs: readonly number[]) {
  const state = new SquaredState({ m, d, meanRows: n });
  state.logs.set(logs);
  return state;
}

describe("scores", () => {
  test.each([
    ["more", 6],
    ["fewer", 2],
  ])(
    "are derivatives of a task's likelihood by entries of C; of %s rows than coordinates",
    (_, n) => {
      const [m, d] = [3, 3];
      const { spectra } = tasksWith(5, m, n, [1, 0, 0, 0.5, 0.6, 0, 0.2, -0.4, 0.8], 0.5);
      const state = stateOf(m, d, n, [-0.7, 0.3, -1]);
      state.reshape(Float64Array.of(0.7, 0.1, 0.2, 0.1, 0.3, 0.1, 0.2, 0.1, 1));
      const scores = new ShapeScores(state);
      const { l } = scores;
      // The basis and the g, worked out once more.
      const told = multiply(
        multiply(transpose(l, d, d), state.meanInformation(state.covariance), d, d, d),
        l,
        d,
        d,
        d,
      );
      const { values: g, vectors: v } = eigh(told, d);
      const likelihood = (i: number, c: number, e: number, step: number) => {
        // C with D = step (v_c v_e^T + v_e v_c^T) / 2.
        const change = Float64Array.from({ length: d * d }, (__, at) => {
          const [a, b] = [Math.floor(at / d), at % d];
          const both = v[a * d + c]! * v[b * d + e]! + v[a * d + e]! * v[b * d + c]!;
          return (a === b ? 1 : 0) + (step * both) / 2;
        });
        const moved = multiply(multiply(l, change, d, d, d), transpose(l, d, d), d, d, d);
        let sum = 0;
        const task = spectra.of(i, new Float64Array(d), factor(moved, d));
        NOISE_MULTIPLES.forEach((multiple, j) => {
          sum += NOISE_PRIOR[j]! * Math.exp(task.logLikelihood(1, state.noise * multiple));
        });
        return Math.log(sum);
      };
      const score = new Float64Array(scores.length);
      const found = Array.from({ length: m }, (__, i) => {
        const task = spectra.of(i, new Float64Array(d), l);
        scores.open(task);
        scores.write(task, score);
        return unpacked(score, d);
      });
      for (let i = 0; i < m; i++) {
        for (let c = 0; c < d; c++) {
          for (let e = 0; e <= c; e++) {
            const h = 1e-5;
            const slope = (likelihood(i, c, e, h) - likelihood(i, c, e, -h)) / (2 * h);
            const score = found[i]![c * d + e]! * Math.sqrt(2 * g[c]! * g[e]!);
            expect(slope).toBeCloseTo(score / 2, 5);
          }
        }
      }
    },
  );

  test("of a task without rows are 0, as nothing is told of it", () => {
    const rows = { x: new Float64Array(0), y: new Float64Array(0), offsets: Uint32Array.of(0, 0) };
    const spectra = new TaskSpectra(openCore(), rows, 2);
    expect([...shapeUploads(stateOf(1, 2, 4, [0, 0, 0]), spectra)]).toEqual([0, 0, 0]);
  });
});

describe("steps", () => {
  /** Sum of the uploads. */
  const summed = (state: SquaredState, spectra: TaskSpectra) => {
    const uploads = shapeUploads(state, spectra);
    const length = uploads.length / spectra.m;
    const sum = new Float64Array(length);
    uploads.forEach((value, at) => (sum[at % length]! += value));
    return sum;
  };

  test("where the model holds nothing moves, and where it does not correlations are found, the scales kept", () => {
    const [m, n] = [800, 6];
    const found = [0, 0.8].map((correlation) => {
      const l = [1, 0, correlation, Math.sqrt(1 - correlation ** 2)];
      const { spectra, d } = tasksWith(3, m, n, l, 0.5);
      const state = stateOf(m, d, n, [0, 0, Math.log(0.25)]);
      for (let round = 0; round < 2; round++) receiveShape(state, summed(state, spectra), 1e-9);
      expect([0, 3].map((at) => state.covariance[at]!)).toEqual([
        expect.closeTo(1, 12),
        expect.closeTo(1, 12),
      ]);
      return state.covariance[1]!;
    });
    // A correlation of m tasks has an error of about 1 / sqrt(m) = .035: five of them.
    expect(Math.abs(found[0]!)).toBeLessThan(0.18);
    expect(found[1]!).toBeGreaterThan(0.65);
    expect(found[1]!).toBeLessThan(0.93);
  });

  test("slopes that are wider than others are told from these", () => {
    const { spectra, d } = tasksWith(4, 800, 8, [1, 0, 0, 0, 0.2, 0, 0, 0, 1], 0.5);
    const state = stateOf(800, d, 8, [Math.log(0.52), 0, Math.log(0.25)]);
    for (let round = 0; round < 2; round++) receiveShape(state, summed(state, spectra), 1e-9);
    const { covariance } = state;
    expect(covariance[0]! / covariance[4]!).toBeGreaterThan(5);
    expect(covariance[0]! + covariance[4]!).toBeCloseTo(2 * 0.52, 9);
  });

  test("what is no larger than the noise moves nothing", () => {
    const state = stateOf(100, 2, 6, [0, 0, Math.log(0.25)]);
    receiveShape(state, Float64Array.of(30, -40, 20), 1e5);
    [1, 0, 0, 1].forEach((value, at) => expect(state.covariance[at]!).toBeCloseTo(value, 3));
  });
});

test("releases where sums are precise and coordinates few, by public sizes; no other then loses its part", () => {
  const releasesOf = (m: number, d: number, mu: number, meanRows = 8) => {
    const sizes = { m, d, meanRows };
    return squaredReleases(squaredSteps(sizes, mu), sizes);
  };
  const asked = (...given: Parameters<typeof releasesOf>) =>
    releasesOf(...given).filter(({ label }) => label === "shape");
  // Noise of 2 sqrt(3) / (mu sqrt(.08 .44) m) on an entry of two coordinates, .45 at mu m = 41.03.
  expect(asked(100, 2, 0.42)).toHaveLength(2);
  expect(asked(100, 2, 0.4)).toHaveLength(0);
  // Half as many rows as coordinates tell half as much.
  expect(asked(100, 4, 1.06, 2)).toHaveLength(0);
  expect(asked(100, 4, 1.06, 4)).toHaveLength(2);
  expect(asked(10_000, 12, 5)).toHaveLength(2);
  expect(asked(10_000, 13, 5)).toHaveLength(0);
  expect(asked(10_000, 1, 5)).toHaveLength(0);
  const [one] = asked(100, 3, 5);
  expect(one).toMatchObject({ statistic: "vector", length: 6 });
});
