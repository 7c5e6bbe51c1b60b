/**
 * Rows in another order, or moved by a rounding, leave the models but for a rounding: nothing that is drawn beside the noise
 * hangs on the last digits of the data.
 */
import { expect, test } from "vitest";
import { makeEstimator, simulate, TaskSet } from "../../../../src/index.js";

const { train: exact } = simulate({
  pattern: "low-rank",
  tasks: 12,
  features: 5,
  samples: 40,
  seed: 3,
});
const noisy = exact.y.map((value, row) => (value + 3 * Math.sin(row * row)) / 20);
/** Tasks of 3, 10, 17, … rows: fewer than features, few, many. */
const given = TaskSet.adopt({ ...exact.arrays(), y: noisy }).where(
  (row, task) => row < 3 + 7 * (task % 6),
);

function withRowsReversed(data: TaskSet): TaskSet {
  const { x: dense, y, offsets, ...rest } = data.arrays();
  const x = dense!;
  const order = Array.from({ length: data.m }, (_, task) => {
    const [from, to] = [offsets[task]!, offsets[task + 1]!];
    return Array.from({ length: to - from }, (_, row) => to - 1 - row);
  }).flat();
  const rowOf = (row: number) => [...x.subarray(row * data.d, (row + 1) * data.d)];
  return TaskSet.adopt({
    ...rest,
    offsets,
    x: Float64Array.from(order.flatMap(rowOf)),
    y: Float64Array.from(order, (row) => y[row]!),
  });
}

const withTargetsMoved = (data: TaskSet): TaskSet =>
  TaskSet.adopt({
    ...data.arrays(),
    y: data.y.map((value, row) => value + 1e-12 * Math.sin(row)),
  });

const privately = { scale: "unit", delta: 1e-3, random: { mode: "seeded", seed: "order" } };

test.each([
  ["mixed-model", { scale: "unit" }],
  ["mp-mixed", { ...privately, epsilon: 0.5 }],
  ["mp-mixed", { ...privately, epsilon: 5 }],
  ["mp-mixed", { ...privately, epsilon: 2, unit: "record" }],
  ["auto", { ...privately, epsilon: 2 }],
] as const)("%s %o", async (method, options) => {
  const fit = (data: TaskSet) => makeEstimator(method, options).fit(data);
  const { weights } = await fit(given);
  const largest = Math.max(...weights.map(Math.abs));
  for (const other of [withRowsReversed(given), withTargetsMoved(given)]) {
    const { weights: moved } = await fit(other);
    weights.forEach((w, at) => {
      expect(Math.abs(moved[at]! - w)).toBeLessThan(1e-9 * largest);
    });
  }
});
