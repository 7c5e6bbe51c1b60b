/** A participant that adds noise, on two machines with a state each: one of them takes part, and the other ends by name before it draws anything. */
import { describe, expect, test } from "vitest";
import {
  decodeFrame,
  decodeMessage,
  encodeMessage,
  joinRun,
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  ParticipantMachine,
  planHash,
  runCurator,
  canonicalPlan,
  type Body,
  type CuratorStatus,
  type ParticipantEffect,
  type Plan,
} from "../../src/federation/index.js";
import { decodeRecord } from "../../src/federation/protocol/records.js";
import { makeTasks } from "../learning/tasks.js";
import { machinesOf } from "./machines-of.js";
import { Desk, plan as trusted, said, SESSION } from "./desk.js";
import { dealt, planFor, settle, settled } from "./runs.js";
import { identity } from "./secure-aggregation/harness.js";
import { owner, planOf, tasks as secureTasks } from "./secure-aggregation/secure-run.js";

const three = makeTasks({ m: 3, d: 3, rows: () => 8 });
const random = { mode: "secure" };
const [A, B] = ["a".repeat(32), "b".repeat(32)] as const;

const secureOwn = Object.fromEntries(
  [0, 1, 2, 3, 4].map((i) => [
    `p${i}`,
    secureTasks.select(secureTasks.names.filter((_, k) => owner(k) === `p${i}`)),
  ]),
);
const untrustedPlan = planFor(three, {
  method: "mp-group-sparse",
  deadline: 20,
  options: { rounds: 2, curator: "untrusted", random },
});
const securePlan = planOf("mp-low-rank", { rounds: 2, epsilon: 5 });
const KINDS = {
  "an untrusted curator": { plan: untrustedPlan, own: dealt(three, 3), identified: false },
  "secure sums": {
    plan: makePlan({ ...securePlan, options: { ...securePlan.options, random } }),
    own: secureOwn,
    identified: true,
  },
} as const;

describe.each(Object.entries(KINDS))("%s", (_, { plan, own, identified }) => {
  /** A run of which p0 is on two machines; the second comes when `second` says so. */
  async function twice(when: "registering" | "started") {
    const clock = new ManualClock();
    const network = new MemoryNetwork(clock);
    const statuses: CuratorStatus[] = [];
    const said = new Map<string, Set<string>>();
    network.watch = ({ from, message }) => {
      const body = decodeMessage(message);
      if (body.type !== "upload" || from !== "p0") return;
      const key = String(body.round);
      said.set(key, (said.get(key) ?? new Set()).add(body.values.join()));
    };
    const curator = runCurator({
      plan,
      clock,
      store: new MemoryStore(),
      transport: network.curator(),
      onStatus: (status) => statuses.push(status),
    });
    const machine = machinesOf(network, "p0");
    const join = (participant: string, store = new MemoryStore()) =>
      joinRun({
        run: plan.run,
        participant,
        data: own[participant]!,
        clock,
        store,
        agreed: planHash(plan),
        transport: participant === "p0" ? machine() : network.participant(participant),
        ...(identified ? { identity: identity(Number(participant[1])).secret } : {}),
      }).then(
        () => undefined,
        (error: unknown) => error as Error,
      );
    const others = Object.keys(own).filter((name) => name !== "p0");
    const until = async (holds: () => boolean) => {
      for (let k = 0; k < 500 && !holds(); k++) {
        await settled(clock);
        clock.step();
      }
      expect(holds()).toBe(true);
    };
    const has = (kind: CuratorStatus["kind"]) => statuses.some((status) => status.kind === kind);
    const stores = [new MemoryStore(), new MemoryStore()];
    const first = join("p0", stores[0]);
    await until(() => has("registered"));
    const rest: Promise<Error | undefined>[] = [];
    const begin = () => rest.push(...others.map((name) => join(name)));
    if (when === "started") {
      begin();
      await until(() => has("started"));
    }
    const second = join("p0", stores[1]);
    if (when === "registering") {
      await until(() => statuses.filter(({ kind }) => kind === "refused").length > 0);
      begin();
    }
    const ends = await settle(clock, Promise.all([first, second, ...rest]));
    await settle(clock, curator);
    const kept = await Promise.all(stores.map(async (store) => store.load()));
    const types = kept.map((records) => records.map((record) => decodeFrame(record).header["type"])); // prettier-ignore
    return { ends, statuses, said, types };
  }

  test.each(["registering", "started"] as const)(
    "when %s one state takes part, and the other is refused by name and keeps no noise",
    async (when) => {
      const { ends, statuses, said, types } = await twice(when);
      const [first, second, ...others] = ends;
      const [refused, stays] = when === "started" ? [second, first] : [first, second];
      expect(refused?.message).toMatch(/\(other-state\): .*two noises for one round/);
      expect(stays).toBeUndefined();
      expect(others.every((end) => end === undefined)).toBe(true);
      expect(statuses).toContainEqual({ kind: "refused", participant: "p0", why: "other-state" });
      expect(statuses.some(({ kind }) => kind === "left")).toBe(false);
      for (const values of said.values()) expect(values.size).toBe(1);
      const ended = types[when === "started" ? 1 : 0]!;
      expect(ended).not.toContain("shown");
      expect(ended).not.toContain("integers");
      expect(ended).toContain("named");
    },
  );
});

/** A participant's machine at the start of a run. */
function entering(plan: Plan, records: readonly Uint8Array[] = []) {
  const machine = new ParticipantMachine({
    run: plan.run,
    participant: "p0",
    data: dealt(three, 3)["p0"]!,
    records,
    agreed: planHash(plan),
  });
  const own = { run: plan.run, session: SESSION, plan: planHash(plan), participant: "p0" };
  const hear = (body: Body): ParticipantEffect[] =>
    machine.handle({ type: "message", message: encodeMessage(own, body), scope: "own" });
  machine.handle({ type: "link", state: "up" });
  const effects = hear({ type: "plan", text: canonicalPlan(plan), release: "0.0.0" });
  const kept = effects.flatMap((effect) => (effect.type === "append" ? [effect.record] : []));
  const registered = said(effects).find(({ type }) => type === "register");
  return { hear, kept, state: registered?.type === "register" ? registered.state : undefined };
}

describe("a state's name", () => {
  test("is drawn once, is kept before it is said, and is of a plan in which participants add noise", () => {
    const first = entering(untrustedPlan);
    expect(first.state).toMatch(/^[0-9a-f]{32}$/);
    expect(entering(untrustedPlan, first.kept).state).toBe(first.state);
    expect(entering(untrustedPlan).state).not.toBe(first.state);
    const plain = planFor(three, { method: "mp-group-sparse", options: { rounds: 2 } });
    expect(entering(plain)).toMatchObject({ state: undefined });
    // A seed would name all machines alike.
    const seeded = { ...untrustedPlan.options, random: { mode: "seeded", seed: 1 } };
    const plan = makePlan({ ...untrustedPlan, options: seeded });
    expect(entering(plan).state).not.toBe(entering(plan).state);
  });

  test.each([B, undefined])("a start for another state (%s) ends it, without a word", (state) => {
    const { hear } = entering(untrustedPlan);
    const effects = hear({
      type: "start",
      m: 3,
      rows: 24,
      mostRows: 8,
      round: 1,
      positions: [0],
      given: false,
      releases: "0".repeat(64),
      values: new Float64Array(0),
      ...(state === undefined ? {} : { state }),
    });
    expect(said(effects)).toEqual([]);
    expect(effects.find(({ type }) => type === "fail")).toMatchObject({
      error: { code: "OPTION", message: expect.stringContaining("other-state") as string },
    });
  });

  test("a refusal of another state changes nothing", () => {
    const { hear } = entering(untrustedPlan);
    const effects = hear({ type: "refused", reason: "other-state", state: B });
    expect(effects).toEqual([]);
  });
});

describe("the curator", () => {
  const register = (desk: Desk, from: string, state: string, ...names: string[]) =>
    desk.say(from, {
      type: "register",
      state,
      tasks: names.map((name) => ({ name, rows: 4 })),
    });
  const states = (messages: readonly object[]) =>
    messages.filter((one) => "state" in one).map((one) => (one as { state: string }).state);

  test("before the start has the later of two states, and refuses the earlier one by its name", () => {
    const desk = new Desk();
    register(desk, "north", A, "a", "b");
    const again = said(register(desk, "north", B, "a", "b"));
    expect(again).toMatchObject([{ type: "refused", reason: "other-state", state: A }]);
    register(desk, "south", A, "c");
    const start = said(register(desk, "west", A, "d")).filter(({ type }) => type === "start");
    expect(states(start)).toEqual([B, A, A]);
  });

  test("after the start has the one that started, and tells no other where it stands, also when it was killed", () => {
    const desk = new Desk();
    register(desk, "north", A, "a", "b");
    register(desk, "south", A, "c");
    register(desk, "west", A, "d");
    for (const at of [desk, new Desk(trusted, desk.records())]) {
      const refused = said(register(at, "north", B, "a", "b"));
      expect(refused).toMatchObject([{ type: "refused", reason: "other-state", state: B }]);
      const back = said(register(at, "north", A, "a", "b"));
      expect(back.find(({ type }) => type === "start")).toMatchObject({ state: A });
    }
  });

  test("remembers states of those that registered, and of those that come late", () => {
    const open = makePlan({
      ...trusted,
      tasks: null,
      minimumTasks: 1,
      latecomers: { tasks: 1, rows: 9 },
    });
    const desk = new Desk(open);
    register(desk, "north", A, "a");
    desk.take({ type: "timer", name: "registrations" });
    const early = new Desk(open, desk.records());
    expect(said(register(early, "north", B, "a"))).toMatchObject([{ state: A }]);
    desk.take({ type: "begin" });
    register(desk, "east", A, "e");
    const late = new Desk(open, desk.records());
    expect(said(register(late, "east", B, "e"))).toMatchObject([{ reason: "other-state" }]);
    expect(desk.records().map(decodeRecord)).toMatchObject([
      { type: "session" },
      { changes: [{ state: A }] },
      { members: [{ state: A }] },
      { member: { state: A } },
    ]);
  });

  test("a state that left is forgotten before the start", () => {
    const desk = new Desk();
    register(desk, "north", A, "a", "b");
    desk.say("north", { type: "leave" });
    expect(said(register(desk, "north", B, "a", "b"))).toEqual([]);
  });
});
