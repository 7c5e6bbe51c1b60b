/** Whole runs in one process: the local fit's bits without drop-outs, sound with them. */
import { describe, expect, test } from "vitest";
import { makePlan, simulateFederation } from "../../src/federation/index.js";
import { makeTasks } from "../learning/tasks.js";
import { localFit, planFor, taskBits } from "./runs.js";

describe("simulateFederation", () => {
  test("without drop-outs gives the bits of the local fit, in a simulated moment", async () => {
    const tasks = makeTasks({ m: 40, d: 5, rows: () => 5 });
    const plan = planFor(tasks, { method: "mp-low-rank", options: { rounds: 4 } });
    const local = await localFit(plan, tasks);
    const { models, rounds } = await simulateFederation({ plan, tasks, participants: 13 });
    expect(models.size).toBe(13);
    for (const model of models.values()) {
      for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(local, name));
    }
    expect(rounds.map(({ round, expected, present }) => [round, expected, present])).toEqual(
      [1, 2, 3, 4].map((round) => [round, 40, 40]),
    );
    // One vector per participant and round, no pull, no reminder.
    expect(rounds.slice(1).map(({ messagesIn }) => messagesIn)).toEqual([13, 13, 13]);
    expect(rounds.slice(1).map(({ messagesOut }) => messagesOut)).toEqual([0, 0, 0]);
    expect(rounds.at(-1)!.time).toBeLessThan(1000);
  });

  test("whoever is away counts as zero, comes back, and has a model in the end", async () => {
    const tasks = makeTasks({ m: 60, d: 4, rows: () => 5 });
    const plan = makePlan({
      run: "away",
      method: "pmtl",
      features: tasks.featureNames,
      minimumTasks: 60,
      quorum: 0.5,
      deadline: 2,
      options: {
        rounds: 8,
        epsilon: 1,
        adjacency: "zero-out",
        delta: 1e-3,
        random: { mode: "seeded", seed: 3 },
      },
    });
    const run = () => simulateFederation({ plan, tasks, dropOut: 0.3, seed: "drop" });
    const first = await run();
    expect(first.models.size).toBe(60);
    const present = first.rounds.map((round) => round.present);
    expect(Math.min(...present)).toBeLessThan(60);
    expect(Math.min(...present)).toBeGreaterThanOrEqual(30);
    expect(first.curator.ledger.entries.length).toBe(8);
    expect(first.curator.guarantee.epsilon).toBeLessThanOrEqual(1);
    // The same seed, the same run.
    const second = await run();
    expect(second.rounds).toEqual(first.rounds);
    for (const [name, model] of first.models) {
      expect(second.models.get(name)!.weights).toEqual(model.weights);
      expect(model.weights.every(Number.isFinite)).toBe(true);
    }
  });

  test("a run that can only wait says so", async () => {
    const tasks = makeTasks({ m: 3, d: 2, rows: () => 3 });
    const plan = makePlan({
      run: "short",
      method: "pmtl",
      features: tasks.featureNames,
      minimumTasks: 4,
      options: { delta: 1e-3 },
    });
    await expect(simulateFederation({ plan, tasks })).rejects.toThrow("minimumTasks");
  });
});
