/** A participant that had received every round comes back when all are over: it has its models, and nothing is called lost. */
import { expect, test } from "vitest";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type ParticipantStatus,
} from "../../src/federation/index.js";
import { makeTasks } from "../learning/tasks.js";
import { dealt, localFit, planFor, settle, taskBits } from "./runs.js";

const tasks = makeTasks({ m: 3, d: 3, rows: () => 8 });

test.each([
  ["the curator that ended the run", 1, "replace", undefined],
  ["one of a single round", 1, "replace", 1],
  ["a curator that was started again", 2, "replace", undefined],
  ["where tasks are sampled", 1, "zero-out", undefined],
] as const)("%s", async (_title, curators, adjacency, only) => {
  const rounds = only ?? 3;
  const sampling =
    adjacency === "zero-out" ? { kind: "poisson" as const, rate: 0.6 } : { kind: "all" as const };
  const options = { rounds, adjacency, sampling, random: { mode: "seeded" as const, seed: 5 } };
  const plan = planFor(tasks, { method: "pmtl", options });
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const kept = new MemoryStore();
  const curate = (signal: AbortSignal) =>
    runCurator({ plan, clock, store: kept, transport: network.curator(), signal });
  const { p0, ...others } = dealt(tasks, 3);
  const join = (participant: string, data = p0!, store = new MemoryStore()) => ({
    run: plan.run,
    participant,
    data,
    store,
    clock,
    agreed: planHash(plan),
    transport: network.participant(participant),
  });

  const [gone, over] = [new AbortController(), new AbortController()];
  const first = curate(over.signal);
  const states = new MemoryStore();
  const early = joinRun({
    ...join("p0", p0, states),
    signal: gone.signal,
    onStatus: (status) => {
      if (status.kind === "received" && status.round === rounds) gone.abort(new Error("killed"));
    },
  });
  const rest = Object.entries(others).map(([name, data]) => joinRun(join(name, data)));
  await expect(settle(clock, early)).rejects.toThrow("killed");
  await settle(clock, Promise.all(rest));
  if (curators === 2) over.abort(new Error("ended"));
  const ends = Promise.allSettled([first]);
  if (curators === 2) await settle(clock, ends);
  const serving = curators === 2 ? curate(new AbortController().signal) : first;

  const said: ParticipantStatus[] = [];
  const back = joinRun({ ...join("p0", p0, states), onStatus: (status) => said.push(status) });
  const [model] = await settle(clock, Promise.all([back, serving]));
  expect(said.map(({ kind }) => kind)).not.toContain("ahead");
  expect(said).toContainEqual({ kind: "started", tasks: 3, round: rounds });
  const local = await localFit(plan, tasks);
  for (const task of p0!.names) expect(taskBits(model, task)).toBe(taskBits(local, task));
});
