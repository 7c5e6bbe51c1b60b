/** Tasks that are read once the plan is known, and take their time: nothing is said meanwhile, and moments serve as their rows would. */
import { expect, test } from "vitest";
import { DataError, VERSION } from "../../src/core/index.js";
import { TaskMoments, type TaskSet } from "../../src/data/index.js";
import {
  canonicalPlan,
  encodeMessage,
  joinRun,
  ParticipantMachine,
  planHash,
  runCurator,
  type ParticipantEvent,
} from "../../src/federation/index.js";
import { ManualClock } from "../../src/federation/protocol/machine/clock.js";
import { MemoryStore } from "../../src/federation/protocol/machine/machine.js";
import { MemoryNetwork } from "../../src/federation/protocol/machine/memory-transport.js";
import { makeTasks } from "../learning/tasks.js";
import { said, SESSION } from "./desk.js";
import { dealt, localFit, planFor, settle, taskBits } from "./runs.js";

const rows = makeTasks({ m: 6, d: 2, rows: (i) => 90 + i });
const plan = planFor(rows, { method: "mp-mixed", options: { epsilon: 5, scale: "unit" } });
const agreed = planHash(plan);

/** What is kept of rows that come in pieces of forty of each task. */
function momentsOf(tasks: TaskSet): TaskSet {
  const moments = new TaskMoments();
  for (let from = 0; from < 100; from += 40) {
    moments.add(tasks.where((row) => row >= from && row < from + 40));
  }
  return moments.tasks();
}

test("a run of owners who keep moments has the bits of a local fit of these", async () => {
  const [clock, store] = [new ManualClock(), new MemoryStore()];
  const network = new MemoryNetwork(clock);
  const curator = runCurator({ plan, transport: network.curator(), store, clock });
  const own = Object.entries(dealt(rows, 3));
  const joined = own.map(([participant, tasks]) =>
    joinRun({
      run: plan.run,
      participant,
      data: async () => {
        await Promise.resolve();
        return momentsOf(tasks);
      },
      clock,
      agreed,
      transport: network.participant(participant),
      store: new MemoryStore(),
    }),
  );
  const [, models] = await settle(clock, Promise.all([curator, Promise.all(joined)]));
  const local = await localFit(plan, momentsOf(rows));
  own.forEach(([, { names }], k) => {
    for (const name of names) expect(taskBits(models[k]!, name)).toBe(taskBits(local, name));
  });
});

test("a participant that reads says nothing, and registers when it has read", () => {
  const reading = Promise.resolve(rows);
  const machine = new ParticipantMachine({
    run: plan.run,
    participant: "p0",
    agreed,
    data: () => reading,
  });
  const after = (event: ParticipantEvent) => machine.handle(event);
  const offer = () => {
    const envelope = { run: plan.run, session: SESSION, plan: agreed, participant: "p0" };
    const body = { type: "plan", text: canonicalPlan(plan), release: VERSION } as const;
    return after({ type: "message", message: encodeMessage(envelope, body), scope: "own" });
  };
  after({ type: "link", state: "up" });
  const effects = offer();
  expect(said(effects)).toEqual([]);
  expect(effects).toContainEqual({ type: "read", tasks: reading });
  // Neither a second offer nor a link that comes back has it begin anew, or register without rows.
  const meanwhile = [offer(), after({ type: "link", state: "up" }), after({ type: "agree" })];
  expect(said(meanwhile.flat())).toEqual([]);
  expect(said(after({ type: "read", tasks: rows }))).toMatchObject([{ type: "register" }]);
  expect(after({ type: "read", tasks: rows })).toEqual([]);
});

test("rows that cannot be read, or do not suit the plan, end it with their error", async () => {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const stop = new AbortController();
  const curator = runCurator({
    plan,
    transport: network.curator(),
    store: new MemoryStore(),
    clock,
    signal: stop.signal,
  });
  const join = (participant: string, data: () => TaskSet | Promise<TaskSet>, own = {}) =>
    joinRun({
      ...own,
      run: plan.run,
      participant,
      data,
      clock,
      agreed,
      transport: network.participant(participant),
      store: new MemoryStore(),
    });
  const unread = join("p0", () => Promise.reject(new DataError("line 7 ends too soon")));
  const others = join("p1", async () => makeTasks({ m: 1, d: 3, rows: () => 4 }));
  // What a function without types gives is no task set.
  const none = [join("p2", () => undefined as never), join("p3", async () => 7 as never)];
  // Who gives up does not wait for rows, and is not told of what became of them.
  const [leave, gone] = [new AbortController(), new Error("gone home")];
  const left = join(
    "p4",
    async () => {
      leave.abort(gone);
      return Promise.reject(new DataError("too late"));
    },
    { signal: leave.signal },
  );
  const ended = await settle(clock, Promise.allSettled([unread, others, ...none, left]));
  const why = ended.map((one) => String("reason" in one ? one.reason : one.value));
  expect(why[0]).toContain("line 7 ends too soon");
  expect(why[1]).toContain("in the same order");
  expect(why[2]).toContain("data: expected a task set, got undefined");
  expect(why[3]).toContain("data: expected a task set, got number");
  expect(ended[4]).toEqual({ status: "rejected", reason: gone });
  stop.abort(new Error("enough"));
  await expect(curator).rejects.toThrow("enough");
});
