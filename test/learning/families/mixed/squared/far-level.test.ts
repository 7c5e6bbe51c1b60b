/** A task whose level is far from the others' has their slopes still: its level does not decide what is believed of these. */
import { expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import type { MixedPrior } from "../../../../../src/learning/families/mixed/exchange.js";
import { TaskSpectra } from "../../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { solveTasks } from "../../../../../src/learning/families/mixed/squared/solve/squared-solve.js";
import { diagonal } from "../../../../../src/linalg/small-matrices.js";

/** Slopes of 1 within .1, levels of 0 within .5. */
const prior: MixedPrior = {
  fixedEffects: Float64Array.of(1, 0),
  stated: () => ({ fixedEffectsCovariance: diagonal([0, 0]) }),
  releaseCovariance: diagonal([0, 0]),
  covariance: diagonal([0.01, 0.25]),
  noise: 0.1,
  unsure: diagonal([0.01, 0.01, 0.01]),
};

/** Slope of a task at such a level, of three rows from which alone it is 1.6. */
function slopeAt(level: number): number {
  const x = [-0.5, 0, 0.5];
  const rows = {
    x: Float64Array.from(x.flatMap((own) => [own, 1])),
    y: Float64Array.from(x, (own) => level + 1.6 * own),
    offsets: [0, 3],
  };
  return solveTasks(prior, new TaskSpectra(openCore(), rows, 2)).models[0]!;
}

test("three rows' own slope counts hardly more at a level of eight deviations than at the others'", () => {
  const near = slopeAt(0);
  expect(near).toBeGreaterThan(1);
  expect(near).toBeLessThan(1.2);
  for (const level of [-4, 2, 4]) expect(Math.abs(slopeAt(level) - near)).toBeLessThan(0.2);
});
