/** The message that a run has begun is lost: who misses it hears of a round, and asks at once, however long it waited before. */
import { expect, test } from "vitest";
import {
  decodeMessage,
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
} from "../../src/federation/index.js";
import { makeTasks } from "../learning/tasks.js";
import { dealt, joinAll, planFor, settle, settled } from "./runs.js";

const tasks = makeTasks({ m: 3, d: 3, rows: () => 8 });

test.each([
  ["everyone in every round", { method: "mp-low-rank", options: { rounds: 3 } }],
  [
    "a Poisson sample",
    {
      method: "pmtl",
      options: { adjacency: "zero-out", rounds: 3, sampling: { kind: "poisson", rate: 0.6 } },
    },
  ],
])("%s: the run is over in seconds", async (_title, input) => {
  const plan = planFor(tasks, { ...input, deadline: 600 });
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const curators = network.curator();
  let lost = 0;
  const curator = runCurator({
    plan,
    clock,
    store: new MemoryStore(),
    transport: {
      ...curators,
      send: (to, message) => {
        const isLost = decodeMessage(message).type === "start" && to !== "p2" && lost < 2;
        if (!isLost) return curators.send(to, message);
        lost++;
        return Promise.resolve();
      },
    },
  });
  const { p2, ...early } = dealt(tasks, 3);
  const joined = joinAll({ plan, clock, network, tasks: early });
  // Whoever waits asks more and more rarely.
  while (clock.now < 200_000) {
    await settled(clock);
    clock.step();
  }
  const late = joinRun({
    run: plan.run,
    participant: "p2",
    data: p2!,
    clock,
    agreed: planHash(plan),
    transport: network.participant("p2"),
    store: new MemoryStore(),
  });
  const began = clock.now;
  await settle(clock, Promise.all([curator, ...joined, late]));
  expect(lost).toBe(2);
  expect(clock.now - began).toBeLessThan(12_000);
});
