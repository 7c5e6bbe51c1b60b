/** A store that answers late: what ran out while it was waited for does not count against what began afterwards. */
import { expect, test } from "vitest";
import {
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  runCurator,
  type CuratorStatus,
} from "../../src/federation/index.js";
import { decodeRecord } from "../../src/federation/protocol/records.js";
import { makeTasks } from "../learning/tasks.js";
import { dealt, joinAll, localFit, planFor, quiet, settle, taskBits } from "./runs.js";

const tasks = makeTasks({ m: 6, d: 3, rows: () => 5 });

test("without end, while the records are read: whoever has enough is heard, and all is closed", async () => {
  const clock = new ManualClock();
  const plan = planFor(tasks, { method: "mp-low-rank" });
  let closed = 0;
  let answer: (() => void) | undefined;
  const store = new (class extends MemoryStore {
    override async load() {
      await new Promise<void>((resolve) => (answer = resolve));
      return [];
    }
    override close() {
      closed++;
      return super.close();
    }
  })();
  const end = new AbortController();
  const transport = new MemoryNetwork(clock).curator();
  const running = runCurator({ plan, store, clock, transport, signal: end.signal });
  end.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  expect(closed).toBe(1);
  // Nobody hears what comes of it after all.
  answer!();
  await quiet();
});

test("longer than a deadline: nobody is expelled, or left behind, in a round that has just begun", async () => {
  const options = { rounds: 4 };
  const plan = planFor(tasks, { method: "mp-low-rank", options, deadline: 3, quorum: 0.5 });
  const clock = new ManualClock();
  // The slowest of them answers well within the deadline.
  const network = new MemoryNetwork(clock, { delay: 900, random: () => 0.9 });
  const store = new (class extends MemoryStore {
    override async append(record: Uint8Array) {
      await super.append(record);
      if (decodeRecord(record).type !== "release") return;
      await new Promise<void>((resolve) => clock.after(10_000, resolve));
    }
  })();
  const statuses: CuratorStatus[] = [];
  const running = runCurator({
    plan,
    store,
    clock,
    transport: network.curator(),
    patience: { expelAfter: 1 },
    onStatus: (status) => statuses.push(status),
  });
  const joined = joinAll({ plan, clock, network, tasks: dealt(tasks, 3) });
  const [, ...models] = await settle(clock, Promise.all([running, ...joined]));
  expect(statuses.filter(({ kind }) => kind === "expelled" || kind === "paused")).toEqual([]);
  const closed = statuses.filter((status) => status.kind === "closed");
  expect(closed.map(({ present }) => present)).toEqual([6, 6, 6, 6]);
  const local = await localFit(plan, tasks);
  for (const model of models) {
    for (const name of model.taskNames) expect(taskBits(model, name)).toBe(taskBits(local, name));
  }
});
