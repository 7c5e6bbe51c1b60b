/** One seed, of cohorts and of sums in any order: the models of one worker, of four, and of a federated run, with relays and without. */
import { expect, test } from "vitest";
import type { TaskSet } from "../../src/data/index.js";
import type { Plan } from "../../src/federation/index.js";
import { makeEstimator, type FittedModel } from "../../src/learning/index.js";
import { channelWorkers } from "../learning/parallel/channel-workers.js";
import { makeTasks } from "../learning/tasks.js";
import { FORMS, relayedPlan, run } from "./relays/plain-run.js";
import { federate, planFor, taskBits } from "./runs.js";
import { thorough } from "../thorough.js";
import { tasks as fewTasks } from "./secure-aggregation/secure-run.js";

/** Every task's bits by name, of models that have it. */
function bitsOf(models: readonly FittedModel[], { names }: TaskSet): string[] {
  return names.map((name) => {
    const model = models.find(({ taskNames }) => taskNames.includes(name));
    return taskBits(model!, name);
  });
}

async function ofWorkers(plan: Plan, tasks: TaskSet, hooks: object) {
  const estimator = makeEstimator(plan.method, plan.options);
  const { workers } = channelWorkers(4);
  const one = await estimator.fit(tasks, hooks);
  const four = await estimator.fit(tasks, { ...hooks, workers, threads: 4 });
  workers.close();
  expect(four.threads!.used).toBe(4);
  expect(bitsOf([four], tasks)).toEqual(bitsOf([one], tasks));
  return bitsOf([one], tasks);
}

const tasks = makeTasks({ m: 9, d: 4, rows: (i) => 5 + (i % 4) });

test.each([
  { kind: "all" },
  { kind: "poisson", rate: 0.5 },
  { kind: "fixed-size", size: 4 },
  // Whose noise is found in seconds.
  ...(thorough ? [{ kind: "allocation", picks: 2 }] : []),
])("sampling %o", async (sampling) => {
  const options = { rounds: 4, adjacency: "zero-out", sampling };
  const plan = planFor(tasks, { method: "pmtl", options });
  const { models } = await federate(plan, tasks);
  expect(bitsOf(Object.values(models), tasks)).toEqual(await ofWorkers(plan, tasks, {}));
});

test("sums in any order, of each kind of tree", async () => {
  const expected = await ofWorkers(relayedPlan("no relay"), fewTasks, { sums: "any-order" });
  for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
    const { models } = await run(relayedPlan(form));
    expect(bitsOf(Object.values(models), fewTasks), form).toEqual(expected);
  }
});
