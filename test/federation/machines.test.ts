/** The two machines, event by event: what they refuse, when a round closes, what is charged. */
import { describe, expect, test } from "vitest";
import { openCore, VERSION } from "../../src/core/index.js";
import { TaskSet } from "../../src/data/index.js";
import {
  canonicalPlan,
  CuratorMachine,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  makePlan,
  ParticipantMachine,
  planHash,
  type Body,
  type CuratorEffect,
  type ParticipantEffect,
  type Plan,
} from "../../src/federation/index.js";
import { Desk, plan, said, SESSION, started } from "./desk.js";
import { plannedMethod } from "../../src/federation/protocol/plan/planned-method.js";
import { releasesDigest } from "../../src/federation/protocol/plan/releases-digest.js";
import {
  decodeRecord,
  encodeRecord,
  requireSession,
} from "../../src/federation/protocol/records.js";

describe("registering", () => {
  test("starts when all tasks of the plan are there, in the plan's order", () => {
    const desk = new Desk();
    desk.register("west", "d");
    desk.register("south", "c");
    const effects = desk.register("north", "b", "a");
    const starts = said(effects).filter((message) => message.type === "start");
    expect(starts.map(({ participant, positions }) => [participant, positions])).toEqual([
      ["north", [1, 0]],
      ["south", [2]],
      ["west", [3]],
    ]);
    expect(starts[0]).toMatchObject({ m: 4, rows: 16, mostRows: 4, round: 1 });
    // Who is there is kept before anyone is told.
    const order = effects.map(({ type }) => type);
    expect(order.indexOf("append")).toBeLessThan(order.lastIndexOf("send"));
  });

  test.each<[string, (desk: Desk) => CuratorEffect[], string]>([
    ["a task that is not in the plan", (desk) => desk.register("north", "z"), "not-in-plan"],
    [
      "a task of another",
      (desk) => {
        desk.register("south", "a");
        return desk.register("north", "a");
      },
      "task-taken",
    ],
    ["a task twice", (desk) => desk.register("north", "a", "a"), "not-in-plan"],
  ])("refuses %s", (_what, ask, reason) => {
    expect(said(ask(new Desk()))).toEqual([expect.objectContaining({ type: "refused", reason })]);
  });

  test("refuses a latecomer", () => {
    expect(said(started().register("east", "a"))).toMatchObject([{ reason: "already-started" }]);
  });

  test("refuses who agreed to another plan, and says so", () => {
    const desk = new Desk();
    const other = planHash(makePlan({ ...plan, deadline: 11 }));
    const effects = desk.say("north", { type: "register", tasks: [] }, { plan: other });
    expect(said(effects)).toMatchObject([{ type: "refused", reason: "other-plan" }]);
  });

  test("holds a task to the participant the plan names", () => {
    const owned = makePlan({
      ...plan,
      tasks: [{ name: "a", participant: "north" }],
      minimumTasks: 1,
    });
    expect(said(new Desk(owned).register("south", "a"))).toMatchObject([{ reason: "task-taken" }]);
    expect(said(new Desk(owned).register("north", "a"))[0]).toMatchObject({ type: "registered" });
  });

  test("starts without those that left or did not come, when the time is up", () => {
    const desk = new Desk(makePlan({ ...plan, registration: 30 }));
    desk.register("north", "a", "b");
    desk.register("south", "c");
    desk.say("south", { type: "leave" });
    for (let k = 0; k < 2; k++) {
      expect(said(desk.take({ type: "timer", name: "registration" }))).toEqual([]);
    }
    // Its operator learns what it waits for, and once for one state of things.
    expect(desk.statuses("too-few")).toEqual([{ kind: "too-few", tasks: 2, needed: 3 }]);
    desk.register("south", "c");
    const effects = desk.take({ type: "timer", name: "registration" });
    expect(said(effects).filter(({ type }) => type === "start")).toHaveLength(2);
    expect(desk.statuses("started")).toEqual([{ kind: "started", tasks: 3, participants: 2 }]);
  });
});

describe("a round", () => {
  test("closes when all have shared: kept first, published after", () => {
    const desk = started();
    desk.push("north", 1, [0, 1], [0.1, 0, 0, 0.1]);
    desk.push("south", 1, [2], [0.1, 0]);
    const effects = desk.push("west", 1, [3], [0, 0.1]);
    const order = effects.map(({ type }) => type).filter((type) => type !== "status");
    expect(order.indexOf("append")).toBeLessThan(order.indexOf("broadcast"));
    expect(said(effects)).toMatchObject([{ type: "broadcast", round: 1, participant: "" }]);
    expect(desk.releases()).toBe(1);
    expect(desk.statuses("closed")).toMatchObject([{ present: 4, expected: 4, clipped: 0 }]);
  });

  test("closes at the deadline with the quorum; who is late changes nothing", () => {
    const desk = started();
    desk.push("north", 1, [0, 1], [0.1, 0, 0, 0.1]);
    desk.push("south", 1, [2], [0.1, 0]);
    expect(desk.releases()).toBe(0);
    desk.take({ type: "timer", name: "deadline" });
    expect(desk.releases()).toBe(1);
    expect(desk.push("west", 1, [3], [0, 0.1])).toEqual([]);
    expect(desk.statuses("closed")).toMatchObject([{ present: 3, expected: 4, silent: ["west"] }]);
  });

  test("without a task has the same noise and lacks exactly that task's vector", () => {
    const [all, without] = [started(), started()];
    for (const desk of [all, without]) {
      desk.push("north", 1, [0, 1], [0.1, 0, 0, 0.1]);
      desk.push("south", 1, [2], [0.1, 0]);
    }
    all.push("west", 1, [3], [0.25, -0.5]);
    without.take({ type: "timer", name: "deadline" });
    const release = (desk: Desk) => {
      const last = decodeRecord(desk.records().at(-1)!);
      if (last.type !== "release") throw new Error("no release was kept");
      return last;
    };
    const [a, b] = [release(all), release(without)];
    expect(a.statistic[0]! - b.statistic[0]!).toBeCloseTo(0.25, 12);
    expect(a.statistic[1]! - b.statistic[1]!).toBeCloseTo(-0.5, 12);
    expect(b.charge).toEqual(a.charge);
  });

  test("pauses below the quorum, and goes on when it is reached", () => {
    const desk = started();
    desk.push("south", 1, [2], [0.1, 0]);
    desk.take({ type: "timer", name: "deadline" });
    expect(desk.statuses("paused")).toEqual([
      { kind: "paused", round: 1, present: 1, needed: 3, missing: ["north", "west"] },
    ]);
    expect(desk.releases()).toBe(0);
    desk.push("north", 1, [0, 1], [0.1, 0, 0, 0.1]);
    expect(desk.releases()).toBe(1);
  });

  test("does not close while the link is down, and nothing is charged", () => {
    const desk = started();
    desk.push("north", 1, [0, 1], [0.1, 0, 0, 0.1]);
    desk.push("south", 1, [2], [0.1, 0]);
    const down = desk.take({ type: "link", state: "down" });
    expect(down).toContainEqual({ type: "pause", name: "deadline" });
    desk.take({ type: "timer", name: "deadline" });
    desk.push("west", 1, [3], [0, 0.1]);
    expect(desk.releases()).toBe(0);
    const up = desk.take({ type: "link", state: "up" });
    expect(desk.releases()).toBe(1);
    expect(up).toContainEqual({ type: "timer", name: "deadline", milliseconds: 10_000 });
  });

  test("counts a vector once: the first that arrives", () => {
    const [first, second] = [started(), started()];
    for (const desk of [first, second]) desk.push("north", 1, [0, 1], [0.1, 0, 0, 0.1]);
    second.push("north", 1, [0, 1], [0.9, 0, 0, 0.9]);
    for (const desk of [first, second]) {
      desk.push("south", 1, [2], [0.1, 0]);
      desk.push("west", 1, [3], [0, 0.1]);
    }
    expect(second.records().at(-1)).toEqual(first.records().at(-1));
  });

  test("calls a vector clipped that is longer than K by a hair, and none that its owner clipped, or that is of norm K but for rounding", () => {
    const { kernels, arena } = openCore();
    const at = arena.copyOf(Float64Array.of(3, 4));
    kernels.clipRows(at, at, 1, 2, 1);
    const own = [...arena.view(at, 2)];
    for (const [vector, clipped] of [
      [own, 0],
      [[0.6 * (1 + 1e-14), 0.8 * (1 + 1e-14)], 0],
      [[0.6 * (1 + 2e-9), 0.8 * (1 + 2e-9)], 1],
    ] as const) {
      const desk = started();
      desk.push("north", 1, [0, 1], [...vector, 0, 0]);
      desk.push("south", 1, [2], [0, 0]);
      desk.push("west", 1, [3], [0, 0]);
      expect(desk.statuses("closed")).toMatchObject([{ clipped }]);
    }
  });

  test("clips a vector longer than K itself", () => {
    const [long, short] = [started(), started()];
    long.push("north", 1, [0, 1], [3e200, 4e200, 0, 0]);
    short.push("north", 1, [0, 1], [0.6, 0.8, 0, 0]);
    for (const desk of [long, short]) {
      desk.push("south", 1, [2], [0, 0]);
      desk.push("west", 1, [3], [0, 0]);
    }
    expect(long.statuses("closed")).toMatchObject([{ clipped: 1 }]);
    const sum = (desk: Desk) => {
      const last = decodeRecord(desk.records().at(-1)!);
      return last.type === "release" ? [...last.statistic] : [];
    };
    sum(long).forEach((value, j) => expect(value).toBeCloseTo(sum(short)[j]!, 12));
  });

  test.each<[string, (desk: Desk) => CuratorEffect[], string]>([
    ["for another's task", (desk) => desk.push("south", 1, [0], [1, 0]), "does not own"],
    ["of a wrong length", (desk) => desk.push("south", 1, [2], [1, 0, 0]), "wrong length"],
    ["of vectors unlike", (desk) => desk.push("north", 1, [0, 1], [1, 0, 0, 1, 0]), "unequal"],
    ["of nobody that takes part", (desk) => desk.push("east", 1, [2], [1, 0]), "does not own"],
    ["in another's name", (d) => d.say("south", pull, { participant: "north" }), "another's name"],
    ["of another session", (d) => d.say("south", pull, { session: "6".repeat(32) }), "session"],
    ["of another run", (d) => d.say("south", pull, { run: "other" }), "another run"],
    ["that only a curator sends", (d) => d.say("south", { type: "done" }), "only a curator"],
    [
      "with a NaN",
      (d) =>
        d.say("south", {
          type: "upload",
          round: 1,
          positions: [2],
          values: Float64Array.of(NaN, 0),
        }),
      "not finite",
    ],
    [
      "that is none",
      (d) => d.take({ type: "message", from: "south", message: Uint8Array.of(1) }),
      "frame",
    ],
  ])("ignores a message %s, and says so to the curator only", (_what, say, why) => {
    const desk = started();
    const effects = say(desk);
    expect(said(effects)).toEqual([]);
    expect(desk.statuses("refused").at(-1)!.why).toContain(why);
    expect(desk.releases()).toBe(0);
  });

  test("of an earlier number is given to who pulls it; a message says no count", () => {
    const desk = started();
    desk.push("north", 1, [0, 1], [0.1, 0, 0, 0.1]);
    desk.push("south", 1, [2], [0.1, 0]);
    desk.take({ type: "timer", name: "deadline" });
    const [message, ...rest] = said(desk.say("west", { type: "pull", round: 1 }));
    expect(rest).toEqual([]);
    expect(message).toMatchObject({ type: "broadcast", round: 1, participant: "west" });
    expect(Object.keys(message!).sort()).toEqual(
      ["participant", "plan", "round", "run", "session", "type", "values"].sort(),
    );
    expect(said(desk.say("west", { type: "pull", round: 2 }))).toMatchObject([
      { type: "call", round: 2, positions: [3] },
    ]);
  });
});

const pull: Body = { type: "pull", round: 1 };

describe("a curator that comes back", () => {
  function share(desk: Desk, round: number): void {
    desk.push("north", round, [0, 1], [0.1, 0, 0, 0.1]);
    desk.push("south", round, [2], [0.1, 0]);
    desk.push("west", round, [3], [0, 0.1]);
  }
  function twoRounds(): Desk {
    const desk = started();
    for (const round of [1, 2]) share(desk, round);
    return desk;
  }
  const threeRounds = (desk: Desk) => [1, 2, 3].forEach((round) => share(desk, round));

  test("publishes the last message again, bit for bit, and calls for the open round", () => {
    const before = twoRounds();
    const published = before.effects.filter((effect) => effect.type === "broadcast").at(-1)!;
    const after = new Desk(plan, before.records());
    const broadcasts = after.effects.filter((effect) => effect.type === "broadcast");
    expect(broadcasts.map(({ message }) => decodeMessage(message))).toEqual([
      expect.objectContaining({ type: "here", participant: "" }),
      decodeMessage((published as { message: Uint8Array }).message),
    ]);
    expect(after.releases()).toBe(0);
    expect(after.statuses("resumed")).toMatchObject([{ kind: "resumed", round: 2, rounds: 3 }]);
    const calls = said(after.effects).filter(({ type }) => type === "call");
    expect(calls.map(({ participant }) => participant)).toEqual(["north", "south", "west"]);
  });

  test("knows who registered, who withdrew and who was expelled before the start", () => {
    const open = makePlan({ ...plan, tasks: null, minimumTasks: 3 });
    const before = new Desk(open);
    before.register("north", "a");
    before.register("north", "a", "b");
    before.register("south", "c");
    before.register("west", "d");
    before.register("mallory", "m");
    before.say("west", { type: "leave" });
    before.take({ type: "expel", participant: "mallory" });
    const keep = { type: "timer", name: "registrations" } as const;
    before.take(keep);
    const after = new Desk(open, before.records());
    expect(after.statuses("registered")).toEqual([
      { kind: "registered", participant: "north", tasks: 2 },
      { kind: "registered", participant: "south", tasks: 1 },
    ]);
    // The name of a task is still its first comer's, and who withdrew has given it up.
    expect(said(after.register("east", "c"))).toMatchObject([{ reason: "task-taken" }]);
    expect(said(after.register("mallory", "m"))).toMatchObject([{ reason: "expelled" }]);
    expect(said(after.register("east", "d"))).toEqual([]);
    expect(after.records()).toEqual([]);
    expect(said(after.take(keep))).toMatchObject([{ type: "registered", participant: "east" }]);
    const third = new Desk(open, [...before.records(), ...after.records()]);
    third.take({ type: "begin" });
    expect(third.statuses("started")).toEqual([{ kind: "started", tasks: 4, participants: 3 }]);
  });

  const OWN: Record<string, string[]> = { north: ["a", "b"], south: ["c"], west: ["d"] };

  test("starts by itself if it was killed when all had registered", () => {
    // With a plan that awaits one more.
    const tasks = [...plan.tasks!, { name: "e", participant: null }];
    const desk = new Desk(makePlan({ ...plan, tasks }));
    for (const name of ["north", "south", "west"]) desk.register(name, ...OWN[name]!);
    desk.take({ type: "timer", name: "registrations" });
    const [, kept] = desk.records();
    const after = new Desk(plan, [new Desk().records()[0]!, kept!]);
    expect(after.statuses("started")).toEqual([{ kind: "started", tasks: 4, participants: 3 }]);
    expect(said(after.effects).filter(({ type }) => type === "start")).toHaveLength(3);
  });

  test("tells nobody that it is registered before that is kept", () => {
    const open = makePlan({ ...plan, tasks: null, minimumTasks: 3 });
    const desk = new Desk(open);
    const keep = () => desk.take({ type: "timer", name: "registrations" });
    // Asking again does not help.
    for (let k = 0; k < 2; k++) expect(said(desk.register("north", "a"))).toEqual([]);
    desk.register("mallory", "m");
    desk.take({ type: "expel", participant: "mallory" });
    desk.register("west", "d");
    desk.say("west", { type: "leave" });
    const effects = keep();
    expect(effects.map(({ type }) => type)).toEqual(["append", "send"]);
    expect(said(effects)).toMatchObject([{ type: "registered", participant: "north" }]);
    expect(said(desk.register("north", "a"))).toMatchObject([{ type: "registered" }]);
    // Other tasks are another registration.
    expect(said(desk.register("north", "a", "b"))).toEqual([]);
    expect(said(keep())).toMatchObject([{ type: "registered", participant: "north" }]);
    // Where the rounds begin at once, the record of the start keeps it.
    desk.register("south", "c");
    const started = desk.take({ type: "begin" });
    const order = started.flatMap((effect) =>
      effect.type === "append" ? "append" : said([effect]).map(({ type }) => type),
    );
    expect(order.slice(0, 2)).toEqual(["append", "registered"]);
    expect(order.slice(2)).toContain("start");
    // Who is known from records was told, or is so when it asks.
    const again = new Desk(open, desk.records().slice(0, 3));
    expect(said(again.register("north", "a"))).toMatchObject([{ type: "registered" }]);
  });

  test("keeps what came together in one record, in an order in which it can be taken up", () => {
    const desk = new Desk(makePlan({ ...plan, tasks: null }));
    const keep = () => desk.take({ type: "timer", name: "registrations" });
    desk.register("north", "a");
    keep();
    desk.register("south", "c");
    desk.say("north", { type: "leave" });
    desk.register("south", "a", "c");
    keep();
    expect(desk.records()).toHaveLength(3);
    const again = new Desk(desk.plan, desk.records());
    expect(again.statuses("registered")).toMatchObject([{ participant: "south", tasks: 2 }]);
  });

  test("of who registers this and that by turns it remembers nothing rather than all", () => {
    const desk = new Desk(makePlan({ ...plan, tasks: null }));
    const keep = (on: Desk) => on.take({ type: "timer", name: "registrations" });
    for (let k = 0; k < 300; k++) {
      desk.register("mallory", k % 2 ? "x" : "y");
      keep(desk);
    }
    const records = desk.records().map(decodeRecord);
    expect(records).toHaveLength(1 + 100);
    const last = [{ participant: "mallory", tasks: null }];
    expect(records.at(-1)).toEqual({ type: "registrations", changes: last });
    // It takes part all the same, but nobody tells it that it is remembered; others are.
    expect(said(desk.register("mallory", "x"))).toEqual([]);
    desk.register("north", "a", "b");
    keep(desk);
    const again = new Desk(desk.plan, desk.records());
    expect(again.statuses("registered").map(({ participant }) => participant)).toEqual(["north"]);
    for (let k = 0; k < 9; k++) {
      again.register("mallory", k % 2 ? "x" : "y");
      keep(again);
    }
    expect(again.records()).toEqual([]);
    again.take({ type: "begin" });
    expect(again.statuses("started")).toMatchObject([{ tasks: 3 }]);
  });

  test("goes on from every prefix of its records and never has two releases of a round", () => {
    const complete = twoRounds();
    const records = complete.records();
    threeRounds(complete);
    const whole = complete
      .records()
      .map(decodeRecord)
      .filter(({ type }) => type === "release");
    for (let length = 0; length <= records.length; length++) {
      const desk = new Desk(plan, records.slice(0, length));
      desk.register("north", "a", "b");
      desk.register("south", "c");
      desk.register("west", "d");
      threeRounds(desk);
      const all = [...records.slice(0, length), ...desk.records()].map(decodeRecord);
      const releases = all.filter((record) => record.type === "release");
      expect(releases.map(({ round }) => round)).toEqual([1, 2, 3]);
      // Seeded, so the noise of a round is the same whoever draws it.
      expect(releases).toEqual(whole);
    }
  });

  test("stops where half of the participants received more than its records hold, and not for one alone", () => {
    const desk = started();
    const pushAll = (round: number) => {
      desk.push("north", round, [0, 1], [0.1, 0.2, 0.3, 0.4]);
      desk.push("south", round, [2], [0.1, 0.2]);
      desk.push("west", round, [3], [0.3, 0.1]);
    };
    pushAll(1);
    const older = desk.records();
    pushAll(2);
    expect(desk.releases()).toBe(2);
    // The copy that was put back ends before round 2.
    const behind = new Desk(plan, older);
    behind.say("north", { type: "pull", round: 3 });
    behind.say("north", { type: "pull", round: 3 });
    expect(behind.statuses("refused").map(({ participant, why }) => [participant, why])).toEqual([
      ["north", "it has received round 2, which this curator has not released"],
    ]);
    expect(() => behind.say("south", { type: "pull", round: 3 })).toThrow(
      "run store: north, south received round 2, but the store ends before it: it is an older copy",
    );
    expect(behind.releases()).toBe(0);
    // A curator that is where they are takes the same words for a question.
    const whole = new Desk(plan, desk.records());
    for (const name of ["north", "south", "west"]) whole.say(name, { type: "pull", round: 3 });
    expect(whole.statuses("refused")).toEqual([]);
  });

  test("refuses records of an allocation that an earlier release drew", () => {
    const allocated = makePlan({
      run: "allocated",
      method: "pmtl",
      features: ["x", "y"],
      options: {
        rounds: 4,
        delta: 1e-5,
        adjacency: "zero-out",
        sampling: { kind: "allocation", picks: 2 },
      },
    });
    const open = (records: readonly Uint8Array[]) =>
      new CuratorMachine({ plan: allocated, session: SESSION, records });
    const session = { type: "session", session: SESSION, plan: planHash(allocated) } as const;
    expect(() => open([encodeRecord(session)])).toThrow(
      "run store: the rounds of its allocation were drawn by a release of mp-mtl that drew any of them",
    );
    open([encodeRecord({ ...session, draw: "blocks" })]).dispose();
    expect(requireSession({ type: "session", session: SESSION, plan: "other" }, "other")).toBe(
      SESSION,
    );
  });

  test("refuses the records of another plan, damaged ones, and ones that overspend", () => {
    const records = twoRounds().records();
    const other = makePlan({ ...plan, deadline: 11 });
    const open = (agreed: Plan, kept: readonly Uint8Array[]) =>
      new CuratorMachine({ plan: agreed, session: SESSION, records: kept });
    expect(() => open(other, records)).toThrow("another plan");
    expect(() => open(plan, records.slice(1))).toThrow("first record");
    const session = { type: "session", session: SESSION, plan: planHash(plan) } as const;
    expect(decodeRecord(encodeRecord(session))).toMatchObject({ version: 2 });
    // As it was before versions, when samples lay there in clear.
    expect(() => decodeRecord(encodeFrame(session))).toThrow("format version 1");
    expect(() => decodeRecord(encodeFrame({ ...session, version: 3 }))).toThrow(
      "run store: expected the format mp-mtl-run-store",
    );
    const first = records.findIndex((record) => decodeRecord(record).type === "release");
    const gap = records.filter((_, i) => i !== first);
    expect(() => open(plan, gap)).toThrow("release 1 is missing");
    expect(() => open(plan, [records[0]!.subarray(3)])).toThrow("frame:");
  });
});

describe("a participant", () => {
  const data = TaskSet.from(
    [
      {
        name: "b",
        x: [
          [1, 0],
          [0, 1],
        ],
        y: [1, 2],
      },
      { name: "a", x: [[1, 1]], y: [3] },
    ],
    { featureNames: ["x", "y"] },
  );
  const hash = planHash(plan);

  /** What a curator says to it. */
  function tell(machine: ParticipantMachine, body: Body, scope: "own" | "all" = "own") {
    const participant = scope === "own" ? "north" : "";
    const envelope = { run: "unit", session: SESSION, plan: hash, participant };
    return machine.handle({ type: "message", message: encodeMessage(envelope, body), scope });
  }
  function joined(agreed: string | undefined = hash): ParticipantMachine {
    const machine = new ParticipantMachine({ run: "unit", participant: "north", data, agreed });
    machine.handle({ type: "link", state: "up" });
    return machine;
  }
  const showPlan = (machine: ParticipantMachine, shown = plan) =>
    tell(machine, { type: "plan", text: canonicalPlan(shown), release: VERSION });
  const start = {
    type: "start",
    m: 4,
    rows: 9,
    mostRows: 4,
    round: 1,
    positions: [1, 0],
    given: false,
    releases: releasesDigest(plannedMethod(plan, { m: 4, d: 2, rows: 9, mostRows: 4 }).releases),
    values: new Float64Array(0),
  } as const;
  const failure = (effects: ParticipantEffect[]) =>
    effects.flatMap((effect) => (effect.type === "fail" ? [effect.error.message] : []))[0];

  test("shows the plan and shares nothing before its owner agrees", () => {
    const machine = new ParticipantMachine({ run: "unit", participant: "north", data });
    expect(said(machine.handle({ type: "link", state: "up" }))).toMatchObject([{ type: "hello" }]);
    const effects = showPlan(machine);
    expect(said(effects)).toEqual([]);
    expect(effects).toContainEqual({ type: "show", plan, hash });
    expect(said(machine.handle({ type: "agree" }))).toMatchObject([
      {
        type: "register",
        tasks: [
          { name: "b", rows: 2 },
          { name: "a", rows: 1 },
        ],
      },
    ]);
  });

  test("that declines is gone", () => {
    const machine = new ParticipantMachine({ run: "unit", participant: "north", data });
    machine.handle({ type: "link", state: "up" });
    showPlan(machine);
    expect(failure(machine.handle({ type: "decline" }))).toContain("declined");
    expect(showPlan(machine)).toEqual([]);
  });

  test("refuses a plan that is not the one agreed on", () => {
    const machine = joined();
    const other = makePlan({ ...plan, options: { ...plan.options, epsilon: 9 } });
    const retry = () => machine.handle({ type: "timer", name: "retry" });
    // It asks for a while, for another curator may have the right one, and never registers.
    const effects = [showPlan(machine, other), retry(), retry(), retry()].flat();
    expect(failure(effects)).toContain("nothing was uploaded");
    expect(said(effects).map(({ type }) => type)).toEqual(["hello", "hello"]);
  });

  test("refuses other features, and a second session of one run", () => {
    const other = makePlan({ ...plan, features: ["y", "x"] });
    expect(failure(showPlan(joined(planHash(other)), other))).toContain("in the same order");
    const options = { run: "unit", participant: "north", data, agreed: hash };
    const first = new ParticipantMachine({ ...options, records: [] });
    first.handle({ type: "link", state: "up" });
    const records = showPlan(first).flatMap((effect) =>
      effect.type === "append" ? [effect.record] : [],
    );
    const again = new ParticipantMachine({ ...options, records });
    const envelope = { run: "unit", session: "7".repeat(32), plan: hash, participant: "north" };
    const text = canonicalPlan(plan);
    const message = encodeMessage(envelope, { type: "plan", text, release: VERSION });
    expect(failure(again.handle({ type: "message", message, scope: "own" }))).toContain("twice");
  });

  /** A machine that comes back to what earlier ones kept. */
  function back(records: readonly Uint8Array[], agreed?: string): ParticipantMachine {
    const options = { run: "unit", participant: "north", data, agreed, records };
    const machine = new ParticipantMachine(options);
    machine.handle({ type: "link", state: "up" });
    return machine;
  }
  const kept = (effects: ParticipantEffect[]) =>
    effects.flatMap((effect) => (effect.type === "append" ? [effect.record] : []));

  test("keeps its consent: who agreed to epsilon .5 does not register for 500 in the same session", () => {
    const modest = makePlan({ ...plan, options: { ...plan.options, epsilon: 0.5 } });
    const greedy = makePlan({ ...plan, options: { ...plan.options, epsilon: 500 } });
    const offer = (machine: ParticipantMachine, offered: Plan) => {
      const envelope = {
        run: "unit",
        session: SESSION,
        plan: planHash(offered),
        participant: "north",
      };
      const text = canonicalPlan(offered);
      const message = encodeMessage(envelope, { type: "plan", text, release: VERSION });
      return machine.handle({ type: "message", message, scope: "own" });
    };
    const first = back([]);
    offer(first, modest);
    const records = kept(first.handle({ type: "agree" }));
    const effects = offer(back(records), greedy);
    expect(failure(effects)).toContain("agreed to before was the hash");
    expect(said(effects).map(({ type }) => type)).not.toContain("register");
    // Not even where the new hash is given: a session has one plan.
    expect(failure(offer(back(records, planHash(greedy)), greedy))).toContain("agreed to before");
    // The plan that was agreed to is not asked about again.
    expect(said(offer(back(records), modest)).map(({ type }) => type)).toEqual(["register"]);
  });

  test("that received a round gives nothing more for it, tells the curator, and takes no other message", () => {
    const machine = back([], hash);
    const records = kept(showPlan(machine));
    tell(machine, start);
    const values = Float64Array.of(0.5, 0);
    records.push(...kept(tell(machine, { type: "broadcast", round: 1, values }, "all")));
    records.push(...kept(tell(machine, { type: "broadcast", round: 2, values }, "all")));
    expect(records).toHaveLength(3);

    // A curator whose records end before the first release.
    const again = back(records, hash);
    showPlan(again);
    const asked = tell(again, start);
    expect(said(asked)).toMatchObject([
      { type: "pull", round: 3 },
      { type: "pull", round: 1 },
    ]);
    expect(asked).toContainEqual({
      type: "status",
      status: { kind: "ahead", received: 2, round: 1 },
    });
    expect(said(tell(again, { type: "call", round: 1, positions: [0, 1] }))).toEqual([]);
    // What it received may come, nothing else.
    const other = Float64Array.of(0.25, 0);
    tell(again, { type: "broadcast", round: 1, values });
    const effects = tell(again, { type: "broadcast", round: 2, values: other });
    expect(failure(effects)).toContain(
      "round 2: the curator sent another broadcast than the one that was received",
    );
    expect(said(effects)).toMatchObject([{ type: "leave" }]);
  });

  test("whose release makes other releases of the plan than the curator's takes no part, and both sides are told both", () => {
    const machine = joined();
    tell(machine, { type: "plan", text: canonicalPlan(plan), release: "99.0.0" });
    const effects = tell(machine, { ...start, releases: "0".repeat(64) });
    expect(failure(effects)).toMatch(
      `the curator has release 99.0.0 of mp-mtl, this is ${VERSION}`,
    );
    expect(said(effects).map(({ type }) => type)).toEqual(["unable", "leave"]);
    const desk = new Desk();
    desk.register("north", "a", "b");
    expect(said(desk.say("north", { type: "unable", release: "0.0.9" }))).toEqual([]);
    expect(desk.statuses("refused").at(-1)).toMatchObject({
      participant: "north",
      why: expect.stringContaining(`0.0.9, cannot read this plan, or reads it otherwise than this one, ${VERSION}`) as string, // prettier-ignore
    });
    expect(desk.statuses("left")).toHaveLength(1);
    expect(desk.releases()).toBe(0);
  });

  test("needs a store against an untrusted curator", () => {
    const untrusted = makePlan({
      ...plan,
      method: "mp-low-rank",
      options: { curator: "untrusted" },
    });
    expect(failure(showPlan(joined(planHash(untrusted)), untrusted))).toContain("store");
  });

  test("pushes in the order of positions, and the same again when called again", () => {
    const machine = joined();
    showPlan(machine);
    const first = said(tell(machine, start));
    expect(first).toMatchObject([{ type: "upload", round: 1, positions: [0, 1] }]);
    const again = said(tell(machine, { type: "call", round: 1, positions: [0, 1] }));
    expect(again).toEqual(first);
  });

  test("pulls what it misses, and ignores what is not for it", () => {
    const machine = joined();
    showPlan(machine);
    tell(machine, start);
    const values = Float64Array.of(0.5, 0);
    expect(said(tell(machine, { type: "broadcast", round: 2, values }, "all"))).toMatchObject([
      { type: "pull", round: 1 },
    ]);
    expect(said(tell(machine, { type: "broadcast", round: 1, values }, "own"))).toMatchObject([
      { type: "pull", round: 2 },
    ]);
    const stranger = { run: "unit", session: "9".repeat(32), plan: hash, participant: "" };
    const foreign = encodeMessage(stranger, { type: "broadcast", round: 2, values });
    const effects = machine.handle({ type: "message", message: foreign, scope: "all" });
    expect(effects).toMatchObject([{ type: "status", status: { kind: "ignored" } }]);
    // A call that comes on the broadcast is not the curator's way.
    expect(tell(machine, { type: "call", round: 2, positions: [0] }, "all")).toMatchObject([
      { type: "status", status: { kind: "ignored" } },
    ]);
  });

  test("fails on a broadcast of a wrong length, and leaves", () => {
    const machine = joined();
    showPlan(machine);
    tell(machine, start);
    const effects = tell(
      machine,
      { type: "broadcast", round: 1, values: new Float64Array(3) },
      "all",
    );
    expect(failure(effects)).toContain("expected a broadcast of 2 numbers, got 3");
    expect(said(effects)).toMatchObject([{ type: "leave" }]);
  });
});
