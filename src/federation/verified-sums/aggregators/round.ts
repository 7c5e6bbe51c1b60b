/**
 * One round of a verified sum in one process: every task reports, leader and helper check and sum.
 * @module
 */
import type { Core } from "../../../core/index.js";
import type { RandomOptions } from "../../../random/index.js";
import { keyPair, type KeyPair } from "../../secure-aggregation/keys/keys.js";
import type { RandomBytes } from "../../secure-aggregation/keys/random-bytes.js";
import { verifyKeyBytes } from "./aggregator.js";
import { Helper } from "./helper.js";
import { Leader } from "./leader.js";
import type { ReportRefusal } from "./output-shares.js";
import { makeReport, taskIntegers } from "./report.js";
import type { VerifiedTerms } from "../plan/terms.js";

/**
 * What a task's participant reports in place of its integers, to try what dishonest ones can do; undefined: nothing.
 */
export type Reported = (
  task: string,
  round: number,
  integers: Float64Array,
) => Float64Array | undefined;

/** A round's setting. */
export interface VerifiedRound {
  readonly round: number;
  readonly session: Uint8Array;
  readonly terms: VerifiedTerms;
  readonly names: readonly string[];
  /** Every task's upload, [m, d]. */
  readonly uploads: Float64Array;
  readonly core: Core;
  /** Where the aggregators' noise comes from. */
  readonly noise: RandomOptions;
  /** Random bytes for keys and reports. */
  readonly random: RandomBytes;
  readonly reported: Reported;
}

/** The outcome of a round. */
export interface VerifiedRoundResult {
  /** The noisy sum, packed integers. */
  readonly sum: Float64Array;
  readonly accepted: readonly string[];
  readonly refused: ReadonlyMap<string, ReportRefusal>;
  /** Bytes from all participants. */
  readonly bytes: number;
}

/** Runs the round. */
export function runVerifiedRound(setting: VerifiedRound): VerifiedRoundResult {
  const { round, session, terms, names, uploads, core, noise, random, reported } = setting;
  const verifyKey = random(verifyKeyBytes(terms));
  const shared = { terms, session, verifyKey, core, random: noise, round };
  const keys: [KeyPair, KeyPair] = [keyPair(random), keyPair(random)];
  const leader = new Leader({ ...shared, keys: keys[0] });
  const helper = new Helper({ ...shared, keys: keys[1] });
  const aggregators = [keys[0].public, keys[1].public] as const;
  const d = terms.grid.dimension;
  let bytes = 0;
  for (const [i, participant] of names.entries()) {
    const own = taskIntegers(terms.grid, uploads.subarray(i * d, (i + 1) * d));
    const integers = reported(participant, round, own);
    if (!integers) continue;
    const report = makeReport({ terms, session, participant, aggregators, integers, random });
    bytes += report.length;
    const reception = leader.receive(participant, report);
    if (reception.kind !== "forward") continue;
    leader.answer(participant, helper.receive(participant, reception.message));
  }
  const sum = leader.open(helper.give(leader.close()));
  for (const { secret } of keys) secret.fill(0);
  return { sum, accepted: leader.accepted, refused: leader.refused, bytes };
}
