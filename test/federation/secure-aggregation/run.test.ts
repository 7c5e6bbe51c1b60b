/** Federated runs on secure sums, from plan to models, on a network in memory. */
import { describe, expect, test } from "vitest";
import { guaranteeLines } from "../../../src/cli/fitted/guarantee-text.js";
import type { TaskSet } from "../../../src/data/index.js";
import { decodeMessage, type Plan } from "../../../src/federation/index.js";
import { makeEstimator, type FittedModel } from "../../../src/learning/index.js";
import { CuratorRounds } from "../../../src/federation/curator/rounds/curator-rounds.js";
import { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import { AGGREGATION, n, planOf, run, tasks, weightsOf } from "./secure-run.js";
import { someOf } from "../../thorough.js";

function expectNear(models: Record<string, FittedModel>, local: FittedModel, tolerance: number) {
  const largest = Math.max(...local.weights.map(Math.abs));
  for (const [name, weights] of weightsOf(models)) {
    const i = local.taskNames.indexOf(name);
    weights.forEach((w, j) => {
      expect(Math.abs(w - local.weights[i * local.d + j]!)).toBeLessThan(tolerance * largest);
    });
  }
}

const localFit = (plan: Plan, data: TaskSet = tasks) =>
  makeEstimator(plan.method, plan.options).fit(data);

describe("a federated run on secure sums", () => {
  const methods: [method: string, options: Record<string, unknown>][] = [
    ["mp-low-rank", { rounds: 3, epsilon: 1e8 }],
    ["mp-feature-learning", { epsilon: 1e8, choice: "pooled" }],
    ["pmtl", { rounds: 2, epsilon: 1e7 }],
  ];
  test.each(someOf(methods, 3))(
    "%s: with next to no noise the models of a local fit; no vector is ever sent",
    async (method, options) => {
      const plan = planOf(method, options);
      const types = new Set<string>();
      const { models, curator } = await run(plan, {
        watch: ({ message }) => types.add(decodeMessage(message).type),
      });
      expect(types).toContain("aggregate");
      expect(types).not.toContain("upload");
      expect(Object.keys(models)).toHaveLength(n);
      expectNear(models, await localFit(plan), 2e-3);
      expect(curator.ledger.spent().epsilon).toBeLessThanOrEqual(plan.options["epsilon"] as number);
    },
  );

  test("the guarantee: the plan's epsilon for its number of colluders, and every other one", async () => {
    const { curator, models, statuses } = await run(
      planOf("mp-low-rank", { rounds: 2, epsilon: 3 }),
    );
    const { guarantee } = curator;
    expect(guarantee.epsilon).toBe(3);
    expect(guarantee.colluding).toBe(1);
    const lines = guaranteeLines(guarantee);
    // The plan is seeded, and says so first.
    expect(lines[0]).toBe(
      "NOT PRIVATE: with secure noise this would be joint (3, 0.0001)-DP of each task against the " +
        "curator with up to 1 participants",
    );
    expect(lines.filter((line) => /honest (noise )?shares/.test(line))).toEqual([
      expect.stringContaining("at least 3 honest shares"),
      expect.stringMatching(/^with 0 colluding, 4 honest noise shares: epsilon 2\.5/),
      expect.stringMatching(/^with 1 colluding, 3 honest noise shares: epsilon (3|2\.99)/),
      expect.stringMatching(/^with 2 colluding, 2 honest noise shares/),
      expect.stringMatching(/^with 4 colluding, 1 honest noise shares/),
    ]);
    expect(guarantee.trust).toContain("up to 1 of 5 participants");
    expect(guarantee.why).toContain("at least 3 honest shares");
    expect(guarantee.collusion!.map(({ colluding, honest }) => [colluding, honest])).toEqual([
      [0, 4],
      [1, 3],
      [2, 2],
      [4, 1],
    ]);
    expect(guarantee.collusion![1]!.epsilon).toBeLessThanOrEqual(3);
    expect(guarantee.collusion![3]!.epsilon).toBeGreaterThan(3);
    expect(models["p0"]!.guarantee).toEqual(guarantee);
    const closed = statuses.filter(({ kind }) => kind === "closed");
    expect(closed).toMatchObject([
      { round: 1, expected: 7, present: 7 },
      { round: 2, expected: 7, present: 7 },
    ]);
  });

  test("a participant does not believe a curator that states another guarantee", () => {
    const plan = planOf("mp-low-rank", { rounds: 1, epsilon: 3 });
    const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };
    const curator = new CuratorRounds(plan, sizes, []);
    curator.open();
    const { broadcast } = curator.close(new Float64Array(16));
    const terms = { sizes, positions: [0], start: null };
    const mine = new ParticipantRounds(plan, tasks.select(["task-0"]), terms);
    mine.receive(broadcast);
    const guarantee = curator.guarantee();
    const ledger = curator.ledger.toJSON();
    expect(mine.model({ guarantee, ledger }).guarantee).toEqual(guarantee);
    const better = guarantee.collusion!.map((row) => ({ ...row, epsilon: row.epsilon / 2 }));
    for (const change of [
      { epsilon: 1 },
      { delta: 1e-9 },
      { colluding: 3 },
      { collusion: better },
    ]) {
      expect(() => mine.model({ guarantee: { ...guarantee, ...change }, ledger })).toThrow(
        "statement: the curator's ledger or guarantee is not that of the plan",
      );
    }
    const other = new CuratorRounds(planOf("mp-low-rank", { rounds: 1, epsilon: 2 }), sizes, []);
    expect(() => mine.model({ guarantee, ledger: other.ledger.toJSON() })).toThrow("statement:");
  });

  test("plans that do not go with secure sums say why", () => {
    const bad =
      (options: object, aggregation = {}) =>
      () =>
        planOf("mp-low-rank", { rounds: 1, ...options }, aggregation);
    expect(bad({ delta: 0 })).toThrow("options.delta: expected a number > 0");
    expect(bad({ curator: "untrusted" })).toThrow(
      "secure aggregation takes the place of record noise",
    );
    expect(bad({}, { colluding: 3 })).toThrow("aggregation.threshold: expected 2 threshold > ");
    expect(bad({}, { participants: AGGREGATION.participants.slice(1) })).toThrow(
      "tasks: expected owners among aggregation.participants",
    );
    const [first, ...rest] = AGGREGATION.participants;
    const twice = [
      first!,
      ...rest.map((one, i) => (i ? one : { ...one, identity: first!.identity })),
    ];
    expect(bad({}, { participants: twice })).toThrow("expected every identity once");
    const short = [{ ...first!, identity: "abc" }, ...rest];
    expect(bad({}, { participants: short })).toThrow(
      "identity: of p0: expected 64 hexadecimal digits, as join --identity FILE prints them",
    );
  });

  test("one seed, one result", async () => {
    const plan = planOf("mp-feature-learning", { epsilon: 5 });
    const [a, b] = [await run(plan), await run(plan)];
    expect(weightsOf(a.models)).toEqual(weightsOf(b.models));
  });

  test("lost, repeated and delayed messages: the same models", async () => {
    const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 5 });
    let state = 12345;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const calm = await run(plan);
    const rough = await run(plan, {
      faults: { random, loss: 0.1, duplication: 0.1, delay: 300 },
    });
    expect(weightsOf(rough.models)).toEqual(weightsOf(calm.models));
  });

  // What a participant says in an attempt, and what its silence from there on means.
  const steps: [kind: number, name: string, present: number][] = [
    [2, "keys", 6],
    [4, "input", 6],
    [6, "consent", 7],
    [8, "shares", 7],
  ];
  test.each(someOf(steps, 2))(
    "a participant that is gone when it gets message %i: the others finish",
    async (kind, _name, present) => {
      const plan = planOf("mp-low-rank", { rounds: 2, epsilon: 1e8 });
      let gone = false;
      const { models, statuses } = await run(plan, {
        absent: ["p3"],
        watch: ({ to, message }, network) => {
          // For it, or for all.
          if (gone || (to !== "p3" && to !== "")) return;
          const said = decodeMessage(message);
          if (said.type !== "aggregate" || said.bytes[1] !== kind) return;
          gone = true;
          network.cut("p3", true);
        },
      });
      expect(gone).toBe(true);
      expect(Object.keys(models)).toEqual(["p0", "p1", "p2", "p4"]);
      const closed = statuses.filter(({ kind }) => kind === "closed");
      // Its integers count from the moment they arrived.
      expect(closed[0]).toMatchObject({ round: 1, present });
      expect(closed[1]).toMatchObject({ round: 2, present: 6 });
    },
  );
});
