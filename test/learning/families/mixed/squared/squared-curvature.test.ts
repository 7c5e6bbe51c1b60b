/** The curvature along a step of the fixed effects, where it is all that is released of their information. */
import { expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { SquaredLocation } from "../../../../../src/learning/families/mixed/squared/squared-location.js";
import { SquaredState } from "../../../../../src/learning/families/mixed/squared/squared-state.js";
import { TaskSpectra } from "../../../../../src/learning/families/mixed/spectra/task-spectra.js";

const shape = { clip: 0.2, weight: 0.2, information: 0, curvature: 0.1 };

function stateOf(sizes: { m: number; d: number; meanRows: number }): SquaredState {
  const state = new SquaredState(sizes);
  state.filter.start(state.deviations.map((value) => value * value));
  return state;
}

test("is held to its bound where all rows of a task lie in one direction", () => {
  const [m, d, n] = [3, 12, 2];
  const x = new Float64Array(m * n * d);
  for (let row = 0; row < m * n; row++) x[row * d] = 3;
  const rows = { x, y: new Float64Array(m * n).fill(1e-3), offsets: Uint32Array.of(0, 2, 4, 6) };
  const location = new SquaredLocation(stateOf({ m, d, meanRows: n }), shape);
  const tasks = new TaskSpectra(openCore(), rows, d);
  const sum = new Float64Array(d);
  location.upload("score", tasks).forEach((value, at) => (sum[at % d]! += value));
  location.receive("score", sum, 1e-9);
  // Their curvature is more than twice the bound.
  expect([...location.upload("curvature", tasks)]).toEqual([1, 1, 1]);
});

test("above the prediction shortens the step, below it changes nothing", () => {
  const sizes = { m: 100, d: 3, meanRows: 3 };
  /** How far the fixed effects move if the mean curvature is `times` the predicted one. */
  const moved = (times: number) => {
    const state = stateOf(sizes);
    const location = new SquaredLocation(state, shape);
    location.receive("score", Float64Array.of(20, 5, 1), 1e-9);
    // The bound is three times the prediction here; uploads reach from -1, no curvature, to 1, the bound.
    location.receive("curvature", Float64Array.of(sizes.m * ((2 * times) / 3 - 1)), 1e-9);
    return Math.hypot(...state.effects);
  };
  expect(moved(0)).toBe(moved(0.9));
  expect(moved(1.1)).toBeLessThan(moved(1));
  expect(moved(2) / moved(1)).toBeLessThan(0.7);
});
