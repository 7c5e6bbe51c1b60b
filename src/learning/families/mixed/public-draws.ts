/**
 * Standard normals that everyone knows, for integrals worked out identically by every participant.
 * @module
 */
import { withCore } from "../../../core/core.js";
import { normals, openStream } from "../../../random/index.js";

const SEED = "public draws of a mixed model";

/** Those drawn last: every step of a fit asks for as many. */
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
