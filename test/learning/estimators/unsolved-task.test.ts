/** A task whose own problem has no solution in double precision: nobody else is told, and the releases are not in vain. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { MpFeatureLearning, MpHierarchical, Pmtl } from "../../../src/learning/index.js";

const random = { mode: "seeded", seed: "unsolved" } as const;
const [d, n] = [17, 5];

/** Three tasks, the last with rows of this size; labels or numbers. */
function tasksOf(size: number, labels: boolean): TaskSet {
  return TaskSet.from(
    Array.from({ length: 3 }, (_, i) => ({
      name: `t${i}`,
      x: Array.from({ length: n }, (_, r) =>
        Array.from({ length: d }, (_, j) => (i === 2 ? size : 1) * Math.sin(17 * r + 5 * j + i)),
      ),
      y: Array.from({ length: n }, (_, r) => (labels ? (r % 2 === 0 ? 1 : -1) : Math.cos(r + i))),
    })),
  );
}

const methods = [
  ["mp-hierarchical", MpHierarchical, { featureScale: "given" }],
  ["mp-feature-learning", MpFeatureLearning, { featureScale: "given" }],
  ["pmtl", Pmtl, { localSteps: "solve", lambda: 0.1 }],
] as const;

describe.each(methods)("%s", (_name, Method, options) => {
  test.each(
    [1e9, 1e20, 1e80, 1e153].flatMap((size) => [true, false].flatMap((safeguard) => [["squared", size, safeguard], ["logistic", size, safeguard]] as const)), // prettier-ignore
  )("%s loss, rows of size %d, safeguard %s", async (loss, size, safeguard) => {
    const fit = (data: TaskSet) =>
      new Method({ ...options, loss, random, ...(Method === Pmtl ? {} : { safeguard }) } as never).fit(data); // prettier-ignore
    const { weights, taskNames } = await fit(tasksOf(size, loss === "logistic"));
    expect(taskNames).toHaveLength(3);
    expect(weights.every(Number.isFinite)).toBe(true);
  });
});
