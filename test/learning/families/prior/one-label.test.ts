/**
 * A task whose rows all have one label, and are all alike: its intercept is held by nothing.
 */
import { expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { makeEstimator } from "../../../../src/learning/index.js";

test.each([
  ["mp-hierarchical", 2],
  ["mp-hierarchical", 20],
  ["mp-feature-learning", 20],
] as const)(
  "%s: with %i rows it has a model that says so, and the others have theirs",
  async (method, n) => {
    const tasks = TaskSet.from(
      Array.from({ length: 4 }, (_, i) => ({
        name: `task-${i}`,
        x: Array.from({ length: n }, (__, j) =>
          i === 0 ? [1, 1] : [Math.sin(7 * i + j), Math.cos(i + 3 * j)],
        ),
        y: Array.from({ length: n }, (__, j) => (i > 0 && j % 2 === 1 ? "b" : "a")),
      })),
    );
    const random = { mode: "seeded", seed: 1 } as const;
    const options = { loss: "logistic", epsilon: 1, delta: 1e-5, random } as const;
    const model = await makeEstimator(method, options).fit(tasks);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    expect(model.predict("task-0", [[1, 1]])[0]).toBeLessThan(0.5);
  },
);
