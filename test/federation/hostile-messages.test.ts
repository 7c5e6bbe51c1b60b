/**
 * Messages that a broken or hostile program makes of true ones: no decoder throws anything but its own errors or takes much memory;
 * no participant ends or stops a run of others by them; of a curator participants end in a line, or wait.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MpMtlError, OptionError } from "../../src/core/index.js";
import { seededUniforms } from "../../src/data/index.js";
import {
  decodeFrame,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  parsePlan,
  planHash,
  canonicalPlan,
  runCurator,
  runRelay,
  type CuratorResult,
  type ParticipantTransport,
} from "../../src/federation/index.js";
import { readMessage } from "../../src/federation/protocol/messages/message-bytes.js";
import { runHelper } from "../../src/federation/verified-sums/index.js";
import { plain, twoAggregators, unseeded, type Parties } from "./killed-parties.js";
import { mutant } from "./mutants.js";
import { relayedPlan } from "./relays/plain-run.js";
import { tree } from "./relays/relayed-run.js";
import { settled } from "./runs.js";
import { identity } from "./secure-aggregation/harness.js";
import { owner, planOf, tasks } from "./secure-aggregation/secure-run.js";
import { thorough } from "../thorough.js";

const own = Object.fromEntries(
  [0, 1, 2, 3, 4].map((i) => [
    `p${i}`,
    tasks.select(tasks.names.filter((_, k) => owner(k) === `p${i}`)),
  ]),
);
const secure = { tasks: own, identity: (who: string) => identity(Number(who[1])).secret };
const above = ["west", "east", "top"];
const sampled = { adjacency: "zero-out", sampling: { kind: "poisson", rate: 0.6 } };

const KINDS: Readonly<Record<string, Parties>> = {
  "plain sums": plain("mp-low-rank", {}),
  "a Poisson sample": plain("pmtl", sampled),
  "an untrusted curator": plain("mp-group-sparse", { curator: "untrusted" }),
  "secure sums": { ...secure, plan: unseeded(planOf("mp-low-rank", { rounds: 2, epsilon: 5 })) },
  "relays of secure sums": { ...secure, plan: unseeded(tree()), relays: above },
  "relays of plain sums": {
    tasks: own,
    plan: unseeded(relayedPlan("a tree of relays")),
    relays: above,
  },
  "two aggregators": twoAggregators,
};

const NAMES = Object.keys(KINDS);

/** Who sends mutants, by its name or "(curator)", and how many in all it sends of what it says. */
interface Hostile {
  readonly who: string;
  readonly share: number;
  readonly seed: string;
}

interface Ends {
  readonly curator: CuratorResult | unknown;
  /** Of everyone else, by name: what it ended with. */
  readonly others: Readonly<Record<string, unknown>>;
  readonly mutants: number;
}

const OVER = new Error("over");

/** Runs a plan with a hostile party for so many steps of the clock; who waits still ends with `OVER`. */
async function runHostile(
  { plan, tasks: members, identity: secretOf, relays = [], keys }: Parties,
  { who, share, seed }: Hostile,
  most = 1500,
): Promise<Ends> {
  const random = seededUniforms(seed);
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const over = new AbortController();
  let mutants = 0;
  /** In place of what it says, or after it. */
  const lying = (message: Uint8Array, send: (one: Uint8Array) => Promise<void>) => {
    if (random() >= share) return send(message);
    mutants++;
    const changed = mutant(message, () => random());
    return random() < 0.5 ? send(changed) : send(message).then(() => send(changed));
  };
  const common = { agreed: planHash(plan), run: plan.run, clock, signal: over.signal };
  const wayOf = (name: string): ParticipantTransport => {
    const way = network.participant(name);
    if (name !== who) return way;
    return { ...way, send: (message, relay) => lying(message, (one) => way.send(one, relay)) };
  };
  const ends: Record<string, unknown> = {};
  const endOf = (name: string, running: Promise<unknown>) =>
    void running.then(
      (result) => (ends[name] = result),
      (error: unknown) => (ends[name] = error),
    );
  const way = network.curator();
  const curators =
    who === "(curator)"
      ? {
          ...way,
          send: (to: string, message: Uint8Array) => lying(message, (one) => way.send(to, one)),
          broadcast: (message: Uint8Array) => lying(message, (one) => way.broadcast(one)),
        }
      : way;
  endOf(
    "(curator)",
    runCurator({
      plan,
      clock,
      signal: over.signal,
      store: new MemoryStore(),
      transport: curators,
      ...(keys ? { leaderKey: keys.leader } : {}),
    }),
  );
  for (const [participant, data] of Object.entries(members)) {
    const secret = secretOf ? { identity: secretOf(participant) } : {};
    const store = new MemoryStore();
    const transport = wayOf(participant);
    endOf(participant, joinRun({ ...common, participant, data, store, transport, ...secret }));
  }
  for (const relay of relays) {
    endOf(relay, runRelay({ ...common, relay, transport: wayOf(relay) }));
  }
  if (keys) {
    const { name: helper } = (plan.aggregation as { helper: { name: string } }).helper;
    const store = new MemoryStore();
    endOf(helper, runHelper({ ...common, helper, key: keys.helper, store, transport: wayOf(helper) })); // prettier-ignore
  }
  for (let step = 0; step < most && ends["(curator)"] === undefined; step++) {
    await settled(clock);
    if (!clock.step()) break;
  }
  over.abort(OVER);
  await settled(clock);
  const { "(curator)": curator, ...others } = ends;
  return { curator, others, mutants };
}

const isLine = (end: unknown) => end === OVER || end instanceof MpMtlError;
const runs = { numRuns: thorough ? 3 : 1 };
const seeds = fc.integer({ min: 0, max: 1e9 });

describe.each(Object.entries(KINDS))("in a run of %s", (kind, parties) => {
  const names = Object.keys(parties.tasks);
  const third = [...(parties.relays ?? []).slice(0, 2), ...(parties.keys ? ["helper"] : [])];

  test("mutants of what one party says end neither the curator nor others", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.constantFrom(0.2, 0.5, 1), async (seed, share) => {
        const who = [names[0]!, ...third][seed % (1 + third.length)]!;
        const { curator, others, mutants } = await runHostile(parties, { who, share, seed: String(seed) }); // prettier-ignore
        if (share === 1) expect(mutants).toBeGreaterThan(0);
        if (curator instanceof Error) expect(curator).toBe(OVER);
        for (const [name, end] of Object.entries(others)) {
          if (!(end instanceof Error)) continue;
          // Its own program may find that it is spoken of otherwise than it spoke.
          if (name === who) expect(isLine(end), String((end as Error).stack)).toBe(true);
          else expect(end, name).toBe(OVER);
        }
      }),
      runs,
    );
  });

  const some = thorough || NAMES.indexOf(kind) % 2 === 0;
  test.skipIf(!some)("mutants of what the curator says end others in a line at most", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.constantFrom(0.05, 0.3), async (seed, share) => {
        const hostile = { who: "(curator)", share, seed: String(seed) };
        const { curator, others } = await runHostile(parties, hostile);
        if (curator instanceof Error) expect(isLine(curator), String(curator.stack)).toBe(true);
        for (const end of Object.values(others)) {
          if (end instanceof Error) expect(isLine(end), String(end.stack)).toBe(true);
        }
      }),
      runs,
    );
  });
});

describe("decoders", () => {
  const { plan } = KINDS["plain sums"]!;
  const envelope = { run: "r", session: "0".repeat(32), plan: "a".repeat(64), participant: "p0" };
  const message = encodeMessage(envelope, {
    type: "upload",
    round: 1,
    positions: [0],
    values: Float64Array.of(1, 2, 3),
  });

  test("of any mutant of a message say what is wrong, and nothing else", () => {
    const random = seededUniforms("messages");
    for (let k = 0; k < (thorough ? 3000 : 600); k++) {
      const changed = mutant(message, () => random());
      for (const from of ["party", "curator"] as const) {
        const read = readMessage(changed, from);
        if (read.type === "unreadable") expect(read.why).toMatch(/^(message|frame): /);
      }
    }
    expect(Object.keys({})).toEqual([]);
  });

  test("take no gigabytes from a party for a few bytes", () => {
    const n = 2000;
    const diagonal = new Float64Array(n * n);
    for (let i = 0; i < n; i++) diagonal[i * n + i] = 1;
    const broadcast = encodeMessage({ ...envelope, participant: "" }, { type: "broadcast", round: 1, values: diagonal }); // prettier-ignore
    expect(broadcast.length).toBeLessThan(9 * n);
    expect(decodeMessage(broadcast)).toMatchObject({ type: "broadcast" });
    expect(() => decodeMessage(broadcast, "party")).toThrow("its vector is packed");
  });

  test.each<[string, object]>([
    ["tasks that are no list", { tasks: 5 }],
    ["a task that is nothing", { tasks: [null] }],
    [
      "a helper that is nothing",
      { aggregation: { kind: "two-aggregators", leader: "", helper: null } },
    ],
    [
      "a participant of sums that is nothing",
      { aggregation: { participants: [null], colluding: 1 } },
    ],
  ])("of a plan with %s throw an error of theirs", (_what, change) => {
    const text = JSON.stringify({ ...(JSON.parse(canonicalPlan(plan)) as object), ...change });
    expect(() => parsePlan(text)).toThrow(OptionError);
  });

  test("of any mutant of a plan throw an error of theirs", () => {
    const random = seededUniforms("plans");
    for (const { plan: whole } of Object.values(KINDS)) {
      for (let k = 0; k < (thorough ? 300 : 30); k++) {
        const bytes = mutant(encodeFrame(JSON.parse(canonicalPlan(whole)) as object), () =>
          random(),
        );
        let changed: string;
        try {
          changed = JSON.stringify(decodeFrame(bytes, undefined, false).header);
        } catch {
          continue;
        }
        try {
          parsePlan(changed);
        } catch (error) {
          expect(error, String((error as Error).stack)).toBeInstanceOf(MpMtlError);
        }
      }
    }
  });
});
