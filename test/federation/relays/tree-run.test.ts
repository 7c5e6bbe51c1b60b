/** Runs on secure sums over trees of relays: who gets what, and relays of both levels that lie, go and come back. */
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
import { run } from "../secure-aggregation/secure-run.js";
import { thoroughTest } from "../../thorough.js";
import {
  ABOVE,
  BENEATH,
  expectFlat,
  GATHER,
  INPUT,
  kindOf,
  liar,
  nobody,
  of,
  opened,
  PARTIAL,
  planned,
  ROUNDS,
  tree,
} from "./relayed-run.js";

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
  const outcome = await run(planned(BENEATH, { relays: [...chain, ABOVE[1]!] }));
  await expectFlat(outcome);
  expect(outcome.passed).toEqual(Array.from({ length: 5 }, () => ROUNDS));
});

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

test("a plan says how its relays stand, what is wrong with them, and keeps its hash without", () => {
  const plan = tree();
  expect(makePlan(plan)).toEqual(plan);
  expect(describePlan(plan).join(" ")).toContain("(west, east, top, in 2 levels)");
  expect(describePlan(planned(BENEATH)).join(" ")).toContain("(west, east, top)");
  expect(planHash(planned(BENEATH, { relays: [] }))).toBe(planHash(planned(BENEATH)));
  expect(planned(BENEATH).aggregation).not.toHaveProperty("relays");
  expect(planHash(plan)).not.toBe(planHash(planned(BENEATH)));
  const wrong = (relays: unknown) => () => planned(BENEATH, { relays } as never);
  expect(wrong([{ name: "west" }])).toThrow(
    "aggregation.relays: expected a list of { name, relay }",
  );
  expect(wrong([{ name: "west", relay: "top", port: 1 }])).toThrow(
    'relays[0]: "port" is not known here; there are name, relay',
  );
  expect(wrong({ west: "top" })).toThrow("expected a list of");
  expect(wrong([{ name: "north", relay: "top" }])).toThrow("north adds up for nobody");
  const machine = new RelayMachine({ run: "secure", relay: "high" });
  expect(machine.handle({ type: "link", state: "up" })).toContainEqual(
    expect.objectContaining({ type: "send" }),
  );
});

thoroughTest("everyone beneath one relay of each of five levels: the same models", async () => {
  const all = Object.fromEntries(Object.keys(BENEATH).map((name) => [name, "r0"]));
  const relays = Array.from({ length: 4 }, (_, i) => ({ name: `r${i}`, relay: `r${i + 1}` }));
  await expectFlat(await run(planned(all, { relays })));
});
