/**
 * What leader and helper of a verified sum are made of.
 * @module
 */
import { bytes, object } from "../../../core/checks.js";
import type { KeyPair } from "../../secure-aggregation/keys/keys.js";
import type { NoiseSource } from "./output-shares.js";
import { decide, outputShare, prepare, type Prepared, type Refusal } from "../proof/preparation.js";
import { openShare, type Binding } from "./sealing.js";
import type { Element } from "../field/field.js";
import { checkTerms, type VerifiedTerms } from "../plan/terms.js";

/** One round's, for either aggregator. */
export interface AggregatorOptions extends Omit<NoiseSource, "name"> {
  /** The round's numbers. */
  readonly terms: VerifiedTerms;
  /** The round's, from `sessionId`. Aggregators of one session must never be made twice. */
  readonly session: Uint8Array;
  /** Known to both aggregators and to no participant; fresh in every session, `verifyKeyBytes` long. */
  readonly verifyKey: Uint8Array;
  /** This aggregator's X25519 pair, whose public key participants know from the plan. */
  readonly keys: KeyPair;
}

/** Bytes of a verify key. @throws TypeError for what are no terms. */
export function verifyKeyBytes(terms: VerifiedTerms): number {
  return checkTerms(terms).pine.xof.seedBytes;
}

/** What an aggregator is made of. @throws TypeError or RangeError naming the option that is none. */
export function checkAggregator(options: AggregatorOptions): AggregatorOptions {
  const { terms, session, verifyKey, keys, random } = object("options", options);
  const expected = verifyKeyBytes(terms);
  bytes("session", session);
  const { length } = bytes("verifyKey", verifyKey);
  if (length !== expected) {
    throw new RangeError(`verifyKey: expected ${expected} bytes, got ${length}`);
  }
  object("keys", keys);
  object("random", random);
  return options;
}

/** Opens one report's share and prepares it. */
export function prepareShare(
  { terms, verifyKey, keys }: AggregatorOptions,
  binding: Binding,
  reportKey: Uint8Array,
  sealed: Uint8Array,
) {
  const { aggregator, nonce, publicShare } = binding;
  const share = openShare(sealed, binding, keys, reportKey);
  if (!share) return "sealed" as const;
  const prepared = prepare(terms.pine, verifyKey, aggregator, nonce, publicShare, share);
  share.fill(0);
  return prepared;
}

/** This aggregator's share of the vector, if both messages together say that the report is valid. */
export function decideShare(
  { terms }: AggregatorOptions,
  state: Prepared,
  messages: readonly [Uint8Array, Uint8Array],
): Element[] | Refusal {
  const decision = decide(terms.pine, messages);
  return typeof decision === "string" ? decision : outputShare(state, decision);
}
