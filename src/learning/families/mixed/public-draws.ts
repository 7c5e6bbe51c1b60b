/**
 * Standard normals that everyone knows, for integrals worked out identically by every participant.
 * @module
 */
import { withCore } from "../../../core/core.js";
import { log } from "../../../core/elementary.js";
import { normals, openStream } from "../../../random/index.js";

const SEED = "public draws of a mixed model";

/** The draws that were asked for last: every step of a fit asks for as many, so they are drawn once. */
let kept: Float64Array = new Float64Array(0);
/** More are not kept. */
const MOST_KEPT = 2 ** 17;

/** The first n of them, not to be written to. */
export function publicDraws(n: number): Float64Array {
  if (n <= kept.length) return kept.subarray(0, n);
  const drawn = withCore((core) => {
    const stream = openStream(core, { mode: "seeded", seed: SEED });
    try {
      return normals(stream, n);
    } finally {
      stream.close();
    }
  });
  if (n <= MOST_KEPT) kept = drawn;
  return drawn;
}

/** Steps by which a place tells sums of squares apart, of their natural logarithm: far above rounding. */
const PLACE_STEPS = 256;

/**
 * Where among the draws a task of n rows begins, by the sizes of some of its values: spread over 32 bits, another for most tasks, the same in
 * whatever order rows are summed, so that a rounding does not choose other draws.
 */
export function placeOf(n: number, all: readonly Float64Array[]): number {
  let place = n;
  for (const values of all) {
    let squares = 1e-300;
    const { length } = values;
    for (let k = 0; k < length; k++) squares += values[k]! * values[k]!;
    place = Math.imul(place ^ Math.round(PLACE_STEPS * log(squares)), 0x9e3779b1);
    place ^= place >>> 15;
  }
  return place >>> 0;
}
