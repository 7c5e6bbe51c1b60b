/**
 * The instance of PINE that federated sums use: Field64, TurboSHAKE128, 100 wraparound checks that must all
 * succeed, two proofs of either circuit.
 * @module
 */
import { FIELD_64 } from "../field/field.js";
import { Pine } from "./pine.js";
import type { NormOptions } from "./norm-parameters.js";
import { normParameters } from "./norm-parameters.js";
import { XOF_TURBO_SHAKE_128 } from "../field/xof.js";

/** The number by which both sides know this proof system, from the standard's range for private use. */
const ID = 0xffffffff;
const PROOFS = 2;

/** The norm check's numbers: an honest vector fails with probability below 200 e^(-8.7^2) < 2^-101. */
export function federatedNorm(dimension: number, radius: bigint): NormOptions {
  return { field: FIELD_64, dimension, radius, checks: 100, successes: 100, alpha: 8.7 };
}

/**
 * The instance.
 *
 * @param dimension entries of a vector.
 * @param radius    the largest norm, in grid steps.
 */
export function federatedPine(dimension: number, radius: bigint): Pine {
  const norm = federatedNorm(dimension, radius);
  const { bitCount, checks } = normParameters(norm);
  return new Pine({
    ...norm,
    xof: XOF_TURBO_SHAKE_128,
    id: ID,
    proofs: PROOFS,
    equalityProofs: PROOFS,
    chunk: shortestProof(2, [bitCount, checks]),
    equalityChunk: shortestProof(1, [dimension]),
  });
}

/**
 * Terms per call of a gadget with which a proof is shortest.
 *
 * @param inputs of the gadget for a term.
 * @param lists  lengths of the lists of terms, each begun with a call of its own.
 */
function shortestProof(inputs: number, lists: readonly number[]): number {
  let [best, shortest] = [1, Infinity];
  for (let log = 1; ; log++) {
    const calls = 2 ** log - 1;
    const chunk = fewestTerms(lists, calls);
    if (chunk === undefined) continue;
    const length = inputs * chunk + 2 * calls + 1;
    if (length >= shortest) return best;
    [best, shortest] = [chunk, length];
  }
}

/** The least chunk for which so many calls do; undefined if each list's one call is too many. */
function fewestTerms(lists: readonly number[], calls: number): number | undefined {
  if (calls < lists.length) return undefined;
  const needed = (chunk: number) =>
    lists.reduce((sum, length) => sum + Math.ceil(length / chunk), 0);
  let [low, high] = [1, Math.max(...lists)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (needed(middle) <= calls) high = middle;
    else low = middle + 1;
  }
  return low;
}
