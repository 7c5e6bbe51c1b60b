/**
 * One participant with valid credentials, and the twenty-odd things of `attacks.ts` that it may try: the others get through all
 * rounds, every round is charged once, and the curator says little of it. At a real server: `nats/attacks.test.ts`.
 */
import { expect, test } from "vitest";
import { simulate } from "../../src/data/index.js";
import {
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  runCurator,
  type CuratorStatus,
} from "../../src/federation/index.js";
import { Attacker, ATTACKS } from "./attacks.js";
import { joinAll, settle } from "./runs.js";

const ROUNDS = 6;
const tasks = simulate({ pattern: "low-rank", tasks: 4, features: 6, samples: 8, seed: 5 }).train;
const honest = tasks.names.slice(0, 3);
const plan = makePlan({
  run: "attacked",
  method: "mp-low-rank",
  features: tasks.featureNames,
  tasks: tasks.names.map((name, i) => ({ name, participant: i < 3 ? `p${i}` : "mallory" })),
  minimumTasks: 3,
  registration: 30,
  quorum: 0.75,
  deadline: 20,
  options: {
    rounds: ROUNDS,
    clip: 1,
    epsilon: 5,
    delta: 1e-3,
    random: { mode: "seeded", seed: "attacked" },
  },
});

test("there are twenty of them, and more", () => {
  expect(Object.keys(ATTACKS).length).toBeGreaterThanOrEqual(20);
});

test.each(Object.entries(ATTACKS))("who %s stops nobody", async (_name, attack) => {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const store = new MemoryStore();
  const statuses: CuratorStatus[] = [];
  const curator = runCurator({
    plan,
    clock,
    store,
    transport: network.curator(),
    patience: { linger: 30_000 },
    onStatus: (status) => statuses.push(status),
  });
  const members = Object.fromEntries(honest.map((name, i) => [`p${i}`, tasks.select([name])]));
  const joined = joinAll({ plan, clock, network, tasks: members });
  const attacker = new Attacker(plan, "mallory", network.participant("mallory"), attack);
  const [result, models] = await settle(clock, Promise.all([curator, Promise.all(joined)]));
  expect(attacker.sent).toBeGreaterThan(1);
  expect(models.map(({ taskNames }) => taskNames)).toEqual(honest.map((name) => [name]));
  expect(models.every(({ weights }) => weights.every(Number.isFinite))).toBe(true);
  const rounds = Array.from({ length: ROUNDS }, (_, i) => i + 1);
  expect(result.ledger.entries.map(({ round }) => round)).toEqual(rounds);
  expect(result.finished).toEqual(expect.arrayContaining(["p0", "p1", "p2"]));
  // Registered, left and refused: a line each at most, few in all.
  const about = statuses.filter((status) => status.kind === "refused");
  expect(about.length).toBeLessThan(40);
  expect(clock.now).toBeLessThan(1000 * (30 + 20 * ROUNDS + 60));
});
