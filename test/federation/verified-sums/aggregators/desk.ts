/**
 * One round of a verified sum at one desk: leader, helper and participants.
 * @module
 */
import { openCore, type Core } from "../../../../src/core/index.js";
import {
  Helper,
  Leader,
  makeReport,
  taskIntegers,
  termsOfSum,
  verifiedMechanism,
  verifyKeyBytes,
  type ReportRefusal,
  type VerifiedTerms,
} from "../../../../src/federation/verified-sums/index.js";
import { keyPair } from "../../../../src/federation/secure-aggregation/keys/keys.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import { sessionId } from "../../../../src/federation/secure-aggregation/keys/session.js";
import type { CreateMechanismOptions } from "../../../../src/privacy/index.js";
import { addNoiseShare } from "../../../../src/federation/secure-aggregation/integers/noise.js";
import { openStream } from "../../../../src/random/index.js";
import { keyOf, streamNumber } from "../../../../src/random/stream-numbers.js";

export const random = randomBytesFrom({ mode: "seeded", seed: "desk" });
export const SEED = { mode: "seeded", seed: "desk" } as const;
export const ROUND = 1;

/** The terms of one round of a mechanism. */
export function termsOf(
  asked: Partial<CreateMechanismOptions> = {},
  { budget = 1, precision }: { budget?: number; precision?: number } = {},
): VerifiedTerms {
  const options = { statistic: "vector", tasks: 10, dimension: 3, clip: 1, delta: 1e-5 } as const;
  const mechanism = verifiedMechanism({ ...options, ...asked }, { precision });
  return termsOfSum(mechanism, budget);
}

/** Leader and helper of a round with their keys. */
export function openDesk(terms: VerifiedTerms, core: Core = openCore()) {
  const session = sessionId({ plan: "plan", run: "run", round: ROUND, attempt: 1 });
  const verifyKey = random(verifyKeyBytes(terms));
  const keys = [keyPair(random), keyPair(random)] as const;
  const shared = { terms, session, verifyKey, core, random: SEED, round: ROUND };
  const leader = new Leader({ ...shared, keys: keys[0] });
  const helper = new Helper({ ...shared, keys: keys[1] });
  const aggregators = [keys[0].public, keys[1].public] as const;
  const report = (participant: string, integers: Float64Array, pine = terms.pine) =>
    makeReport({
      session,
      participant,
      aggregators,
      integers,
      random,
      terms: { ...terms, pine },
    });
  return {
    terms,
    core,
    session,
    aggregators,
    leader,
    helper,
    /** A report of integers, whatever their norm; of a liar, with the instance that it pretends to. */
    report,
    /** A report of a vector, as an honest participant makes it. */
    honest: (participant: string, vector: number[]) =>
      report(participant, taskIntegers(terms.grid, Float64Array.from(vector))),
    /** A report on its way through both; `altered` changes what the helper gets. */
    send(
      participant: string,
      bytes: Uint8Array,
      altered: (message: Uint8Array) => Uint8Array = (message) => message,
    ): "accepted" | "twice" | ReportRefusal {
      const reception = leader.receive(participant, bytes);
      if (reception.kind === "twice") return "twice";
      if (reception.kind === "refused") return reception.why;
      const reply = helper.receive(participant, altered(reception.message));
      return leader.answer(participant, reply);
    },
    open: () => leader.open(helper.give(leader.close())),
    /** The noise of both, which a seed gives again. */
    noise(): Float64Array {
      const sum = new Float64Array(terms.grid.entries);
      for (const name of ["leader", "helper"]) {
        const stream = openStream(core, keyOf(SEED, ` aggregator ${name}`));
        stream.select(streamNumber.release(ROUND));
        addNoiseShare(core, stream, terms.grid, terms.steps, sum);
      }
      return sum;
    },
  };
}
