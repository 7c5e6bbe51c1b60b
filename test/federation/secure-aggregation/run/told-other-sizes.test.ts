/**
 * A curator that tells participants different sizes. Grid and noise follow from them: on a coarser grid the others' shares of noise are
 * few of one's own integers' steps, so that one's own share alone would hide one's integers.
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { makePlan } from "../../../../src/federation/index.js";
import { plannedMethod } from "../../../../src/federation/protocol/plan/planned-method.js";
import { aggregationTerms } from "../../../../src/federation/secure-aggregation/plan/terms.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import { sessionId } from "../../../../src/federation/secure-aggregation/keys/session.js";
import { signedName } from "../../../../src/federation/secure-aggregation/attempt/setting.js";
import {
  message,
  parseMessage,
} from "../../../../src/federation/secure-aggregation/attempt/messages.js";
import {
  entriesBytes,
  parseEntries,
} from "../../../../src/federation/secure-aggregation/attempt/message-parts.js";
import {
  planAggregation,
  shareOptionsOf,
} from "../../../../src/federation/secure-aggregation/plan/planned.js";
import { SumAttempts } from "../../../../src/federation/secure-aggregation/run/sum-attempts.js";
import { sign, SIGNATURE_BYTES } from "../../../../src/federation/secure-aggregation/keys/keys.js";
import { identity, randomValues, run, settingOf } from "../harness.js";

const names = ["a", "b", "c"];
const planned = planAggregation({
  participants: names.map((name, i) => ({ name, identity: bytesToHex(identity(i).public) })),
  colluding: 0,
});
const plan = makePlan({
  run: "run",
  method: "mp-feature-learning",
  features: ["f", "g"],
  tasks: names.map((name) => ({ name, participant: name })),
  options: { rounds: 1, delta: 1e-5, epsilon: 1 },
  aggregation: planned,
});
/** The round as it is for who is told of so many tasks. */
const termsFor = (m: number) => {
  const { releases } = plannedMethod(plan, { m, d: 2, rows: 10 * m, mostRows: 10 });
  return aggregationTerms(releases, shareOptionsOf(planned))[0]!;
};
const session = sessionId({ plan: "plan", run: "run", round: 1, attempt: 1 });

/** A participant that was told of so many tasks, and what it says first. */
function participant(index: number, m: number) {
  const attempts = new SumAttempts({
    planned,
    plan: "plan",
    run: "run",
    participant: names[index]!,
    opened: [],
    begun: new Map(),
    identity: identity(index).secret,
    random: randomBytesFrom({ mode: "secure" }),
  });
  const terms = termsFor(m);
  const open = { round: 1, terms, integers: () => new Float64Array(terms.grid.entries) };
  const say = (bytes: Uint8Array) => {
    const [answer] = attempts.receive(1, bytes, open);
    return answer!;
  };
  const bodyOf = (bytes: Uint8Array) => {
    const answer = say(bytes);
    if (answer.kind !== "send") throw new Error(JSON.stringify(answer));
    return (parseMessage(answer.bytes, session) as { body: Uint8Array }).body;
  };
  return { say, bodyOf };
}

const INVITATION = new Uint8Array();
const roster = (keys: readonly Uint8Array[], to: number) =>
  message(
    "roster",
    session,
    entriesBytes(
      keys.map((bytes, index) => ({ index, bytes })).filter(({ index }) => index !== to),
    ),
  );

test("sizes decide how much of a sum's noise an integer has", () => {
  const [own, others] = [termsFor(3), termsFor(2 ** 30)];
  // Why it matters: the others' noise is a ten-thousandth of what it should be, in one's own steps.
  expect(others.steps).toBeLessThan(own.steps / 1e4);
  expect(others.bits).toBe(own.bits);
  expect(others.grid.entries).toBe(own.grid.entries);
});

describe("who was told other sizes", () => {
  test("has no keys that a participant takes", () => {
    const all = [participant(0, 3), participant(1, 2 ** 30), participant(2, 2 ** 30)];
    const keys = all.map((one) => one.bodyOf(INVITATION));
    expect(all[0]!.say(roster(keys, 0))).toEqual({
      kind: "ignored",
      why: '"roster": the keys of participant 1 are not signed by it',
    });
  });

  test("counts as nobody among those that consent", () => {
    const options = { n: 3, threshold: 3, values: randomValues(3, 3, 5) };
    const setting = settingOf(options);
    const elsewhere = signedName({ ...setting, numbers: new Uint8Array(32).fill(1) });
    let statement: Uint8Array | undefined;
    const { participantEffects } = run({
      ...options,
      relay: (_, bytes) => {
        const { kind, body } = parseMessage(bytes, setting.session) as Exclude<
          ReturnType<typeof parseMessage>,
          string
        >;
        if (kind === "included") statement = body.slice();
        if (kind !== "consents") return bytes;
        const consents = parseEntries(body, SIGNATURE_BYTES, 3)!;
        const own = sign("included", elsewhere, 2, statement!, identity(2).secret);
        const mixed = [...consents.slice(0, 2), { index: 2, bytes: own }];
        return message("consents", setting.session, entriesBytes(mixed));
      },
    });
    expect(participantEffects).toContainEqual({
      kind: "refused",
      reason: '"consents": participant 2 did not sign this sum',
    });
    expect(participantEffects.filter(({ kind }) => kind === "opened")).toEqual([]);
  });

  test("takes part with those that were told the same", () => {
    const all = [participant(0, 3), participant(1, 3), participant(2, 3)];
    const keys = all.map((one) => one.bodyOf(INVITATION));
    all.forEach((one, index) => expect(one.say(roster(keys, index)).kind).toBe("send"));
  });
});
