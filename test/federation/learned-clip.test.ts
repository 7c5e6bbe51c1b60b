/** A bound on uploads that a run learns: the local fit's bits, on plain and secure sums, and what a plan says of it. */
import { describe, expect, test } from "vitest";
import { describePlan } from "../../src/federation/index.js";
import { makeTasks } from "../learning/tasks.js";
import { federate, localFit, planFor, taskBits } from "./runs.js";
import { planOf as securePlan, run as secureRun } from "./secure-aggregation/secure-run.js";
import { someOf } from "../thorough.js";

const tasks = makeTasks({ m: 40, d: 4, rows: (i) => 6 + (i % 3) });
const planWith = (method: string, options: Record<string, unknown> = {}, minimum = tasks) =>
  planFor(minimum, { method, options: { epsilon: 4, rounds: 3, clip: "auto", ...options } });

const CASES: readonly [string, Record<string, unknown>][] = [
  ["pmtl", { choice: "local", batchSize: 3 }],
  ["mp-low-rank", {}],
  ["mp-low-rank", { clipIterate: false, choice: "pooled", initial: "zeros" }],
  ["private-fedavg", { adjacency: "zero-out", sampling: { kind: "poisson", rate: 0.5 } }],
  ["mp-low-rank-sparse", { sharedPenalty: "l21" }],
  ["joint-dp-sgd", {}],
  ["ppsgd", {}],
  // Too little for a vote.
  ["pmtl", { epsilon: 0.3 }],
];

test.each(someOf(CASES, 4))("%s with %o gives the local fit's bits", async (method, options) => {
  const plan = planWith(method, options);
  const local = await localFit(plan, tasks);
  const { curator, models } = await federate(plan, tasks, { participants: 4 });
  expect(curator.history).toEqual(local.history);
  expect(curator.history[0]!["clip"]).toBeGreaterThan(0);
  expect(curator.ledger.toJSON()).toEqual(local.ledger!.toJSON());
  expect(Object.keys(models)).toHaveLength(4);
  for (const model of Object.values(models)) {
    for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(local, name));
  }
});

test("on secure sums K is what the votes say, and the sum of uploads in its units opens", async () => {
  const options = { epsilon: 300, rounds: 2, clip: "auto" };
  const { curator } = await secureRun(securePlan("pmtl", options));
  expect(curator.ledger.entries.map(({ label }) => label)).toEqual(["clip", undefined, undefined]);
  const { curator: other } = await secureRun(securePlan("pmtl", { ...options, clip: 1 }));
  expect(curator.history[0]!["clip"]).toBeGreaterThan(0);
  expect(other.history[0]).not.toHaveProperty("clip");
});

describe("the plan's words", () => {
  const words = (options: Record<string, unknown> = {}, method = "pmtl") =>
    describePlan(planWith(method, options)).join("\n");

  test("say what is voted on, and what it costs", () => {
    expect(words()).toContain(
      "Vectors of the rounds are in units of a bound K on what they are made of: before the first round every task votes on K with one vector of " +
        "norm at most 1",
    );
    expect(words()).toMatch(/With 40 tasks this takes \d+ % of the budget/);
    expect(words()).toContain("one vector of norm at most 1");
  });

  test("say where it is a guess, and nothing where the plan names K or K bounds nothing", () => {
    expect(words({ epsilon: 0.3 })).toContain("a guess from what the plan declares");
    expect(words({ clip: 2 })).not.toContain("units of a bound K");
    expect(words({ clip: 2 })).toContain("norm at most 2");
    expect(words({ unit: "record" })).not.toContain("units of a bound K");
  });

  test("are of plans that can be kept", () => {
    expect(() => planWith("mp-low-rank", { curator: "untrusted" })).toThrow(
      "which a curator that they do not trust would see",
    );
  });
});
