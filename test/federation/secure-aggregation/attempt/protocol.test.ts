import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AggregationCurator,
  type CuratorEffect,
} from "../../../../src/federation/secure-aggregation/attempt/curator.js";
import {
  AggregationParticipant,
  type ParticipantEffect,
} from "../../../../src/federation/secure-aggregation/attempt/participant.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import {
  identity,
  plainSum,
  randomValues,
  run,
  settingOf,
  type RunOptions,
  type Stays,
} from "../harness.js";

const random = randomBytesFrom({ mode: "seeded", seed: 9 });
const HEADER = 34;

describe("a secure sum", () => {
  test.each([32, 64] as const)("is the plain sum, modulus 2^%i", (bits) => {
    const values = randomValues(4, 300, 7);
    const { sum, included } = run({ n: 4, values, bits });
    expect(included).toEqual([0, 1, 2, 3]);
    expect(sum).toEqual(plainSum(values, included));
  });

  test("is the plain sum of those in it, whoever drops out at whatever step, down to the threshold", () => {
    const n = 6;
    const threshold = 4;
    const values = randomValues(n, 9, 3, 2 ** 50);
    const drops = fc.uniqueArray(fc.tuple(fc.nat(n - 1), fc.constantFrom<Stays[]>(0, 1, 2, 3, 4)), {
      maxLength: 3,
      selector: ([who]) => who,
    });
    fc.assert(
      fc.property(drops, (dropped) => {
        const stays = new Array<Stays>(n).fill(5);
        for (const [who, when] of dropped) stays[who] = when;
        const { sum, included, effects } = run({ n, threshold, values, stays });
        if (dropped.length <= n - threshold) {
          expect(included).toEqual(values.map((_, i) => i).filter((i) => stays[i]! >= 3));
          expect(sum).toEqual(plainSum(values, included));
        } else {
          expect(sum).toBeUndefined();
          expect(["failed", "waiting"]).toContain(effects.at(-1)!.kind);
        }
      }),
      { numRuns: 8, seed: 5 },
    );
  });

  test("opens only with the threshold: the step that lacks one participant says so", () => {
    const values = randomValues(4, 2, 1);
    const short = (step: Stays): Stays[] => [5, 5, step, step];
    const last = (stays: Stays[]) => run({ n: 4, values, stays }).effects.at(-1)!;
    for (const [step, name] of [
      [0, "keys"],
      [1, "shares"],
      [2, "input"],
      [3, "consent"],
    ] as const) {
      expect(last(short(step))).toEqual({
        kind: "failed",
        reason: `"${name}": expected at least 3 participants, got 2`,
        culprits: [],
      });
    }
    // After the consents an attempt is never given up.
    expect(last(short(4))).toEqual({ kind: "waiting", missing: [2, 3], culprits: [] });
  });

  test("is charged before anything that opens it is sent", () => {
    const { effects } = run({ n: 3, values: randomValues(3, 2, 1) });
    const opening = effects.findIndex(({ kind }) => kind === "opening");
    const kindOf = (i: number) => {
      const effect = effects[i]!;
      return effect.kind === "send" || effect.kind === "announce" ? effect.message[1] : 0;
    };
    expect(effects.slice(0, opening).map((_, i) => kindOf(i))).not.toContain(8);
    expect(kindOf(opening + 1)).toBe(8);
  });
});

describe("what goes wrong on the way", () => {
  const n = 4;
  const values = randomValues(n, 5, 2);
  const attempt = (options: Partial<RunOptions>) => run({ n, values, ...options });
  /** Flips a bit of participant 1's nth message. */
  const garble =
    (nth: number, byte: number) =>
    (from: number, at: number, message: Uint8Array): Uint8Array => {
      if (from !== 1 || at !== nth) return message;
      const copy = message.slice();
      copy[byte < 0 ? copy.length + byte : byte]! ^= 4;
      return copy;
    };

  test.each([
    ["keys", 0, HEADER + 3, "the keys are not signed by the participant's identity", 3],
    ["a signature of keys", 0, -1, "the keys are not signed by the participant's identity", 3],
    ["a consent", 3, -1, "the signature is not of this sum", 4],
    ["the session", 2, 5, "of another run, round or attempt", 3],
    ["the version", 2, 0, "of version 5, expected 1", 3],
  ])("garbled %s: refused, the others go on", (_, nth, byte, reason, members) => {
    const { sum, included, effects } = attempt({ tamper: garble(nth, byte) });
    expect(JSON.stringify(effects.filter(({ kind }) => kind === "refused"))).toContain(reason);
    expect(included).toHaveLength(members);
    expect(sum).toEqual(plainSum(values, included));
  });

  test("a wrong length: refused, the others go on", () => {
    const { sum, included } = attempt({
      tamper: (from, nth, message) => (from === 2 && nth === 2 ? message.slice(0, -1) : message),
    });
    expect(included).toEqual([0, 1, 3]);
    expect(sum).toEqual(plainSum(values, included));
  });

  test("garbled sealed shares: the receiver complains, the others' shares suffice", () => {
    // Of message 2, entry 0 goes to participant 0; its ciphertext starts after 4 + 32 + 34 bytes.
    const { sum, included } = attempt({ tamper: garble(1, HEADER + 32 + 4 + 10) });
    expect(included).toEqual([0, 1, 2, 3]);
    expect(sum).toEqual(plainSum(values, included));
  });

  test("a curator that starts again before the opening knows who complained about whom", () => {
    const restarted = attempt({ tamper: garble(1, HEADER + 32 + 4 + 10), restart: true });
    expect(restarted.effects.filter(({ kind }) => kind === "refused")).toEqual([]);
    expect(restarted.sum).toEqual(plainSum(values, [0, 1, 2, 3]));
  });

  test("garbled shares for too many: the attempt fails before anything is opened, the dealer is named", () => {
    const { effects, sum, participantEffects } = attempt({
      tamper: (from, nth, message) => {
        if (from !== 1 || nth !== 1) return message;
        const copy = message.slice();
        for (let entry = 0; entry < 3; entry++) copy[HEADER + 32 + entry * 84 + 10]! ^= 1;
        return copy;
      },
    });
    expect(sum).toBeUndefined();
    expect(effects.at(-1)).toMatchObject({ kind: "failed", culprits: [1] });
    expect(participantEffects.some(({ kind }) => kind === "opened")).toBe(false);
  });

  test("a wrong share in the end: found by the commitment, recovered from the others", () => {
    const { sum, included } = attempt({ tamper: garble(4, -3) });
    expect(sum).toEqual(plainSum(values, included));
  });

  test("a wrong share with none to spare: the dealers are named, no wrong sum comes out", () => {
    const { sum, effects } = attempt({ stays: [5, 5, 5, 1], tamper: garble(4, -3) });
    expect(sum).toBeUndefined();
    expect(effects.at(-1)).toEqual({ kind: "waiting", missing: [], culprits: [2] });
  });

  test("a lost message is sent again; a repeated one gets the same reply", () => {
    const setting = settingOf({ n, values });
    const curator = new AggregationCurator({ setting });
    const people = values.map(
      (mine, index) =>
        new AggregationParticipant({
          setting,
          index,
          identity: identity(index).secret,
          values: mine,
          random,
        }),
    );
    // The curator's first message of every kind to everyone is lost; what is sent again arrives twice.
    const arrive = (index: number, effects: ParticipantEffect[]): CuratorEffect[] =>
      effects.flatMap((effect) => {
        if (effect.kind !== "send") return [];
        const first = curator.receive(index, effect.message);
        return [...first, ...curator.receive(index, effect.message)];
      });
    people.forEach((person, index) => arrive(index, person.start()));
    let sum: Float64Array | undefined;
    for (let turn = 0; turn < 4; turn++) {
      for (const effect of curator.remind()) {
        if (effect.kind !== "send") continue;
        const person = people[effect.to]!;
        const once = person.receive(effect.message);
        expect(person.receive(effect.message).filter(({ kind }) => kind === "send")).toEqual(
          once.filter(({ kind }) => kind === "send"),
        );
        for (const after of arrive(effect.to, once)) if (after.kind === "sum") sum = after.values;
      }
    }
    expect(sum).toEqual(plainSum(values, [0, 1, 2, 3]));
    expect(people[0]!.receive(Uint8Array.of(1))).toEqual([
      { kind: "refused", reason: "shorter than a header" },
    ]);
  });
});

test("keys that differ from those sent before are refused, and the first ones stay", () => {
  const values = randomValues(3, 2, 8);
  const setting = settingOf({ n: 3, values });
  const curator = new AggregationCurator({ setting });
  const keysBy = (seed: string) => {
    const [effect] = new AggregationParticipant({
      setting,
      index: 0,
      identity: identity(0).secret,
      values: values[0]!,
      random: randomBytesFrom({ mode: "seeded", seed }),
    }).start();
    if (effect?.kind !== "send") throw new Error("no keys");
    return effect.message;
  };
  expect(curator.receive(0, keysBy("first"))).toEqual([]);
  expect(curator.receive(0, keysBy("other"))).toEqual([
    { kind: "refused", from: 0, reason: "a second, different answer" },
  ]);
  expect(curator.receive(0, keysBy("first"))).toEqual([]);
});

describe("an active curator", () => {
  const n = 4;
  const values = randomValues(n, 3, 2);
  /** Changes messages of one kind to participant 0; what it answers to that. */
  function refusals(kind: number, change: (message: Uint8Array) => Uint8Array): string[] {
    const { participantEffects } = run({
      n,
      values,
      relay: (to, message) => (to === 0 && message[1] === kind ? change(message.slice()) : message),
    });
    return participantEffects.flatMap((e) => (e.kind === "refused" ? [e.reason] : []));
  }

  test("that swaps a key is found out: identities are known through the plan", () => {
    const reasons = refusals(2, (message) => {
      message[HEADER + 4 + 40]! ^= 1;
      return message;
    });
    expect(reasons[0]).toBe('"roster": the keys of participant 1 are not signed by it');
  });

  test("that hides most of the roster gets nothing masked", () => {
    expect(refusals(2, (message) => message.slice(0, HEADER + 4 + 128))).toContain(
      '"roster": expected at least 2 neighbours, got 1',
    );
  });

  test("that shows another set of survivors gets no shares", () => {
    // Participant 0 is told that 3 dropped out, the others that it did not: the signatures differ.
    const reasons = refusals(6, (message) => {
      message[HEADER + 1]! &= 0b0111;
      return message;
    });
    expect(reasons).toContain('"consents": participant 1 did not sign this sum');
  });

  test("that leaves out dealers whose shares had arrived is noticed", () => {
    const reasons = refusals(6, (message) => {
      message[HEADER]! &= 0b0111;
      message[HEADER + 1]! &= 0b0111;
      return message;
    });
    expect(reasons).toContain('"included": the dealers are not those whose shares arrived');
  });

  test("that asks with fewer signatures than the threshold gets no shares", () => {
    expect(refusals(8, (message) => message.slice(0, HEADER + 2 * 68))).toContain(
      '"consents": expected 3 signatures, got 2',
    );
  });

  test("that repeats one signature for another participant gets no shares", () => {
    const reasons = refusals(8, (message) => {
      message.copyWithin(HEADER + 68 + 4, HEADER + 4, HEADER + 68);
      return message;
    });
    expect(reasons).toContain('"consents": participant 1 did not sign this sum');
  });
});

describe("the double-masking rule", () => {
  test("of every dealer one kind of share comes out, the other never", () => {
    // Participant 3 drops out after dealing: its mask key is opened, the seeds of the others.
    const values = randomValues(5, 2, 1);
    const { seen, included, sum } = run({ n: 5, values, stays: [5, 5, 5, 2, 5] });
    expect(included).toEqual([0, 1, 2, 4]);
    expect(sum).toEqual(plainSum(values, included));
    const reveals = seen.filter(({ message }) => message[1] === 9);
    expect(reveals).toHaveLength(4);
    // One share of 32 bytes for each of the five dealers, not two.
    for (const { message } of reveals) expect(message.length).toBe(HEADER + 5 * 36);
  });
});
