/** One participant, or none, cannot stop or exhaust a run: twenty things that one may do with valid credentials. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../src/data/index.js";
import { Outbox } from "../../src/federation/curator/outbox.js";
import {
  decodeMessage,
  encodeFrame,
  encodeMessage,
  makePlan,
  ParticipantMachine,
  planHash,
  type CuratorPatience,
} from "../../src/federation/index.js";
import { PROTOCOL_VERSION } from "../../src/federation/protocol/messages/messages.js";
import { OtherVersionError } from "../../src/federation/protocol/messages/message-bytes.js";
import { Desk, plan, said, SESSION, started } from "./desk.js";
import { planOf, tasks as secureTasks } from "./secure-aggregation/secure-run.js";

const open = makePlan({ ...plan, tasks: null, minimumTasks: 2, registration: 30 });

/** The rest of a run of `plan`: three participants answer in every round. */
function finish(desk: Desk, without: readonly string[] = []): void {
  const own = { north: [0, 1], south: [2], west: [3] };
  for (let round = desk.releases() + 1; round <= 3; round++) {
    for (const [name, at] of Object.entries(own)) {
      if (!without.includes(name))
        desk.push(
          name,
          round,
          at,
          at.flatMap(() => [0.1, 0]),
        );
    }
  }
}

describe("registering", () => {
  test("2,147,483,647 rows are refused by name, and the run goes on", () => {
    const desk = new Desk();
    const rows = 2 ** 31 - 1;
    const answer = desk.say("west", { type: "register", tasks: [{ name: "d", rows }] });
    expect(said(answer)).toMatchObject([{ type: "refused", reason: "too-large" }]);
    expect(desk.statuses("refused")).toMatchObject([{ participant: "west", why: "too-large" }]);
    desk.register("north", "a", "b");
    desk.register("south", "c");
    desk.register("west", "d");
    finish(desk);
    expect(desk.releases()).toBe(3);
  });

  test("the most rows there may be, of every task, make a start that can be read", () => {
    const desk = new Desk();
    const tasks = ["a", "b", "c", "d"].map((name) => ({ name, rows: 2 ** 29 }));
    const starts = said(desk.say("north", { type: "register", tasks }));
    expect(starts).toContainEqual(expect.objectContaining({ type: "start", rows: 4 * 2 ** 29 }));
  });

  test("a hundred thousand tasks of one key are refused, and so are names that fill a disk", () => {
    const desk = new Desk(open);
    const many = Array.from({ length: 100_000 }, (_, i) => ({ name: `t${i}`, rows: 1 }));
    const refused = (tasks: { name: string; rows: number }[]) =>
      said(desk.say("mallory", { type: "register", tasks }));
    expect(refused(many)).toMatchObject([{ type: "refused", reason: "too-many" }]);
    expect(refused([{ name: "x".repeat(257), rows: 1 }])).toMatchObject([{ reason: "too-large" }]);
    for (const name of ["a", "b"]) desk.register(name, name);
    const effects = desk.take({ type: "timer", name: "registration" });
    expect(said(effects).filter(({ type }) => type === "start")).toHaveLength(2);
  });

  test("an epsilon of one's own that the noise cannot give is refused at the start, which goes on without", () => {
    const options = { unit: "record", scale: "unit", epsilon: 1, delta: 1e-3 };
    const owners = makePlan({ ...open, method: "mp-mixed", registration: 30, options });
    for (const epsilon of [1e-300, 5e-324]) {
      const desk = new Desk(owners);
      for (const name of ["b", "c"]) desk.register(name, name);
      const tasks = [{ name: "a", rows: 4, epsilon }];
      desk.say("mallory", { type: "register", tasks });
      expect(said(desk.take({ type: "timer", name: "registrations" }))).toMatchObject(
        ["b", "c", "mallory"].map((participant) => ({ type: "registered", participant })),
      );
      const early = said(desk.take({ type: "timer", name: "registration" }));
      expect(early).toMatchObject([
        { type: "refused", participant: "mallory", reason: "small-epsilon" },
      ]);
      expect(desk.statuses("refused")).toMatchObject([
        { participant: "mallory", why: "small-epsilon" },
      ]);
      desk.register("d", "a"); // the name is free
      const starts = said(desk.take({ type: "timer", name: "registration" }));
      expect(starts.filter(({ type }) => type === "start")).toMatchObject([
        { participant: "b", m: 3, positions: [1] },
        { participant: "c", m: 3, positions: [2] },
        { participant: "d", m: 3, positions: [0] },
      ]);
      const again = new Desk(owners, desk.records());
      expect(again.statuses("resumed")).toHaveLength(1);
    }
  });

  test("more rows than secure sums can hold are refused at the start, which goes on without", () => {
    const secure = planOf("mp-mixed", { unit: "record", scale: "unit", epsilon: 3 });
    const namesOf = (k: number) => secureTasks.names.filter((_, i) => i % 5 === k);
    const desk = new Desk(secure);
    for (const k of [0, 1, 3, 4]) desk.register(`p${k}`, ...namesOf(k));
    const own = namesOf(2);
    const tasks = own.map((name) => ({ name, rows: 2 ** 29 }));
    const answer = said(desk.say("p2", { type: "register", tasks }));
    expect(answer).toMatchObject([{ type: "refused", participant: "p2", reason: "too-large" }]);
    expect(said(desk.register("p2", ...own)).filter(({ type }) => type === "start")).toHaveLength(
      5,
    );
  });

  test("a name is its first comer's to the end of the run, and the operator learns whose it is", () => {
    const open = makePlan({ ...plan, tasks: null, minimumTasks: 2 });
    const desk = new Desk(open);
    desk.register("north", "a");
    const taken = [{ kind: "refused", participant: "mallory", why: 'task-taken: "a" is north\'s' }];
    expect(said(desk.register("mallory", "m", "a"))).toMatchObject([{ reason: "task-taken" }]);
    expect(desk.statuses("refused")).toEqual(taken);
    // In another's name nobody can leave, or take part.
    desk.say("mallory", { type: "leave" }, { participant: "north" });
    desk.register("south", "b");
    desk.take({ type: "begin" });
    // After the start, and where the curator comes back.
    for (const one of [desk, new Desk(open, desk.records())]) {
      expect(said(one.register("mallory", "a"))).toMatchObject([{ reason: "already-started" }]);
      const values = { round: 1, positions: [0], values: [1, 1, 1] };
      one.push("mallory", values.round, values.positions, values.values);
      expect(said(one.register("north", "a")).map(({ type }) => type)).toContain("start");
    }
  });

  test("who took another's name is expelled by the operator, and the name is free", () => {
    const desk = new Desk();
    desk.register("mallory", "a");
    expect(said(desk.register("north", "a", "b"))).toMatchObject([{ reason: "task-taken" }]);
    const effects = desk.take({ type: "expel", participant: "mallory" });
    expect(said(effects)).toMatchObject([{ type: "refused", reason: "expelled" }]);
    expect(said(desk.register("mallory", "a"))).toMatchObject([{ reason: "expelled" }]);
    desk.register("north", "a", "b");
    expect(said(desk.take({ type: "timer", name: "registrations" }))).toMatchObject([
      { type: "registered", participant: "north" },
    ]);
    // Also for a curator that comes back.
    const again = new Desk(plan, desk.records());
    expect(said(again.register("mallory", "a"))).toMatchObject([{ reason: "expelled" }]);
  });
});

describe("silence", () => {
  const strict = makePlan({ ...plan, quorum: 1 });
  const rounds = (desk: Desk, deadlines: number) => {
    for (let k = 0; k < deadlines; k++) desk.take({ type: "timer", name: "deadline" });
  };
  const patient = (patience: Partial<CuratorPatience>) => {
    const desk = new Desk(strict, [], patience);
    desk.register("north", "a", "b");
    desk.register("south", "c");
    desk.register("west", "d");
    return desk;
  };

  test("holds a run of quorum 1 until the operator expels", () => {
    const desk = started(strict);
    finish(desk, ["west"]);
    rounds(desk, 5);
    expect(desk.releases()).toBe(0);
    desk.take({ type: "expel", participant: "west" });
    expect(desk.releases()).toBe(1);
    finish(desk, ["west"]);
    expect(desk.releases()).toBe(3);
    // What it says now changes nothing, and nobody waits for its last message.
    expect(said(desk.push("west", 3, [3], [0.1, 0]))).toEqual([]);
    desk.say("north", { type: "finish" });
    expect(desk.say("south", { type: "finish" }).at(-1)).toMatchObject({ type: "end" });
  });

  test("is expelled by rule after so many deadlines, and by none without a rule", () => {
    const desk = patient({ expelAfter: 3 });
    finish(desk, ["west"]);
    rounds(desk, 2);
    expect(desk.statuses("expelled")).toEqual([]);
    rounds(desk, 1);
    expect(desk.statuses("expelled")).toEqual([
      { kind: "expelled", participant: "west", deadlines: 3 },
    ]);
    finish(desk, ["west"]);
    expect(desk.releases()).toBe(3);
  });

  test("of everybody closes no round", () => {
    const desk = patient({ expelAfter: 1 });
    rounds(desk, 3);
    expect(desk.statuses("expelled")).toHaveLength(3);
    expect(desk.releases()).toBe(0);
  });

  test("costs one deadline where the quorum is there, until who was silent says something", () => {
    const desk = started(); // quorum 0.6
    const others = (round: number) => {
      desk.push("north", round, [0, 1], [0.1, 0, 0, 0.1]);
      desk.push("south", round, [2], [0.1, 0]);
    };
    others(1);
    expect(desk.releases()).toBe(0);
    rounds(desk, 1);
    expect(desk.releases()).toBe(1);
    others(2); // no deadline passes
    expect(desk.releases()).toBe(2);
    desk.say("west", { type: "pull", round: 1 });
    others(3);
    expect(desk.releases()).toBe(2);
    desk.push("west", 3, [3], [0.1, 0]);
    expect(desk.releases()).toBe(3);
  });
});

describe("asking", () => {
  test("fifteen hundred times makes the curator hold two answers, and others get theirs", async () => {
    const taken: Record<string, number> = { mallory: 0, north: 0 };
    let take: () => void = () => undefined;
    const network = new Promise<void>((resolve) => (take = resolve));
    const outbox = new Outbox(async (to) => {
      if (to === "mallory") await network; // reads nothing
      taken[to]!++;
    });
    let made = 0;
    const answer = {
      bytes: 8_000_000,
      message: () => {
        made++;
        return new Uint8Array(8_000_000);
      },
    };
    const settled = Array.from({ length: 1500 }, () => outbox.send("mallory", answer));
    await outbox.send("north", answer);
    expect(taken).toEqual({ mallory: 0, north: 1 });
    expect(made).toBe(2); // one for each: what waits is not made yet
    take();
    await Promise.all(settled);
    expect(taken["mallory"]).toBe(2);
    await outbox.send("mallory", answer);
    expect(taken["mallory"]).toBe(3);
  });

  test("a hundred who ask at once are answered some after the other, and a few who take nothing are in nobody's way", async () => {
    let made = 0;
    let held = 0;
    let most = 0;
    const outbox = new Outbox(async (to) => {
      if (to.startsWith("mallory")) return new Promise(() => undefined);
      most = Math.max(most, ++held);
      await new Promise((resolve) => setTimeout(resolve));
      held--;
    });
    const answer = {
      bytes: 2 ** 20,
      message: () => {
        made++;
        return new Uint8Array();
      },
    };
    for (let i = 0; i < 7; i++) void outbox.send(`mallory-${i}`, { ...answer, bytes: 2 ** 30 });
    await Promise.all(Array.from({ length: 100 }, (_, i) => outbox.send(`p${i}`, answer)));
    expect(made).toBe(107);
    expect(most).toBe(1);
    const quick = new Outbox(async () => {
      most = Math.max(most, ++held);
      await new Promise((resolve) => setTimeout(resolve));
      held--;
    });
    await Promise.all(Array.from({ length: 100 }, (_, i) => quick.send(`p${i}`, answer)));
    expect(most).toBe(16);
  });

  test("the plan's text is made once, however many ask for it, and a message of it when it is its turn", () => {
    let read = 0;
    const counted = Object.defineProperty({ ...plan }, "registration", {
      enumerable: true,
      get: () => {
        read++;
        return plan.registration;
      },
    });
    const desk = new Desk(counted);
    const before = read;
    for (let i = 0; i < 100; i++) {
      const effects = desk.machine.handle({
        type: "message",
        from: "north",
        message: encodeMessage(
          { run: "unit", session: "", plan: "", participant: "north" },
          { type: "hello", speaks: [PROTOCOL_VERSION] },
        ),
      });
      expect(effects).toMatchObject([{ type: "repeat", to: "north" }]);
      expect(said(effects)).toMatchObject([{ type: "plan" }]);
    }
    expect(read).toBe(before);
  });

  test("in order, and small ones beside each other", async () => {
    const sent: number[] = [];
    const outbox = new Outbox((_to, message) => {
      sent.push(message[0]!);
      return message[0] === 3 ? Promise.reject(new Error("lost")) : Promise.resolve();
    });
    await Promise.all(
      [1, 2, 3, 4, 5].map((k) =>
        outbox.send("north", { bytes: 1, message: () => Uint8Array.of(k) }),
      ),
    );
    expect(sent).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("another version of the protocol", () => {
  const hash = planHash(plan);
  const other = (version: number, body: object, participant: string) =>
    encodeFrame({ v: version, run: "unit", session: "", plan: "", participant, ...body });

  test.each([PROTOCOL_VERSION - 1, PROTOCOL_VERSION + 1])(
    "%i is refused by name by the curator",
    (version) => {
      const desk = started();
      const message = other(version, { type: "hello" }, "west");
      const effects = desk.take({ type: "message", from: "west", message });
      expect(said(effects)).toMatchObject([{ type: "refused", reason: "other-version" }]);
      expect(desk.statuses("refused").at(-1)!.why).toContain(
        `version ${version} of the protocol, this release speaks ${PROTOCOL_VERSION}`,
      );
      finish(desk);
      expect(desk.releases()).toBe(3);
    },
  );

  test("is refused where a participant says that it speaks others only", () => {
    const hello = started().say("west", {
      type: "hello",
      speaks: [PROTOCOL_VERSION + 1, PROTOCOL_VERSION + 2],
    });
    expect(said(hello)).toMatchObject([{ type: "refused", reason: "other-version" }]);
  });

  const data = TaskSet.from([{ name: "a", x: [[1, 1]], y: [3] }], { featureNames: ["x", "y"] });
  function asking(): ParticipantMachine {
    const machine = new ParticipantMachine({
      run: "unit",
      participant: "north",
      data,
      agreed: hash,
    });
    machine.handle({ type: "link", state: "up" });
    return machine;
  }

  test.each([
    ["of another version", other(9, { type: "refused", reason: "other-version" }, "north")],
    [
      "of this one",
      encodeMessage(
        { run: "unit", session: SESSION, plan: hash, participant: "north" },
        { type: "refused", reason: "other-version" },
      ),
    ],
  ])("ends a participant in one line: a refusal %s", (_name, message) => {
    const effects = asking().handle({ type: "message", message, scope: "own" });
    const failed = effects.find((effect) => effect.type === "fail");
    expect(failed).toMatchObject({ error: { code: "OPTION" } });
    expect((failed as { error: Error }).error.message).toContain("same release");
  });

  test("in a message that is no refusal is ignored: it may be anybody's", () => {
    const message = other(9, { type: "plan", text: "{}" }, "north");
    expect(asking().handle({ type: "message", message, scope: "own" })).toMatchObject([
      { type: "status", status: { kind: "ignored" } },
    ]);
    expect(new OtherVersionError("x", undefined).message).toContain("version ? of");
  });

  test("a curator that comes back repeats its last broadcast, of which who has not joined says nothing", () => {
    const first = started();
    first.push("north", 1, [0, 1], [0.1, 0, 0, 0.2]);
    first.push("south", 1, [2], [0.1, 0]);
    first.push("west", 1, [3], [0.1, 0]);
    const machine = asking();
    const heard = new Desk(plan, first.records()).effects.flatMap((effect) => {
      if (effect.type !== "broadcast") return [];
      const { type } = decodeMessage(effect.message);
      const said = machine.handle({ type: "message", message: effect.message, scope: "all" });
      return [[type, said.filter((one) => one.type === "status")] as const];
    });
    expect(heard).toEqual([
      ["here", []],
      ["broadcast", []],
    ]);
    // What was never of this run is told.
    const envelope = { run: "other", session: SESSION, plan: hash, participant: "" };
    const message = encodeMessage(envelope, { type: "broadcast", round: 1, values: new Float64Array(1) }); // prettier-ignore
    expect(machine.handle({ type: "message", message, scope: "all" })).toMatchObject([
      { type: "status", status: { kind: "ignored", why: "a message of another run" } },
    ]);
  });

  test("a curator that comes back says so, and who waits asks at once", () => {
    const desk = new Desk();
    expect(said(desk.effects)).toMatchObject([{ type: "here", participant: "" }]);
    const machine = asking();
    for (let k = 0; k < 6; k++) machine.handle({ type: "timer", name: "retry" });
    const envelope = { run: "unit", session: "8".repeat(32), plan: hash, participant: "" };
    const message = encodeMessage(envelope, { type: "here" });
    const effects = machine.handle({ type: "message", message, scope: "all" });
    expect(said(effects)).toMatchObject([{ type: "hello" }]);
    expect(effects).toContainEqual({ type: "timer", name: "retry", milliseconds: 2000 });
  });
});
