/** Runs on secure sums over trees of relays: the models of a run without them to the bit, whoever is killed, late, gone or lies. */
import { expect, test } from "vitest";
import {
  decodeMessage,
  describePlan,
  makePlan,
  MemoryStore,
  planHash,
  RelayMachine,
  type ParticipantTransport,
} from "../../../src/federation/index.js";
import { Killed, run, type Run } from "../secure-aggregation/secure-run.js";
import { thorough, thoroughTest } from "../../thorough.js";
import {
  DROPPING,
  expectFlat,
  GATHER,
  INPUT,
  kindOf,
  KillingOnce,
  liar,
  nobody,
  of,
  opened,
  PARTIAL,
  planned,
  ROUNDS,
  sorted,
} from "./relayed-run.js";

/** Two relays beneath a third, which has a participant of its own, too. */
const RELAYS = { p0: "west", p1: "west", p2: "east", p3: "east", p4: "top" };
const ABOVE = [
  { name: "west", relay: "top" },
  { name: "east", relay: "top" },
];
const tree = () => planned(RELAYS, { relays: ABOVE });
const LEVELS = ["west", "top"] as const;

test("the models of the flat run, to the bit; the curator gets one sum a round, and nobody's input", async () => {
  const to: Record<string, number[]> = {};
  const outcome = await run(tree(), {
    watch: (passing) => {
      const kind = kindOf(passing.message);
      if (kind !== undefined) (to[passing.to] ??= []).push(kind);
    },
  });
  await expectFlat(outcome);
  const count = (who: string, kind: number) => to[who]!.filter((one) => one === kind).length;
  expect([count("(curator)", INPUT), count("(curator)", PARTIAL)]).toEqual([0, ROUNDS]);
  expect([count("top", INPUT), count("top", PARTIAL)]).toEqual([ROUNDS, 2 * ROUNDS]);
  for (const relay of ["west", "east"]) {
    expect([count(relay, INPUT), count(relay, GATHER)]).toEqual([2 * ROUNDS, ROUNDS]);
  }
  // Nothing but requests, inputs and sums: they get no key, no share and no consent.
  for (const relay of ["west", "east", "top"]) {
    expect([GATHER, INPUT, PARTIAL]).toEqual(expect.arrayContaining([...new Set(to[relay])]));
  }
  expect(outcome.passed).toEqual([ROUNDS, ROUNDS, ROUNDS]);
  const top = outcome.relayStatuses.filter((one) => one.kind === "passed" && one.awaited === 5);
  expect(top).toHaveLength(ROUNDS);
});

test("a chain of relays: the same models", async () => {
  const chain = ["west", "middle", "high"].map((name, i, all) => ({
    name,
    relay: all[i + 1] ?? "top",
  }));
  const outcome = await run(planned(RELAYS, { relays: [...chain, ABOVE[1]!] }));
  await expectFlat(outcome);
  expect(outcome.passed).toEqual(Array.from({ length: 5 }, () => ROUNDS));
});

test.each(
  LEVELS.flatMap((who) =>
    ["before it hears of its group", "with half of what it adds", "when its sum is on its way"].map(
      (when) => [who, when] as const,
    ),
  ),
)("%s killed %s: the same models, no attempt fails", async (who, when) => {
  let taken = 0;
  const seen = new Set<number>();
  const outcome = await run(tree(), {
    watch: ({ from, to, message }, _network, kill) => {
      const kind = kindOf(message);
      const { round } = decodeMessage(message) as { round: number };
      // One that is killed with the last sum on its way finds nobody who waits for it.
      if (kind === undefined || seen.has(round) || (from === who && round === ROUNDS)) return;
      const adds = to === who && (kind === INPUT || kind === PARTIAL);
      if (adds) taken++;
      const dies =
        when === "before it hears of its group"
          ? to === who && kind === GATHER
          : when === "with half of what it adds"
            ? adds && taken % 2 === 1
            : from === who && kind === PARTIAL;
      if (!dies) return;
      seen.add(round);
      queueMicrotask(() => kill(who));
    },
  });
  expect(seen.size).toBeGreaterThan(0);
  await expectFlat(outcome);
  expect(of(outcome.statuses, "attempt-failed")).toEqual([]);
  expect(of(outcome.statuses, "without-relay")).toEqual([]);
});

test.each(LEVELS)(
  "%s is not there: done without after two deadlines, and at once from then on",
  async (who) => {
    const straight = new Set<string>();
    const outcome = await run(tree(), {
      absent: [who],
      watch: ({ from, to, message }) => {
        const kind = kindOf(message);
        if (to === "(curator)" && (kind === INPUT || kind === PARTIAL)) straight.add(from);
      },
    });
    await expectFlat(outcome);
    expect(of(outcome.statuses, "without-relay")).toEqual([
      { kind: "without-relay", round: 1, relay: who, why: "it gave no sum" },
    ]);
    // Those beneath it send straight; of these a relay is still one.
    const expected = { west: ["p0", "p1", "top"], top: ["east", "p4", "west"] };
    expect([...straight].sort()).toEqual(expected[who]);
  },
);

test("a relay of relays that comes back: in the next round those beneath it give it their sums again", async () => {
  const sums: string[] = [];
  const outcome = await run(tree(), {
    watch: ({ from, to, message }, network) => {
      const decoded = decodeMessage(message) as { type: string; round: number };
      if (to === "top" && kindOf(message) === GATHER && decoded.round === 1)
        network.cut("top", true);
      if (from === "west" && to === "(curator)" && kindOf(message) === PARTIAL) {
        queueMicrotask(() => network.cut("top", false));
      }
      if (kindOf(message) === PARTIAL) sums.push(`${decoded.round} ${from} to ${to}`);
    },
  });
  await expectFlat(outcome);
  const inRound = (round: number) =>
    [...new Set(sums)].filter((one) => one.startsWith(`${round} `)).sort();
  const curator = "(curator)";
  expect(inRound(1)).toEqual(
    expect.arrayContaining([`1 east to ${curator}`, `1 west to ${curator}`]),
  );
  expect(inRound(2).at(-1)).toBe("2 west to top");
  expect(inRound(2)).toContain(`2 top to ${curator}`);
});

test("a participant that drops out before its input: one deadline, as in the flat run", async () => {
  const [with_, without] = [await run(tree(), DROPPING), await run(planned(), DROPPING)];
  expect(sorted(with_.models)).toEqual(sorted(without.models));
  expect(of(with_.statuses, "closed")).toEqual(of(without.statuses, "closed"));
  expect(of(with_.statuses, "without-relay")).toEqual([]);
  expect(with_.relayStatuses).toContainEqual(
    expect.objectContaining({ kind: "passed", inputs: 4, awaited: 5 }),
  );
});

test("a relay of relays that leaves out all beneath it: these give their sums to the curator, and no attempt fails", async () => {
  const transports = (name: string, own: ParticipantTransport) =>
    name === "top" ? liar(own, nobody) : own;
  const store = new MemoryStore();
  const outcome = await run(tree(), { transports, store });
  // Its own participant is lost by it, as by any relay that lies.
  expect(of(outcome.statuses, "closed").map((one) => (one as { present: number }).present)).toEqual(
    [6, 6],
  );
  expect(of(outcome.statuses, "attempt-failed")).toEqual([]);
  expect(of(outcome.statuses, "without-relay")).toEqual([]);
  expect(outcome.curator.ledger.entries).toHaveLength(ROUNDS);
  expect(await opened(store)).toBe(ROUNDS);
});

test.each([
  ["west", "is refused by the relay above, and done without", ["west"]],
  ["top", "is done without, and not those beneath it", ["top"]],
] as const)("a sum of %s that is too short %s: the same models", async (who, _what, without) => {
  const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 8);
  const outcome = await run(tree(), {
    transports: (name, own) => (name === who ? liar(own, cut) : own),
  });
  await expectFlat(outcome);
  const named = of(outcome.statuses, "without-relay").map(
    (one) => (one as { relay: string }).relay,
  );
  expect([...new Set(named)]).toEqual(without);
  if (who !== "west") return;
  expect(outcome.relayStatuses).toContainEqual(
    expect.objectContaining({ kind: "refused", participant: "west", why: "its sum is malformed" }),
  );
});

test("a sum that comes to the curator past the relay above: refused by name, and counted once", async () => {
  let sent = false;
  const outcome = await run(tree(), {
    watch: ({ from, to, message }, network) => {
      if (from !== "west" || to !== "top" || kindOf(message) !== PARTIAL || sent) return;
      sent = true;
      queueMicrotask(() => network.inject("west", message));
    },
  });
  await expectFlat(outcome);
  expect(of(outcome.statuses, "refused")).toEqual([
    { kind: "refused", participant: "west", why: "its sum is for the relay above it" },
  ]);
});

test("a relay heeds those beneath it alone, in their own names", async () => {
  let forged = false;
  const outcome = await run(tree(), {
    watch: ({ from, to, message }, network) => {
      if (from !== "west" || to !== "top" || kindOf(message) !== PARTIAL || forged) return;
      forged = true;
      void network.participant("p0").send(message, "top");
      void network.participant("east").send(message, "top");
    },
  });
  await expectFlat(outcome);
  expect(outcome.relayStatuses.filter(({ kind }) => kind === "refused")).toMatchObject([
    { participant: "p0", why: "it is not one of those beneath this relay" },
    { participant: "east", why: expect.stringContaining("or of another run") as string },
  ]);
});

test.each(["before", "after"] as const)(
  "a curator that is killed %s every one of its records: the same models, one sum a round",
  async (when) => {
    const store = new KillingOnce(when);
    await expectFlat(await run(tree(), { store }));
    expect(await opened(store)).toBe(ROUNDS);
  },
);

/** A run in which messages are lost, repeated and delayed, and relays of both levels and the curator killed now and then. */
async function disturbed(seed: number): Promise<{ outcome: Run; openings: number; kills: number }> {
  let state = 12345 + seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const faults = { random, loss: 0.1, duplication: 0.1, delay: 300 };
  let [kills, killed] = [0, 0];
  class Killing extends MemoryStore {
    override async append(record: Uint8Array): Promise<void> {
      await super.append(record);
      if (killed >= 3 || random() > 0.3) return;
      killed++;
      throw new Killed();
    }
  }
  const store = new Killing();
  const outcome = await run(tree(), {
    ...{ faults, store },
    watch: ({ to, message }, _network, kill) => {
      if (!["west", "east", "top"].includes(to) || kindOf(message) === undefined) return;
      if (kills >= 6 || random() > 0.25) return;
      kills++;
      queueMicrotask(() => kill(to));
    },
  });
  return { outcome, openings: await opened(store), kills };
}

test("lost, repeated and delayed messages, relays of both levels and the curator killed: the same models, one sum a round", async () => {
  for (const seed of thorough ? Array.from({ length: 12 }, (_, i) => i + 1) : [1]) {
    const { outcome, openings, kills } = await disturbed(seed);
    expect(kills).toBeGreaterThan(0);
    await expectFlat(outcome);
    expect(openings).toBe(ROUNDS);
  }
}, 300_000);

test("a plan says how its relays stand, what is wrong with them, and keeps its hash without", () => {
  const plan = tree();
  expect(makePlan(plan)).toEqual(plan);
  expect(describePlan(plan).join(" ")).toContain("(west, east, top, in 2 levels)");
  expect(describePlan(planned(RELAYS)).join(" ")).toContain("(west, east, top)");
  expect(planHash(planned(RELAYS, { relays: [] }))).toBe(planHash(planned(RELAYS)));
  expect(planned(RELAYS).aggregation).not.toHaveProperty("relays");
  expect(planHash(plan)).not.toBe(planHash(planned(RELAYS)));
  const wrong = (relays: unknown) => () => planned(RELAYS, { relays } as never);
  expect(wrong([{ name: "west" }])).toThrow(
    "aggregation.relays: expected a list of { name, relay }",
  );
  expect(wrong([{ name: "west", relay: "top", port: 1 }])).toThrow("expected a list of");
  expect(wrong({ west: "top" })).toThrow("expected a list of");
  expect(wrong([{ name: "north", relay: "top" }])).toThrow("north adds up for nobody");
  const machine = new RelayMachine({ run: "secure", relay: "high" });
  expect(machine.handle({ type: "link", state: "up" })).toContainEqual(
    expect.objectContaining({ type: "send" }),
  );
});

thoroughTest("everyone beneath one relay of each of five levels: the same models", async () => {
  const all = Object.fromEntries(Object.keys(RELAYS).map((name) => [name, "r0"]));
  const relays = Array.from({ length: 4 }, (_, i) => ({ name: `r${i}`, relay: `r${i + 1}` }));
  await expectFlat(await run(planned(all, { relays })));
});
