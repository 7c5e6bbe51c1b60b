/**
 * A participant that comes back in the middle of an attempt. Among neighbours in a ring two processes of one participant, each
 * with keys of its own, would consent to two sets, and a curator that shows it two could bring t consents to each together.
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { encodeFrame } from "../../../../src/federation/protocol/messages/frame.js";
import { readStoredState } from "../../../../src/federation/participant/participant-records.js";
import { openShares } from "../../../../src/federation/secure-aggregation/attempt/dealt-shares.js";
import { parties } from "../../../../src/federation/secure-aggregation/plan/parties.js";
import { ringSize } from "../../../../src/federation/secure-aggregation/plan/ring-size.js";
import { sessionId } from "../../../../src/federation/secure-aggregation/keys/session.js";
import { SEALED_BYTES } from "../../../../src/federation/secure-aggregation/attempt/messages.js";
import { entriesBytes } from "../../../../src/federation/secure-aggregation/attempt/message-parts.js";
import { neighbourhoodOf } from "../../../../src/federation/secure-aggregation/attempt/ring.js";
import { createSetting } from "../../../../src/federation/secure-aggregation/attempt/setting.js";
import { newIdentity } from "../../../../src/federation/secure-aggregation/keys/keys.js";
import { planAggregation } from "../../../../src/federation/secure-aggregation/plan/planned.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import {
  SumAttempts,
  type Answer,
  type OpenRound,
} from "../../../../src/federation/secure-aggregation/run/sum-attempts.js";

const N = 61;
const identities = Array.from({ length: N }, (_, i) =>
  newIdentity(randomBytesFrom({ mode: "seeded", seed: `identity ${i}` })),
);
const participants = identities.map((key, i) => ({
  name: `p${i}`,
  identity: bytesToHex(key.public),
}));
const open = {
  round: 1,
  terms: { grid: { entries: 3 }, bits: 64 },
  integers: () => Float64Array.of(1, 2, 3),
} as unknown as OpenRound;
const INVITATION = new Uint8Array();

/** A process of participant 5, with what its store holds. */
function processOf(dropOuts: number | undefined, records: readonly Uint8Array[]): SumAttempts {
  const { opened, begun } = readStoredState(records);
  const ring = dropOuts === undefined ? {} : { dropOuts };
  const planned = planAggregation({ participants, colluding: 0, threshold: 31, ...ring });
  return new SumAttempts({
    planned,
    plan: "plan",
    run: "run",
    participant: "p5",
    opened,
    begun,
    identity: identities[5]!.secret,
    random: randomBytesFrom({ mode: "secure" }),
  });
}

/** What is kept of answers, in the order in which it would be. */
const recordsOf = (attempt: number, answers: readonly Answer[]) =>
  answers.flatMap(({ kind }) =>
    kind === "begun" ? [encodeFrame({ type: "begun", round: 1, attempt })] : [],
  );
const kinds = (answers: readonly Answer[]) => answers.map(({ kind }) => kind);

describe("with neighbours in a ring", () => {
  test("an attempt is kept before its keys are sent", () => {
    expect(kinds(processOf(9, []).receive(1, INVITATION, open))).toEqual(["begun", "send"]);
  });

  test("after a restart it takes no part in that attempt or one before, but in the next", () => {
    const kept = recordsOf(3, processOf(9, []).receive(3, INVITATION, open));
    const restarted = processOf(9, kept);
    for (const attempt of [1, 2, 3]) {
      expect(kinds(restarted.receive(attempt, INVITATION, open))).toEqual(["ignored"]);
    }
    expect(kinds(restarted.receive(4, INVITATION, open))).toEqual(["begun", "send"]);
    // A repeated invitation gets the same keys again, from the process that made them.
    expect(kinds(restarted.receive(4, INVITATION, open))).toEqual(["send"]);
  });

  test("the latest attempt of a round counts, and other rounds are their own", () => {
    const kept = [4, 2].map((attempt) => encodeFrame({ type: "begun", round: 1, attempt }));
    const restarted = processOf(9, kept);
    expect(kinds(restarted.receive(4, INVITATION, open))).toEqual(["ignored"]);
    expect(kinds(restarted.receive(1, INVITATION, { ...open, round: 2 }))).toEqual([
      "begun",
      "send",
    ]);
  });
});

test("who was dealt fewer shares than give a secret back takes no part", () => {
  const { threshold } = ringSize({ participants: N, colluding: 0, dropOuts: 9 })!;
  const numbers = parties({ participants: N, threshold: 31, colluding: 0, dropOuts: 9 });
  const session = sessionId({ plan: "plan", run: "run", round: 1, attempt: 1 });
  const neighbourhood = neighbourhoodOf(numbers, session);
  const setting = createSetting({
    parties: numbers,
    identities: identities.map((key) => key.public),
    neighbourhood,
    session,
    numbers: new Uint8Array(32),
    entries: 3,
    bits: 64,
  });
  const dealt = (count: number) => {
    const dealers = [...neighbourhood.of(5)].sort((a, b) => a - b).slice(0, count);
    const body = entriesBytes(
      dealers.map((index) => ({ index, bytes: new Uint8Array(SEALED_BYTES) })),
    );
    return openShares(body, { setting, index: 5, peers: new Map() });
  };
  expect(dealt(threshold - 2)).toBe(
    `expected at least ${threshold - 1} dealers, got ${threshold - 2}`,
  );
  expect(dealt(threshold - 1)).toMatch(/was not in the roster/);
});

test("where all are neighbours, opening takes t shares that are kept, and a participant may come back at once", () => {
  const answers = processOf(undefined, []).receive(1, INVITATION, open);
  expect(kinds(answers)).toEqual(["send"]);
  expect(recordsOf(1, answers)).toEqual([]);
});
