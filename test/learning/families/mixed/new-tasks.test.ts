import { describe, expect, test } from "vitest";
import { DataError } from "../../../../src/core/index.js";
import { Pipeline, readCsv, TaskSet, tasksFromTable } from "../../../../src/data/index.js";
import { fitNewTask, MpMixed, sharedPrior, SingleTask } from "../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import { mixedTasks } from "./tasks.js";

const M = 240;
const ROWS = 6;
const { rows, test: held } = mixedTasks(23, M, ROWS, [0.8, -0.5, 0.3]);

/** Tasks from `from` to `to`, in other units. */
function setOf({ x, y }: { x: Float64Array; y: Float64Array }, from: number, to: number, n = ROWS) {
  return TaskSet.from(
    Array.from({ length: to - from }, (_, k) => {
      const i = from + k;
      const range = Array.from({ length: n }, (_, r) => i * ROWS + r);
      return {
        name: `task ${i}`,
        x: range.map((r) => [10 + 5 * x[r * 3]!, x[r * 3 + 1]!]),
        y: range.map((r) => 200 + 30 * y[r]!),
      };
    }),
  );
}

const random = { mode: "seeded", seed: 4 } as const;
const train = setOf(rows, 0, 200);
const fitted = await new MpMixed({ epsilon: 4, delta: 1e-3, random }).fit(train);

/** Squared error and the part of rows within the intervals. */
function judged(
  data: TaskSet,
  predict: (x: Float64Array, name: string) => Float64Array,
  interval?: (x: Float64Array, name: string) => { lower: Float64Array; upper: Float64Array },
) {
  let [error, inside] = [0, 0];
  for (const { name, x, y } of data) {
    const ends = interval?.(x, name);
    predict(x, name).forEach((value, row) => {
      error += (value - y[row]!) ** 2;
      if (ends && ends.lower[row]! <= y[row]! && y[row]! <= ends.upper[row]!) inside++;
    });
  }
  return { error: error / data.size, inside: inside / data.size };
}

describe("tasks that were not in the fit", () => {
  test("what the fit gave its own tasks is what it would give them later", () => {
    const later = fitNewTask(fitted, train);
    later.weights.forEach((value, at) =>
      expect(Math.abs(value - fitted.weights[at]!)).toBeLessThan(1e-6),
    );
    expect(later.guarantee).toMatchObject(fitted.guarantee);
    const x = Float64Array.of(12, 0.5);
    const [one, two] = [later, fitted].map((m) => m.predictInterval!("task 7", x, 0.8));
    expect(one!.lower[0]! / two!.lower[0]!).toBeCloseTo(1, 6);
  });

  test("a number whose square no sum holds is refused by its place", () => {
    for (const [x, y, column] of [
      [1e200, 1, "x1"],
      [1, -1e200, "y"],
    ] as const) {
      const odd = TaskSet.from([{ name: "odd", x: [[1, 2], [x, 2]], y: [1, y] }]); // prettier-ignore
      expect(() => fitNewTask(fitted, odd)).toThrow(`task "odd", row 1, column "${column}"`);
    }
  });

  test("of a task never seen: better than the mean of all, and its 80 % intervals hold 80 %", () => {
    const unseen = setOf(held, 200, M);
    const mean = train.y.reduce((sum, value) => sum + value, 0) / train.size;
    const { error, inside } = judged(
      unseen,
      (x) => fitted.predictNew!(x),
      (x) => fitted.predictInterval!(null, x, 0.8),
    );
    const constant = judged(unseen, (x) => new Float64Array(x.length / 2).fill(mean));
    expect(error).toBeLessThan(0.7 * constant.error);
    // 40 tasks of 6 rows with a common intercept: about 80 independent ones, standard deviation .045.
    expect(Math.abs(inside - 0.8)).toBeLessThan(0.15);
  });

  test("own rows of a task that comes later improve on what is known of all", () => {
    const [own, later] = [setOf(rows, 200, M, 3), setOf(held, 200, M)];
    const model = fitNewTask(sharedPrior(fitted), own);
    const { error, inside } = judged(
      later,
      (x, name) => model.predict(name, x),
      (x, name) => model.predictInterval!(name, x, 0.8),
    );
    expect(error).toBeLessThan(0.8 * judged(later, (x) => fitted.predictNew!(x)).error);
    expect(Math.abs(inside - 0.8)).toBeLessThan(0.13);
  });

  test("the shared prior knows of no task, and a saved model still predicts for new ones", async () => {
    const prior = sharedPrior(fitted);
    expect(Object.keys(prior.components)).not.toContain("posteriorCovariances");
    expect(JSON.stringify(prior)).not.toContain("task 7");
    const again = loadModel(saveModel(fitted));
    const x = Float64Array.of(12, 0.5, 9, -1);
    expect(again.predictNew!(x)).toEqual(fitted.predictNew!(x));
    expect(fitNewTask(again, train).weights).toEqual(fitNewTask(fitted, train).weights);
    const alone = await new SingleTask().fit(train);
    expect(() => fitNewTask(alone, train)).toThrow(DataError);
    const wide = TaskSet.from([{ name: "a", x: [[1, 2, 3]], y: [1] }]);
    expect(() => fitNewTask(fitted, wide)).toThrow(/3 features, the prior has 2/);
  });

  test("what owners who come later are handed holds no means of anyone's rows, and can be saved", async () => {
    const lines = Array.from({ length: 120 }, (_, r) =>
      [`fitted ${r % 20}`, r % 3 === 0 ? "" : (r % 7) + 0.125, r % 5, (r % 11) / 2].join(","),
    );
    const table = await readCsv(["who,size,age,y", ...lines].join("\n"));
    const { tasks: prepared } = tasksFromTable(table, { task: "who", target: "y", missing: "impute" }); // prettier-ignore
    const pipeline = Pipeline.fit(prepared, [{ kind: "standardize", scope: "task" }]);
    for (const data of [prepared, pipeline.apply(prepared)]) {
      const model = await new MpMixed({ epsilon: 4, scale: "unit" }).fit(data);
      expect(JSON.stringify(model.preprocessing)).toContain("fitted 7");
      const prior = structuredClone(sharedPrior(model));
      expect(JSON.stringify(prior)).not.toContain("fitted");
      const own = TaskSet.from([{ name: "later", x: [[1, 2], [3, 0]], y: [1, 3] }], { featureNames: data.featureNames }); // prettier-ignore
      for (const given of [prior, model]) {
        const later = fitNewTask(given, own);
        const bytes = saveModel(later);
        expect(new TextDecoder().decode(bytes)).not.toContain("fitted");
        const again = loadModel(bytes);
        expect(again.guarantee).toEqual(later.guarantee);
        expect(again.predict("later", [[2, 1]])).toEqual(later.predict("later", [[2, 1]]));
        expect(again.ledger!.spent()).toEqual(model.ledger!.spent());
      }
    }
  });

  test("a row far outside is taken to the edge, in training and prediction", () => {
    const edge = fitted.components["featureLimits"]!.data[2]!;
    const [far, farther] = [edge, 1e9].map((value) => fitted.predict("task 3", [[value, 0]])[0]);
    expect(farther).toBe(far);
  });
});
