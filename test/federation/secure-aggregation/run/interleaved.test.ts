/**
 * Attempts at one round's sum that go on beside one another, with late and repeated messages, deadlines, and participants and curators that come
 * back from what they kept: no two of them are opened, so that no difference of two sums tells of one participant.
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import seedrandom from "seedrandom";
import { readStoredState } from "../../../../src/federation/participant/participant-records.js";
import { encodeFrame } from "../../../../src/federation/protocol/messages/frame.js";
import {
  AggregationCurator,
  type CuratorEffect,
} from "../../../../src/federation/secure-aggregation/attempt/curator.js";
import { neighbourhoodOf } from "../../../../src/federation/secure-aggregation/attempt/ring.js";
import { createSetting } from "../../../../src/federation/secure-aggregation/attempt/setting.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import { sessionId } from "../../../../src/federation/secure-aggregation/keys/session.js";
import {
  planAggregation,
  shareOptionsOf,
} from "../../../../src/federation/secure-aggregation/plan/planned.js";
import { termsDigest } from "../../../../src/federation/secure-aggregation/plan/terms.js";
import {
  SumAttempts,
  type Answer,
  type OpenRound,
} from "../../../../src/federation/secure-aggregation/run/sum-attempts.js";
import { thorough } from "../../../thorough.js";
import { identity, plainSum, randomValues } from "../harness.js";

const N = 4;
const ATTEMPTS = [1, 2, 3];
const values = randomValues(N, 2, 3);
const planned = planAggregation({
  participants: values.map((_, i) => ({
    name: `p${i}`,
    identity: bytesToHex(identity(i).public),
  })),
  colluding: 0,
  threshold: 3,
});
const { parties } = shareOptionsOf(planned);
const terms = { grid: { entries: 2 }, bits: 64 } as unknown as OpenRound["terms"];

function settingOf(attempt: number) {
  const session = sessionId({ plan: "plan", run: "run", round: 1, attempt });
  return createSetting({
    parties,
    identities: values.map((_, i) => identity(i).public),
    neighbourhood: neighbourhoodOf(parties, session),
    session,
    numbers: termsDigest(terms),
    entries: 2,
    bits: 64,
  });
}

/** A participant, whose process may end at any time. */
class Party {
  readonly #records: Uint8Array[] = [];
  readonly #index: number;
  #process: SumAttempts;

  constructor(index: number) {
    this.#index = index;
    this.#process = this.#begin();
  }

  #begin() {
    const { opened, begun } = readStoredState(this.#records);
    const who = { plan: "plan", run: "run", participant: `p${this.#index}` };
    const random = randomBytesFrom({ mode: "secure" });
    return new SumAttempts({ planned, ...who, opened, begun, identity: identity(this.#index).secret, random }); // prettier-ignore
  }

  restart() {
    this.#process = this.#begin();
  }

  /** @param kills whether the process ends once it has kept something, before it says anything. */
  receive(attempt: number, bytes: Uint8Array, kills: boolean): Answer[] {
    const integers = () => values[this.#index]!;
    const answers = this.#process.receive(attempt, bytes, { round: 1, terms, integers });
    const kept = answers.filter(({ kind }) => kind === "opened" || kind === "begun");
    for (const { kind } of kept) {
      this.#records.push(
        encodeFrame(
          kind === "opened" ? { type: "opened", round: 1 } : { type: "begun", round: 1, attempt },
        ),
      );
    }
    if (kept.length === 0 || !kills) return answers;
    this.restart();
    return [];
  }
}

/** The sums that a schedule opens, each of its members. */
function openedBy(seed: string) {
  const random = seedrandom(seed);
  const below = (n: number) => Math.floor(n * random());
  const parties = values.map((_, i) => new Party(i));
  const curators = new Map(
    ATTEMPTS.map((k) => [k, new AggregationCurator({ setting: settingOf(k) })]),
  );
  const sums: { attempt: number; included: readonly number[]; values: Float64Array }[] = [];
  /** Everything that was ever said: late and repeated messages are among it. */
  const said: { attempt: number; to: number; from: number; bytes: Uint8Array }[] = [];
  const fresh: number[] = [];
  const say = (message: (typeof said)[number]) => fresh.push(said.push(message) - 1);
  const after = (attempt: number, effects: CuratorEffect[]) => {
    for (const effect of effects) {
      if (effect.kind === "sum")
        sums.push({ attempt, included: effect.included, values: effect.values });
      if (effect.kind === "opening" && random() < 0.3) {
        const { snapshot } = effect;
        curators.set(attempt, new AggregationCurator({ setting: settingOf(attempt), snapshot }));
      }
      if (effect.kind !== "send" && effect.kind !== "announce") continue;
      for (const to of effect.kind === "send" ? [effect.to] : effect.to)
        say({ attempt, to, from: -1, bytes: effect.message });
    }
  };
  const invite = (attempt: number) => {
    values.forEach((_, to) => say({ attempt, to, from: -1, bytes: new Uint8Array() }));
  };
  invite(1);
  const late = [0.003, 0.02, 0.1][below(3)]!;
  let invited = 1;
  for (let step = 0; step < 160; step++) {
    if (invited < ATTEMPTS.length && random() < late) invite(++invited);
    if (random() < late / 2) parties[below(N)]!.restart();
    const attempt = ATTEMPTS[below(invited)]!;
    if (random() < late || fresh.length === 0) after(attempt, curators.get(attempt)!.deadline());
    const at = fresh.length > 0 && random() < 0.9 ? fresh.splice(below(fresh.length), 1)[0]! : below(said.length); // prettier-ignore
    const { to, from, bytes, attempt: of } = said[at]!;
    if (to < 0) {
      after(of, curators.get(of)!.receive(from, bytes));
      continue;
    }
    for (const answer of parties[to]!.receive(of, bytes, random() < late)) {
      if (answer.kind === "send") say({ attempt: of, to: -1, from: to, bytes: answer.bytes });
    }
  }
  return sums;
}

/** Schedules, and how many of them at least open a sum. */
const [SCHEDULES, OPENED] = thorough ? [200, 30] : [20, 2];

test(`of ${SCHEDULES} schedules none opens two sums of a round`, () => {
  let [first, later] = [0, 0];
  for (let k = 0; k < SCHEDULES; k++) {
    const sums = openedBy(`schedule ${k}`);
    expect(new Set(sums.map(({ attempt }) => attempt)).size, `schedule ${k}`).toBeLessThan(2);
    for (const { included, values: sum, attempt } of sums) {
      expect([...sum]).toEqual([...plainSum(values, included)]);
      if (attempt === 1) first++;
      else later++;
    }
  }
  expect(first).toBeGreaterThanOrEqual(OPENED);
  expect(later).toBeGreaterThan(0);
}, 300_000);
