/** Parties that are killed at any moment of a run, once or twice, and come back from their records: one noise, one upload, one charge a round. */
import { describe, expect, test } from "vitest";
import { someOf, thorough } from "../thorough.js";
import {
  CURATOR,
  plain,
  runKilled,
  twoAggregators,
  unseeded,
  type Kill,
  type Parties,
  type Survived,
} from "./killed-parties.js";
import { tree } from "./relays/relayed-run.js";
import { dealt } from "./runs.js";
import { identity } from "./secure-aggregation/harness.js";
import * as secure from "./secure-aggregation/secure-run.js";

const KINDS: Record<string, Parties> = {
  plain: plain("mp-low-rank", {}),
  sampled: plain("pmtl", { sampling: { kind: "fixed-size", size: 2 } }),
  "noise of its own": plain("mp-low-rank", { clip: 1, curator: "untrusted" }),
  "a tree of relays": {
    plan: unseeded(tree()),
    tasks: dealt(secure.tasks, secure.n),
    identity: (participant) => identity(Number(participant.slice(1))).secret,
    relays: ["west", "east", "top"],
  },
  "two aggregators": twoAggregators,
};

async function expectWhole(parties: Parties, kills: readonly Kill[]): Promise<Survived> {
  const where = kills.map(({ who, at }) => `${who} killed at moment ${at}`).join(", then ");
  const survived = await runKilled(parties, kills).catch((error: unknown) => {
    throw new Error(where, { cause: error });
  });
  const { twice, models, curator } = survived;
  const charges = curator.ledger.entries.length;
  expect({ where, twice, models: Object.keys(models).sort(), charges }).toEqual({
    where,
    twice: [],
    charges: 2,
    models: Object.keys(parties.tasks).sort(),
  });
  return survived;
}

/** Runs of each kind in which nobody is killed: what happens in them, and at how many moments. */
const whole = new Map<string, Promise<Survived>>();
function unharmed(kind: string): Promise<Survived> {
  const run = whole.get(kind) ?? runKilled(KINDS[kind]!);
  whole.set(kind, run);
  return run;
}

/** Moments from one on, of every so many the first; a twentieth of these where not all tests are asked for. By default of every so many the middle one. */
const momentsOf = (count: number, every: number, begin?: number) => {
  const step = thorough ? every : 20 * every;
  const from = begin ?? Math.min(step >> 1, count - 1);
  return Array.from({ length: Math.ceil((count - from) / step) }, (_, k) => from + k * step);
};

/** How many moments later the second kill is, at every so many; one of these in turn where not all tests are asked for. */
const gapsOf = (gaps: number, step: number, turn: number) => {
  const all = Array.from({ length: Math.ceil(gaps / step) }, (_, k) => 1 + k * step);
  return thorough ? all : [all[turn % all.length]!];
};

/** Who is killed, and at every so many moments: an odd number, since what is kept and said comes in turns of a few moments. */
const SINGLE: [kind: string, who: string, every: number][] = [
  ["plain", CURATOR, 1],
  ["plain", "p0", 3],
  ["sampled", CURATOR, 5],
  ["sampled", "p0", 5],
  ["noise of its own", CURATOR, 7],
  ["noise of its own", "p0", 3],
  ["a tree of relays", CURATOR, 45],
  ["a tree of relays", "p0", 45],
  ["a tree of relays", "west", 77],
  ["a tree of relays", "top", 77],
  ["two aggregators", CURATOR, 45],
  ["two aggregators", "helper", 45],
  ["two aggregators", "p0", 77],
];

describe("killed at a moment", () => {
  test.each(someOf(SINGLE, 2))(
    "%s: %s, at any",
    async (kind, who, every) => {
      const parties = KINDS[kind]!;
      const { moments } = await unharmed(kind);
      expect(moments).toBeGreaterThan(50);
      for (const at of momentsOf(moments, every)) await expectWhole(parties, [{ who, at }]);
    },
    600_000,
  );

  test("a participant that had its models and comes back when nobody is there ends, and says why", async () => {
    const parties = KINDS["plain"]!;
    const { moments } = await unharmed("plain");
    expect((await expectWhole(parties, [{ who: "p0", at: moments - 1 }])).over).toEqual(["p0"]);
  });

  test("so does a helper that gave all its shares", async () => {
    const parties = KINDS["two aggregators"]!;
    const { trace } = await unharmed("two aggregators");
    // Killed earlier it is told: the curator waits until it has said that it knows.
    const given = trace.lastIndexOf("helper to (curator): given");
    const told = await expectWhole(parties, [{ who: "helper", at: given }]);
    expect(told.over).toEqual([]);
    const at = trace.lastIndexOf("helper to (curator): finish");
    const { over } = await expectWhole(parties, [{ who: "helper", at }]);
    expect(over).toEqual(["helper"]);
  });
});

/** Who is killed, at every so many moments, who is killed then, and at every so many of the moments that follow. */
const PAIRS: [
  kind: string,
  first: string,
  every: number,
  second: string,
  gaps: number,
  step: number,
][] = [
  ["plain", CURATOR, 15, CURATOR, 30, 9],
  ["plain", CURATOR, 15, "p0", 20, 9],
  ["a tree of relays", CURATOR, 121, CURATOR, 80, 36],
  ["a tree of relays", CURATOR, 121, "top", 60, 36],
  ["two aggregators", CURATOR, 81, CURATOR, 50, 24],
  ["two aggregators", CURATOR, 81, "helper", 30, 14],
];

describe("killed again while it comes back", () => {
  test.each(someOf(PAIRS, 3))(
    "%s: %s, at every %i. moment; then %s",
    async (kind, who, every, second, gaps, step) => {
      const parties = KINDS[kind]!;
      const { moments } = await unharmed(kind);
      for (const [turn, at] of momentsOf(moments, every, 3).entries()) {
        for (const gap of gapsOf(gaps, step, turn)) {
          await expectWhole(parties, [{ who, at }, { who: second, at: at + gap }]); // prettier-ignore
        }
      }
    },
    600_000,
  );
});
