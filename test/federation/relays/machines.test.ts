/**
 * Sums by relays, machine by machine: what is opened is the sum of the integers of those whom the curator names, whoever drops out,
 * complains, sends twice or past its relay, and in whatever order messages arrive.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { message } from "../../../src/federation/secure-aggregation/attempt/messages.js";
import {
  residues,
  residueBytes,
} from "../../../src/federation/secure-aggregation/integers/residues.js";
import { uint32 } from "../../../src/federation/secure-aggregation/keys/session.js";
import { EarlyInputs } from "../../../src/federation/relays/early-inputs.js";
import { Gathering, requestIn } from "../../../src/federation/relays/gathering.js";
import {
  gatherMessage,
  parseGather,
  parsePartial,
  partialMessage,
  type GatherRequest,
} from "../../../src/federation/relays/relay-messages.js";
import type { Source } from "../../../src/federation/relays/sources.js";
import { thorough, thoroughTest } from "../../thorough.js";
import { RelayedInputs } from "../../../src/federation/relays/relayed-inputs.js";
import { randomValues, run as runAttempt, settingOf } from "../secure-aggregation/harness.js";
import { attempt, ENTRIES, plainOf, type Manner, type RelayManner } from "./attempt.js";

const N = 6;
const RUNS = thorough ? 40 : 20;

const MANNERS: Manner[] = ["honest", "honest", "honest", "gone", "twice", "both ways", "complains", "straight"]; // prettier-ignore
const FLAT = [undefined, undefined];

describe("an attempt with relays", () => {
  thoroughTest("opens the sum of those who are named, each once, or nothing", () => {
    let opened = 0;
    const cases = fc.record({
      relay: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: N, maxLength: N }),
      above: fc.constant(FLAT),
      manners: fc.array(fc.constantFrom(...MANNERS), { minLength: N, maxLength: N }),
      relays: fc.array(fc.constantFrom<RelayManner>("honest", "dead"), { minLength: 2, maxLength: 2 }), // prettier-ignore
      order: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    });
    fc.assert(
      fc.property(cases, (one) => {
        const outcome = attempt(one);
        const { sum, included } = outcome;
        if (!sum) return;
        opened++;
        expect([...sum]).toEqual(plainOf(outcome));
        expect(new Set(included).size).toBe(included.length);
        // Whoever sent its input, by whatever way, is in it; nobody else.
        for (const [i, manner] of one.manners.entries()) {
          if (manner === "gone") expect(included).not.toContain(i);
          if (manner === "honest" || manner === "twice") expect(included).toContain(i);
        }
      }),
      { numRuns: RUNS, seed: 11 },
    );
    expect(opened).toBeGreaterThan(RUNS / 4);
  });

  test("with everyone there is the flat attempt's sum, whatever the groups", () => {
    const manners = Array.from({ length: N }, (): Manner => "honest");
    for (const relay of [
      [2, 2, 2, 2, 2, 2],
      [0, 0, 0, 0, 0, 0],
      [0, 1, 0, 1, 2, 0],
    ]) {
      const outcome = attempt({ relay, above: FLAT, manners, relays: [], order: 3 });
      expect([...outcome.sum!]).toEqual(plainOf(outcome));
      expect(outcome.included).toHaveLength(N);
      expect(outcome).toMatchObject({ without: [], deadlines: 0 });
    }
  });
});

describe("the curator's side of a group", () => {
  const setting = settingOf({ n: N, threshold: 4, values: randomValues(N, ENTRIES, 7) });
  const size = 3;
  const groups = [{ name: "r0", members: [1, 3, 4] }];
  const sumOf = (...places: number[]) =>
    partialMessage(setting.session, { held: new Set(places), sum: residues(ENTRIES, 64).fill(5) }, size); // prettier-ignore
  /** @param counted those whose input the curator has. */
  const inputs = (counted: number[] = [], straight: number[] = []) =>
    new RelayedInputs({
      setting,
      groups,
      straight: new Set(straight),
      isAwaited: (index) => index < 5 && !counted.includes(index),
      inbox: (to) => ({ kind: "send", to, message: new Uint8Array(1) }),
    });
  const kinds = (effects: unknown) =>
    (effects as { kind: string; to?: number; straight?: true }[]).map(
      ({ kind, to, straight }) => `${kind} ${to ?? ""}${straight ? " straight" : ""}`,
    );

  test("a sum counts once, and says who is in it and who is gone", () => {
    const relayed = inputs();
    expect(kinds(relayed.begin())).toEqual(["gather "]);
    expect([1, 2, 3].map((index) => relayed.isRelayed(index))).toEqual([true, false, true]);
    expect(relayed.receive(0, sumOf(0, 2))).toMatchObject({ members: [1, 4], gone: [3] });
    expect(relayed.receive(0, sumOf(0, 2))).toEqual([]);
    expect(relayed.isRelayed(1)).toBe(false);
    expect(relayed.hurry()).toEqual([]);
    expect(relayed.relayBack(0)).toEqual([]);
  });

  test("a sum that holds an input which is counted already counts for nothing, and neither does any after it", () => {
    const relayed = inputs([3]);
    const effects = relayed.receive(0, sumOf(0, 1, 2));
    expect(kinds(effects)).toEqual(["without-relay ", "send 1 straight", "send 4 straight"]);
    expect(relayed.receive(0, sumOf(0, 2))).toEqual([]);
  });

  test("at the first deadline a relay is asked for what it has, at the second its group", () => {
    const relayed = inputs();
    const [request] = relayed.hurry() as { message: Uint8Array }[];
    expect(requestIn(request!.message, setting.session, size)).toMatchObject({
      urgency: "now",
      bits: 64,
      entries: ENTRIES,
      awaited: new Set([0, 1, 2]),
    });
    expect(kinds(relayed.hurry())).toEqual([
      "without-relay ",
      "send 1 straight",
      "send 3 straight",
      "send 4 straight",
    ]);
    expect(relayed.hurry()).toEqual([]);
    expect(relayed.receive(0, sumOf(0))).toEqual([]);
  });

  test("a relay that comes back once it is to give what it has is not asked for nothing, and given one more deadline, once", () => {
    const relayed = inputs();
    relayed.hurry();
    const urgencies = (effects: unknown) =>
      (effects as { message: Uint8Array }[]).map((effect) => {
        const request = requestIn(effect.message, setting.session, size);
        return (request as GatherRequest).urgency;
      });
    expect(urgencies(relayed.remind([]))).toEqual(["now"]);
    expect(urgencies(relayed.relayBack(0))).toEqual(["tell"]);
    expect(urgencies(relayed.remind([]))).toEqual(["tell"]);
    expect(urgencies(relayed.hurry())).toEqual(["now"]);
    expect(urgencies(relayed.relayBack(0))).toEqual(["tell"]);
    expect(kinds(relayed.hurry())[0]).toBe("without-relay ");
  });

  test("a relay that was done without before is not asked", () => {
    const relayed = inputs([], [0]);
    expect(relayed.begin()).toEqual([]);
    expect(relayed.inbox(1)).toMatchObject({ to: 1, straight: true });
    expect(relayed.inbox(2)).not.toHaveProperty("straight");
  });
});

test("an input with complaints is not for a relay, and neither is anything but inputs", () => {
  const values = randomValues(N, ENTRIES, 7);
  const { participantEffects } = runAttempt({
    n: N,
    threshold: 4,
    values,
    // The shares that participant 1 gets of participant 0 are garbled.
    relay: (to, bytes) => {
      if (to !== 1 || bytes[1] !== 4) return bytes;
      const changed = bytes.slice();
      changed[34 + 4]! ^= 1;
      return changed;
    },
  });
  const sent = participantEffects.flatMap((effect) => (effect.kind === "send" ? [effect] : []));
  const INPUT = 5;
  for (const { message: bytes, forRelay } of sent) {
    const complains = bytes[34] !== 0;
    expect(forRelay ?? false).toBe(bytes[1] === INPUT && !complains);
  }
  const inputs = sent.filter(({ message: bytes }) => bytes[1] === INPUT);
  expect(inputs.filter(({ forRelay }) => forRelay)).toHaveLength(N - 1);
});

/** Sources of a relay that has participants alone. */
const participants = (size: number): Source[] =>
  Array.from({ length: size }, (_, i) => ({ name: `p${i}`, isRelay: false, places: [i] }));

describe("a relay's gathering", () => {
  const session = new Uint8Array(32).fill(9);
  const request = (awaited: number[], more: Partial<GatherRequest> = {}): GatherRequest => ({
    urgency: "whole",
    bits: 32,
    entries: 2,
    awaited: new Set(awaited),
    ...more,
  });
  const input = (...words: number[]) =>
    message("input", session, uint32(0), residueBytes(Uint32Array.from(words)));
  const sumOf = (sum: Uint8Array | undefined) =>
    parsePartial(sum!.subarray(34), 5, { entries: 2, bits: 32 })!;

  test("says its sum when everyone who is awaited is in it, and not before", () => {
    const gathering = new Gathering(session, participants(5), request([0, 3]));
    expect(gathering.take(0, input(1, 2 ** 32 - 1))).toEqual({});
    // Again, and somebody who is not awaited: nothing changes.
    expect(gathering.take(0, input(5, 5))).toEqual({});
    expect(gathering.take(1, input(5, 5)).why).toContain("not awaited");
    const { sum, inputs } = gathering.take(3, input(10, 2));
    expect(inputs).toBe(2);
    expect(sumOf(sum)).toEqual({ held: new Set([0, 3]), sum: Uint32Array.of(11, 1) });
  });

  test("says what it has when it is asked for that, and who is in it when it is asked for that", () => {
    const gathering = new Gathering(session, participants(5), request([0, 3]));
    gathering.take(3, input(7, 8));
    expect(gathering.ask(request([0, 3]))).toEqual({});
    expect(gathering.ask(request([0, 3], { urgency: "tell" })).word).toEqual(
      message("held", session, Uint8Array.of(0b1000)),
    );
    const { sum } = gathering.ask(request([0, 3], { urgency: "now" }));
    expect(sumOf(sum)).toEqual({ held: new Set([3]), sum: Uint32Array.of(7, 8) });
    // One that is awaited no longer was all that was missing.
    expect(gathering.ask(request([3])).inputs).toBe(1);
  });

  test.each([
    ["too few residues", message("input", session, uint32(0), residueBytes(residues(1, 32)))],
    ["complaints", message("input", session, uint32(1), uint32(0), residueBytes(residues(2, 32)))],
    ["another kind", message("keys", session, new Uint8Array(12))],
    ["another session", message("input", new Uint8Array(32), new Uint8Array(12))],
    ["nothing", new Uint8Array()],
  ])("refuses an input with %s, and takes a right one after it", (_what, wrong) => {
    const gathering = new Gathering(session, participants(5), request([0]));
    expect(gathering.take(0, wrong).why).toMatch(/./);
    expect(sumOf(gathering.take(0, input(3, 4)).sum).sum).toEqual(Uint32Array.of(3, 4));
  });

  test("is asked for one vector only", () => {
    const gathering = new Gathering(session, participants(5), request([0]));
    expect(gathering.ask(request([0], { entries: 3 })).why).toContain("another vector");
    expect(gathering.ask(request([0], { bits: 64 })).why).toContain("another vector");
  });

  test("a request and a sum are read back as they were said, and nothing else is read", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(32 as const, 64 as const),
        fc.constantFrom("whole" as const, "tell" as const, "now" as const),
        fc.array(fc.nat(39)),
        fc.uint8Array({ maxLength: 60 }),
        (size, bits, urgency, places, noise) => {
          const awaited = new Set(places.filter((place) => place < size));
          const asked = { urgency, bits, entries: 2, awaited };
          const bytes = gatherMessage(session, asked, size);
          expect(requestIn(bytes, session, size)).toEqual(asked);
          expect(parseGather(bytes.subarray(34, bytes.length - 1), size)).toBeUndefined();
          const sum = residues(2, bits).fill(77);
          const said = partialMessage(session, { held: awaited, sum }, size).subarray(34);
          expect(parsePartial(said, size, asked)).toEqual({ held: awaited, sum });
          expect(parsePartial(said.subarray(1), size, asked)).toBeUndefined();
          // Whatever comes is judged, never thrown upon.
          parseGather(noise, size);
          parsePartial(noise, size, asked);
          expect(typeof requestIn(noise, session, size)).toBe("string");
        },
      ),
      { numRuns: 200, seed: 5 },
    );
    const vast = message("gather", session, Uint8Array.of(0, 64), uint32(2 ** 32 - 1), new Uint8Array(1)); // prettier-ignore
    expect(requestIn(vast, session, 5)).toContain("malformed");
    // A place beyond a group of five.
    const beyond = partialMessage(session, { held: new Set([6]), sum: residues(2, 32) }, 8);
    expect(parsePartial(beyond.subarray(34), 5, { entries: 2, bits: 32 })).toBeUndefined();
  });
});

describe("inputs that come early", () => {
  const bytes = (length: number) => new Uint8Array(length);

  test("are held until their attempt, each member's latest, and none of an older one", () => {
    const early = new EarlyInputs();
    early.hold(0, { round: 1, attempt: 2, bytes: bytes(1) });
    early.hold(0, { round: 2, attempt: 1, bytes: bytes(2) });
    early.hold(1, { round: 1, attempt: 1, bytes: bytes(3) });
    early.hold(2, { round: 2, attempt: 2, bytes: bytes(4) });
    expect(early.take({ round: 2, attempt: 1 })).toEqual([[0, bytes(2)]]);
    expect(early.take({ round: 2, attempt: 1 })).toEqual([]);
    expect(early.take({ round: 1, attempt: 1 })).toEqual([]);
    expect(early.take({ round: 2, attempt: 2 })).toEqual([[2, bytes(4)]]);
  });

  test("take no more than their room, which those that are gone leave", () => {
    const early = new EarlyInputs(10);
    const of = { round: 1, attempt: 1 };
    early.hold(0, { ...of, bytes: bytes(6) });
    early.hold(1, { ...of, bytes: bytes(6) });
    expect(early.take(of)).toEqual([[0, bytes(6)]]);
    early.hold(1, { ...of, bytes: bytes(10) });
    expect(early.take(of)).toEqual([[1, bytes(10)]]);
  });
});
