/**
 * Runs over relays and leaf servers that are struck once a round, and what they must equal.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import {
  joinRun,
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
} from "../../../src/federation/index.js";
import type { FittedModel } from "../../../src/learning/index.js";
import type { Program } from "../nats/servers/programs.js";
import { bitsOf, OWNERS, owners, type Owner, type Scenario } from "../nats/servers/scenario.js";
import type { NatsServer } from "../nats/servers/server.js";
import { Tap } from "../nats/servers/tap.js";
import { settle } from "../runs.js";

/** A deadline in seconds by which nobody is late on a busy machine: a round without someone gives other models. */
export const PATIENT = 60;

/** One for runs in which relays are lost for good, and two of which pass: still more than a busy machine keeps anybody waiting. */
export const PATIENT_WITHOUT_RELAY = 12;

/** The same plan without relays, in this process. */
export async function flat({ plan, tasks, folder }: Scenario): Promise<Map<string, string>> {
  const { aggregation } = plan;
  if (aggregation?.kind !== "secure") throw new Error("expected secure sums");
  const participants = aggregation.participants.map(({ name, identity }) => ({ name, identity }));
  const sums = { ...aggregation, participants, relays: [] };
  const without = makePlan({ ...plan, aggregation: sums });
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const store = new MemoryStore();
  const curator = runCurator({ plan: without, clock, store, transport: network.curator() });
  const joined = owners.map((participant) =>
    joinRun({
      run: plan.run,
      participant,
      clock,
      agreed: planHash(without),
      store: new MemoryStore(),
      data: tasks.select([...OWNERS[participant]]),
      transport: network.participant(participant),
      identity: Buffer.from(readFileSync(join(folder, `${participant}.identity`), "utf8"), "hex"),
    }),
  );
  const [, models] = await settle(clock, Promise.all([curator, Promise.all(joined)]));
  return bitsOfAll((owner) => models[owners.indexOf(owner)]!);
}

export const bitsOfAll = (model: (owner: Owner) => FittedModel) =>
  new Map(
    owners.flatMap((owner) => OWNERS[owner].map((task) => [task, bitsOf(model(owner), task)])),
  );

/** A program is killed and started again. */
export async function restarted(program: Program): Promise<void> {
  if (program.done) return;
  program.kill();
  await delay(300);
  program.start();
}

/** A server is killed and started again. */
export async function serverRestarted(server: NatsServer): Promise<void> {
  await server.kill();
  await delay(300);
  await server.start();
}

/**
 * Runs it, strikes once a round but the last, and compares with the run without relays: models, charges, and that no round was published
 * in two ways.
 */
export async function survive(
  scenario: Scenario,
  strike?: (scenario: Scenario, round: number) => Promise<void>,
): Promise<Scenario> {
  const rounds = scenario.plan.options["rounds"] as number;
  await scenario.start();
  const tap = await Tap.open(scenario.deployment);
  for (let round = 1; strike && round < rounds; round++) {
    while (tap.round < round) await delay(5);
    await strike(scenario, round);
  }
  await scenario.finished();
  await tap.close();
  const said = scenario.programs.map(({ name, stderr }) => `--- ${name}\n${stderr}`).join("\n");
  expect(
    bitsOfAll((owner) => scenario.model(owner)),
    said,
  ).toEqual(await flat(scenario));
  expect(scenario.runFile.ledger.entries).toHaveLength(rounds);
  for (const digests of tap.published.values()) expect(digests.size).toBe(1);
  const { servers, leaves } = scenario.deployment;
  await Promise.all([...servers, ...Object.values(leaves)].map((server) => server.kill()));
  return scenario;
}
