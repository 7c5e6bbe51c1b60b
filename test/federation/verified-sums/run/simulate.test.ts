/** Runs whose rounds two aggregators sum: the models of plain sums, and what liars come to. */
import { describe, expect, test } from "vitest";
import { makePlan, type Plan } from "../../../../src/federation/index.js";
import {
  simulateVerifiedSums,
  type SimulateVerifiedOptions,
} from "../../../../src/federation/verified-sums/index.js";
import { makeEstimator, type FittedModel } from "../../../../src/learning/index.js";
import type { Guarantee } from "../../../../src/privacy/index.js";
import { someOf } from "../../../thorough.js";
import { makeTasks } from "../../../learning/tasks.js";

const tasks = makeTasks({ m: 7, d: 4, rows: () => 15 });

function planOf(method: string, options: Record<string, unknown>): Plan {
  return makePlan({
    run: "verified",
    method,
    features: tasks.featureNames,
    tasks: tasks.names.map((name) => ({ name, participant: null })),
    options: { random: { mode: "seeded", seed: "s" }, delta: 1e-4, ...options },
  });
}

type RoundFigures = Parameters<NonNullable<SimulateVerifiedOptions["onRound"]>>[0];

async function run(plan: Plan, options: Partial<SimulateVerifiedOptions> = {}) {
  const rounds: RoundFigures[] = [];
  const model = await simulateVerifiedSums({
    plan,
    tasks,
    onRound: (round) => rounds.push(round),
    ...options,
  });
  return { model, rounds };
}

/** Largest difference of two models' weights, over the largest weight. */
function distance(a: FittedModel, b: FittedModel): number {
  const largest = Math.max(...b.weights.map(Math.abs));
  return Math.max(...a.weights.map((w, i) => Math.abs(w - b.weights[i]!))) / largest;
}

describe("a run over two aggregators", () => {
  const methods: [string, Record<string, unknown>][] = [
    ["pmtl", { rounds: 2, epsilon: 1e7 }],
    ["mp-low-rank", { rounds: 3, epsilon: 1e8 }],
    ["mp-feature-learning", { epsilon: 1e8, choice: "pooled" }],
  ];

  test.each(someOf(methods, 3))(
    "%s: with next to no noise the models of a local fit",
    async (method, options) => {
      const plan = planOf(method, options);
      const { model, rounds } = await run(plan);
      const local = await makeEstimator(plan.method, plan.options).fit(tasks);
      expect(distance(model, local)).toBeLessThan(2e-3);
      for (const { accepted, refused } of rounds) {
        expect(accepted).toEqual(tasks.names);
        expect(refused.size).toBe(0);
      }
      expect(model.ledger!.spent().epsilon).toBeLessThanOrEqual(plan.options["epsilon"] as number);
    },
  );

  test("the guarantee: the plan's epsilon, under trust in one of the two", async () => {
    const { model } = await run(planOf("pmtl", { rounds: 2, epsilon: 3 }));
    const { guarantee } = model;
    expect(guarantee).toMatchObject({ epsilon: 3, delta: 1e-4 });
    expect((guarantee as Guarantee).trust).toMatch(/of two aggregators one is trusted/);
    expect(model.ledger!.entries).toHaveLength(2);
    for (const { event } of model.ledger!.entries) {
      expect(event).toMatchObject({ kind: "discrete-gaussian", shares: 1 });
    }
  });

  test("liars are refused by name in every round, and the models are those of a run without them", async () => {
    const plan = planOf("pmtl", { rounds: 2, epsilon: 1e7 });
    const liars = new Set(["task-1", "task-4"]);
    const lied = await run(plan, {
      reported: (task, _round, integers) =>
        liars.has(task) ? integers.map((x, i) => (i === 0 ? 2 ** 18 : x)) : integers,
    });
    const absent = await run(plan, {
      reported: (task, _round, integers) => (liars.has(task) ? undefined : integers),
    });
    for (const { accepted, refused } of lied.rounds) {
      expect([...refused]).toEqual([...liars].map((name) => [name, "proof"]));
      expect(accepted).toEqual(tasks.names.filter((name) => !liars.has(name)));
    }
    // The same noise, the same sums: to the bit.
    expect([...lied.model.weights]).toEqual([...absent.model.weights]);
  });

  test("refuses plans of other kinds", async () => {
    const untrusted = planOf("mp-low-rank", {
      curator: "untrusted",
      recordEpsilon: 5,
      rounds: 2,
      epsilon: 1,
    });
    await expect(run(untrusted)).rejects.toThrow(/curator/);
    const sampled = planOf("pmtl", {
      sampling: { kind: "poisson", rate: 0.5 },
      adjacency: "zero-out",
      epsilon: 1,
    });
    await expect(run(sampled)).rejects.toThrow(/sampling/);
  });
});
