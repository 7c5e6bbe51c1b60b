/** Random allocation in fits: every task in k of all rounds of its own, drawn in secret, charged as one release. */
import { describe, expect, test } from "vitest";
import { audit, Pmtl, type PmtlOptions } from "../../../../src/learning/index.js";
import { makePlan, simulateFederation } from "../../../../src/federation/index.js";
import { Registry } from "../../../../src/federation/curator/members/registry.js";
import { CuratorRounds } from "../../../../src/federation/curator/rounds/curator-rounds.js";
import { epsilonBounds, Ledger, type LedgerOptions } from "../../../../src/privacy/index.js";
import { thoroughTest } from "../../../thorough.js";
import { makeTasks } from "../../tasks.js";

const tasks = makeTasks({ m: 30, d: 3, rows: () => 4 });
const options = {
  rounds: 10,
  epsilon: 2,
  delta: 1e-4,
  adjacency: "zero-out",
  safeguard: false,
  clip: 1,
  random: { mode: "seeded", seed: "allocation" },
} as const satisfies Partial<PmtlOptions>;
const allocation = (picks: number) => ({ kind: "allocation", picks }) as const;

describe("a fit with random allocation", () => {
  thoroughTest(
    "charges all of it with the first round, whole, and nothing after",
    async () => {
      const model = await new Pmtl({ ...options, sampling: allocation(2) }).fit(tasks);
      const [first, ...rest] = model.ledger!.entries;
      expect(first).toMatchObject({
        round: 1,
        event: {
          kind: "random-allocation",
          rounds: 10,
          picks: 2,
          sensitivity: expect.closeTo(1, 2),
        },
      });
      expect(rest).toHaveLength(9);
      for (const { event } of rest) expect(event).toMatchObject({ kind: "pure", epsilon: 0 });
      expect(model.guarantee!.epsilon).toBeLessThanOrEqual(2);
      // The budget is used: what the accountant proves at least is within 1 % of what was promised.
      const { lower, upper } = epsilonBounds(
        model.ledger!.entries.map(({ event }) => event),
        { delta: 1e-4 },
      );
      expect(upper).toBeLessThanOrEqual(2);
      expect(lower).toBeGreaterThan(1.98);
      // After the first round all of it is spent.
      expect(model.history.map(({ epsilon }) => epsilon)).toEqual(
        new Array(10).fill(model.guarantee!.epsilon),
      );
    },
    240_000,
  );

  thoroughTest(
    "has less noise than Poisson sampling at the same rate, and as everyone where all rounds are picked",
    async () => {
      const noise = async (sampling: PmtlOptions["sampling"]) =>
        (await new Pmtl({ ...options, sampling }).fit(tasks)).history.at(-1)![
          "noiseScale"
        ] as number;
      const [all, every] = [await noise({ kind: "all" }), await noise(allocation(10))];
      // The exact noise of a sample is on a coarser grid.
      expect(every / all).toBeCloseTo(1, 2);
      expect(await noise(allocation(1))).toBeLessThan(await noise({ kind: "poisson", rate: 0.1 }));
    },
  );

  test("cannot be resumed: a task could take part in more rounds than were charged", async () => {
    const journal = {
      openLedger: (of: LedgerOptions) => new Ledger(of),
      read: () => undefined,
      write: () => undefined,
    };
    await expect(
      new Pmtl({ ...options, sampling: allocation(10) }).fit(tasks, { journal }),
    ).rejects.toThrow("journal: with sampling allocation a resumed fit would draw");
  }, 240_000);

  thoroughTest(
    "can be attacked whole: an attack on one round takes the task to be there with chance picks / rounds",
    async () => {
      // Alarms with probability at most 0.001.
      const report = await audit({
        estimator: (random) => new Pmtl({ ...options, rounds: 3, sampling: allocation(1), random }),
        tasks: makeTasks({ m: 5, d: 3, rows: () => 4 }),
        trials: 60,
        confidence: 0.999,
        random: { mode: "seeded", seed: "attack" },
      });
      expect(report.checks.filter(({ passed }) => !passed)).toEqual([]);
      expect(report).toMatchObject({ verdict: "consistent", rounds: 3 });
    },
  );
});

describe("a federated run with random allocation", () => {
  const plan = makePlan({
    run: "allocated",
    method: "pmtl",
    features: tasks.featureNames,
    minimumTasks: 30,
    options: { ...options, sampling: allocation(2) },
  });

  thoroughTest("has every task answer in every round, drawn or not", async () => {
    const { rounds, curator } = await simulateFederation({ plan, tasks });
    expect(rounds.map(({ present }) => present)).toEqual(new Array(10).fill(30));
    expect(curator.guarantee.epsilon).toBeLessThanOrEqual(2);
  });

  thoroughTest("killed and started again, gives no task more rounds than were charged", () => {
    const registry = new Registry(plan);
    registry.register(
      "north",
      tasks.names.map((name) => ({ name, rows: 4 })),
    );
    registry.arrange();
    const secure = makePlan({
      ...plan,
      options: { ...plan.options, random: { mode: "secure" } },
    });
    const open = () => new CuratorRounds(secure, registry.sizes(), []);
    const total = new Float64Array(30);
    const kept: number[][] = [];
    const first = open();
    for (let round = 0; round < 6; round++) {
      first.open();
      kept.push(first.expected());
    }
    const second = open();
    for (let round = 0; round < 10; round++) {
      second.open(kept[round]);
      if (round < 6) expect(second.expected()).toEqual(kept[round]);
      for (const at of second.expected()) total[at]!++;
    }
    expect([...total]).toEqual(new Array(30).fill(2));
    first.dispose();
    second.dispose();
  });
});
