/** Plans that name two aggregators, from plan to models: the simulation's bits, liars refused by name, kills survived. */
import { describe, expect, test } from "vitest";
import {
  decodeFrame,
  decodeMessage,
  describePlan,
  makePlan,
  MemoryStore,
  type CuratorStatus,
} from "../../../../src/federation/index.js";
import { LEFT_OUT, someOf, thorough, thoroughTest } from "../../../thorough.js";
import { simulateVerifiedSums } from "../../../../src/federation/verified-sums/index.js";
import {
  AGGREGATORS,
  helper,
  KillingStore,
  planOf,
  run,
  tasks,
  weightsOf,
  type VerifiedRun,
} from "../verified-run.js";

const ROUNDS = thorough ? 2 : 1;
// Sums of means: proofs of norms, which take most of a run's time, are shorter than those of products.
const PLAN = ["pmtl", { rounds: ROUNDS, epsilon: 5 }] as const;
const everyRound = Array.from({ length: ROUNDS }, (_, k) => k + 1);

/** What the same plan's rounds give in one process, without machines and messages. */
async function simulated(method: string, options: Record<string, unknown>) {
  const plan = makePlan({ ...planOf(method, options), aggregation: null });
  const model = await simulateVerifiedSums({ plan, tasks });
  const { d, taskNames, weights } = model;
  return new Map(taskNames.map((name, i) => [name, [...weights.slice(i * d, (i + 1) * d)]]));
}

const sorted = (weights: Map<string, number[]>) =>
  [...weights].sort(([a], [b]) => (a < b ? -1 : 1));

async function expectSimulated({ models }: VerifiedRun, method: string, options: object) {
  const local = await simulated(method, options as Record<string, unknown>);
  expect(sorted(weightsOf(models))).toEqual(sorted(local));
}

const closed = (statuses: readonly CuratorStatus[]) =>
  statuses.filter((status) => status.kind === "closed");

/** What holds of any plan. */
async function expectPlanned(method: string, options: Record<string, unknown>) {
  const types = new Set<string>();
  const outcome = await run(planOf(method, options), {
    watch: ({ message }) => types.add(decodeMessage(message).type),
  });
  await expectSimulated(outcome, method, options);
  expect([...types]).toEqual(
    expect.arrayContaining(["aggregate", "check", "checked", "give", "given"]),
  );
  expect(types).not.toContain("upload");
  const { ledger, curator, models } = outcome;
  expect(curator.guarantee).toMatchObject({ epsilon: options["epsilon"], delta: 1e-4 });
  expect(curator.guarantee.trust).toMatch(/of two aggregators one is trusted/);
  // Participants hold it to the plan.
  expect(models["p0"]!.guarantee).toEqual(curator.guarantee);
  // Both aggregators charged every round, once.
  expect(ledger!.entries.map(({ event }) => event)).toEqual(
    curator.ledger.entries.map(({ event }) => event),
  );
  expect(ledger!.entries).toHaveLength(closed(outcome.statuses).length);
}

describe("a plan with two aggregators", () => {
  const methods: [string, Record<string, unknown>][] = [
    ["mp-low-rank", { rounds: ROUNDS, epsilon: 5 }],
    ["pmtl", { rounds: 2, epsilon: 3 }],
    ["mp-feature-learning", { epsilon: 5, choice: "pooled" }],
  ];

  test.each(someOf(methods, 3))(
    "%s: the models of the rounds in one process, to the bit; no vector is sent; the plan's epsilon under trust in one of the two",
    expectPlanned,
  );

  thoroughTest(
    "mp-mixed with columns that nobody declared: votes on their sizes are sums as others are",
    () => expectPlanned("mp-mixed", { epsilon: 15 }),
    300_000,
  );

  thoroughTest("lost, repeated and delayed messages: the same models", async () => {
    let state = 12345;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const outcome = await run(planOf(...PLAN), {
      faults: { random, loss: 0.1, duplication: 0.1, delay: 300 },
    });
    await expectSimulated(outcome, ...PLAN);
  });

  test("its words say who must be honest, and a plan that does not go with it says why", () => {
    const words = describePlan(planOf(...PLAN)).join("\n");
    expect(words).toContain('Neither the curator nor the helper "helper" sees a vector');
    expect(words).toContain("the curator or the helper, whichever of the two");
    const bad =
      (options: object, aggregation: object = {}, more: object = {}) =>
      () =>
        planOf(
          "pmtl",
          { rounds: 1, epsilon: 1, ...options },
          { aggregation: { ...AGGREGATORS, ...aggregation }, ...more },
        );
    expect(bad({ delta: "auto" })).toThrow("options.delta: expected a number > 0");
    expect(bad({ sampling: { kind: "fixed-size", size: 2 } })).toThrow(
      "options.sampling: expected all",
    );
    expect(bad({ aggregate: { kind: "trimmed-mean", share: 0.4 } })).toThrow(
      "options.aggregate: expected mean with",
    );
    for (const unit of ["record", "both"]) {
      expect(bad({ unit })).toThrow("options.unit: expected task with two aggregators");
    }
    expect(bad({}, { leader: AGGREGATORS.helper.key })).toThrow("got one key for both");
    expect(bad({}, { leader: "ab" })).toThrow("64 hexadecimal digits");
    expect(bad({}, { threshold: 3 })).toThrow("got threshold");
    expect(bad({}, { helper: { name: "a b", key: AGGREGATORS.helper.key } })).toThrow(
      "helper.name",
    );
    expect(bad({}, { precision: 3 })).toThrow("aggregation.precision");
    const owned = { tasks: [{ name: "task-0", participant: "helper" }] };
    expect(bad({}, {}, owned)).toThrow("expected owners other than the helper");
  });

  test("a curator without the leader's key, or with another, does not start", async () => {
    const { CuratorMachine } = await import("../../../../src/federation/index.js");
    const plan = planOf(...PLAN);
    const session = "0".repeat(32);
    expect(() => new CuratorMachine({ plan, session })).toThrow("needs the leader's secret");
    const start = () => new CuratorMachine({ plan, session, leaderKey: helper.secret });
    expect(start).toThrow("the plan knows the leader by another key");
  });

  thoroughTest(
    "a participant that is gone: the round closes with the others at its deadline",
    async () => {
      const plan = planOf(PLAN[0], PLAN[1], { quorum: 0.5 });
      const { statuses, models } = await run(plan, {
        absent: ["p3"],
        watch: ({ to, message }, network) => {
          if (to === "p3" && decodeMessage(message).type === "aggregate") network.cut("p3", true);
        },
      });
      expect(Object.keys(models)).toEqual(["p0", "p1", "p2", "p4"]);
      for (const status of closed(statuses))
        expect(status).toMatchObject({ expected: 7, present: 6 });
    },
  );
});

/** The record's type in a store of either aggregator. */
const typeOf = (record: Uint8Array) => decodeFrame(record).header["type"] as string;

const given = async (store: MemoryStore) =>
  (await store.load())
    .map((record) => decodeFrame(record).header)
    .filter(({ type }) => type === "given");

describe("an aggregator that is killed", () => {
  // Every record, once before it is kept and once after: two at the start, three of the leader's a round and two of the helper's.
  test.each(someOf<"before" | "after">(["before", "after"], 2))(
    "the leader, %s every one of its records: the same models, every sum given once",
    async (when) => {
      const seen = new Set<string>();
      const store = new KillingStore((record) => {
        const { type, round, attempt } = decodeFrame(record).header;
        const name = `${type as string} ${round as number} ${type === "opening" ? "" : (attempt as number)}`;
        // An attempt that was begun is followed by another: killed once a round.
        const key = type === "attempt" ? `attempt ${round as number}` : name;
        if (seen.has(key)) return undefined;
        seen.add(key);
        return when;
      });
      const helperStore = new MemoryStore();
      const outcome = await run(planOf(...PLAN), { store, helperStore });
      expect(store.killed).toBeGreaterThanOrEqual(1 + 3 * ROUNDS);
      await expectSimulated(outcome, ...PLAN);
      expect((await given(helperStore)).map(({ round }) => round)).toEqual(everyRound);
    },
  );

  describe.skipIf(!thorough)(`where all are asked for ${LEFT_OUT}`, () => {
    test.each(["before", "after"] as const)(
      "the helper, %s every one of its records: the same models, every sum given once",
      async (when) => {
        const seen = new Set<string>();
        const helperStore = new KillingStore((record) => {
          const { type, round } = decodeFrame(record).header;
          const key = `${type as string} ${round as number}`;
          if (seen.has(key)) return undefined;
          seen.add(key);
          return when;
        });
        const outcome = await run(planOf(...PLAN), { helperStore });
        expect(helperStore.killed).toBe(2 + 2 * ROUNDS);
        await expectSimulated(outcome, ...PLAN);
        expect((await given(helperStore)).map(({ round }) => round)).toEqual(everyRound);
      },
    );
  });

  test("a helper whose shares are gone begins no attempt twice: the leader begins another", async () => {
    const store = new MemoryStore();
    const helperStore = new KillingStore((record, number) =>
      typeOf(record) === "given" && number < 5 ? "before" : undefined,
    );
    const { curator } = await run(planOf(...PLAN), { store, helperStore });
    const attempts = (await store.load())
      .map((record) => decodeFrame(record).header)
      .filter(({ type }) => type === "attempt")
      .map(({ round, attempt }) => [round, attempt]);
    expect(attempts).toEqual([[1, 1], ...everyRound.map((round) => [round, round === 1 ? 2 : 1])]);
    expect(curator.ledger.entries).toHaveLength(ROUNDS);
  });
});
