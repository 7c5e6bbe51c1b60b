/** Runs on secure sums with relays: the models of a run without them to the bit, whoever is killed, late, gone or lies. */
import { expect, test } from "vitest";
import {
  decodeMessage,
  makePlan,
  ManualClock,
  MemoryNetwork,
  RelayMachine,
  runRelay,
  type ParticipantTransport,
} from "../../../src/federation/index.js";
import { n, run } from "../secure-aggregation/secure-run.js";
import { thoroughTest } from "../../thorough.js";
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
  with_,
} from "./relayed-run.js";

/** Two relays, and one participant without. */
const RELAYS: Record<string, string | undefined> = {
  p0: "west",
  p1: "west",
  p2: "east",
  p3: "east",
};
const relayed = (relays = RELAYS) => planned(relays);

test("the models of the flat run, to the bit; the curator gets one sum of each relay a round", async () => {
  const to: Record<string, number[]> = {};
  const outcome = await run(relayed(), {
    watch: (passing) => {
      const kind = kindOf(passing.message);
      if (kind !== undefined) (to[passing.to] ??= []).push(kind);
    },
  });
  await expectFlat(outcome);
  const count = (who: string, kind: number) => to[who]!.filter((one) => one === kind).length;
  expect(count("(curator)", INPUT)).toBe(ROUNDS); // of p4, which has no relay
  expect(count("(curator)", PARTIAL)).toBe(2 * ROUNDS);
  for (const relay of ["west", "east"]) {
    expect(to[relay]!.filter((kind) => kind === INPUT)).toHaveLength(2 * ROUNDS);
    expect(count(relay, GATHER)).toBe(ROUNDS);
    // Nothing but requests and inputs: it gets no key, no share and no consent.
    expect(new Set(to[relay])).toEqual(new Set([GATHER, INPUT]));
  }
  expect(outcome.passed).toEqual([ROUNDS, ROUNDS]);
  expect(outcome.relayStatuses.filter(({ kind }) => kind === "passed")).toHaveLength(2 * ROUNDS);
});

thoroughTest("lost, repeated and delayed messages: the same models", async () => {
  for (const seed of [1, 2, 3]) {
    let state = 12345 + seed;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const faults = { random, loss: 0.1, duplication: 0.1, delay: 300 };
    await expectFlat(await run(relayed(), { faults }));
  }
});

test.each([
  "before it hears of its group",
  "with half of the inputs",
  "when its sum is on its way",
])("a relay that is killed %s: the same models", async (when) => {
  let inputs = 0;
  const seen = new Set<number>();
  const outcome = await run(relayed(), {
    watch: ({ from, to, message }, _network, kill) => {
      const kind = kindOf(message);
      const { round } = decodeMessage(message) as { round: number };
      // One that is killed with the last sum on its way finds nobody who waits for it.
      if (kind === undefined || seen.has(round) || (kind === PARTIAL && round === ROUNDS)) return;
      if (to === "west" && kind === INPUT) inputs++;
      const dies =
        when === "before it hears of its group"
          ? to === "west" && kind === GATHER
          : when === "with half of the inputs"
            ? inputs % 2 === 1 && to === "west" && kind === INPUT
            : from === "west" && kind === PARTIAL;
      if (!dies) return;
      seen.add(round);
      // Where it is told something it has it, and answers nothing any more.
      queueMicrotask(() => kill("west"));
    },
  });
  expect(seen.size).toBe(when.startsWith("when") ? ROUNDS - 1 : ROUNDS);
  await expectFlat(outcome);
  expect(of(outcome.statuses, "attempt-failed")).toEqual([]);
});

test("a relay that is not there: its group sends straight after two deadlines, and at once from then on", async () => {
  const outcome = await run(relayed(), { absent: ["west"] });
  await expectFlat(outcome);
  expect(of(outcome.statuses, "without-relay")).toEqual([
    { kind: "without-relay", round: 1, relay: "west", why: "it gave no sum" },
  ]);
});

test("a participant that drops out before its input: the relay gives what it has, as in the flat run", async () => {
  const [with_, without] = [await run(relayed(), DROPPING), await run(planned(), DROPPING)];
  expect(sorted(with_.models)).toEqual(sorted(without.models));
  const closed = of(with_.statuses, "closed");
  expect(closed).toEqual(of(without.statuses, "closed"));
  expect(closed.map((status) => (status as { present: number }).present)).toEqual([5, 5]);
  expect(of(with_.statuses, "without-relay")).toEqual([]);
  expect(with_.relayStatuses).toContainEqual(
    expect.objectContaining({ kind: "passed", inputs: 1, awaited: 2 }),
  );
});

test("a relay that leaves all of its group out: nothing is opened, and the round is had without it", async () => {
  const transports = (name: string, own: ParticipantTransport) =>
    name === "west" ? liar(own, nobody) : own;
  const outcome = await run(relayed(), { transports });
  await expectFlat(outcome);
  const why = expect.stringContaining("expected at least 4") as string;
  expect(of(outcome.statuses, "attempt-failed")).toMatchObject([
    { round: 1, attempt: 1, why, culprits: [] },
    { round: 2, attempt: 1, why, culprits: [] },
  ]);
});

test.each([
  ["a sum that is too short", (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 8)],
  ["a set with bits beyond its group", (bytes: Uint8Array) => with_(bytes, 34, 0xff)],
  ["a message of another kind", (bytes: Uint8Array) => with_(bytes, 1, INPUT)],
  ["a message of another session", (bytes: Uint8Array) => with_(bytes, 9, bytes[9]! ^ 1)],
] as const)(
  "a relay that says %s: its group sends straight, with the same models",
  async (_what, lie) => {
    const outcome = await run(relayed(), {
      transports: (name, own) => (name === "west" ? liar(own, lie) : own),
    });
    await expectFlat(outcome);
    expect(of(outcome.statuses, "without-relay")).toMatchObject([{ round: 1, relay: "west" }]);
  },
);

test("an input that comes straight, too, while its relay adds it up: refused, and counted once", async () => {
  let sent = false;
  const outcome = await run(relayed(), {
    watch: ({ from, to, message }, network) => {
      if (from !== "p0" || to !== "west" || kindOf(message) !== INPUT || sent) return;
      sent = true;
      queueMicrotask(() => network.inject("p0", message));
    },
  });
  await expectFlat(outcome);
  expect(of(outcome.statuses, "refused")).toEqual([
    { kind: "refused", participant: "p0", why: "its input is to come by its relay" },
  ]);
});

test.each(["before", "after"] as const)(
  "a curator that is killed %s every one of its records: the same models, one sum a round",
  async (when) => {
    const store = new KillingOnce(when);
    const outcome = await run(relayed(), { store });
    await expectFlat(outcome);
    expect(await opened(store)).toBe(ROUNDS);
  },
);

test("a plan says what is wrong with its relays; a relay that it does not know refuses it", () => {
  expect(() => relayed({ p0: "p1" })).toThrow("p1 is a participant and a relay");
  expect(() => relayed({ p0: "a b" })).toThrow("a relay's name has 1 to 64 letters");
  const plan = relayed();
  expect(makePlan(plan)).toEqual(plan);
  expect(() => new RelayMachine({ run: "secure", relay: "a b" })).toThrow("relay: expected");
  const machine = new RelayMachine({ run: "secure", relay: "north" });
  expect(machine.handle({ type: "link", state: "up" })).toContainEqual(
    expect.objectContaining({ type: "send" }),
  );
});

test("a relay heeds its own participants alone, in their own names", async () => {
  const forged: string[] = [];
  const outcome = await run(relayed(), {
    watch: ({ from, to, message }, network) => {
      if (from !== "p0" || to !== "west" || kindOf(message) !== INPUT || forged.length > 0) return;
      forged.push("p2", "p1");
      // p2 has another relay; p1 says what p0 says.
      for (const name of forged) void network.participant(name).send(message, "west");
      void network.participant("p1").send(new Uint8Array(3), "west");
    },
  });
  await expectFlat(outcome);
  expect(outcome.relayStatuses.filter(({ kind }) => kind === "refused")).toMatchObject([
    { participant: "p2", why: "it is not one of those beneath this relay" },
    { participant: "p1", why: expect.stringContaining("or of another run") as string },
    { participant: "p1", why: expect.stringContaining("frame") as string },
  ]);
});

test("nobody relays without agreeing to a plan", async () => {
  const transport = new MemoryNetwork(new ManualClock()).participant("west");
  await expect(runRelay({ run: "secure", relay: "west", transport })).rejects.toThrow("agreed:");
});

test("everyone has one relay", async () => {
  const all = Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, "hub"]));
  const outcome = await run(relayed(all));
  await expectFlat(outcome);
  expect(outcome.passed).toEqual([ROUNDS]);
});
