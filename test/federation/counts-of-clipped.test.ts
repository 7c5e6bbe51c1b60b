/**
 * What the curator's log, socket and metrics count as clipped: nothing that owners send who keep to the plan. How many of their vectors are at
 * the bound is a figure of all owners' data, which no noise hides.
 */
import { expect, test } from "vitest";
import { TaskSet } from "../../src/data/index.js";
import { generator } from "../../bench/uniform-draws.js";
import { federate, planFor } from "./runs.js";

/** Tasks of which every fifth is far from the others, so that some scores are longer than their bound and others are not. */
function drawn(labels: boolean): TaskSet {
  const { uniform, normal } = generator(3);
  const tasks = Array.from({ length: 30 }, (_, i) => {
    const far = i % 5 === 0 ? 20 : 1;
    const x = Array.from({ length: 6 }, () => [2 * uniform() - 1, 2 * uniform() - 1]);
    const y = x.map(([a, b]) => 0.5 * a! - 0.3 * b! + 0.3 * far * normal());
    return { name: `t${i}`, x, y: labels ? y.map((value) => (value > 0 ? "yes" : "no")) : y };
  });
  return TaskSet.from(tasks, labels ? { labels: ["no", "yes"] } : {});
}

const LABELS = { loss: "logistic", scale: "unit" };
test.each([
  ["mp-mixed", { epsilon: 8, scale: "unit" }],
  ["mp-mixed", { epsilon: 8 }],
  ["mp-mixed", { epsilon: 8, scale: "unit", unit: "both" }],
  ["mp-mixed", { epsilon: 8, ...LABELS }],
  ["mp-subspace", { epsilon: 8 }],
  ["mp-hierarchical", { epsilon: 8, choice: "pooled" }],
  ["pmtl", { epsilon: 8, clip: "auto", choice: "pooled" }],
] as const)("%s, %o", async (method, options) => {
  const labels = "loss" in options;
  const tasks = drawn(labels);
  const plan = planFor(tasks, { method, options, ...(labels ? { classes: ["no", "yes"] } : {}) });
  const { statuses } = await federate(plan, tasks);
  const counts = statuses.flatMap((status) => (status.kind === "closed" ? [status.clipped] : []));
  expect(counts.length).toBeGreaterThan(0);
  expect(counts).toEqual(counts.map(() => 0));
});
