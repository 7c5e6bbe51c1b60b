/**
 * Standard normals that everyone knows, for integrals worked out identically by every participant.
 * @module
 */
import { withCore } from "../../../core/core.js";
import { normals, openStream } from "../../../random/index.js";

const SEED = "public draws of a mixed model";

/** The first n of them. */
export function publicDraws(n: number): Float64Array {
  return withCore((core) => {
    const stream = openStream(core, { mode: "seeded", seed: SEED });
    try {
      return normals(stream, n);
    } finally {
      stream.close();
    }
  });
}
