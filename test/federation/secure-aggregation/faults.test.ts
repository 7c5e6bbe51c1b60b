/** Runs on secure sums in which everything goes wrong: what must hold all the same. */
import { describe, expect, test } from "vitest";
import {
  decodeMessage,
  makePlan,
  MemoryStore,
  type RunStore,
} from "../../../src/federation/index.js";
import { decodeRecord } from "../../../src/federation/protocol/records.js";
import { makeTasks } from "../../learning/tasks.js";
import { chaos, TROUBLES, type Aftermath, type Trouble } from "../chaos.js";
import { shares } from "../runs.js";
import { identity } from "./harness.js";
import { Killed, planOf, run, weightsOf } from "./secure-run.js";
import { someOf } from "../../thorough.js";

const n = 4;
const tasks = makeTasks({ m: 5, d: 3, rows: () => 8 });
const members = Object.keys(shares(tasks, n));
const secret = (participant: string) => identity(members.indexOf(participant)).secret;

const plan = makePlan({
  run: "secure-chaos",
  method: "mp-low-rank",
  features: tasks.featureNames,
  tasks: tasks.names.map((name) => ({ name, participant: null })),
  deadline: 6,
  options: { rounds: 3, delta: 1e-3, random: { mode: "seeded", seed: "chaos" } },
  aggregation: {
    participants: members.map((name, i) => ({
      name,
      identity: Buffer.from(identity(i).public).toString("hex"),
    })),
    threshold: 3,
    colluding: 1,
  },
});

/** One charge and one message a round, attempts that never come twice, one opening a round. */
function expectSound({ curator, sent, records }: Aftermath): void {
  const { ledger } = curator;
  expect(ledger.entries).toHaveLength(3);
  const kept = records.map(decodeRecord);
  const rounds = (type: string) => kept.flatMap((r) => (r.type === type ? [r] : []));
  expect(rounds("release")).toHaveLength(3);
  expect(rounds("opening")).toHaveLength(3);
  const attempts = kept.flatMap((r) => (r.type === "attempt" ? [`${r.round} ${r.attempt}`] : []));
  expect(new Set(attempts).size).toBe(attempts.length);
  const messages = new Map<number, string>();
  for (const bytes of sent) {
    const message = decodeMessage(bytes);
    expect(message.type).not.toBe("upload");
    if (message.type !== "broadcast") continue;
    const bits = Buffer.from(message.values.slice().buffer).toString("hex");
    expect(messages.get(message.round) ?? bits).toBe(bits);
    messages.set(message.round, bits);
  }
  expect(messages.size).toBe(3);
}

describe("a run on secure sums in which everything goes wrong", () => {
  // Killed participants lose their shares, so at most one of the four may be killed while it opens.
  const troubles: Trouble[] = TROUBLES.filter((trouble) => trouble !== "kill a participant");

  test.each(someOf([1, 2, 3], 3))(
    "finishes, spends what was planned, publishes once (seed %i)",
    async (seed) => {
      const after = await chaos({
        plan,
        tasks,
        seed: `secure ${seed}`,
        participants: n,
        troubles,
        count: 10,
        identities: secret,
      });
      expectSound(after);
      expect(Object.keys(after.models).sort()).toEqual(members);
    },
  );

  let calm: Map<string, number[]> | undefined;
  // The records of two rounds: session, members, and of each round attempt, opening, release.
  test.each(someOf([4, 3, 5, 7], 4))(
    "a curator killed while it keeps record %i: the same models",
    async (at) => {
      const short = planOf("mp-low-rank", { rounds: 2, epsilon: 5 });
      calm ??= weightsOf((await run(short)).models);
      for (const when of ["before", "after"] as const) {
        const kept = new MemoryStore();
        let left = at;
        const store: RunStore = {
          load: () => kept.load(),
          close: () => Promise.resolve(),
          append: async (record) => {
            left--;
            if (left === 0 && when === "before") throw new Killed();
            await kept.append(record);
            if (left === 0) throw new Killed();
          },
        };
        const { models, statuses } = await run(short, { store });
        const types = (await kept.load()).map((record) => decodeRecord(record).type);
        expect(types.filter((type) => type === "opening")).toHaveLength(2);
        expect(types.filter((type) => type === "release")).toHaveLength(2);
        expect(statuses.some(({ kind }) => kind === "resumed")).toBe(true);
        expect(weightsOf(models)).toEqual(calm);
      }
    },
  );

  test("killed participants are absent from an attempt, and back in the next round", async () => {
    const after = await chaos({
      plan,
      tasks,
      seed: "participants",
      participants: n,
      troubles: ["kill a participant"],
      count: 3,
      loss: 0,
      identities: secret,
    });
    expectSound(after);
  });
});
