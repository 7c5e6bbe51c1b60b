/**
 * Wishart draws for library users.
 * @module
 */
import { finite, integer, object, positive } from "../core/checks.js";
import { withCore } from "../core/core.js";
import { openStream, type RandomOptions, type RandomStream } from "./stream.js";

/** Parameters of a Wishart law W_d(nu, scale I). */
export interface WishartOptions {
  /** d, rows and columns. */
  dimension: number;
  /** nu > d - 1, not necessarily an integer. The mean is nu scale I. */
  degreesOfFreedom: number;
  /** Scale > 0 of the identity. */
  scale: number;
}

/**
 * One draw of W_d(nu, scale I) by Bartlett's factor.
 *
 * @param random a stream, or options for a fresh one: two calls with the same seed give the same
 *               matrix.
 * @param options the law.
 * @returns shape [d, d], row-major, symmetric to the bit, positive definite.
 * @throws RangeError if `degreesOfFreedom` <= d - 1 (there is no density), `scale` <= 0.
 * @see Bartlett (1933); Odell and Feiveson (1966).
 * @example sampleWishart({ mode: "secure" }, { dimension: 5, degreesOfFreedom: 6, scale: 0.5 })
 */
export function sampleWishart(
  random: RandomOptions | RandomStream,
  options: WishartOptions,
): Float64Array {
  object("random", random);
  const { dimension, degreesOfFreedom, scale } = object("options", options);
  integer("dimension", dimension, 1, 16384);
  finite("degreesOfFreedom", degreesOfFreedom);
  if (!(degreesOfFreedom > dimension - 1)) {
    throw new RangeError(
      `degreesOfFreedom: expected more than dimension - 1 = ${dimension - 1}, ` +
        `got ${degreesOfFreedom}`,
    );
  }
  positive("scale", scale);
  if ("state" in random) return draw(random, dimension, degreesOfFreedom, scale);
  return withCore((core) => {
    const stream = openStream(core, random);
    try {
      return draw(stream, dimension, degreesOfFreedom, scale);
    } finally {
      stream.close();
    }
  });
}

function draw(
  { core, state }: RandomStream,
  d: number,
  degreesOfFreedom: number,
  scale: number,
): Float64Array {
  const { kernels, arena } = core;
  const mark = arena.mark();
  const size = 8 * d * d;
  const workspace = kernels.wishartWorkspace(d);
  arena.require(size + workspace, "a Wishart draw");
  const out = arena.bytes(size);
  kernels.wishart(state, out, d, degreesOfFreedom, scale, arena.bytes(workspace));
  const matrix = arena.view(out, d * d).slice();
  arena.wipe(out, size);
  arena.release(mark);
  return matrix;
}
