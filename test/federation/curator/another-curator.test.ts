/** Another curator has taken the run up: one that only waits, and so writes nothing, learns of it all the same. */
import { expect, test } from "vitest";
import { DataError } from "../../../src/core/index.js";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type CuratorStatus,
} from "../../../src/federation/index.js";
import { Desk } from "../desk.js";
import { makeTasks } from "../../learning/tasks.js";
import { dealt, planFor, settle } from "../runs.js";

const tasks = makeTasks({ m: 4, d: 3, rows: () => 5 });

/** Whose next record is another's from some moment on. */
class TakenStore extends MemoryStore {
  taken = false;
  asked = 0;

  confirm(): Promise<void> {
    this.asked++;
    return this.taken ? Promise.reject(new DataError("another curator's")) : Promise.resolve();
  }
}

test("while nobody registers", async () => {
  const plan = planFor(tasks, { method: "mp-low-rank", registration: 60 });
  const [clock, store] = [new ManualClock(), new TakenStore()];
  const transport = new MemoryNetwork(clock).curator();
  const statuses: CuratorStatus[] = [];
  const onStatus = (status: CuratorStatus) => {
    statuses.push(status);
    store.taken = status.kind === "too-few";
  };
  const done = runCurator({ plan, store, clock, transport, onStatus });
  await expect(settle(clock, done)).rejects.toThrow("another curator's");
  // When the link came up, and at each end of the time for registering.
  expect(store.asked).toBe(3);
  expect(statuses.map(({ kind }) => kind)).toEqual(["link", "too-few"]);
});

test("while the plan sets no time for registering: when the link comes up, and where a round is spoken of", () => {
  const desk = new Desk();
  const asks = (effects: readonly { readonly type: string }[]) =>
    effects.filter(({ type }) => type === "confirm").length;
  const wakes = () => asks(desk.take({ type: "timer", name: "registrations" }));
  expect(asks(desk.effects)).toBe(1);
  expect(asks(desk.take({ type: "link", state: "down" }))).toBe(0);
  expect(asks(desk.take({ type: "link", state: "up" }))).toBe(1);
  // However often it is said: the bucket is not asked for every word.
  for (const said of [
    () => desk.say("west", { type: "pull", round: 2 }),
    () => desk.push("west", 2, [3], [0, 0.1]),
  ]) {
    expect(said().map(({ type }) => type)).toEqual(["timer"]);
    expect(said()).toEqual([]);
    expect(wakes()).toBe(1);
    expect(wakes()).toBe(0);
  }
  // Nor are registrations kept later for it.
  desk.register("west", "d");
  expect(desk.say("west", { type: "pull", round: 2 })).toEqual([]);
  const kept = desk.take({ type: "timer", name: "registrations" }).map(({ type }) => type);
  expect(kept).toEqual(["confirm", "append", "send"]);
});

test("in a round for which nobody is left", async () => {
  const plan = planFor(tasks, { method: "mp-low-rank", options: { rounds: 4 }, deadline: 30 });
  const [clock, store] = [new ManualClock(), new TakenStore()];
  const network = new MemoryNetwork(clock);
  const away = new AbortController();
  const onStatus = (status: CuratorStatus) => {
    if (status.kind === "paused") store.taken = true;
    if (status.kind === "closed" && status.round === 2) away.abort(new Error("away"));
  };
  const transport = network.curator();
  const done = runCurator({ plan, store, clock, transport, onStatus });
  const gone = Promise.all(
    Object.entries(dealt(tasks, 2)).map(([participant, data]) =>
      expect(
        joinRun({
          run: plan.run,
          participant,
          data,
          clock,
          agreed: planHash(plan),
          transport: network.participant(participant),
          store: new MemoryStore(),
          signal: away.signal,
        }),
      ).rejects.toThrow("away"),
    ),
  );
  await expect(settle(clock, done)).rejects.toThrow("another curator's");
  await gone;
  // When the link came up; every five seconds before the deadline, and once after it.
  expect(store.asked).toBe(7);
});
