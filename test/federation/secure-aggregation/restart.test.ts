/**
 * A participant that restarts in the middle of a secure sum goes on with the integers it drew: whoever saw
 * two attempts at a sum must not see two draws of its noise.
 */
import { expect, test, vi } from "vitest";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type Plan,
} from "../../../src/federation/index.js";
import { decodeFrame } from "../../../src/federation/protocol/frame.js";
import { decodeMessage } from "../../../src/federation/protocol/messages.js";
import { plannedMethod } from "../../../src/federation/protocol/planned-method.js";
import type * as Participant from "../../../src/federation/secure-aggregation/participant.js";
import { collusionTable } from "../../../src/federation/secure-aggregation/collusion.js";
import { shareOptionsOf } from "../../../src/federation/secure-aggregation/planned.js";
import { epsilonOf } from "../../../src/privacy/index.js";
import { settle } from "../runs.js";
import { identity } from "./harness.js";
import { n, owner, planOf, tasks } from "./secure-run.js";

/** What every attempt's participants were given to mask: [participant, integers]. */
const given: [number, string][] = [];

vi.mock("../../../src/federation/secure-aggregation/participant.js", async (load) => {
  const real = await load<typeof Participant>();
  class Watched extends real.AggregationParticipant {
    constructor(options: Participant.ParticipantOptions) {
      given.push([options.index, options.values.join()]);
      super(options);
    }
  }
  return { ...real, AggregationParticipant: Watched };
});

class Killed extends Error {}

/** Kind of a masked input, in the second byte of an attempt's message. */
const INPUT = 5;
const ROUNDS = 3;

/** Runs a plan in which p0 is killed, and started again, when it has sent its masked integers. */
async function runWithRestarts(plan: Plan, store: MemoryStore) {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const killed = new Set<number>();
  const held: number[] = [];
  let killer = new AbortController();
  network.watch = ({ from, message }) => {
    const said = decodeMessage(message);
    if (from !== "p0" || said.type !== "aggregate" || said.bytes[1] !== INPUT) return;
    if (killed.has(said.round)) return;
    killed.add(said.round);
    clock.after(0, () => killer.abort(new Killed()));
  };
  const curator = runCurator({
    plan,
    transport: network.curator(),
    store: new MemoryStore(),
    clock,
  });
  const join = (i: number): ReturnType<typeof joinRun> => {
    const participant = `p${i}`;
    if (i === 0) killer = new AbortController();
    return joinRun({
      run: plan.run,
      participant,
      data: tasks.select(tasks.names.filter((_, k) => owner(k) === participant)),
      transport: network.participant(participant),
      agreed: planHash(plan),
      identity: identity(i).secret,
      clock,
      store: i === 0 ? store : new MemoryStore(),
      ...(i === 0 ? { signal: killer.signal } : {}),
    }).catch(async (error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      held.push(await heldIn(store));
      return join(i);
    });
  };
  const models = Array.from({ length: n }, (_, i) => join(i));
  const [result] = await settle(clock, Promise.all([curator, Promise.all(models)]));
  return { result, killed, held };
}

/** The round whose integers a store holds, or 0. */
async function heldIn(store: MemoryStore): Promise<number> {
  const records = (await store.load()).map((record) => decodeFrame(record).header);
  const integers = records.find(({ type }) => type === "integers");
  return (integers?.["round"] as number | undefined) ?? 0;
}

test("killed in every round, a participant masks the same integers in every attempt", async () => {
  given.length = 0;
  // With a threshold of all, an attempt that loses somebody fails, and there is another.
  const plan = planOf(
    "mp-low-rank",
    { rounds: ROUNDS, epsilon: 2, random: { mode: "secure" } },
    { threshold: n, colluding: 0 },
  );
  const store = new MemoryStore();
  const { result, killed, held } = await runWithRestarts(plan, store);
  expect([...killed]).toEqual([1, 2, 3]);
  expect(held).toEqual([1, 2, 3]);
  expect(await heldIn(store)).toBe(0);

  const masked = given.filter(([index]) => index === 0).map(([, integers]) => integers);
  const draws = new Set(masked);
  expect(masked.length).toBeGreaterThanOrEqual(2 * ROUNDS);
  expect(draws.size).toBe(ROUNDS);

  // Against all others, who may open every attempt, each draw costs what one share of noise costs.
  const sizes = { m: tasks.m, d: tasks.d, rows: tasks.size, mostRows: 15 };
  const { parties } = shareOptionsOf(plan.aggregation);
  const { plan: events } = plannedMethod(plan, sizes).releases.ledger;
  const delta = result.guarantee.delta;
  const printed = result.guarantee.collusion!.at(-1)!;
  expect(printed).toMatchObject({ colluding: n - 1, honest: 1 });
  const seen = Array.from({ length: draws.size }, (_, k) => events[k % ROUNDS]!);
  const spent = collusionTable(seen, parties, delta).at(-1)!.epsilon;
  expect(spent).toBeLessThanOrEqual(printed.epsilon);
  // Had it drawn again once a round, the row would not hold.
  expect(collusionTable([...events, ...events], parties, delta).at(-1)!.epsilon).toBeGreaterThan(
    1.3 * printed.epsilon,
  );
  expect(epsilonOf(events, { delta })).toBeLessThanOrEqual(2);
});

test("a store that can hold nothing is refused before anything is shared", async () => {
  const plan = planOf("mp-low-rank", { rounds: 1, epsilon: 2 });
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  void runCurator({ plan, transport: network.curator(), store: new MemoryStore(), clock });
  const { hold: _, ...plain } = {
    load: () => Promise.resolve([]),
    append: () => Promise.resolve(),
    close: () => Promise.resolve(),
    hold: () => Promise.resolve(),
  };
  const said: string[] = [];
  network.watch = ({ from, message }) => {
    if (from === "p0") said.push(decodeMessage(message).type);
  };
  const joined = joinRun({
    run: plan.run,
    participant: "p0",
    data: tasks.select(["task-0", "task-5"]),
    transport: network.participant("p0"),
    agreed: planHash(plan),
    identity: identity(0).secret,
    clock,
    store: plain,
  });
  await expect(settle(clock, joined)).rejects.toThrow("a store that can `hold` a record");
  expect(said).not.toContain("register");
});
