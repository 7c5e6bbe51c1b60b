/** A task whose numbers are too large to be squared, in fits that learn so when their budget is spent. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { rawEncoding } from "../../../../src/data/provenance/data-encoding.js";
import { TaskSet } from "../../../../src/data/index.js";
import { makeEstimator } from "../../../../src/learning/index.js";
import {
  ownModels,
  ownModelsWithoutFolds,
} from "../../../../src/learning/tasks/own-models/own-models.js";
import { placeTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { makeTasks } from "../../tasks.js";

const d = 3;
const LARGE = 3;
const scale = { center: 0, halfWidth: 1 };

/** Tasks with declared ranges, by which targets are measured, of which one lies far beyond in task 3 if asked. */
function tasksWith(isLarge: boolean, size = 1): TaskSet {
  const tasks = makeTasks({ m: 7, d, rows: () => 8 });
  const { offsets, names, featureNames, targetName } = tasks;
  const raw = rawEncoding(featureNames);
  const y = tasks.y.slice();
  if (isLarge) y[offsets[LARGE]!] = 1e200;
  return TaskSet.adopt({
    x: tasks.x.map((value) => size * value),
    y,
    offsets,
    names,
    featureNames,
    targetName,
    encoding: {
      ...raw,
      columns: raw.columns.map((column) => ({ ...column, scale })),
      target: { ...raw.target, scale },
    },
  });
}
const [tasks, large] = [tasksWith(false), tasksWith(true)];
const placed = (data: TaskSet) => {
  const options = { loss: "squared", lossScale: "mean", intercept: true } as const;
  return placeTasks(data, options, { core: openCore() }).tasks;
};
const others = (values: ArrayLike<number>, width: number) =>
  Array.from(values).filter((_, k) => Math.floor(k / width) !== LARGE);

test("its own model is refused by name", () => {
  expect(() => ownModels(placed(large))).toThrow(
    `task "${tasks.names[LARGE]}": its own model needs squares`,
  );
});

describe("after releases it alone has no model, and that of others is theirs to the bit:", () => {
  test("of all rows", () => {
    const [found, expected] = [ownModels(placed(large), "zeros"), ownModels(placed(tasks))];
    expect(others(found.weights, d)).toEqual(others(expected.weights, d));
    expect(others(found.intercepts, 1)).toEqual(others(expected.intercepts, 1));
    expect([...found.weights.subarray(LARGE * d, (LARGE + 1) * d)]).toEqual([0, 0, 0]);
  });

  test("without folds", () => {
    const parts = 2;
    const owners = Uint32Array.from({ length: 14 }, (_, e) => e >> 1);
    const folds = Uint32Array.from({ length: 14 }, (_, e) => e % 2);
    const of = (data: TaskSet) =>
      ownModelsWithoutFolds(placed(data), { parts, owners, folds }, () => placed(data));
    const [found, expected] = [of(large), of(tasks)];
    expect(others(found.weights, 2 * d)).toEqual(others(expected.weights, 2 * d));
    expect(others(found.intercepts, 2)).toEqual(others(expected.intercepts, 2));
  });
});

test.each(["pmtl", "pmtl-projected", "private-fedavg", "private-fedprox"])(
  "%s ends, and no other task's model knows of it",
  async (method) => {
    const random = { mode: "seeded", seed: "unsolved" } as const;
    const clip = method === "pmtl-projected" ? {} : { clip: 1e-3 };
    const model = await makeEstimator(method, { rounds: 2, epsilon: 1, random, ...clip }).fit(
      large,
    );
    expect(model.guarantee).toMatchObject({ kind: "joint" });
    expect(model.weights.every(Number.isFinite)).toBe(true);
  },
);

test("nor does a baseline of records with a fallback end after its release", async () => {
  const random = { mode: "seeded", seed: "unsolved" } as const;
  const options = { epsilon: 1, safeguard: true, random };
  await expect(
    makeEstimator("dp-aggregation", options).fit(tasksWith(true, 0.01)),
  ).resolves.toBeDefined();
});

test("nor does a method whose own models have a weight that was given, where rows have weights", async () => {
  // The own model of all rows is found; one without a fold is not, when the rounds are over.
  const weighted = TaskSet.from([
    { name: "fine", x: [[0.03, 0.02, -0.07]], y: [1], weights: [0.6] },
    {
      name: "far",
      x: [
        [0.05808479242687629, 0.025449207237214017, 0.0008869444996399046],
        [0.004365688503881457, -0.013925250052424018, -0.055753547876678945],
        [-0.0007444484565290154, -0.007321709788344279, -0.004230946117180635],
      ],
      y: [-1e200, 0, 0],
      weights: [0.2785987779536014, 0.2402731390045625, 0.7492506169029166],
    },
  ]);
  const random = { mode: "seeded", seed: "unsolved" } as const;
  const options = { epsilon: 1, initialPenalty: 1, random };
  const model = await makeEstimator("mp-low-rank", options).fit(weighted);
  expect(model.weights.subarray(0, 3).every(Number.isFinite)).toBe(true);
});
