/** As many tasks as no call can have arguments: what is largest of them is found one by one. */
import { expect } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { DpAggregation } from "../../../../src/learning/index.js";
import { thoroughTest } from "../../../thorough.js";

const M = 130_000;

/** Tasks of one row and one feature, y = x in every other and y = -x in the rest. */
const tasks = TaskSet.adopt({
  x: new Float64Array(M).fill(1),
  y: Float64Array.from({ length: M }, (_, i) => (i % 2 === 0 ? 1 : -1)),
  offsets: Uint32Array.from({ length: M + 1 }, (_, i) => i),
  names: Array.from({ length: M }, (_, i) => `${i}`),
  featureNames: ["x"],
  targetName: "y",
});

thoroughTest("a record-level baseline fits them", async () => {
  const { weights } = await new DpAggregation({
    epsilon: 1,
    delta: 1e-6,
    featureBound: 1,
    slopeBound: 1,
    safeguard: false,
    random: { mode: "seeded", seed: "many" },
  }).fit(tasks);
  // The average of as many tasks for as against; the noise of one record of so many is next to nothing.
  expect(weights[0]).toBeCloseTo(0, 2);
});
