/** Subspace learning as a whole: what it finds, where it finds nothing, what it charges. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { fitNewTask, MpSubspace, sharedPrior, SingleTask } from "../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import { generator } from "../mixed/tasks.js";
import { thoroughTest } from "../../../thorough.js";

const random = { mode: "seeded", seed: "subspace" } as const;
const [M, D, N] = [1500, 12, 6];

/** Tasks of models in two directions, the last tenth of them anywhere. */
function simulated(seed: number) {
  const normal = generator(seed);
  const models = new Float64Array(M * D);
  const list = Array.from({ length: M }, (_, i) => {
    const outside = i >= 0.9 * M;
    for (let j = 0; j < D; j++) {
      models[i * D + j] = outside ? normal() * 0.4 : j === 3 || j === 7 ? normal() : 0;
    }
    const x = Array.from({ length: N }, () => Array.from({ length: D }, normal));
    const y = x.map((row) =>
      row.reduce((sum, v, j) => sum + v * models[i * D + j]!, 5 + 0.05 * normal()),
    );
    return { name: `task ${i}`, x, y };
  });
  return { models, tasks: TaskSet.from(list) };
}

const { models, tasks } = simulated(8);
const fitted = await new MpSubspace({ epsilon: 3, random }).fit(tasks);
const alone = await new SingleTask().fit(tasks);

/** Mean squared distance of the models from `from` on, up to `to`. */
function errorOf(weights: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from * D; at < to * D; at++) sum += (weights[at]! - models[at]!) ** 2;
  return sum / (to - from);
}

describe("subspace learning", () => {
  test("finds how many directions there are, and which", () => {
    const { shape, data } = fitted.components["subspace"]!;
    expect(shape).toEqual([2, D]);
    for (let a = 0; a < 2; a++) {
      const inside = data[a * D + 3]! ** 2 + data[a * D + 7]! ** 2;
      expect(1 - inside).toBeLessThan(1e-3);
    }
    expect(fitted.history.map(({ rank }) => rank)).toEqual([2, 2, 2, 2, 2]);
  });

  test("tasks within it have a small part of the error that they have alone, others hardly more", () => {
    const inside = 0.9 * M;
    expect(errorOf(fitted.weights, 0, inside)).toBeLessThan(
      0.1 * errorOf(alone.weights, 0, inside),
    );
    expect(errorOf(fitted.weights, inside, M)).toBeLessThan(
      1.05 * errorOf(alone.weights, inside, M),
    );
  });

  thoroughTest(
    "the rounds are worth more than the same budget for the covariance alone",
    async () => {
      const one = await new MpSubspace({ epsilon: 3, rounds: 0, random }).fit(tasks);
      expect(one.ledger!.entries).toHaveLength(1);
      const inside = 0.9 * M;
      expect(errorOf(fitted.weights, 0, inside)).toBeLessThan(
        0.9 * errorOf(one.weights, 0, inside),
      );
    },
  );

  test("charges the covariance and three releases a round, all of the budget", () => {
    const { ledger } = fitted;
    expect(ledger!.entries).toHaveLength(16);
    expect(ledger!.spent().epsilon).toBeLessThanOrEqual(3);
    expect(ledger!.spent().epsilon).toBeGreaterThan(2.99);
  });

  test("where nothing stands out it says so, and no task is worse off than alone", async () => {
    const model = await new MpSubspace({ epsilon: 1e-3, random }).fit(tasks);
    expect(model.components["subspace"]!.shape).toEqual([0, D]);
    expect(errorOf(model.weights, 0, M)).toBeLessThan(1.05 * errorOf(alone.weights, 0, M));
    expect(loadModel(saveModel(model)).components["subspace"]!.shape).toEqual([0, D]);
  });

  test("units of features and target make no difference, apart from themselves", async () => {
    const rows = [...tasks].map(({ name, x, y }) => ({
      name,
      x: Array.from({ length: N }, (_, r) =>
        Array.from(x.subarray(r * D, (r + 1) * D), (value) => 64 * value),
      ),
      y: Array.from(y, (value) => value / 32),
    }));
    const model = await new MpSubspace({ epsilon: 3, random }).fit(TaskSet.from(rows));
    // Powers of two: the same bits but for the smallest sums.
    const apart = model.weights.map((value, at) => Math.abs(value * 64 * 32 - fitted.weights[at]!));
    expect(apart.every((one) => one < 1e-6)).toBe(true);
  });

  test("what the fit gave its own tasks is what it gives later ones, from the shared part alone", () => {
    const prior = sharedPrior(fitted);
    expect(Object.keys(prior.components)).toEqual([
      "subspace",
      "subspaceSpectrum",
      "directionCovariance",
    ]);
    const later = fitNewTask(prior, tasks);
    expect(later.weights).toEqual(fitted.weights);
    expect(later.intercepts).toEqual(fitted.intercepts);
    expect(later.guarantee).toMatchObject(fitted.guarantee);
    const featureNames = [...tasks.featureNames].reverse();
    const others = TaskSet.adopt({ ...tasks.arrays(), featureNames });
    expect(() => fitNewTask(prior, others)).toThrow("feature 0 of the tasks is");
  });

  test("refuses what it does not have", () => {
    expect(() => new MpSubspace({ delta: 0 })).toThrow("delta: mp-subspace");
    expect(() => new MpSubspace({ lossScale: "sum" })).toThrow("lossScale: mp-subspace");
  });
});
