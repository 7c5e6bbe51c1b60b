import { describe, expect, test } from "vitest";
import { OptionError } from "../../../src/core/errors.js";
import { TaskSet } from "../../../src/data/index.js";
import { SingleTask, type TaskModel } from "../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import { makeClasses, makeLabelled } from "../tasks.js";

const tasks = makeClasses({ m: 4, d: 5, rows: (i) => 6 + 5 * i, classes: 3 });

/** Gradient of F_i at a task's model by central differences of the plain formula. */
function gradient(own: TaskModel, data: TaskSet, lambda: number, intercept: boolean): number[] {
  const { x, y } = data.task(own.task);
  const d = own.featureNames.length;
  const k = own.outputsPerRow;
  const labels = Array.from(y, (value) =>
    own.classes!.indexOf(data.targetLevels?.[value] ?? value),
  );
  const objective = (weights: Float64Array, b: Float64Array | null) => {
    let value = 0;
    labels.forEach((label, row) => {
      const z = Array.from({ length: k }, (_, c) => {
        let sum = b?.[c] ?? 0;
        for (let j = 0; j < d; j++) sum += x[row * d + j]! * weights[j * k + c]!;
        return sum;
      });
      value += Math.log(z.reduce((sum, logit) => sum + Math.exp(logit), 0)) - z[label]!;
    });
    return value / labels.length + (lambda / 2) * weights.reduce((sum, w) => sum + w * w, 0);
  };
  const step = 1e-5;
  const along = (values: Float64Array, of: (moved: Float64Array) => number) =>
    Array.from(values, (_, j) => {
      const [up, down] = [values.slice(), values.slice()];
      up[j]! += step;
      down[j]! -= step;
      return (of(up) - of(down)) / (2 * step);
    });
  return [
    ...along(own.weights, (moved) => objective(moved, own.intercepts)),
    ...(intercept ? along(own.intercepts!, (moved) => objective(own.weights, moved)) : []),
  ];
}

describe("single-task softmax regression", () => {
  test.each([false, true])("is stationary, intercept %s", async (intercept) => {
    const lambda = 0.05;
    const model = await new SingleTask({ loss: "softmax", lambda, intercept }).fit(tasks);
    expect(model.certificate).toMatchObject({ kind: "gradient-norm", met: true });
    expect(model.weights).toHaveLength(4 * 5 * 3);
    expect(model.intercepts?.length).toBe(intercept ? 12 : undefined);
    for (const name of tasks.names) {
      const slopes = gradient(model.forTask(name), tasks, lambda, intercept);
      for (const slope of slopes) expect(Math.abs(slope)).toBeLessThan(1e-5);
    }
  });

  test("with two classes is the logistic model of half the penalty", async () => {
    // softmax of (z_0, z_1) is the logistic function of z_1 - z_0, and at the optimum z_0 = -z_1:
    // the same penalty on u = w_1 - w_0 is (lambda / 2) ||u||^2 / 2.
    const labelled = makeLabelled({ m: 3, d: 4, rows: () => 15 });
    const softmax = await new SingleTask({ loss: "softmax", lambda: 0.1 }).fit(labelled);
    const logistic = await new SingleTask({ loss: "logistic", lambda: 0.05 }).fit(labelled);
    for (const { name, x } of labelled) {
      const both = softmax.predict(name, x);
      const larger = logistic.predict(name, x);
      larger.forEach((p, row) => {
        expect(both[2 * row + 1]!).toBeCloseTo(p, 5);
        expect(both[2 * row]! + both[2 * row + 1]!).toBeCloseTo(1, 12);
      });
      expect(softmax.forTask(name).predictLabels(x)).toEqual(
        logistic.forTask(name).predictLabels(x),
      );
    }
    expect(softmax.score(labelled).accuracy).toBe(logistic.score(labelled).accuracy);
  });

  test("survives saving, to the last bit", async () => {
    const model = await new SingleTask({ loss: "softmax", intercept: true }).fit(tasks);
    const loaded = loadModel(saveModel(model));
    expect(loaded.weights).toEqual(model.weights);
    expect(loaded.intercepts).toEqual(model.intercepts);
    expect(loaded.classes).toEqual(["a", "b", "c"]);
    expect(loaded.outputs(tasks)).toEqual(model.outputs(tasks));
    expect(loaded.score(tasks)).toEqual(model.score(tasks));
    expect(loaded.figures).toMatchObject({ nonzeroRows: 5, rank: 4 });
  });

  test("refuses the l1 penalty and a single class", async () => {
    expect(() => new SingleTask({ loss: "softmax", penalty: "l1" })).toThrow(OptionError);
    const same = TaskSet.from([{ name: "a", x: [[1], [2]], y: ["u", "u"] }]);
    await expect(new SingleTask({ loss: "softmax" }).fit(same)).rejects.toThrow(/one class/);
  });
});
