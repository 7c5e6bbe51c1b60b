/**
 * Who was drawn in a round is the curator's secret and each task's own: amplification by sampling counts on
 * it. Whoever sees when messages of anyone travel, and how long they are, sees the same for every sample; and so does
 * who reads the curator's statuses, from which its log and its metrics are made: with the marks that all other
 * participants were told, a number of tasks drawn would tell the last one's.
 */
import { describe, expect, test } from "vitest";
import {
  CuratorMachine,
  ManualClock,
  MemoryStore,
  randomBytesFrom,
  type Plan,
} from "../../../../src/federation/index.js";
import {
  openSample,
  sampleKey,
  sealSample,
} from "../../../../src/federation/curator/rounds/sealed-sample.js";
import { decodeRecord } from "../../../../src/federation/protocol/records.js";
import { seededUniforms } from "../../../../src/data/index.js";
import { makeTasks } from "../../../learning/tasks.js";
import { chaos, type Trouble } from "../../chaos.js";
import { federate, planFor, traceLine } from "../../runs.js";
import { someOf, thorough, thoroughTest } from "../../../thorough.js";

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

/** Remembers what it held for a while. */
class Remembering extends MemoryStore {
  readonly held: Uint8Array[] = [];
  override hold(record: Uint8Array | null): Promise<void> {
    if (record) this.held.push(record.slice());
    return super.hold(record);
  }
}

interface Kept {
  readonly records: readonly Uint8Array[];
  /** The key of the samples, which the store has no longer when the run is over. */
  readonly held: readonly Uint8Array[];
}

/** Who was drawn, round by round. */
const samplesOf = ({ records, held }: Kept) => {
  const [key] = held.map(decodeRecord);
  return records.map(decodeRecord).flatMap((record) => {
    if (record.type !== "sample" || key?.type !== "sample-key") return [];
    return [openSample(key.bytes, record.round, record.bytes).join()];
  });
};

const SEEDS = Array.from(
  { length: thorough ? 4 : 2 },
  (_, k) => `sample ${String(k).padStart(2, "0")}`,
);

/** Line by line: the difference of two long lists takes minutes to show. */
function expectSame(trace: readonly string[], first: readonly string[]): void {
  const at = first.findIndex((line, i) => line !== trace[i]);
  expect(trace[at]).toBe(first[at]);
  expect(trace.length).toBe(first.length);
}

/** Runs with other samples and nothing else: all traces are the same, and no two runs drew alike. */
async function expectOneTrace(
  run: (seed: string) => Promise<Kept & { readonly trace: readonly string[] }>,
  seeds = SEEDS,
) {
  const samples = new Set<string>();
  let first: readonly string[] | undefined;
  for (const seed of seeds) {
    const { trace, ...kept } = await run(seed);
    samples.add(samplesOf(kept).join(";"));
    first ??= trace;
    expectSame(trace, first);
  }
  expect(samples.size).toBe(seeds.length);
}

/** A run in memory with unequal delays, and what was seen of it. */
async function watched(plan: Plan, participants: number) {
  const clock = new ManualClock();
  const store = new Remembering();
  const trace: string[] = [];
  const { statuses } = await federate(plan, tasks, {
    participants,
    store,
    clock,
    faults: { random: seededUniforms("delays"), delay: 50 },
    watch: ({ from, to, message }) => trace.push(traceLine(clock.now, from, to, message)),
  });
  trace.push(...statuses.map((status) => JSON.stringify(status)));
  return { trace, records: await store.load(), held: store.held };
}

describe("what the network shows of a sampled run", () => {
  test.each([
    ["one task each", fixed, 6],
    ["two tasks or one each", fixed, 4],
    ["a vote of all after the rounds", { ...fixed, choice: "pooled", epsilon: 20 }, 3],
  ])("is the same whoever was drawn: %s", async (_name, options, participants) => {
    await expectOneTrace((seed) => watched(planOf(seed, options), participants));
  });

  thoroughTest("is the same however many were drawn, nobody in some rounds", async () => {
    const sizes = new Set<number>();
    await expectOneTrace(
      async (seed) => {
        const run = await watched(planOf(seed, poisson), 2);
        for (const sample of samplesOf(run)) sizes.add(sample.length);
        return run;
      },
      SEEDS.slice(0, 2),
    );
    expect([...sizes]).toContain(0);
    expect(sizes.size).toBeGreaterThan(2);
  });

  // What is garbled may or may not be read, by its content, so it is not among them.
  const faults: [string, readonly Trouble[], number][] = [
    ["participants cut off, quorum 1", ["cut a participant"], 1],
    ["participants cut off, quorum .4", ["cut a participant"], 0.4],
    ["participants killed", ["kill a participant"], 0.7],
    ["the curator killed", ["kill the curator", "kill the curator while it writes"], 1],
    ["all of it", ["network down", "kill a participant", "kill the curator", "replay"], 0.6],
  ];
  test.each(someOf(faults, 2))(
    "is the same through faults: %s",
    async (_name, troubles, quorum) => {
      const plan = (sample: string) => planOf(sample, fixed, { deadline: 3, quorum });
      await expectOneTrace(
        async (sample) => {
          const run = await chaos({
            plan: plan(sample),
            tasks,
            seed: "faults",
            troubles,
            count: 15,
          });
          const told = run.statuses.map((status) => JSON.stringify(status));
          return { ...run, trace: [...run.trace, ...told] };
        },
        SEEDS.slice(0, 3),
      );
    },
  );
});

describe("what a curator's store tells of a sampled run", () => {
  const text = (records: readonly Uint8Array[]) =>
    records.map((record) => Buffer.from(record).toString("latin1")).join("\n");

  test("is not who was drawn: the records hold it sealed, and the key is wiped when all have their models", async () => {
    const { records, held } = await watched(planOf("at rest", poisson), 2);
    const types = records.map((record) => decodeRecord(record).type);
    expect(types.filter((type) => type === "sample")).toHaveLength(6);
    expect(types).not.toContain("sample-key");
    expect(held).toHaveLength(1);
    const samples = samplesOf({ records, held });
    expect(new Set(samples).size).toBeGreaterThan(2);
    // In clear a record is a digit or a position for each task: neither is there, and all are of one length.
    expect(text(records)).not.toMatch(/drawn|positions":\[[0-9,]*\],"tasks/);
    const lengths = records.filter((_, i) => types[i] === "sample").map(({ length }) => length);
    expect(new Set(lengths).size).toBe(1);
  });

  test("the same sample is sealed otherwise every time, and under another key or round it does not open", () => {
    const random = randomBytesFrom({ mode: "seeded", seed: "seal" });
    const [key, other] = [sampleKey(random), sampleKey(random)];
    const one = sealSample(key, 3, 40, [1, 39], random);
    expect(openSample(key, 3, one)).toEqual([1, 39]);
    expect(sealSample(key, 3, 40, [1, 39], random)).not.toEqual(one);
    expect(() => openSample(other, 3, one)).toThrow("does not open that of round 3");
    expect(() => openSample(key, 4, one)).toThrow("does not open that of round 4");
  });

  test("without its key a run that goes on stops, and one that is over ends", async () => {
    const plan = planOf("lost key", fixed);
    const store = new Remembering();
    await federate(plan, tasks, { participants: 2, store });
    const records = await store.load();
    const early = records.slice(0, -3);
    const session = "0".repeat(32);
    expect(() => new CuratorMachine({ plan, session, records: early })).toThrow(
      "the key of its samples is missing",
    );
    const whole = [...early, ...store.held];
    expect(new CuratorMachine({ plan, session, records: whole })).toBeDefined();
    const over = new CuratorMachine({ plan, session, records });
    expect(over.handle({ type: "link", state: "up" }).at(-1)).toMatchObject({ type: "end" });
  });
});
