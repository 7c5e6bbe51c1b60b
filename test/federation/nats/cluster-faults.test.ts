/**
 * Runs over a cluster of three whose servers, curator and parties are killed, or cut off, at the worst moments, all of them processes: planned
 * charges, one message a round, and the models of a run that nobody disturbs. Here a few of them; each kind of run under each, at other moments every
 * time: `MPMTL_FAULT_RUNS=20 npx vitest run test/federation/nats/cluster-faults`, with `MPMTL_FAULTS=WORDS` those whose names hold them, from the
 * seed `MPMTL_FAULT_SEED`, and with `MPMTL_FAULT_SECONDS=20` failing, with what all said and when, where a run lasts longer.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { PlanInput } from "../../../src/federation/index.js";
import type { FittedModel } from "../../../src/learning/index.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { runKilled } from "../killed-parties.js";
import { Cluster } from "./servers/cluster.js";
import { built, type Program } from "./servers/programs.js";
import {
  bitsOf,
  owners,
  OWNERS,
  Scenario,
  type Owner,
  type ScenarioOptions,
} from "./servers/scenario.js";
import { describeThoroughNats } from "./servers/server.js";
import { Tap } from "./servers/tap.js";

const RUNS = Number(process.env["MPMTL_FAULT_RUNS"] ?? 0);
const WORDS = process.env["MPMTL_FAULTS"] ?? "";
const ROUNDS = 12;
const SEED = Number(process.env["MPMTL_FAULT_SEED"] ?? Math.floor(Date.now() / 1000) % 1_000_000);
/** Of one run, in milliseconds. */
const LONGEST = 1000 * Number(process.env["MPMTL_FAULT_SECONDS"] ?? 100);

interface Kind {
  readonly input: Partial<PlanInput>;
  readonly more?: ScenarioOptions;
  readonly reference: (scenario: Scenario) => Promise<readonly FittedModel[]>;
}

const local = async (scenario: Scenario) => [await scenario.localFit()];
const cohort = (sampling: object): Kind => ({
  input: { method: "pmtl", options: { adjacency: "zero-out", rounds: ROUNDS, sampling } },
  reference: local,
});
const RELAYS: Readonly<Record<string, readonly Owner[]>> = {
  "site-a": ["north", "south"],
  "site-b": ["east"],
};
const ABOVE = { top: ["site-a", "site-b"] };
const WITHOUT_LEAF = [...Object.keys(RELAYS), "top"];
const relayOf = (owner: Owner) =>
  Object.keys(RELAYS).find((relay) => RELAYS[relay]!.includes(owner));

/** The same parties in memory, nobody killed. */
async function inMemory({ plan, tasks, folder, relays }: Scenario) {
  const { models } = await runKilled({
    plan,
    tasks: Object.fromEntries(owners.map((owner) => [owner, tasks.select([...OWNERS[owner]])])),
    identity: (owner) =>
      Uint8Array.from(Buffer.from(readFileSync(join(folder, `${owner}.identity`), "utf8"), "hex")),
    relays: Object.keys(relays),
  });
  return Object.values(models);
}

const KINDS: Readonly<Record<string, Kind>> = {
  "everyone in every round": { input: { options: { rounds: ROUNDS } }, reference: local },
  "a Poisson sample": cohort({ kind: "poisson", rate: 0.6 }),
  "a sample of fixed size": cohort({ kind: "fixed-size", size: 3 }),
  "one round of each block": cohort({ kind: "allocation", picks: 4 }),
  "relays of plain sums": {
    input: {
      options: { rounds: ROUNDS },
      aggregation: {
        kind: "relays",
        participants: owners.map((name) => {
          const relay = relayOf(name);
          return relay === undefined ? { name } : { name, relay };
        }),
        relays: Object.keys(RELAYS).map((name) => ({ name, relay: "top" })),
      },
    },
    more: { relays: RELAYS, above: ABOVE, withoutLeaf: WITHOUT_LEAF },
    reference: async ({ plan, tasks }) => [
      await makeEstimator(plan.method, plan.options).fit(tasks, { sums: "any-order" }),
    ],
  },
  "relays of secure sums": {
    input: { options: { rounds: 4 } },
    more: { trust: "secure", relays: RELAYS, above: ABOVE, withoutLeaf: WITHOUT_LEAF },
    reference: inMemory,
  },
};

/** A run in the middle, and how to strike it. */
interface Struck {
  readonly scenario: Scenario;
  readonly cluster: Cluster;
  readonly random: () => number;
  /** Resolves at a moment of a round that was opened. */
  readonly inRound: (round: number) => Promise<void>;
}

async function again(program: Program, after: number): Promise<void> {
  if (program.done) return;
  program.kill();
  await delay(after);
  if (!program.done) program.start();
}

const somewhere = (random: () => number) => 1 + Math.floor(3 * random());

const FAULTS: Readonly<Record<string, (at: Struck) => Promise<void>>> = {
  "each server in turn": async ({ cluster, inRound, random }) => {
    for (const [i, server] of cluster.servers.entries()) {
      await inRound(1 + i);
      await cluster.away([server], 1000 * random());
      await server.healthy();
    }
  },
  "the leader, in the middle of uploads": async ({ cluster, inRound, random }) => {
    const leader = await cluster.leader();
    await inRound(somewhere(random));
    await cluster.away([leader], 3000 * random());
  },
  "the leader hangs": async ({ cluster, inRound, random }) => {
    const leader = await cluster.leader();
    await inRound(somewhere(random));
    leader.hang(true);
    await delay(8000 * random());
    leader.hang(false);
  },
  "two of three are down": async ({ scenario, cluster, inRound, random }) => {
    const followers = await cluster.followers();
    const [first, second] = random() < 0.5 ? followers : [followers[0]!, await cluster.leader()];
    await inRound(somewhere(random));
    await Promise.all([first, second].map((server) => server!.kill()));
    await scenario.curator.says('"kind":"store-waits"');
    expect(scenario.curator.done).toBe(false);
    await delay(1000 * random());
    await Promise.all([first, second].map((server) => server!.start()));
  },
  "all of them": async ({ cluster, inRound, random }) => {
    await inRound(somewhere(random));
    await cluster.away(cluster.servers, 1000 * random());
  },
  "the leader, while owners register": async ({ scenario, cluster, random }) => {
    const leader = await cluster.leader();
    await delay(700 * random());
    await cluster.away([leader], 2000 * random());
    expect(scenario.curator.done).toBe(false);
  },
  "the curator, while the cluster elects": async ({ scenario, cluster, inRound, random }) => {
    const leader = await cluster.leader();
    await inRound(somewhere(random));
    const back = cluster.away([leader], 3000 * random());
    await delay(50 * random());
    await again(scenario.curator, 300 * random());
    await back;
  },
  "the curator, while two of three are down": async ({ scenario, cluster, inRound, random }) => {
    const followers = await cluster.followers();
    await inRound(somewhere(random));
    const back = cluster.away(followers, 8000 * random());
    await again(scenario.curator, 300 * random());
    await back;
  },
  "the leader is cut off from the others": async ({ cluster, inRound, random }) => {
    const leader = await cluster.leader();
    await inRound(somewhere(random));
    await cluster.cutFor(leader, 15_000 * random());
  },
  "another server is cut off from the leader": async ({ cluster, inRound, random }) => {
    const [follower] = await cluster.followers();
    await inRound(somewhere(random));
    await cluster.cutFor(follower!, 15_000 * random());
  },
  "the curator is killed while the leader is cut off": async (at) => {
    const { scenario, cluster, inRound, random } = at;
    const leader = await cluster.leader();
    await inRound(somewhere(random));
    const healed = cluster.cutFor(leader, 15_000 * random());
    await delay(2000 * random());
    await again(scenario.curator, 300 * random());
    await healed;
  },
  "curator, a participant and the leader, one after the other": async (at) => {
    const { scenario, cluster, inRound, random } = at;
    for (let round = 1; round <= 3; round++) {
      const leader = await cluster.leader();
      await inRound(round);
      const back = cluster.away([leader], 500 * random());
      await delay(100 * random());
      await again(scenario.curator, 300 * random());
      await again(scenario.participants[owners[Math.floor(4 * random())]!]!, 300 * random());
      for (const relay of Object.values(scenario.relays)) await again(relay, 100 * random());
      await back;
      await cluster.servers[0]!.healthy();
    }
  },
};

/** Numbers in [0, 1) from a seed, so that a failing run can be made again. */
function moments(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function expectUndisturbed(scenario: Scenario, tap: Tap, kind: Kind): Promise<void> {
  const { ledger, guarantee, history } = scenario.runFile;
  const count = scenario.plan.options["rounds"] as number;
  const planned = Array.from({ length: count }, (_, i) => i + 1);
  expect(ledger.entries.map(({ round }) => round)).toEqual(planned);
  expect(history.map(({ round }) => round)).toEqual(planned);
  expect(guarantee.spent.epsilon).toBeLessThanOrEqual(guarantee.epsilon);
  for (const [round, digests] of tap.published) expect([round, digests.size]).toEqual([round, 1]);
  const models = await kind.reference(scenario);
  for (const owner of owners) {
    const own = scenario.model(owner);
    expect(own.taskNames).toEqual(OWNERS[owner]);
    for (const task of OWNERS[owner]) {
      const expected = models.find(({ taskNames }) => taskNames.includes(task))!;
      expect(bitsOf(own, task)).toBe(bitsOf(expected, task));
    }
  }
}

async function strickenRun(kind: Kind, fault: (at: Struck) => Promise<void>, seed: number) {
  const random = moments(seed);
  const scenario = await Scenario.make(kind.input, {
    ...kind.more,
    servers: 3,
    flags: ["--state", "kv:mpmtl_trial", "--replicas", "3", "--progress", "json"],
  });
  const { servers } = scenario.deployment;
  const cluster = new Cluster(servers, "mpmtl_trial");
  await cluster.throughProxies();
  await Promise.all(servers.map((server) => server.start()));
  const tap = await Tap.open(scenario.deployment);
  const over = new AbortController();
  try {
    scenario.curator.start();
    await scenario.curator.says('"kind":"state"');
    for (const program of scenario.programs.slice(1)) program.start();
    const struck = fault({
      scenario,
      cluster,
      random,
      inRound: async (round) => {
        await scenario.curator.says(`"kind":"round","round":${round},`);
        await delay(30 * random());
      },
    });
    const ended = struck.then(() => scenario.finished());
    const late = delay(LONGEST, undefined, { signal: over.signal }).then(() => {
      const said = scenario.programs.map(({ name, told }) => `--- ${name}\n${told}`);
      const logs = servers.map(({ log }, i) => `--- server ${i + 1}\n${log.slice(-4000)}`);
      throw new Error(`not over after ${LONGEST / 1000} s\n${[...said, ...logs].join("\n")}`);
    });
    late.catch(() => undefined);
    // A fault may wait for what a curator that has ended does not do any more.
    const failed = scenario.curator.finished
      .then(() => scenario.finished([scenario.curator]))
      .then(() => ended);
    await Promise.race([ended, failed, late]);
    await expectUndisturbed(scenario, tap, kind);
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    over.abort();
    await tap.close();
    for (const program of scenario.programs) program.kill();
    for (const server of servers) server.hang(false);
    await Promise.all(servers.map((server) => server.kill()));
  }
}

/** What is tried here; each takes some ten seconds, most of them elections. */
const CHOSEN: readonly (readonly [kind: string, fault: string])[] = [
  ["a sample of fixed size", "two of three are down"],
  ["relays of plain sums", "the curator, while the cluster elects"],
  ["relays of secure sums", "the leader hangs"],
];

describeThoroughNats("runs over a cluster that is struck (needs dist/)", () => {
  const all = Object.keys(KINDS).flatMap((kind) =>
    Object.keys(FAULTS).map((fault) => [kind, fault] as const),
  );
  const cases = (RUNS > 0 ? all : CHOSEN).filter((names) => names.join(": ").includes(WORDS));
  const first = RUNS > 0 ? SEED : 7;
  test.skipIf(!built).each(cases)(
    "%s: %s",
    async (kind, fault) => {
      for (let run = 0; run < Math.max(1, RUNS); run++) {
        await strickenRun(KINDS[kind]!, FAULTS[fault]!, first + run);
      }
    },
    120_000 * Math.max(1, RUNS),
  );
});
