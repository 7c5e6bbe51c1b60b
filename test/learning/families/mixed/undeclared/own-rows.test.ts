/** What a task makes of its own rows once all is released, where columns were voted on. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import { fitNewTask, MpMixed, sharedPrior, SingleTask } from "../../../../../src/learning/index.js";
import { pooledAlone } from "../../../../../src/learning/families/mixed/undeclared/pooled-alone.js";
import { taskLimits } from "../../../../../src/learning/families/mixed/undeclared/task-limits.js";
import { givenUnits } from "../../../../../src/learning/families/mixed/units.js";
import { generator } from "../tasks.js";

/** Tasks of one feature and rows near `at`. */
function tasksAt(places: readonly number[], weights?: readonly number[]): TaskSet {
  return TaskSet.from(
    places.map((at, i) => ({
      ...{ name: `t${i}`, x: [[at - 0.1], [at], [at + 0.1]], y: [i, i + 1, i + 3] },
      ...(weights && { weights }),
    })),
  );
}

describe("limits where columns were voted on", () => {
  const units = { ...givenUnits(2), voted: [0] };
  const limitsOf = (alone: number[], denied: number[], places: number[]) => {
    const of = { alone: Float64Array.from(alone), denied: Uint8Array.from(denied) };
    const { shape, data } = taskLimits(of, units, tasksAt(places))["taskFeatureLimits"]!;
    expect(shape).toEqual([places.length, 2, 1]);
    return places.map((_, i) => [data[2 * i]!, data[2 * i + 1]!] as const);
  };

  test("are those of all tasks, but for one that learns alone, which keeps near its rows, too", () => {
    const [other, near, denied] = limitsOf([0.9, 0.95, 1], [0, 0, 1], [2, 2, 2]);
    expect(other).toEqual([-8, 8]);
    expect(near![0]).toBeGreaterThan(-8);
    expect(near![0]).toBeLessThan(1.9);
    expect(near![1]).toBeGreaterThan(2.1);
    expect(near![1]).toBeLessThan(8);
    expect(near).toEqual(denied);
  });

  test("of such a task never go beyond those of all, and stay in order where its rows do", () => {
    const [across, outside] = limitsOf([1, 1], [0, 0], [7.95, 30]);
    expect(across![0]).toBeLessThan(7.9);
    expect(across![1]).toBe(8);
    expect(outside).toEqual([8, 8]);
  });
});

describe("models of differences", () => {
  const given = () => ({
    models: Float64Array.of(1, 0, 1, 0),
    covariances: Float64Array.of(1, 0, 1, 1, 0, 1),
    noise: Float64Array.of(0.1, 0.1),
    alone: Float64Array.of(0.25, 0),
  });
  const untold = { ...givenUnits(2), voted: [0], untold: [1] };

  test("take that of single-task, of rows about their mean, with the weight of learning alone", async () => {
    for (const weights of [undefined, [1, 2, 3]]) {
      const { models, covariances } = pooledAlone(given(), untold, tasksAt([5, 1], weights));
      const own = await new SingleTask().fit(tasksAt([0, 1], weights));
      const [slope, level] = [own.weights[0]!, own.intercepts![0]! - 5 * own.weights[0]!];
      expect(models[0]).toBeCloseTo(0.75 + 0.25 * slope, 9);
      expect(models[1]).toBeCloseTo(0.25 * level, 9);
      expect([...models.subarray(2)]).toEqual([1, 0]);
      expect(covariances).toEqual(given().covariances);
    }
  });

  test("are as they were where rows entered as they are, and where numbers are too large to be squared", () => {
    const models = given();
    expect(pooledAlone(models, { ...untold, untold: undefined }, tasksAt([0, 5]))).toBe(models);
    const huge = TaskSet.from(
      ["a", "b"].map((name) => ({ name, x: [[1e300], [-1e300], [0]], y: [1e300, 0, 1] })),
    );
    expect(pooledAlone(models, untold, huge).models.every(Number.isFinite)).toBe(true);
  });

  test("follow from the releases and the task's own rows alone", async () => {
    const draw = generator(3);
    const data = TaskSet.from(
      Array.from({ length: 40 }, (_, i) => {
        const [level, slope] = [10 * draw(), 1 + 0.3 * draw()];
        const x = Array.from({ length: 6 }, () => [20 + draw()]);
        return { name: `t${i}`, x, y: x.map(([a]) => level + slope * a! + 0.3 * draw()) };
      }),
    );
    const random = { mode: "seeded", seed: "4" } as const;
    const model = await new MpMixed({ epsilon: 1, delta: 1e-3, random }).fit(data);
    expect(model.components["featureLimits"]).toBeUndefined();
    const prior = sharedPrior(model);
    const again = fitNewTask(prior, data);
    // But for rounding: the prior went through the units of the data.
    again.weights.forEach((value, i) => expect(value).toBeCloseTo(model.weights[i]!, 9));
    again.intercepts!.forEach((value, i) => expect(value).toBeCloseTo(model.intercepts![i]!, 6));
    // Another task in the place of the first: nobody else is told.
    const other = fitNewTask(
      prior,
      TaskSet.from(
        data.names.map((name, i) => {
          const { x, y } = data.task(name);
          return { name, x: Array.from(x, (a) => [a]), y: i === 0 ? y.map((v) => 3 * v) : y };
        }),
      ),
    );
    expect(other.weights[0]).not.toBe(again.weights[0]);
    expect([...other.weights.subarray(1)]).toEqual([...again.weights.subarray(1)]);
  });
});
