/** Targets, features and weights whose squares, or those of their inverses, are no numbers: what is paid for must not be lost to all for one task's wrong values. */
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator, TaskModel } from "../../../src/learning/index.js";
import { saveModel } from "../../../src/model/index.js";
import { makeTasks } from "../tasks.js";

const data = makeTasks({ m: 24, d: 2, rows: () => 8 });
const random = { mode: "seeded", seed: "large" } as const;

type Change = (value: number, row: number) => number;
const same: Change = (value) => value;

const changed = ({ target = same, feature = same }: { target?: Change; feature?: Change }) =>
  TaskSet.from(
    [...data].map(({ name, x, y }, i) => ({
      name,
      x: Array.from({ length: 8 }, (_, row) =>
        Array.from(x.subarray(2 * row, 2 * row + 2), (value) =>
          i === 4 ? feature(value, row) : value,
        ),
      ),
      y: Array.from(y, (value, row) => (i === 4 ? target(value, row) : value)),
    })),
  );

const bad = {
  same: changed({ target: () => 1.7e308 }),
  apart: changed({ target: (_, row) => (row % 2 ? 1.1e308 : -1.1e308) }),
  one: changed({ target: (value, row) => (row === 0 ? 1e155 : value) }),
};

const badFeatures = {
  tiny: changed({ feature: (value) => value * 1e-155 }),
  tinier: changed({ feature: (value) => value * 1e-160 }),
  huge: changed({ feature: (value) => value * 1e200 }),
  one: changed({ feature: (value, row) => (row === 0 ? 1e308 : value) }),
};

const methods = [
  ["mp-feature-learning", {}],
  ["mp-feature-learning", { choice: "pooled" }],
  ["mp-feature-learning", { unit: "record", scale: "unit" }],
  ["mp-hierarchical", {}],
  ["mp-low-rank", { featureBound: 100 }],
  ["mp-group-sparse", { featureBound: 100 }],
  ["mp-low-rank-sparse", { featureBound: 100 }],
  ["mp-mixed", { epsilon: 8 }],
  ["mp-mixed", { scale: "unit" }],
  ["mp-mixed", { scale: "unit", unit: "record" }],
  ["mp-mixed", { scale: "unit", unit: "both" }],
  ["mp-subspace", {}],
  ["pmtl", {}],
  ["pmtl", { unit: "record" }],
  ["private-fedavg", {}],
] as const;

test.each([
  ...methods.map(([method, more]) => [method, more, bad] as const),
  ...methods.map(([method, more]) => [method, more, badFeatures] as const),
  ["mp-feature-learning", { featureScale: "given" }, badFeatures] as const,
  ["mp-hierarchical", { featureScale: "given" }, badFeatures] as const,
])(
  "%s %o: the task's own model is finite, and all models are saved",
  async (method, more, sets) => {
    for (const [what, tasks] of Object.entries(sets)) {
      if ("featureBound" in more && (what === "huge" || what === "one") && sets === badFeatures)
        continue;
      const options = { epsilon: 2, delta: 1e-3, random, ...more };
      const model = await makeEstimator(method, options).fit(tasks);
      const { weights, intercepts } = model;
      expect(weights.every(Number.isFinite), what).toBe(true);
      expect(intercepts?.every(Number.isFinite) ?? true, what).toBe(true);
      expect(saveModel(model).length).toBeGreaterThan(0);
    }
  },
);

test.each([
  ["mp-low-rank", { choice: "local", safeguard: false, featureBound: 100 }],
  ["mp-low-rank", { choice: "pooled", safeguard: false, featureBound: 100 }],
  ["mp-group-sparse", { choice: "local", safeguard: false, featureBound: 100 }],
  ["mp-mixed", { scale: "unit" }],
  ["pmtl", {}],
] as const)("%s %o: rows that weigh next to nothing cost no model", async (method, more) => {
  for (const light of [[1e-48], [1e-150], [1e-150, 1e-300]]) {
    const tasks = TaskSet.from(
      [...data].map(({ name, x, y }, i) => {
        const weights = [...(i === 4 ? light : [1, 1]), 1];
        return {
          name,
          x: weights.map((_, row) => Array.from(x.subarray(2 * row, 2 * row + 2))),
          y: Array.from(y.subarray(0, weights.length)),
          weights,
        };
      }),
    );
    const options = { epsilon: 2, delta: 1e-3, random, ...more };
    const model = await makeEstimator(method, options).fit(tasks);
    expect(model.weights.every(Number.isFinite), String(light)).toBe(true);
    expect(saveModel(model).length).toBeGreaterThan(0);
  }
});

test.each([
  ["pmtl", { choice: "local" }],
  ["private-fedavg", { choice: "local" }],
  ["private-fedavg", { choice: "pooled" }],
  ["pmtl-projected", { choice: "local" }],
  ["ppsgd", { choice: "local" }],
] as const)(
  "%s %o: a row that weighs nothing costs no model, whatever is in it",
  async (method, more) => {
    const tasks = TaskSet.from(
      [...data].map(({ name, x, y }, i) => {
        const own = [[1e200, 1], [1, 1], [1, 1e200], [2, 1]]; // prettier-ignore
        return {
          name,
          x: [0, 1, 2, 3].map((row) =>
            i === 4 ? own[row]! : Array.from(x.subarray(2 * row, 2 * row + 2)),
          ),
          y: Array.from(y.subarray(0, 4)),
          weights: [1, 1, i === 4 ? 0 : 1, 1],
        };
      }),
    );
    const options = { epsilon: 2, delta: 1e-3, random, ...more };
    const model = await makeEstimator(method, options).fit(tasks);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    expect(saveModel(model).length).toBeGreaterThan(0);
  },
);

test("mp-mixed: features that votes found no size for leave a task with errors and limits that are numbers", async () => {
  const tasks = TaskSet.from(
    [...makeTasks({ m: 60, d: 2, rows: () => 8 })].map(({ name, x, y }, i) => ({
      name,
      x: Array.from({ length: 8 }, (_, row) =>
        i === 4 && row === 0 ? [1e300, 1] : Array.from(x.subarray(2 * row, 2 * row + 2)),
      ),
      y: Array.from(y),
    })),
  );
  const model = await makeEstimator("mp-mixed", { epsilon: 1, delta: 1e-3, random }).fit(tasks);
  for (const [name, { data: found }] of Object.entries(model.components))
    expect(found.every(Number.isFinite), name).toBe(true);
  expect(saveModel(model).length).toBeGreaterThan(0);
  const own = JSON.parse(JSON.stringify(model.forTask(tasks.names[4]!))) as TaskModel;
  expect(new TaskModel(own).task).toBe(tasks.names[4]);
});
