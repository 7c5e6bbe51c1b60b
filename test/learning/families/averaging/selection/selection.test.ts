/**
 * Choosing the round and the last strength in PMTL, FedAvg and FedProx: locally, and by charged votes.
 */
import { describe, expect, test } from "vitest";
import { makeEstimator, type RoundView } from "../../../../../src/learning/index.js";
import {
  candidatesOf,
  distancesFrom,
  givenOf,
} from "../../../../../src/learning/local-selection/candidates.js";
import { deltaOf } from "../../../../../src/privacy/index.js";
import { makeClasses, makeTasks } from "../../../tasks.js";
import { someOf, thorough } from "../../../../thorough.js";

const random = { mode: "seeded", seed: "choose" } as const;
const METHODS = ["pmtl", "private-fedavg", "private-fedprox"] as const;
const tasks = makeTasks({ m: 12, d: 4, rows: (i) => 3 + 2 * i, noise: 0.1 });

test("candidates: rounds halved, then strengths of the last; the given one is the last of its own", () => {
  const candidates = candidatesOf(8, true);
  expect(candidates.map(({ round, strength }) => [round, strength])).toEqual([
    ...[1, 2, 4, 8].map((round) => [round, 1]),
    ...[0.01, 0.1, 10, 100].map((strength) => [8, strength]),
  ]);
  expect(givenOf(candidates)).toBe(3);
  const distances = distancesFrom(candidates, 3);
  expect(distances[3]).toBe(0);
  expect(distances[0]).toBeCloseTo(Math.log10(8), 12);
  expect(distances[7]).toBeCloseTo(1, 12);
  expect(candidatesOf(1, false)).toHaveLength(1);
});

describe.each(METHODS)("%s", (method) => {
  const lambda = method === "private-fedavg" ? {} : { lambda: 0.5 };
  const common = { epsilon: 20, delta: 1e-3, rounds: 8, clip: 2, random, ...lambda };
  const fit = (options: object, data = tasks) =>
    makeEstimator(method, { ...common, ...options }).fit(data);

  test("a local choice changes models and nothing else", async () => {
    const released = async (choice: string) => {
      const views: number[][] = [];
      const observe = ({ stage, values }: RoundView) => void views.push([stage.length, ...values]);
      const options = { ...common, choice, safeguard: false };
      const model = await makeEstimator(method, options).fit(tasks, { observe });
      const { ledger, guarantee, history, components, weights } = model;
      return [
        { views, ledger: ledger!.toJSON(), guarantee, history, components },
        weights,
      ] as const;
    };
    const [last, local] = [await released("last"), await released("local")];
    expect(local[0]).toEqual(last[0]);
    expect(local[1]).not.toEqual(last[1]);
    expect(local[1].every(Number.isFinite)).toBe(true);
  });

  const budgets = [
    { adjacency: "zero-out", delta: 1e-3, sampling: { kind: "poisson", rate: 0.5 } },
    { adjacency: "replace", delta: 1e-3 },
    { adjacency: "replace", delta: 0 },
    { adjacency: "replace", delta: 1e-3, sampling: { kind: "fixed-size", size: 6 } },
  ] as const;
  const few = method === "pmtl" ? budgets : budgets.slice(1);
  test.each(someOf<(typeof budgets)[number]>(thorough ? budgets : few, 4))(
    "a pooled choice is one more release that the budget covers: %o",
    async (options) => {
      const model = await fit({ ...options, choice: "pooled", choiceShare: 0.2, epsilon: 2 });
      const { entries } = model.ledger!;
      expect(entries).toHaveLength(9);
      expect(entries.at(-1)!.label).toBe("choice");
      expect(model.ledger!.plan).toEqual(entries.map(({ event }) => event));
      const spent = deltaOf(
        entries.map(({ event }) => event),
        { epsilon: 2 },
      );
      expect(spent).toBeLessThanOrEqual(options.delta);
      expect(model.rounds).toBe(8);
    },
  );

  test("rounds that spoil what was learned are not kept", async () => {
    // After the first round every message is noise a thousand times the models.
    const schedule = { kind: "geometric", ratio: 50 } as const;
    const spoiled = { epsilon: 300, rounds: 4, schedule, safeguard: false };
    const finetune = method === "pmtl" ? {} : { finetune: { kind: "mean-regularized" } };
    const nmse = async (choice: string) =>
      (await fit({ ...spoiled, ...finetune, choice })).score(tasks).nmse!;
    const [last, local] = [await nmse("last"), await nmse("local")];
    expect(local).toBeLessThan(last / 2);
  });

  test("several classes, few rows and mini-batches", async () => {
    const classes = makeClasses({ m: 4, d: 3, rows: (i) => 1 + 2 * i, classes: 3 });
    const options = { loss: "softmax", choice: "pooled", batchSize: 2, epsilon: 1 };
    const model = await fit({ ...options, safeguard: false }, classes);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });
});

test("tasks that together vote to be alone stay alone where none of them could tell by itself", async () => {
  // Models with nothing in common, eight noisy rows each.
  const data = makeTasks({ m: 200, d: 4, rows: () => 8, noise: 1 });
  const options = { epsilon: 5, rounds: 3, clip: 1, intercept: false, random } as const;
  const alone = async (choice: string) => {
    const fit = (safeguard: boolean) =>
      makeEstimator("private-fedavg", { ...options, choice, safeguard }).fit(data);
    const [safe, bare] = [await fit(true), await fit(false)];
    return data.names.filter((name) =>
      safe.forTask(name).weights.some((w, k) => w !== bare.forTask(name).weights[k]),
    ).length;
  };
  expect(await alone("pooled")).toBe(data.m);
  expect(await alone("last")).toBeLessThan(0.9 * data.m);
});

test("votes that noise drowns leave every task alone", async () => {
  const options = { epsilon: 0.1, rounds: 2, clip: 1, choice: "pooled", random } as const;
  const model = await makeEstimator("private-fedavg", options).fit(tasks);
  const alone = await makeEstimator("private-fedavg", { ...options, epsilon: 0.01 }).fit(tasks);
  expect(model.weights).toEqual(alone.weights);
  expect(model.ledger!.entries).toHaveLength(3);
});

test("nothing to choose is nothing to charge", async () => {
  const options = { rounds: 1, choice: "pooled", safeguard: false, epsilon: 1, random } as const;
  const model = await makeEstimator("private-fedavg", options).fit(tasks);
  expect(model.ledger!.entries).toHaveLength(1);
});

test("PMTL's last strength follows each task's own rows", async () => {
  // A lambda that ties every task to a shared model of nothing but noise.
  const data = makeTasks({ m: 12, d: 4, rows: () => 25, noise: 0.1 });
  const options = { lambda: 30, localSteps: "solve", epsilon: 0.1, clip: 10, random } as const;
  const nmse = async (choice: string) => {
    const given = { ...options, rounds: 1, choice, safeguard: false };
    return (await makeEstimator("pmtl", given).fit(data)).score(data).nmse!;
  };
  expect(await nmse("local")).toBeLessThan(0.5 * (await nmse("last")));
});
