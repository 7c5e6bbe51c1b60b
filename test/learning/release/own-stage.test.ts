/** A plan whose last stage is every task's own: nothing of it is lost, and both budgets are its releases'. */
import { expect, test } from "vitest";
import { makeEstimator } from "../../../src/learning/index.js";
import { makeTasks } from "../tasks.js";
import { planReleases } from "../../../src/learning/release/plan-releases.js";
import { withOwnStage } from "../../../src/learning/release/own-release.js";
import { epsilonOf, Ledger } from "../../../src/privacy/index.js";

const sizes = { m: 20, d: 3, clip: 1 };
const plan = planReleases({
  options: {
    epsilon: 2,
    delta: 1e-5,
    adjacency: "replace",
    mechanism: "auto",
    noise: "auto",
    random: { mode: "seeded", seed: "own" },
  },
  tasks: 20,
  stages: [
    { ...sizes, statistic: "vector", rounds: 2, budgetShare: 0.2, label: "first" },
    { ...sizes, statistic: "vector", rounds: 1 },
    { ...sizes, statistic: "moment", rounds: 1, budgetShare: 0.5, label: "own" },
  ],
});

test("all stages but the last are shared, with what they cost; the last is with the whole budget", () => {
  const split = withOwnStage(plan);
  expect([...split.stages, split.own!.stage]).toEqual(plan.stages);
  expect(split.own!.ledger).toEqual(plan.ledger);
  const shared = plan.stages.slice(0, 2).flatMap(({ events }) => events);
  expect(split.ledger.plan).toEqual(shared);
  const cost = epsilonOf(shared, { delta: 1e-5 });
  expect(split.ledger.epsilon).toBeGreaterThan(cost);
  expect(split.ledger.epsilon).toBeLessThan(cost * (1 + 1e-8));
  expect(cost).toBeLessThan(2);
  expect(split.ledger.delta).toBe(1e-5);
  // The ledger takes the plan, and states no less than what was spent.
  const ledger = new Ledger(split.ledger);
  shared.forEach((event, k) => ledger.charge(event, { round: k + 1 }));
  expect(ledger.spent().epsilon).toBeLessThanOrEqual(split.ledger.epsilon);
});

test("the ledger takes sampled rounds, too, whose delta at their epsilon is delta to seven digits only", async () => {
  const method = {
    unit: "record",
    ownModel: "noisy",
    rounds: 3,
    localSteps: 3,
    recordRate: 0.5,
    adjacency: "zero-out",
    epsilon: 1,
    delta: 1e-4,
    random: { mode: "seeded", seed: 1 },
  } as const;
  const { ledger, recordGuarantee } = await makeEstimator("pmtl", method).fit(
    makeTasks({ m: 4, d: 2, rows: () => 5 }),
  );
  expect(ledger!.entries.length).toBe(3);
  expect(ledger!.spent().epsilon).toBeLessThanOrEqual(1);
  expect(recordGuarantee!.epsilon).toBe(1);
});
