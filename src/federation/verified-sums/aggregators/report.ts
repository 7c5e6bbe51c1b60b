/**
 * A participant's half of a verified sum: one report, sent once.
 *
 * Its cost depends on the vector's length only, not on how many participants there are.
 * @module
 */
import { array, bytes, callable, float64Array, object, text } from "../../../core/checks.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { DataError } from "../../../core/errors.js";
import { keyPair, KEY_BYTES, SEAL_BYTES } from "../../secure-aggregation/keys/keys.js";
import { addStatistic, quantize } from "../../secure-aggregation/integers/fixed-point.js";
import type { RandomBytes } from "../../secure-aggregation/keys/random-bytes.js";
import {
  checkPine,
  HELPER,
  LEADER,
  NONCE_BYTES,
  type Aggregator,
  type Pine,
} from "../proof/pine.js";
import { sealShare } from "./sealing.js";
import { shard, type Shares } from "../proof/shard.js";
import { checkTerms, type VerifiedTerms } from "../plan/terms.js";
import { checkGrid } from "../plan/norm-bound.js";
import type { AggregationGrid } from "../../secure-aggregation/integers/aggregation-grid.js";

/** What a report is made of. */
export interface ReportOptions {
  /** The round's numbers. */
  readonly terms: VerifiedTerms;
  /** The round's, from `sessionId`. */
  readonly session: Uint8Array;
  /** The name by which the aggregators know who sends. */
  readonly participant: string;
  /** X25519 public keys of leader and helper, from the plan. */
  readonly aggregators: readonly [Uint8Array, Uint8Array];
  /** Integers of one task's statistic, from {@link taskIntegers}. */
  readonly integers: Float64Array;
  /** Where the report's randomness comes from; it must be fresh in every report. */
  readonly random: RandomBytes;
}

/**
 * Integers of one task's vector: clipped and rounded to the grid, so that the norm that is proved is the
 * plan's clip.
 *
 * @param vector the task's upload, [d].
 * @throws DataError if it is not finite; TypeError for what is no grid or no vector.
 */
export function taskIntegers(grid: AggregationGrid, vector: Float64Array): Float64Array {
  const { statistic, dimension, lattice, entries } = checkGrid("grid", grid);
  float64Array("vector", vector);
  const onGrid = new Float64Array(dimension);
  quantize(vector, onGrid, lattice);
  const integers = new Float64Array(entries);
  addStatistic(statistic, onGrid, lattice.one, integers);
  onGrid.fill(0);
  return integers;
}

/**
 * The report, for the leader. To make it again for the same round is safe: the aggregators take the first.
 *
 * @throws DataError if the integers are so far over the norm that the wraparound checks fail; RangeError if
 *   an aggregator's key is none.
 */
export function makeReport(options: ReportOptions): Uint8Array {
  const { terms, session, participant, aggregators, random } = object("options", options);
  checkTerms(terms);
  bytes("session", session);
  text("participant", participant);
  array("aggregators", aggregators);
  float64Array("integers", options.integers);
  callable("random", random);
  const { pine } = terms;
  const nonce = random(NONCE_BYTES);
  const { publicShare, inputShares } = sharesOf(pine, options.integers, nonce, random);
  const own = keyPair(random);
  const sealed = ([LEADER, HELPER] as const).map((aggregator) => {
    const binding = { session, aggregator, participant, nonce, publicShare };
    const share = sealShare(inputShares[aggregator], binding, own, aggregators[aggregator]);
    inputShares[aggregator].fill(0);
    return share;
  });
  own.secret.fill(0);
  return concatBytes(nonce, publicShare, own.public, ...sealed);
}

/** An honest vector needs a second try once in 2^101 reports. */
const TRIES = 2;

function sharesOf(
  pine: Pine,
  integers: Float64Array,
  nonce: Uint8Array,
  random: RandomBytes,
): Shares {
  const vector = Array.from(integers, BigInt);
  for (let i = 0; i < TRIES; i++) {
    const seeds = random(pine.randomBytes);
    const shares = shard(pine, vector, nonce, seeds);
    seeds.fill(0);
    if (shares) return shares;
  }
  throw new DataError("report: expected integers of a norm within the bound, got far longer ones");
}

/** A report in its parts. */
export interface ReportParts {
  readonly nonce: Uint8Array;
  readonly publicShare: Uint8Array;
  /** The report's public key. */
  readonly key: Uint8Array;
  readonly sealed: readonly [Uint8Array, Uint8Array];
}

/** Bytes of a report. */
export function reportBytes(pine: Pine): number {
  checkPine("pine", pine);
  return headBytes(pine) + sealedBytes(pine, LEADER) + sealedBytes(pine, HELPER);
}

/** @returns undefined if the length is not a report's. */
export function parseReport(pine: Pine, bytes: Uint8Array): ReportParts | undefined {
  if (bytes.length !== reportBytes(pine)) return undefined;
  const cut = headBytes(pine) + sealedBytes(pine, LEADER);
  return {
    ...parseHead(pine, bytes),
    sealed: [bytes.subarray(headBytes(pine), cut), bytes.subarray(cut)],
  };
}

/** Nonce, public share and key, which both aggregators see. */
export function parseHead(pine: Pine, bytes: Uint8Array): Omit<ReportParts, "sealed"> {
  const shareEnd = NONCE_BYTES + pine.publicShareBytes;
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    publicShare: bytes.subarray(NONCE_BYTES, shareEnd),
    key: bytes.subarray(shareEnd, headBytes(pine)),
  };
}

export function headBytes(pine: Pine): number {
  return NONCE_BYTES + pine.publicShareBytes + KEY_BYTES;
}

export function sealedBytes(pine: Pine, aggregator: Aggregator): number {
  return pine.inputShareBytes(aggregator) + SEAL_BYTES;
}
