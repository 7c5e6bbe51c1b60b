/** Where networks start is public, and without a seed the same in every process: what goes on with earlier releases adds them up from there. */
import { expect, test } from "vitest";
import { CuratorRounds } from "../../../../src/federation/curator/rounds/curator-rounds.js";
import { makePlan } from "../../../../src/federation/protocol/plan/plan.js";
import {
  JointDpSgd,
  Pmtl,
  PrivateFedAvg,
  type ReleaseJournal,
} from "../../../../src/learning/index.js";
import { Ledger } from "../../../../src/privacy/index.js";
import { makeTasks } from "../../tasks.js";

const NETWORK = { model: "network", hiddenUnits: 3, rounds: 3, epsilon: 20 } as const;
const tasks = makeTasks({ m: 6, d: 2, rows: () => 8 });

test.each([new Pmtl(NETWORK), new PrivateFedAvg(NETWORK), new JointDpSgd(NETWORK)])(
  "a fit of a network without a seed that goes on with its journal ends where it would have: $method",
  async (estimator) => {
    const released = new Map<number, Float64Array>();
    let ledger: Ledger | undefined;
    const journal: ReleaseJournal = {
      openLedger: (options) => (ledger ??= new Ledger(options)),
      read: (release) => released.get(release)?.slice(),
      write: (release, statistic) => void released.set(release, statistic.slice()),
    };
    const weights = async () => [...(await estimator.fit(tasks, { journal })).weights];
    const whole = await weights();
    expect(released.size).toBe(NETWORK.rounds);
    expect(await weights()).toEqual(whole);
  },
);

test("the same seed gives the same model, another one another", async () => {
  const fit = async (seed: string) => {
    const random = { mode: "seeded", seed } as const;
    return [...(await new Pmtl({ ...NETWORK, random }).fit(tasks)).weights];
  };
  expect(await fit("one")).not.toEqual(await fit("two"));
  expect(await fit("one")).toEqual(await fit("one"));
});

test("a curator of a network that comes back starts where it had", () => {
  const plan = makePlan({
    run: "networks",
    method: "private-fedavg",
    options: NETWORK,
    features: ["a", "b"],
    tasks: tasks.names.map((name) => ({ name, participant: null })),
  });
  const sizes = { m: 6, d: 2, rows: 48, mostRows: 8 };
  const starts = [1, 2].map(() => {
    const rounds = new CuratorRounds(plan, sizes, []);
    return [...rounds.start!];
  });
  expect(starts[1]).toEqual(starts[0]);
  expect(new Set(starts[0]).size).toBeGreaterThan(6);
});
