/** A link that comes and goes: every wait is of the whole time in which the link was there, and ends. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  runRelay,
  RunOverError,
  type CuratorStatus,
} from "../../../../src/federation/index.js";
import { encodeFrame } from "../../../../src/federation/protocol/messages/frame.js";
import { Waits } from "../../../../src/federation/protocol/machine/waits.js";
import { makeTasks } from "../../../learning/tasks.js";
import { dealt, joinAll, planFor, settle } from "../../runs.js";

const tasks = makeTasks({ m: 4, d: 3, rows: () => 5 });

/** A network that is there for so long, and then away for so long, without end. */
function flapping(clock: ManualClock, up: number, away: number): MemoryNetwork {
  const network = new MemoryNetwork(clock);
  const down = () => {
    network.turn("down");
    clock.after(away, () => {
      network.turn("up");
      clock.after(up, down);
    });
  };
  clock.after(up, down);
  return network;
}

test.each([
  [7000, 900],
  [2000, 30_000],
  [300, 700],
])(
  "of a server that is there for %i ms and away for %i ms: the run begins, rounds close, the curator ends",
  async (up, away) => {
    const clock = new ManualClock();
    const network = flapping(clock, up, away);
    const plan = planFor(tasks, {
      method: "mp-low-rank",
      options: { rounds: 3 },
      deadline: 20,
      quorum: 0.5,
      minimumTasks: 3,
      registration: 15,
    });
    const { p3: _never, p2: leaving, ...members } = dealt(tasks, 4);
    const statuses: { status: CuratorStatus; now: number }[] = [];
    const stop = new AbortController();
    const running = runCurator({
      plan,
      clock,
      store: new MemoryStore(),
      transport: network.curator(),
      patience: { linger: 25_000 },
      onStatus: (status) => {
        statuses.push({ status, now: clock.now });
        if (status.kind === "started") stop.abort(new Error("killed"));
      },
    });
    const lost = joinRun({
      run: plan.run,
      participant: "p2",
      data: leaving!,
      clock,
      agreed: planHash(plan),
      store: new MemoryStore(),
      transport: network.participant("p2"),
      signal: stop.signal,
    });
    lost.catch(() => undefined);
    const [curator] = await settle(
      clock,
      Promise.all([running, ...joinAll({ plan, clock, network, tasks: members })]),
    );
    expect(curator.ledger.releases).toBe(3);
    const times = (kind: string) =>
      statuses.filter(({ status }) => status.kind === kind).map(({ now }) => now);
    // The longest that each may take: its time and ten seconds, and what the link was away meanwhile; a turn of the link more.
    const most = (milliseconds: number) => (milliseconds + 10_000) * (1 + away / up) + up + away;
    const [started] = times("started");
    expect(started).toBeGreaterThanOrEqual(15_000);
    expect(started).toBeLessThanOrEqual(most(15_000));
    const [first] = times("closed");
    expect(first! - started!).toBeGreaterThanOrEqual(20_000);
    expect(first! - started!).toBeLessThanOrEqual(most(20_000));
    expect(clock.now - times("closed").at(-1)!).toBeLessThanOrEqual(most(25_000));
  },
);

test("a participant whose curator is gone, and a relay, end although the link comes and goes before every answer is late", async () => {
  const clock = new ManualClock();
  const network = flapping(clock, 1500, 100);
  const store = new MemoryStore();
  await store.append(encodeFrame({ type: "joined", session: "s", plan: "p" }));
  await store.append(encodeFrame({ type: "completed" }));
  const data = makeTasks({ m: 1, d: 2, rows: () => 4 });
  const transport = network.participant("p0");
  const over = joinRun({ run: "r", participant: "p0", data, clock, store, transport, agreed: "p" });
  await expect(settle(clock, over)).rejects.toThrow(RunOverError);
  expect(clock.now).toBeGreaterThan(62_000);
  expect(clock.now).toBeLessThan(2 * 62_000);

  let asked = 0;
  const relay = new AbortController();
  const relayed = runRelay({
    run: "r",
    relay: "west",
    clock,
    agreed: "p",
    transport: network.participant("west"),
    onStatus: ({ kind }) => {
      if (kind === "unanswered") relay.abort(new Error(`unanswered ${++asked}`));
    },
    signal: relay.signal,
  });
  await expect(settle(clock, relayed)).rejects.toThrow("unanswered 1");
});

test("a timer: never early, and never later than its time and ten seconds of it once, however it is stopped", () => {
  const turns = fc.array(fc.tuple(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1 })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), turns, (milliseconds, list) => {
      const clock = new ManualClock();
      let [ranOut, there] = [Infinity, 0];
      const waits = new Waits<{ name: string }>(clock, () => (ranOut = clock.now));
      const pass = (time: number) => {
        let passed = false;
        clock.after(time, () => (passed = true));
        while (!passed) clock.step();
      };
      waits.start("deadline", milliseconds);
      for (const [up, away] of list) {
        const began = clock.now;
        pass(up);
        if (ranOut < Infinity) {
          there += ranOut - began;
          break;
        }
        there += up;
        waits.pause("deadline");
        pass(away);
        expect(ranOut).toBe(Infinity);
        waits.resume("deadline");
      }
      if (ranOut === Infinity) {
        const began = clock.now;
        while (clock.step());
        there += ranOut - began;
      }
      expect(there).toBeGreaterThanOrEqual(milliseconds);
      expect(there).toBeLessThanOrEqual(milliseconds + Math.min(10_000, milliseconds));
    }),
    { numRuns: 500, seed: 5 },
  );
});

test("after the link was away something of the time is left, so that both sides find each other again", () => {
  const clock = new ManualClock();
  let ranOut = false;
  const waits = new Waits(clock, () => (ranOut = true));
  waits.start("deadline", 30_000);
  clock.after(29_990, () => waits.pause("deadline"));
  clock.after(50_000, () => waits.resume("deadline"));
  clock.after(59_000, () => expect(ranOut).toBe(false));
  while (clock.step());
  expect([ranOut, clock.now]).toEqual([true, 60_000]);
});

test("one that ran out just before the link went does not count before it is back", () => {
  const clock = new ManualClock();
  const events: { name: string }[] = [];
  const waits = new Waits<{ name: string }>(clock, (event) => events.push(event));
  waits.start("deadline", 20);
  while (clock.step());
  waits.pause("deadline");
  expect(waits.stands("deadline", events[0]!)).toBe(false);
  waits.resume("deadline");
  while (clock.step());
  expect(waits.stands("deadline", events[1]!)).toBe(true);
  expect(waits.stands("deadline", events[1]!)).toBe(false);
});

test("one that is stopped twice, or told twice to go on, has one time; one that is set while its name is stopped waits for the link", () => {
  const clock = new ManualClock();
  const events: { name: string }[] = [];
  const waits = new Waits<{ name: string }>(clock, (event) => events.push(event));
  const ranOut = () => events.filter((event) => waits.stands(event.name, event)).length;
  const at = (time: number, work: () => void) => clock.after(time, work);
  waits.start("deadline", 30_000);
  at(5000, () => waits.pause("deadline"));
  at(65_000, () => waits.pause("deadline"));
  at(70_000, () => waits.resume("deadline"));
  at(80_000, () => waits.resume("deadline"));
  at(90_000, () => waits.pause("deadline"));
  at(99_000, () => waits.cancel("linger"));
  at(99_000, () => waits.pause("linger"));
  at(99_000, () => waits.start("linger", 1000));
  at(150_000, () => expect(events).toEqual([]));
  at(200_000, () => waits.resume("deadline"));
  // Of thirty seconds five and twenty had passed: ten are left, as after every absence.
  at(209_999, () => expect(events).toEqual([]));
  at(210_001, () => expect(ranOut()).toBe(1));
  at(300_000, () => waits.resume("linger"));
  while (clock.step());
  expect(clock.now).toBe(301_000);
  expect(events).toHaveLength(2);
  expect(ranOut()).toBe(1);
});
