/** The helper of two aggregators on two machines with a state each: one of them takes part, and the other ends by name before it draws anything. */
import { expect, test } from "vitest";
import {
  canonicalPlan,
  CuratorMachine,
  decodeFrame,
  decodeMessage,
  encodeMessage,
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type Body,
  type CuratorStatus,
} from "../../../../src/federation/index.js";
import { HelperMachine, runHelper } from "../../../../src/federation/verified-sums/index.js";
import { machinesOf } from "../../machines-of.js";
import { settle, settled } from "../../runs.js";
import { helper, leader, names, planOf, tasks } from "../verified-run.js";
import { someOf } from "../../../thorough.js";

const plan = planOf("pmtl", {
  rounds: 2,
  epsilon: 5,
  random: { mode: "secure" },
});
const agreed = planHash(plan);

/** A run whose helper is on two machines; the second comes when `second` says so. The curator is killed after round 1, and comes back. */
async function twice(second: "before the first report" | "after it") {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const statuses: CuratorStatus[] = [];
  /** What was given, by round. */
  const given = new Map<number, Set<string>>();
  let asked = false;
  network.watch = ({ from, message }) => {
    const body = decodeMessage(message);
    if (body.type === "check") asked = true;
    if (body.type !== "given" || from !== "helper") return;
    given.set(body.round, (given.get(body.round) ?? new Set()).add(body.bytes.join()));
  };
  const over = new AbortController();
  const store = new MemoryStore();
  const curate = (signal?: AbortSignal) =>
    runCurator({
      plan,
      clock,
      store,
      transport: network.curator(),
      leaderKey: leader.secret,
      patience: { linger: 5000 },
      ...(signal ? { signal } : {}),
      onStatus: (status) => statuses.push(status),
    });
  const first = curate(over.signal).catch(() => curate());
  const machine = machinesOf(network, "helper");
  const stores = [new MemoryStore(), new MemoryStore()] as const;
  const help = (own: MemoryStore) =>
    runHelper({
      run: plan.run,
      helper: "helper",
      key: helper.secret,
      agreed,
      clock,
      store: own,
      transport: machine(),
    }).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
  const until = async (holds: () => boolean) => {
    for (let k = 0; k < 500 && !holds(); k++) {
      await settled(clock);
      clock.step();
    }
    expect(holds()).toBe(true);
  };
  const join = () =>
    names.map((participant) => {
      const own = tasks.names.filter((_, i) => names[i % names.length] === participant);
      return joinRun({
        run: plan.run,
        participant,
        agreed,
        clock,
        store: new MemoryStore(),
        data: tasks.select(own),
        transport: network.participant(participant),
      });
    });
  const has = (kind: CuratorStatus["kind"]) => statuses.some((status) => status.kind === kind);
  const helpers = [help(stores[0])];
  await settled(clock);
  const joined = second === "after it" ? join() : [];
  if (second === "after it") await until(() => asked);
  helpers.push(help(stores[1]));
  if (second !== "after it") {
    await until(() => has("refused"));
    joined.push(...join());
  }
  await until(() => has("closed"));
  over.abort(new Error("killed"));
  const ends = await settle(clock, Promise.all(helpers));
  await settle(clock, Promise.all([first, ...joined]));
  const kept = await Promise.all(stores.map(async (own) => own.load()));
  const types = kept.map((records) => records.map((record) => decodeFrame(record).header["type"]));
  const named = kept.map((records) => decodeFrame(records[0]!).header["state"] as string);
  return { ends, statuses, given, types, named, store };
}

const turns = [["before the first report", 0], ["after it", 1]] as const; // prettier-ignore
test.each(someOf<(typeof turns)[number]>(turns, 2))(
  "a second one that comes %s: one is refused by name and draws no noise",
  async (second, refused) => {
    const { ends, statuses, given, types, named, store } = await twice(second);
    expect(ends[refused]?.message).toMatch(/helper \(other-state\): .*two noises for one round/);
    expect(ends[1 - refused]).toBeUndefined();
    expect(statuses).toContainEqual({
      kind: "refused",
      participant: "helper",
      why: "other-state",
    });
    expect([...given.values()].map(({ size }) => size)).toEqual([1, 1]);
    expect(types[refused]).toEqual(["joined"]);
    expect(types[1 - refused]!.filter((type) => type === "given")).toHaveLength(2);
    // A curator that comes back at any later time knows which one takes part.
    const records = await store.load();
    const asked = records.findIndex((record) => decodeFrame(record).header["type"] === "helper");
    const back = new CuratorMachine({
      plan,
      session: "",
      leaderKey: leader.secret,
      records: records.slice(0, asked + 1),
    });
    back.handle({ type: "link", state: "up" });
    const said = (state: string) => {
      const envelope = {
        run: plan.run,
        session: back.session,
        plan: agreed,
        participant: "helper",
      };
      const message = encodeMessage(envelope, { type: "here", state });
      const effects = back.handle({ type: "message", from: "helper", message });
      return effects.flatMap((one) => (one.type === "send" ? [decodeMessage(one.message)] : []));
    };
    expect(said(named[refused]!)).toMatchObject([
      { type: "refused", reason: "other-state", state: named[refused]! },
    ]);
    expect(said(named[1 - refused]!)).toMatchObject([{ type: "registered" }]);
    back.dispose();
  },
);

test("it ends at a request for another state, without a word, and says the name it kept when it comes again", () => {
  const session = "ab".repeat(16);
  const envelope = { run: plan.run, session, plan: agreed, participant: "helper" };
  const machineOf = (records: readonly Uint8Array[]) => {
    const own = { run: plan.run, helper: "helper", key: helper.secret, agreed, records };
    const machine = new HelperMachine(own);
    const hear = (body: Body) =>
      machine.handle({ type: "message", scope: "own", message: encodeMessage(envelope, body) });
    machine.handle({ type: "link", state: "up" });
    const effects = hear({ type: "plan", text: canonicalPlan(plan), release: "0.0.0" });
    const here = effects.flatMap((one) =>
      one.type === "send" ? [decodeMessage(one.message)] : [],
    );
    const kept = effects.flatMap((one) => (one.type === "append" ? [one.record] : []));
    return { hear, kept, state: (here.at(-1) as { state?: string }).state! };
  };
  const first = machineOf([]);
  expect(first.state).toMatch(/^[0-9a-f]{32}$/);
  expect(machineOf(first.kept)).toMatchObject({ state: first.state, kept: [] });
  expect(machineOf([]).state).not.toBe(first.state);
  expect(first.hear({ type: "refused", reason: "other-state", state: "b".repeat(32) })).toEqual([]);
  const effects = first.hear({
    type: "give",
    included: [],
    round: 1,
    attempt: 1,
    m: 7,
    rows: 105,
    mostRows: 15,
    state: "b".repeat(32),
  });
  expect(effects.map(({ type }) => type)).not.toContain("send");
  expect(effects.map(({ type }) => type)).not.toContain("append");
  expect(effects.at(-1)).toMatchObject({ type: "fail", error: { code: "OPTION" } });
});
