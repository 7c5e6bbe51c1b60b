/** What waits of a participant while a record is kept is bounded, and the run goes on with the rest. */
import { expect, test } from "vitest";
import {
  encodeMessage,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type CuratorStatus,
} from "../../../src/federation/index.js";
import { Inflow } from "../../../src/federation/curator/inflow.js";
import { makeTasks } from "../../learning/tasks.js";
import { dealt, joinAll, planFor, quiet, settle } from "../runs.js";

test("of each sender so many messages and bytes wait, one of any length in any case", () => {
  const inflow = new Inflow();
  const long = { from: "p0", message: new Uint8Array(2 ** 27 + 1) };
  const short = { from: "p0", message: new Uint8Array(10) };
  expect(inflow.admits(long)).toBe(true);
  expect(inflow.admits(short)).toBe(false);
  expect(inflow.admits({ ...short, from: "p1" })).toBe(true);
  inflow.taken(long);
  let admitted = 0;
  while (inflow.admits(short)) admitted++;
  expect(admitted).toBe(2 ** 14);
  inflow.taken(short);
  expect([inflow.admits(short), inflow.admits(short)]).toEqual([true, false]);
});

test("a participant that talks on while the store does not answer has most of it dropped; the run goes on", async () => {
  const tasks = makeTasks({ m: 2, d: 3, rows: () => 6 });
  const plan = planFor(tasks, { method: "mp-low-rank", options: { rounds: 3 }, deadline: 20 });
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const kept = new MemoryStore();
  let open: () => void = () => undefined;
  const statuses: CuratorStatus[] = [];
  const curator = runCurator({
    plan,
    clock,
    transport: network.curator(),
    store: {
      load: () => kept.load(),
      close: () => kept.close(),
      append: async (record) => {
        await kept.append(record);
        // The server is away: at the first record, when nothing was said yet.
        if (open.length === 0 && statuses.length === 0)
          await new Promise<void>((go) => (open = go));
      },
    },
    onStatus: (status) => statuses.push(status),
  });
  await quiet();
  const message = encodeMessage(
    { run: plan.run, session: "0".repeat(32), plan: planHash(plan), participant: "p1" },
    { type: "pull", round: 1 },
  );
  for (let i = 0; i < 100_000; i++) network.inject("p1", message);
  open();
  const joined = joinAll({ plan, clock, network, tasks: dealt(tasks, 2) });
  await settle(clock, Promise.all([curator, ...joined]));
  const refused = statuses.flatMap((status) =>
    status.kind === "refused" ? [status.times ?? 1] : [],
  );
  const told = refused.reduce((sum, times) => sum + times, 0);
  expect(told).toBeLessThanOrEqual(2 ** 14);
  expect(told).toBeGreaterThan(2 ** 13);
});
