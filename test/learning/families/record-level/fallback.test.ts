/** Whether a task falls back: by rows that made neither of the two models that it compares. */
import { expect, test } from "vitest";
import { DpAggregation } from "../../../../src/learning/index.js";
import { makeTasks } from "../../tasks.js";

test("a release that fits its task's rows and nothing else does not keep the task", async () => {
  // Targets are all noise, and as many coefficients as rows: what is released has the rows by heart.
  const tasks = makeTasks({ m: 1, d: 14, rows: () => 16, rank: 1, noise: 0.4, seed: "by heart" });
  const options = {
    lambda: 1e-4,
    epsilon: 1e9,
    delta: 1e-3,
    slopeBound: 100,
    random: { mode: "seeded", seed: "fall back" },
  } as const;
  const kept = await new DpAggregation({ ...options, safeguard: false }).fit(tasks);
  const guarded = await new DpAggregation({ ...options, safeguard: true }).fit(tasks);
  // Alone it has a ridge penalty of its own choice, which shrinks what is noise.
  const norm = ({ weights }: { weights: Float64Array }) => Math.hypot(...weights);
  expect(norm(guarded)).toBeLessThan(0.95 * norm(kept));
});
