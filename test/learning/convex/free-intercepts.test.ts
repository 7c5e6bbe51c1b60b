/**
 * Tasks of one class in logistic fits with intercepts.
 */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { GroupSparse, LowRankSparse, TraceNorm } from "../../../src/learning/index.js";

const x = [[0.1], [0.9], [0.4], [0.7]];
const both = { name: "both", x, y: [1, -1, -1, 1] };
const one = { name: "one", x, y: [1, 1, 1, 1] };

describe.each([
  ["trace-norm", TraceNorm],
  ["group-sparse", GroupSparse],
  ["low-rank-sparse", LowRankSparse],
] as const)("%s", (_, Method) => {
  const options = { loss: "logistic", lambda: 0.05 } as const;

  test("meets its certificate with a task of one class, which has no intercept", async () => {
    const model = await new Method(options).fit(TaskSet.from([both, one]));
    expect(model.certificate!.met).toBe(true);
    expect(model.intercepts![1]).toBe(0);
    // Its weights carry what they can: the odds are those of its class.
    expect(model.forTask("one").predict([[0.5]])[0]).toBeGreaterThan(0.5);
    expect(model.intercepts![0]).not.toBe(0);
  });

  test("leaves the intercepts of tasks with both classes as they are", async () => {
    const other = { ...both, name: "other", y: [1, 1, -1, 1] };
    const model = await new Method(options).fit(TaskSet.from([both, other]));
    // The optimality condition of a free intercept: residuals sum to nothing.
    for (const { name, y } of [both, other]) {
      const probabilities = model.forTask(name).predict(x);
      const sum = y.reduce((total, label, k) => total + (label > 0 ? 1 : 0) - probabilities[k]!, 0);
      expect(Math.abs(sum)).toBeLessThan(1e-3);
    }
  });
});
