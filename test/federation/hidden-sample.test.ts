/**
 * Who was drawn in a round is the curator's secret and each task's own: amplification by sampling counts on
 * it. Whoever sees when messages of anyone travel, and how long they are, sees the same for every sample.
 */
import { describe, expect, test } from "vitest";
import { ManualClock, MemoryStore, type Plan } from "../../src/federation/index.js";
import { decodeRecord } from "../../src/federation/protocol/records.js";
import { seededUniforms } from "../../src/data/index.js";
import { makeTasks } from "../learning/tasks.js";
import { chaos, type Trouble } from "./chaos.js";
import { federate, planFor, traceLine } from "./runs.js";

// Nine entries a vector: what begins with a symmetric matrix, as zeros do, could be packed.
const tasks = makeTasks({ m: 6, d: 9, rows: (i) => 5 + (i % 3) });

const poisson = { sampling: { kind: "poisson", rate: 0.2 }, adjacency: "zero-out" };
const fixed = { sampling: { kind: "fixed-size", size: 3 } };

function planOf(sample: string, options: Record<string, unknown>, rest: Partial<Plan> = {}): Plan {
  return planFor(tasks, {
    ...rest,
    method: "pmtl",
    options: { rounds: 6, ...options, random: { mode: "seeded", seed: sample } },
  });
}

/** Who was drawn, round by round. */
const samplesOf = (records: readonly Uint8Array[]) =>
  records.flatMap((bytes) => {
    const record = decodeRecord(bytes);
    return record.type === "sample" ? [record.positions.join()] : [];
  });

const SEEDS = Array.from({ length: 4 }, (_, k) => `sample ${String(k).padStart(2, "0")}`);

/** Line by line: the difference of two long lists takes minutes to show. */
function expectSame(trace: readonly string[], first: readonly string[]): void {
  const at = first.findIndex((line, i) => line !== trace[i]);
  expect(trace[at]).toBe(first[at]);
  expect(trace.length).toBe(first.length);
}

/** Runs with other samples and nothing else: all traces are the same, and no two runs drew alike. */
async function expectOneTrace(
  run: (seed: string) => Promise<{ trace: readonly string[]; records: readonly Uint8Array[] }>,
  seeds = SEEDS,
) {
  const samples = new Set<string>();
  let first: readonly string[] | undefined;
  for (const seed of seeds) {
    const { trace, records } = await run(seed);
    samples.add(samplesOf(records).join(";"));
    first ??= trace;
    expectSame(trace, first);
  }
  expect(samples.size).toBe(seeds.length);
}

/** A run in memory with unequal delays, and what was seen of it. */
async function watched(plan: Plan, participants: number) {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const trace: string[] = [];
  await federate(plan, tasks, {
    participants,
    store,
    clock,
    faults: { random: seededUniforms("delays"), delay: 50 },
    watch: ({ from, to, message }) => trace.push(traceLine(clock.now, from, to, message)),
  });
  return { trace, records: await store.load() };
}

describe("what the network shows of a sampled run", () => {
  test.each([
    ["one task each", fixed, 6],
    ["two tasks or one each", fixed, 4],
    ["a vote of all after the rounds", { ...fixed, choice: "pooled", epsilon: 20 }, 3],
  ])("is the same whoever was drawn: %s", async (_name, options, participants) => {
    await expectOneTrace((seed) => watched(planOf(seed, options), participants));
  });

  test("is the same however many were drawn, nobody in some rounds", async () => {
    const sizes = new Set<number>();
    await expectOneTrace(
      async (seed) => {
        const run = await watched(planOf(seed, poisson), 2);
        for (const sample of samplesOf(run.records)) sizes.add(sample.length);
        return run;
      },
      SEEDS.slice(0, 2),
    );
    expect([...sizes]).toContain(0);
    expect(sizes.size).toBeGreaterThan(2);
  });

  // What is garbled may or may not be read, by its content, so it is not among them.
  test.each<[string, readonly Trouble[], number]>([
    ["participants cut off, quorum 1", ["cut a participant"], 1],
    ["participants cut off, quorum .4", ["cut a participant"], 0.4],
    ["participants killed", ["kill a participant"], 0.7],
    ["the curator killed", ["kill the curator", "kill the curator while it writes"], 1],
    ["all of it", ["network down", "kill a participant", "kill the curator", "replay"], 0.6],
  ])("is the same through faults: %s", async (_name, troubles, quorum) => {
    const plan = (sample: string) => planOf(sample, fixed, { deadline: 3, quorum });
    await expectOneTrace(
      (sample) => chaos({ plan: plan(sample), tasks, seed: "faults", troubles, count: 15 }),
      SEEDS.slice(0, 3),
    );
  });
});
