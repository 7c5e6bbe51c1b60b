/** The noise of a private selection's scores: calibrated to one task's utility score, which is at most 1/2 from 0. */
import { expect, test } from "vitest";
import { selectPrivately } from "../../../src/learning/index.js";
import type {
  DiscreteGaussianEvent,
  Guarantee,
  SelectionEvent,
} from "../../../src/privacy/index.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 5, d: 2, rows: () => 12 });

test.each([
  ["replace", 1],
  ["zero-out", 0.5],
] as const)("under %s a task moves the sum of scores by %f", async (adjacency, change) => {
  const random = { mode: "seeded", seed: "score" } as const;
  const { model } = await selectPrivately(tasks, {
    method: "mp-low-rank",
    options: { epsilon: 2, delta: 1e-4, adjacency, random, rounds: 1 },
    candidates: [{ lambda: 0.1 }, { lambda: 1 }],
    repetitions: { kind: "negative-binomial", eta: 1, gamma: 0.5 },
  });
  const [event] = model.ledger!.plan as SelectionEvent[];
  expect(event!.plans.length).toBeGreaterThan(0);
  for (const plan of event!.plans) {
    // The last release of a run is that of its score: one number, exact noise.
    const { event: score, count } = plan.at(-1)!;
    const { sensitivity, entries, kind } = score as DiscreteGaussianEvent;
    expect([kind, entries, count]).toEqual(["discrete-gaussian", 1, 1]);
    expect(sensitivity).toBeGreaterThanOrEqual(change);
    expect(sensitivity).toBeLessThan(change * (1 + 1e-9));
  }
});

test("a choice rests on every run: where one draws noise in floating point so says the statement of another", async () => {
  const narrow = makeTasks({ m: 12, d: 1, rows: () => 12 });
  // A round of its own has a larger budget, beyond the exact sampler's range, and a penalty with which nobody would choose it.
  const { model, chosen } = await selectPrivately(narrow, {
    method: "mp-low-rank",
    options: { epsilon: 5e9, delta: 1e-5, clip: 20, random: { mode: "seeded", seed: 1 } },
    candidates: [{ rounds: 10 }, { rounds: 1, lambda: 1e6, safeguard: false }],
  });
  expect(chosen).toEqual({ rounds: 10 });
  const { mechanism, why } = model.guarantee as Guarantee;
  expect(mechanism).toBe("gaussian");
  expect(why).toContain("exact integer arithmetic");
  expect(why).toContain("proven for real numbers only");
});
