/**
 * By what names participants and both aggregators know one attempt at a round's sum, and the reports in it.
 *
 * The session of an attempt depends on the public sizes, from which grid, bound and noise follow: a report made for other sizes
 * opens nowhere, so an aggregator that was told others cannot be made to add too little noise.
 * @module
 */
import type { PublicSizes } from "../../../learning/round/halves.js";
import { agreementOf } from "../../secure-aggregation/keys/key-agreement.js";
import { agreedKey, type KeyPair } from "../../secure-aggregation/keys/keys.js";
import { sessionId } from "../../secure-aggregation/keys/session.js";
import { verifyKeyBytes } from "./aggregator.js";
import type { VerifiedTerms } from "../plan/terms.js";

/** A run that was started. */
export interface NamedRun {
  /** Hash of the plan. */
  readonly plan: string;
  readonly run: string;
  /** The curator's. */
  readonly session: string;
  readonly sizes: PublicSizes;
}

/** The session of an attempt, to which its reports are sealed. */
export function attemptSession(
  { plan, run, session, sizes }: NamedRun,
  round: number,
  attempt: number,
): Uint8Array {
  const { m, rows, mostRows } = sizes;
  const name = `${run} ${session} two aggregators ${m} ${rows} ${mostRows}`;
  return sessionId({ plan, run: name, round, attempt });
}

/** Who reports for the task at a position; a participant's name has no dot. */
export function reporterName(participant: string, position: number): string {
  return `${participant}.${position}`;
}

/**
 * The key under which both aggregators check an attempt's reports: agreed between their keys, so that nobody else has it and
 * nothing of it travels.
 * @param own this aggregator's pair.
 * @param keys public keys of leader and helper.
 */
export function verifyKeyOf(
  terms: VerifiedTerms,
  session: Uint8Array,
  own: KeyPair,
  keys: readonly [Uint8Array, Uint8Array],
): Uint8Array {
  const peer = keys.find((key) => key.some((byte, i) => byte !== own.public[i]))!;
  const key = agreedKey(session, "verify key", agreementOf(own), peer, keys);
  if (!key)
    throw new RangeError("aggregation: expected X25519 public keys, got one of small order");
  return key.subarray(0, verifyKeyBytes(terms));
}
