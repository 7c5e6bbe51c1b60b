/** Own softmax regression under the public prior: the posterior's mode, on the task's own scale, with every class possible. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { SingleTask } from "../../../../src/learning/index.js";
import { SOFTMAX } from "../../../../src/learning/tasks/own-models/settings.js";
import { makeClasses } from "../../tasks.js";

const LABELS = ["a", "b", "c"];
const tasks = makeClasses({ m: 4, d: 3, rows: (i) => 8 + 3 * i, classes: 3 });
const fit = (data: TaskSet, intercept = true) =>
  new SingleTask({ loss: "softmax", intercept }).fit(data);

/** The same rows, column j times factors[j] plus shifts[j]. */
const inOtherUnits = (factors: readonly number[], shifts: readonly number[]) =>
  TaskSet.from(
    [...tasks].map(({ name, x, y }) => ({
      name,
      x: Array.from(y, (_, row) => factors.map((f, j) => f * x[row * 3 + j]! + shifts[j]!)),
      y: Array.from(y, (label) => String(tasks.targetLevels![label]!)),
    })),
  );

describe("every task's own softmax regression", () => {
  test.each([true, false])(
    "is the mode of its posterior, intercept %s: no slope is left",
    async (intercept) => {
      const model = await fit(tasks, intercept);
      expect(model.certificate).toMatchObject({ kind: "gradient-norm", met: true });
      for (const { name, x, y } of tasks) {
        const { weights, intercepts } = model.forTask(name);
        const n = y.length;
        // z = (x - center) / deviation sqrt(1/3), its deviation with one row of the mean square added.
        const columns = [0, 1, 2].map((j) => {
          const own = Array.from({ length: n }, (_, row) => x[row * 3 + j]!);
          const center = intercept ? own.reduce((a, b) => a + b) / n : 0;
          const square = own.reduce((sum, v) => sum + v * v, 0) / n;
          const spread = own.reduce((sum, v) => sum + (v - center) ** 2, 0);
          return { center, unit: Math.sqrt((3 * (spread + square)) / (intercept ? n - 1 : n)) };
        });
        const probabilities = model.predict(name, x);
        LABELS.forEach((_, c) => {
          const errors = Array.from(
            y,
            (label, row) => (label === c ? 1 : 0) - probabilities[3 * row + c]!,
          );
          let level = intercept ? intercepts![c]! : 0;
          columns.forEach(({ center, unit }, j) => {
            const slope = weights[j * 3 + c]! * unit;
            level += weights[j * 3 + c]! * center;
            const pull = errors.reduce(
              (sum, e, row) => sum + (e * (x[row * 3 + j]! - center)) / unit,
              0,
            );
            expect(Math.abs(pull - slope / SOFTMAX.slopes ** 2)).toBeLessThan(1e-4);
          });
          if (!intercept) return;
          const pull = errors.reduce((sum, e) => sum + e, 0);
          expect(Math.abs(pull - level / SOFTMAX.intercept ** 2)).toBeLessThan(1e-4);
        });
      }
    },
  );

  test("predicts the same whatever units the features are in", async () => {
    const other = inOtherUnits([1e4, 1e-3, 7], [2e5, 0, -300]);
    const [one, two] = [await fit(inOtherUnits([1, 1, 1], [20, 0, -43])), await fit(other)];
    const [outputs, others] = [
      one.outputs(inOtherUnits([1, 1, 1], [20, 0, -43])),
      two.outputs(other),
    ];
    outputs.forEach((value, k) => expect(others[k]).toBeCloseTo(value, 2));
  });

  test("a class of which a task has no row stays possible, and less likely than those it has", async () => {
    const data = TaskSet.from([
      { name: "two", x: [[1], [2], [3], [4], [5], [6]], y: ["a", "b", "a", "b", "a", "b"] },
      { name: "all", x: [[1], [2], [3]], y: ["a", "b", "c"] },
    ]);
    const [a, b, c] = (await fit(data)).predict("two", [[3.5]]);
    expect(a! + b! + c!).toBeCloseTo(1, 12);
    expect(c).toBeGreaterThan(0.02);
    expect(c).toBeLessThan(Math.min(a!, b!));
  });

  test("is no surer than its rows: noise as labels costs little more than guessing", async () => {
    const noise = (seed: number) =>
      TaskSet.from(
        Array.from({ length: 60 }, (_, i) => ({
          name: `t${i}`,
          x: Array.from({ length: 6 }, (__, r) => [
            Math.sin(97 * (i + 60 * r) * seed) * 1e5,
            Math.cos(31 * (i + r * 61) * seed),
          ]),
          y: Array.from(
            { length: 6 },
            (__, r) => LABELS[Math.floor(1e4 * Math.abs(Math.sin(13 * (i + 77 * r) * seed))) % 3]!,
          ),
        })),
      );
    const model = await fit(noise(1.1));
    const { logLoss } = model.score(noise(1.7));
    expect(logLoss!).toBeLessThan(Math.log(3) + 0.35);
    const sure = await new SingleTask({ loss: "softmax", lambda: 0.1 }).fit(noise(1.1));
    expect(sure.score(noise(1.7)).logLoss!).toBeGreaterThan(logLoss!);
  });
});
