/** A curator that is killed while owners register: those who have gone home since need not come again for the run to start. */
import { expect, test } from "vitest";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type CuratorStatus,
} from "../../src/federation/index.js";
import { makeTasks } from "../learning/tasks.js";
import { dealt, localFit, planFor, quiet, settle, taskBits } from "./runs.js";

test("the run starts without their coming back, and they join it later: the local fit's models", async () => {
  const tasks = makeTasks({ m: 5, d: 3, rows: () => 6 });
  const plan = planFor(tasks, { method: "mp-low-rank", options: { rounds: 2 }, deadline: 20 });
  const members = dealt(tasks, 3);
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const stores = new Map(["curator", "p0", "p1", "p2"].map((who) => [who, new MemoryStore()]));
  let told = false;
  const curator = (signal?: AbortSignal) => {
    const statuses: CuratorStatus[] = [];
    const done = runCurator({
      plan,
      clock,
      store: stores.get("curator")!,
      transport: network.curator(),
      onStatus: (status) => statuses.push(status),
      ...(signal ? { signal } : {}),
    });
    return { statuses, done };
  };
  const join = (participant: string, signal?: AbortSignal) =>
    joinRun({
      run: plan.run,
      participant,
      data: members[participant]!,
      clock,
      agreed: planHash(plan),
      store: stores.get(participant)!,
      transport: network.participant(participant),
      onStatus: ({ kind }) => (told ||= kind === "registered"),
      ...(signal ? { signal } : {}),
    });
  const pass = async (until: () => boolean) => {
    for (let k = 0; k < 200 && !until(); k++) {
      await quiet();
      await clock.settled();
      clock.step();
    }
    expect(until()).toBe(true);
  };
  const killed = (process: Promise<unknown>) => expect(process).rejects.toThrow("killed");

  const [owner, first] = [new AbortController(), new AbortController()];
  const before = curator(first.signal);
  const gone = killed(join("p0", owner.signal));
  // Not a moment later than the owner is told.
  await pass(() => told);
  owner.abort(new Error("killed"));
  first.abort(new Error("killed"));
  await Promise.all([gone, killed(before.done)]);

  const after = curator();
  const others = [join("p1"), join("p2")];
  const started = () => after.statuses.find((status) => status.kind === "started");
  await pass(() => started() !== undefined);
  expect(started()).toEqual({ kind: "started", tasks: 5, participants: 3 });
  const all = await settle(clock, Promise.all([...others, join("p0"), after.done]));
  const local = await localFit(plan, tasks);
  for (const model of all.slice(0, 3) as Awaited<(typeof others)[0]>[]) {
    for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(local, name));
  }
});
