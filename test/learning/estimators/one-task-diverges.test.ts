/** A task whose numbers leave the double range: what is released of all tasks must not show it. */
import { expect, test } from "vitest";
import { ConvergenceError } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { votes } from "../../../src/learning/local-selection/vote-participants.js";
import { saveModel } from "../../../src/model/index.js";
import { makeTasks } from "../tasks.js";

const data = makeTasks({ m: 12, d: 3, rows: () => 8 });
/** The same tasks, one of them with targets whose squares overflow. */
const neighbour = TaskSet.from(
  [...data].map(({ name, x, y }, i) => ({
    name,
    x: Array.from({ length: 8 }, (_, row) => [...x.subarray(3 * row, 3 * row + 3)]),
    y: Array.from(y, (value) => (i === 4 ? 1e160 * value : value)),
  })),
);
const random = { mode: "seeded", seed: "diverges" } as const;
const options = { choice: "pooled", epsilon: 2, delta: 1e-3, rounds: 3, random } as const;

test.each([
  ["pmtl", {}],
  ["private-fedavg", {}],
  ["mp-low-rank", { featureBound: 100 }],
  ["mp-low-rank", { featureBound: 100, noise: "float" }],
  ["mp-feature-learning", {}],
  ["mp-hierarchical", {}],
])("%s %o: every released statistic stays finite, the votes too", async (method, more) => {
  const finite: boolean[] = [];
  const model = await makeEstimator(method, { ...options, ...more }).fit(neighbour, {
    observe: ({ stage, values }) => {
      if (stage === "exact" || stage === "released") finite.push(values.every(Number.isFinite));
    },
  });
  expect(model.ledger!.entries).toHaveLength(4);
  expect(finite).toEqual(new Array(8).fill(true));
});

test("who asks for figures of weights that ran away is told so", async () => {
  const given = { epsilon: 2, delta: 1e-3, rounds: 150, stepSize: 1e5, clip: 1, random };
  // With the fallback tasks keep their own models, which are finite.
  const options = { ...given, safeguard: false };
  const model = await makeEstimator("mp-low-rank-sparse", options).fit(data);
  expect(model.weights.every(Number.isFinite)).toBe(false);
  expect(() => saveModel(model)).toThrow(ConvergenceError);
  expect(() => saveModel(model)).toThrow("the fit ran away");
});

test("a task whose costs are not finite abstains", () => {
  const one = [1, 2, 4];
  for (const bad of [NaN, Infinity, -Infinity, 1e300]) {
    const cast = votes(Float64Array.of(...one, 0, bad, 1), [1, 1]);
    expect([...cast.subarray(0, 3)]).toEqual([...votes(Float64Array.from(one), [1])]);
    expect([...cast.subarray(3)]).toEqual([0, 0, 0]);
  }
});
