/** Runs with relays of one level and of two: the models of a run without them to the bit, whoever is killed, late or gone. */
import { describe, expect, test } from "vitest";
import { decodeMessage, MemoryStore } from "../../../src/federation/index.js";
import { Killed, run } from "../secure-aggregation/secure-run.js";
import { someOf, thorough } from "../../thorough.js";
import {
  DROPPING,
  expectFlat,
  GATHER,
  INPUT,
  kindOf,
  KillingOnce,
  of,
  opened,
  PARTIAL,
  planned,
  relayed,
  ROUNDS,
  sorted,
  tree,
} from "./relayed-run.js";

const WHEN = [
  "before it hears of its group",
  "with half of what it adds",
  "when its sum is on its way",
] as const;

/** Who is struck, who sends to the curator without it, and what a relay passes on when p1 has dropped out. */
const KINDS = [
  {
    kind: "relays",
    plan: relayed,
    struck: [{ who: "west", straight: ["east", "p0", "p1", "p4"] }],
    passed: { inputs: 1, awaited: 2 },
  },
  {
    kind: "a tree of relays",
    plan: tree,
    // Of those beneath a relay of relays a relay is still one.
    struck: [
      { who: "top", straight: ["east", "p4", "west"] },
      { who: "west", straight: ["p0", "p1", "top"] },
    ],
    passed: { inputs: 4, awaited: 5 },
  },
];

describe.each(KINDS)("with $kind", ({ plan, struck, passed }) => {
  describe.each(someOf(struck, 2))("of which $who", ({ who, straight }) => {
    test.each(WHEN)("is killed %s: the same models, and no attempt fails", async (when) => {
      let taken = 0;
      const seen = new Set<number>();
      const outcome = await run(plan(), {
        watch: ({ from, to, message }, _network, kill) => {
          const kind = kindOf(message);
          const { round } = decodeMessage(message) as { round: number };
          // One that is killed with the last sum on its way finds nobody who waits for it.
          if (kind === undefined || seen.has(round) || (from === who && round === ROUNDS)) return;
          const adds = to === who && (kind === INPUT || kind === PARTIAL);
          if (adds) taken++;
          const dies = {
            [WHEN[0]]: to === who && kind === GATHER,
            [WHEN[1]]: adds && taken % 2 === 1,
            [WHEN[2]]: from === who && kind === PARTIAL,
          }[when];
          if (!dies) return;
          seen.add(round);
          // Where it is told something it has it, and answers nothing any more.
          queueMicrotask(() => kill(who));
        },
      });
      expect(seen.size).toBe(when === WHEN[2] ? ROUNDS - 1 : ROUNDS);
      await expectFlat(outcome);
      expect(of(outcome.statuses, "attempt-failed")).toEqual([]);
      expect(of(outcome.statuses, "without-relay")).toEqual([]);
    });

    test("is not there: done without after two deadlines, and at once from then on", async () => {
      const sent = new Set<string>();
      const outcome = await run(plan(), {
        absent: [who],
        watch: ({ from, to, message }) => {
          const kind = kindOf(message);
          if (to === "(curator)" && (kind === INPUT || kind === PARTIAL)) sent.add(from);
        },
      });
      await expectFlat(outcome);
      expect(of(outcome.statuses, "without-relay")).toEqual([
        { kind: "without-relay", round: 1, relay: who, why: "it gave no sum" },
      ]);
      expect([...sent].sort()).toEqual(straight);
    });
  });

  test("a participant that drops out before its input: a relay gives what it has, as in the flat run", async () => {
    const [with_, without] = [await run(plan(), DROPPING), await run(planned(), DROPPING)];
    expect(sorted(with_.models)).toEqual(sorted(without.models));
    const closed = of(with_.statuses, "closed");
    expect(closed).toEqual(of(without.statuses, "closed"));
    expect(closed.map((status) => (status as { present: number }).present)).toEqual([5, 5]);
    expect(of(with_.statuses, "without-relay")).toEqual([]);
    expect(with_.relayStatuses).toContainEqual(
      expect.objectContaining({ kind: "passed", ...passed }),
    );
  });

  test.each(someOf(["after", "before"] as const, 2))(
    "a curator that is killed %s every one of its records: the same models, one sum a round",
    async (when) => {
      const store = new KillingOnce(when);
      await expectFlat(await run(plan(), { store }));
      expect(await opened(store)).toBe(ROUNDS);
    },
  );

  const seeds = thorough ? [1, 2, 3] : [1];
  test.each(seeds)(
    "lost, repeated and delayed messages, relays and the curator killed: the same models, one sum a round (seed %i)",
    async (seed) => {
      let state = 12345 + seed;
      const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
      let [kills, killed, spoken] = [0, 0, 0];
      class Killing extends MemoryStore {
        override async append(record: Uint8Array): Promise<void> {
          await super.append(record);
          if (killed >= 3 || random() > 0.3) return;
          killed++;
          throw new Killed();
        }
      }
      const store = new Killing();
      // A deadline so far off that nobody is left behind by what was lost: then all are in every sum.
      const outcome = await run(
        { ...plan(), deadline: 3600 },
        {
          faults: { random, loss: 0.1, duplication: 0.1, delay: 300 },
          store,
          watch: ({ to, message }, _network, kill) => {
            if (!["west", "east", "top"].includes(to) || kindOf(message) === undefined) return;
            const isLastChance = kills === 0 && ++spoken === 8;
            if (kills >= 6 || (random() > 0.25 && !isLastChance)) return;
            kills++;
            queueMicrotask(() => kill(to));
          },
        },
      );
      expect(kills).toBeGreaterThan(0);
      await expectFlat(outcome);
      expect(await opened(store)).toBe(ROUNDS);
    },
    60_000,
  );
});
