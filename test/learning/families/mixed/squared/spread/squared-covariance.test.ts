/** Correlations of many coordinates: where the second release is of the coordinates of the first, and what it brings. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../../src/core/index.js";
import {
  covarianceUploads,
  receiveCovariance,
} from "../../../../../../src/learning/families/mixed/squared/spread/squared-covariance.js";
import { SquaredState } from "../../../../../../src/learning/families/mixed/squared/squared-state.js";
import { TaskSpectra } from "../../../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { triangle } from "../../../../../../src/linalg/packed-symmetric.js";
import { trace } from "../../../../../../src/linalg/small-matrices.js";
import { generator } from "../../tasks.js";

/** Tasks whose models use the first two coordinates alone, of thirty rows each. */
function sharing(m: number, d: number, last?: (value: number, at: number) => number) {
  const draw = generator(7);
  const n = 30;
  const offsets = Uint32Array.from({ length: m + 1 }, (_, i) => i * n);
  const x = Float64Array.from({ length: m * n * d }, (_, at) => (at % d === d - 1 ? 1 : draw()));
  const y = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const [first, second] = [draw(), draw()];
    for (let row = i * n; row < (i + 1) * n; row++) {
      y[row] = x[row * d]! * first + x[row * d + 1]! * second + 0.3 * draw();
    }
  }
  // Neighbours: the last task's rows are others.
  const from = (m - 1) * n;
  if (last) {
    x.forEach((value, at) => (x[at] = at < from * d ? value : last(value, at)));
    y.forEach((value, row) => (y[row] = row < from ? value : last(value, row)));
  }
  const state = new SquaredState({ m, d, meanRows: n });
  state.logs.set([Math.log(2 / d), Math.log(0.1), Math.log(0.1)]);
  return { spectra: new TaskSpectra(openCore(), { x, y, offsets }, d), state };
}

/**
 * Part of the correlation's trace outside the first two coordinates, after each of two releases.
 * @param edge that of the noise, which is not drawn, relative to m.
 */
function elsewhere(m: number, d: number, edge: number): number[] {
  const deviation = (edge * m) / Math.sqrt(2 * d);
  const { spectra, state } = sharing(m, d);
  return [0, 1].map(() => {
    const sum = new Float64Array(triangle(d));
    covarianceUploads(state, spectra).forEach((value, at) => (sum[at % sum.length]! += value));
    receiveCovariance(state, sum, deviation);
    const { correlation } = state;
    return 1 - (correlation[0]! + correlation[d + 1]!) / trace(correlation, d);
  });
}

describe("the second release of correlations", () => {
  test("of many coordinates takes off what scatter of the tasks' models left in the first", () => {
    const [first, second] = elsewhere(60, 20, 0.05) as [number, number];
    expect(first).toBeGreaterThan(0.02);
    expect(second).toBeLessThan(first / 3);
  });

  test("uploads keep the length of 1 that the noise is for", () => {
    const { spectra, state } = sharing(40, 20);
    const length = triangle(20);
    for (const release of [0, 1]) {
      const uploads = covarianceUploads(state, spectra);
      const sum = new Float64Array(length);
      for (let i = 0; i < 40; i++) {
        const square = uploads
          .subarray(i * length, (i + 1) * length)
          .reduce((total, value) => total + value * value, 0);
        expect(Math.abs(square - 1), `release ${release}, task ${i}`).toBeLessThan(1e-12);
        for (let at = 0; at < length; at++) sum[at]! += uploads[i * length + at]!;
      }
      receiveCovariance(state, sum, 0.01);
    }
  });

  test.each<[string, (value: number, at: number) => number]>([
    ["opposite", (value) => -value],
    ["zeros", () => 0],
    ["far", (value, at) => (at % 7 === 3 ? 1e9 : value)],
    ["tiny and huge", (value, at) => value * (at % 2 === 0 ? 1e-40 : 1e40)],
    ["all alike", () => 3],
  ])("moves by no more than one task's length where its rows are %s", (_, last) => {
    const [m, d] = [40, 20];
    const worlds = [sharing(m, d), sharing(m, d, last)];
    const length = triangle(d);
    const draw = generator(11);
    for (const release of [0, 1]) {
      const [one, two] = worlds.map(({ spectra, state }) => covarianceUploads(state, spectra));
      const others = (uploads: Float64Array) => uploads.slice(0, (m - 1) * length);
      expect(others(two!), `release ${release}`).toEqual(others(one!));
      const moved = Math.hypot(
        ...Array.from({ length }, (_, at) => one!.at(at - length)! - two!.at(at - length)!),
      );
      expect(moved).toBeLessThanOrEqual(Math.SQRT2 * (1 + 1e-12));
      // Both receive the sum of the first with noise.
      const sum = Float64Array.from({ length }, () => 0.3 * draw());
      one!.forEach((value, at) => (sum[at % length]! += value));
      worlds.forEach(({ state }) => {
        receiveCovariance(state, sum, 0.3);
      });
      const [here, there] = worlds.map(({ state }) => state.correlation);
      expect(there, `release ${release}`).toEqual(here);
    }
  });

  test("says nothing where no direction stands out of its noise there", () => {
    const [first, second] = elsewhere(60, 20, 0.14) as [number, number];
    expect(Math.abs(second / first - 1)).toBeLessThan(0.01);
  });

  test.each([
    ["coordinates are few", 18, 0.05],
    ["the noise is large", 20, 0.16],
  ])("is in the units of the deviations where %s", (_, d, edge) => {
    const [first, second] = elsewhere(60, d, edge) as [number, number];
    expect(second).toBeLessThan(0.9 * first);
    expect(second).toBeGreaterThan(first / 2);
  });
});
