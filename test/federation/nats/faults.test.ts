/**
 * Runs that are hit at random moments. Here one run of the gravest kinds; for 50 of every kind, at
 * other moments each time: `MPMTL_FAULT_RUNS=50 npx vitest run test/federation/nats/faults`.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { built, type Program } from "./servers/programs.js";
import type { Proxy } from "./servers/proxy.js";
import { bitsOf, owners, OWNERS, Scenario } from "./servers/scenario.js";
import { describeThoroughNats } from "./servers/server.js";
import { Tap } from "./servers/tap.js";

const RUNS = Number(process.env["MPMTL_FAULT_RUNS"] ?? 1);
const ROUNDS = 30;

/** Numbers in [0, 1) from a seed, so that a failing run can be made again. */
function moments(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Moment {
  readonly scenario: Scenario;
  readonly random: () => number;
}

async function restarted(program: Program, random: () => number): Promise<void> {
  if (program.done) return;
  program.kill();
  await delay(500 * random());
  if (!program.done) program.start();
}

const somebody = (scenario: Scenario, random: () => number): Program =>
  scenario.participants[owners[Math.floor(owners.length * random())]!];

const FAULTS: Record<string, (moment: Moment) => Promise<void>> = {
  "SIGKILL of a participant": ({ scenario, random }) =>
    restarted(somebody(scenario, random), random),
  "SIGKILL of the curator": ({ scenario, random }) => restarted(scenario.curator, random),
  "SIGKILL of the server": async ({ scenario, random }) => {
    await scenario.server.kill();
    await delay(500 * random());
    await scenario.server.start();
  },
  "a connection that breaks": ({ scenario, random }) => {
    proxyOf(scenario, random).cut();
    return Promise.resolve();
  },
  "a partition": async ({ scenario, random }) => {
    const proxy = proxyOf(scenario, random);
    proxy.silence();
    await delay(3000 * random());
    proxy.heal();
  },
  "a slow link": async ({ scenario, random }) => {
    const proxy = proxyOf(scenario, random);
    proxy.delay = 200 * random();
    await delay(1000 * random());
    proxy.delay = 3;
  },
};

function proxyOf({ proxies }: Scenario, random: () => number): Proxy {
  return [...proxies.values()][Math.floor(proxies.size * random())]!;
}

/** Lets the run get to a random round, strikes, and strikes again. */
async function strike(
  moment: Moment,
  tap: Tap,
  fault: (moment: Moment) => Promise<void>,
  times: number,
): Promise<void> {
  const { scenario, random } = moment;
  const rounds = Array.from({ length: times }, () => Math.floor(ROUNDS * random()));
  for (const round of rounds.sort((a, b) => a - b)) {
    while (tap.round < round && !scenario.curator.done) await delay(5);
    await delay(60 * random());
    if (scenario.curator.done) return;
    await fault(moment);
  }
}

async function check(scenario: Scenario, tap: Tap, seeded: boolean): Promise<void> {
  const { ledger, guarantee, history } = scenario.runFile;
  // Every round was charged once, and the whole is within the budget.
  const planned = Array.from({ length: ROUNDS }, (_, i) => i + 1);
  expect(ledger.entries.map(({ round }) => round)).toEqual(planned);
  expect(history.map(({ round }) => round)).toEqual(planned);
  expect(guarantee.spent.epsilon).toBeLessThanOrEqual(guarantee.epsilon);
  // What was published once was never published otherwise.
  for (const [round, digests] of tap.published) expect([round, digests.size]).toEqual([round, 1]);
  const local = seeded ? await scenario.localFit() : undefined;
  for (const owner of owners) {
    const model = scenario.model(owner);
    expect(model.taskNames).toEqual(OWNERS[owner]);
    for (const task of local ? OWNERS[owner] : []) {
      expect(bitsOf(model, task)).toBe(bitsOf(local!, task));
    }
  }
}

/**
 * A method that draws who takes part in a round, instead of one with everyone. Not by a Poisson sample: how much noise one takes is a second's work
 * for each process.
 */
const SAMPLED: { method?: string; options?: object } = {
  method: "pmtl",
  options: { adjacency: "zero-out", sampling: { kind: "fixed-size", size: 3 } },
};

const NOTHING: typeof SAMPLED = {};

/** A run under faults. Secure noise shows that nothing is drawn twice; seeded noise, the right models. */
async function strickenRun(kinds: readonly string[], seed: number, times: number): Promise<void> {
  const seeded = seed % 2 === 0;
  const random = moments(seed);
  const options = seeded ? {} : { random: { mode: "secure" } };
  const flags = seed % 3 === 0 ? ["--state", "kv:mpmtl_trial"] : [];
  const method = seed % 5 === 0 ? SAMPLED : NOTHING;
  const scenario = await Scenario.make(
    { ...method, options: { rounds: ROUNDS, ...options, ...method.options } },
    { delay: 3, flags },
  );
  await scenario.server.start();
  const tap = await Tap.open(scenario.deployment);
  try {
    for (const program of scenario.programs) program.start();
    const moment = { scenario, random };
    const any = (at: Moment) => FAULTS[kinds[Math.floor(kinds.length * random())]!]!(at);
    await strike(moment, tap, any, times);
    await scenario.finished();
    await check(scenario, tap, seeded);
  } catch (error) {
    throw new Error(`seed ${seed}, ${kinds.join(", ")}: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await tap.close();
    for (const program of scenario.programs) program.kill();
    for (const proxy of scenario.proxies.values()) proxy.close();
    await scenario.server.kill();
  }
}

describeThoroughNats("runs hit at random moments (needs dist/)", () => {
  const kinds = Object.keys(FAULTS);
  const chosen = RUNS > 1 ? kinds : kinds.filter((kind) => kind.startsWith("SIGKILL"));
  const first = RUNS === 1 ? 0 : Math.floor(Date.now() / 1000) % 1_000_000;
  test
    .skipIf(!built)
    .each([
      ...chosen.map((kind, i) => [kind, [kind], 6 * i + i, 2] as const),
      ["everything at once", kinds, 43, 6] as const,
    ])(
    "%s: no charge lost or made twice, no noise drawn twice, the same models",
    async (_title, among, seed, times) => {
      for (let run = 0; run < RUNS; run++) await strickenRun(among, first + seed + run, times);
    },
    240_000 * Math.max(1, RUNS),
  );
});
