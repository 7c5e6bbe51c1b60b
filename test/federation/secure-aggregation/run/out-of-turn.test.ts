/** What a participant does not heed: messages out of turn, and consents of those who are not in the sum. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "@noble/hashes/utils.js";
import { openCore } from "../../../../src/core/index.js";
import { addNoiseShare } from "../../../../src/federation/secure-aggregation/integers/noise.js";
import { aggregationGrid } from "../../../../src/federation/secure-aggregation/integers/numbers.js";
import { AggregationParticipant } from "../../../../src/federation/secure-aggregation/attempt/participant.js";
import {
  createSetting,
  signedName,
} from "../../../../src/federation/secure-aggregation/attempt/setting.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import { identityKey, sign } from "../../../../src/federation/secure-aggregation/keys/keys.js";
import {
  message,
  parseMessage,
} from "../../../../src/federation/secure-aggregation/attempt/messages.js";
import {
  entriesBytes,
  indicesBytes,
  parseEntries,
  setBytes,
  takeIndices,
} from "../../../../src/federation/secure-aggregation/attempt/message-parts.js";
import { planAggregation } from "../../../../src/federation/secure-aggregation/plan/planned.js";
import { SumAttempts } from "../../../../src/federation/secure-aggregation/run/sum-attempts.js";
import { openStream } from "../../../../src/random/index.js";
import { identity, randomValues, run, settingOf } from "../harness.js";

const bytesToHex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("a participant", () => {
  const values = randomValues(4, 3, 5);
  const options = { n: 4, threshold: 3, values };

  test("answers no message but the next one", () => {
    const setting = settingOf(options);
    const participant = new AggregationParticipant({
      setting,
      index: 0,
      identity: identity(0).secret,
      values: values[0]!,
      random: randomBytesFrom({ mode: "seeded", seed: "turn" }),
    });
    participant.start();
    for (const kind of ["inbox", "included", "consents"] as const) {
      expect(participant.receive(message(kind, setting.session, new Uint8Array()))).toEqual([
        { kind: "refused", reason: `"${kind}" does not follow "keys"` },
      ]);
      expect(participant.step).toBe("keys");
    }
  });

  test("opens nothing on the word of somebody who is not in the sum, though he may sign", () => {
    const setting = settingOf(options);
    let statement: Uint8Array | undefined;
    const { participantEffects, effects } = run({
      ...options,
      // Participant 3 deals shares and then no more.
      stays: [5, 5, 5, 2],
      relay: (to, bytes) => {
        const parsed = parseMessage(bytes, setting.session);
        if (typeof parsed === "string") throw new Error(parsed);
        if (parsed.kind === "included") statement = parsed.body.slice();
        if (parsed.kind !== "consents" || to !== 0) return bytes;
        const consents = parseEntries(parsed.body, 64, 4)!;
        const own = sign("included", signedName(setting), 3, statement!, identity(3).secret);
        const forged = [...consents.slice(0, 2), { index: 3, bytes: own }];
        return message("consents", setting.session, entriesBytes(forged));
      },
    });
    expect(participantEffects).toContainEqual({
      kind: "refused",
      reason: '"consents": participant 3 is not in the sum',
    });
    expect(participantEffects.filter(({ kind }) => kind === "opened")).toHaveLength(2);
    expect(effects.at(-1)).toEqual({ kind: "waiting", missing: [0], culprits: [] });
  });
});

test("a participant signs no sum with somebody in it who dealt no shares", () => {
  const n = 4;
  const options = { n, threshold: 3, values: randomValues(n, 3, 5) };
  const { session } = settingOf(options);
  const { participantEffects } = run({
    ...options,
    relay: (to, bytes) => {
      const parsed = parseMessage(bytes, session);
      if (typeof parsed === "string" || parsed.kind !== "included" || to !== 0) return bytes;
      const body = concatBytes(setBytes([0, 1, 2], n), setBytes([0, 1, 2, 3], n));
      return message("included", session, body);
    },
  });
  expect(participantEffects).toContainEqual({
    kind: "refused",
    reason: expect.stringContaining("somebody is in the sum who dealt no shares"),
  });
});

test("a participant opens its shares for no fewer consents than the threshold", () => {
  const values = randomValues(4, 3, 5);
  const options = { n: 4, threshold: 3, values };
  const { session } = settingOf(options);
  const { participantEffects, sum } = run({
    ...options,
    relay: (_, bytes) => {
      const parsed = parseMessage(bytes, session);
      if (typeof parsed === "string" || parsed.kind !== "consents") return bytes;
      return message("consents", session, entriesBytes(parseEntries(parsed.body, 64, 4)!.slice(1)));
    },
  });
  expect(sum).toBeUndefined();
  const kinds = participantEffects.filter(({ kind }) => kind !== "send");
  expect(kinds.length).toBeGreaterThan(3);
  for (const effect of kinds)
    expect(effect).toEqual({ kind: "refused", reason: '"consents": expected 3 signatures, got 2' });
});

test("a share of noise is not left in memory", () => {
  const core = openCore();
  const random = openStream(core, { mode: "seeded", seed: "share" });
  for (const statistic of ["vector", "covariance"] as const) {
    const grid = aggregationGrid({
      statistic,
      tasks: 5,
      dimension: 6,
      clip: 1,
      adjacency: "replace",
    });
    const sum = new Float64Array(grid.entries);
    const at = core.arena.mark();
    addNoiseShare(core, random, grid, 5000, sum);
    expect(sum.every((value) => value !== 0)).toBe(true);
    expect(core.arena.mark()).toBe(at);
    const left = core.arena.view(core.arena.f64(grid.entries), grid.entries);
    expect(left.every((value) => value === 0)).toBe(true);
  }
});

test("lists in messages are read as they were written, and refused where an index comes twice or out of order", () => {
  const n = 12;
  const indices = fc.uniqueArray(fc.nat(n - 1), { maxLength: n });
  fc.assert(
    fc.property(indices, fc.integer({ min: 1, max: 40 }), (list, size) => {
      const entries = list.map((index) => ({ index, bytes: new Uint8Array(size).fill(index + 1) }));
      const sorted = [...entries].sort((a, b) => a.index - b.index);
      expect(parseEntries(entriesBytes(sorted), size, n)).toEqual(sorted);
      // As a socket hands them over: within a Buffer, where they do not begin it.
      const wire = Buffer.concat([Buffer.of(1, 2, 3), entriesBytes(sorted)]).subarray(3);
      const read = parseEntries(wire, size, n);
      wire.fill(0);
      expect(read).toEqual(sorted);
      const ascending = sorted.map(({ index }) => index);
      expect(takeIndices(indicesBytes(ascending), n)!.indices).toEqual(ascending);
      if (list.length === 0) return;
      for (const wrong of [
        [...sorted, sorted[0]!],
        [...sorted, sorted.at(-1)!],
      ]) {
        expect(parseEntries(entriesBytes(wrong), size, n)).toBeUndefined();
        expect(takeIndices(indicesBytes(wrong.map(({ index }) => index)), n)).toBeUndefined();
      }
      expect(parseEntries(entriesBytes(sorted), size, sorted.at(-1)!.index)).toBeUndefined();
    }),
    { numRuns: 50, seed: 6 },
  );
});

test("nobody takes part under another identity than the plan's, or one that it does not know", () => {
  const names = ["a", "b", "c"];
  const planned = planAggregation({
    participants: names.map((name, i) => ({ name, identity: bytesToHex(identity(i).public) })),
    colluding: 0,
  });
  const made = (participant: string, index: number) =>
    new SumAttempts({
      planned,
      plan: "plan",
      run: "run",
      participant,
      opened: [],
      begun: new Map(),
      identity: identity(index).secret,
      random: randomBytesFrom({ mode: "secure" }),
    });
  expect(() => made("b", 1)).not.toThrow();
  expect(() => made("b", 2)).toThrow(bytesToHex(identityKey(identity(2).secret)));
  expect(() => made("d", 1)).toThrow("d is not one of the plan's aggregation");
});

test("a sum has one key, of its own length, for each participant", () => {
  const setting = settingOf({ n: 3, values: randomValues(3, 2, 1) });
  const [first, second] = setting.identities;
  const change = (identities: Uint8Array[]) => () => createSetting({ ...setting, identities });
  expect(change([first!, second!, first!])).toThrow("expected distinct keys");
  expect(change([first!, second!])).toThrow("expected 3, one per participant");
  expect(change([first!, second!, first!.slice(1)])).toThrow("public keys of 32 bytes");
});
