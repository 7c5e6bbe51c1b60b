/** Runs on secure sums with relays of one level: who gets what, and relays and participants that lie. */
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
import {
  expectFlat,
  GATHER,
  INPUT,
  kindOf,
  liar,
  nobody,
  of,
  PARTIAL,
  relayed,
  ROUNDS,
  with_,
} from "./relayed-run.js";

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

test("a relay that hears of no end for half a minute asks, and is told: the curator stays for it", async () => {
  let lost = 0;
  const deaf = (own: ParticipantTransport): ParticipantTransport => ({
    ...own,
    listen: (handlers) =>
      own.listen({
        ...handlers,
        message: (message, scope) => {
          const { type } = decodeMessage(message);
          const farewell = type === "done" || type === "broadcast";
          if (farewell && lost < 8) lost++;
          else handlers.message(message, scope);
        },
      }),
  });
  const outcome = await run(relayed(), {
    transports: (name, own) => (name === "west" ? deaf(own) : own),
  });
  await expectFlat(outcome);
  expect(lost).toBe(8);
  expect(outcome.passed).toEqual([ROUNDS, ROUNDS]);
});

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
