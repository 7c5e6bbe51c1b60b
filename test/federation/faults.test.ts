/**
 * Whatever happens on the way, a run that loses nobody for good has the local fit's models, spends
 * what was planned, and publishes one message a round.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMessage, type Plan } from "../../src/federation/index.js";
import { decodeRecord } from "../../src/federation/protocol/records.js";
import type { FittedModel } from "../../src/learning/index.js";
import { makeTasks } from "../learning/tasks.js";
import { chaos, TROUBLES, type Aftermath } from "./chaos.js";
import { localFit, planFor, taskBits } from "./runs.js";
import { someOf, thorough, thoroughTest } from "../thorough.js";

const tasks = makeTasks({ m: 7, d: 4, rows: (i) => 4 + (i % 3) });

const PLANS: Record<string, Plan> = {
  "mp-low-rank": planFor(tasks, { method: "mp-low-rank", options: { rounds: 5 }, deadline: 3 }),
  "mp-hierarchical, pooled choice": planFor(tasks, {
    method: "mp-hierarchical",
    options: { epsilon: 20, choice: "pooled" },
    deadline: 3,
  }),
  "pmtl, sampled mini-batches": planFor(tasks, {
    method: "pmtl",
    options: { rounds: 5, batchSize: 2, sampling: { kind: "fixed-size", size: 3 } },
    deadline: 3,
  }),
  "pmtl, everyone, own models": planFor(tasks, {
    method: "pmtl",
    options: { rounds: 4, localSteps: 3, update: "from-local" },
    deadline: 3,
  }),
  "mp-group-sparse, untrusted curator": planFor(tasks, {
    method: "mp-group-sparse",
    options: { rounds: 4, curator: "untrusted" },
    deadline: 3,
  }),
};

/** What must hold after any run. */
function expectSound({ curator, sent, records }: Aftermath): void {
  const { ledger } = curator;
  expect(ledger.entries.length).toBe(ledger.plan!.length);
  const kept = records.map(decodeRecord).filter((record) => record.type === "release");
  expect(kept.map(({ round }) => round)).toEqual(ledger.entries.map(({ round }) => round));
  const messages = new Map<number, string>();
  for (const bytes of sent) {
    const message = decodeMessage(bytes);
    if (message.type !== "broadcast") continue;
    const { round, values } = message;
    const bits = Buffer.from(values.slice().buffer).toString("hex");
    expect(messages.get(round) ?? bits).toBe(bits);
    messages.set(round, bits);
  }
  expect(messages.size).toBe(kept.length);
}

function expectSameModels(models: Record<string, FittedModel>, local: FittedModel): void {
  for (const model of Object.values(models)) {
    for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(local, name));
  }
}

describe("a run in which everything goes wrong", () => {
  test.each(Object.entries(PLANS))("%s: the local fit's models", async (_name, plan) => {
    const local = await localFit(plan, tasks);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e9 }), async (seed) => {
        const after = await chaos({
          plan,
          tasks,
          seed: String(seed),
          troubles: TROUBLES,
          count: 12,
        });
        expectSound(after);
        expectSameModels(after.models, local);
      }),
      { numRuns: thorough ? 5 : 1, seed: 8 },
    );
  });

  thoroughTest(
    "mp-mixed, sizes of columns voted on: the local fit's models",
    async () => {
      const plan = planFor(tasks, { method: "mp-mixed", options: { epsilon: 12 }, deadline: 3 });
      const local = await localFit(plan, tasks);
      expect(local.ledger!.entries[0]!.label).toBe("scale: differences");
      for (let k = 0; k < 4; k++) {
        const seed = `votes ${k}`;
        const after = await chaos({ plan, tasks, seed, troubles: TROUBLES, count: 20 });
        expectSound(after);
        expectSameModels(after.models, local);
      }
    },
    300_000,
  );

  thoroughTest(
    "with a participant lost for good and a quorum below 1: it ends, for the planned budget",
    async () => {
      const plan = planFor(tasks, {
        method: "mp-low-rank",
        options: { rounds: 5 },
        deadline: 3,
        quorum: 0.5,
      });
      const local = await localFit(plan, tasks);
      let lost = 0;
      for (let k = 0; k < 6; k++) {
        const seed = `lost ${k}`;
        const after = await chaos({ plan, tasks, seed, troubles: TROUBLES, count: 8, lost: "p1" });
        expectSound(after);
        expect(after.curator.ledger.toJSON()).toEqual(local.ledger!.toJSON());
        // It may have been done before it was killed.
        if (after.models["p1"] === undefined) lost++;
        expect(after.curator.finished.includes("p1")).toBe(after.models["p1"] !== undefined);
        expect(after.curator.finished).toEqual(expect.arrayContaining(["p0", "p2"]));
        for (const { weights } of Object.values(after.models)) {
          expect(weights.every(Number.isFinite)).toBe(true);
        }
      }
      expect(lost).toBeGreaterThan(3);
    },
  );

  test.each(someOf(TROUBLES, 2))("%s, again and again", async (trouble) => {
    const plan = PLANS["mp-low-rank"]!;
    const local = await localFit(plan, tasks);
    for (let k = 0; k < (thorough ? 3 : 1); k++) {
      const seed = `${trouble} ${k}`;
      const after = await chaos({ plan, tasks, seed, troubles: [trouble], count: 15, loss: 0 });
      expectSound(after);
      expectSameModels(after.models, local);
    }
  });
});
