/**
 * What a participant puts under its masks: the integers of its tasks and its share of the noise.
 * @module
 */
import type { Core } from "../../../core/index.js";
import type { NoiseStream } from "../../../privacy/index.js";
import { addStatistic, quantize } from "../integers/fixed-point.js";
import { addNoiseShare } from "../integers/noise.js";
import { roundToGrid } from "../integers/parts.js";
import type { RoundTerms } from "../plan/terms.js";

/**
 * The statistic of a participant's shared vectors, as integers, with its noise.
 *
 * Drawn once a round and used in every attempt at it: whoever opened two attempts of one participant
 * would see the same numbers twice, and nothing more.
 *
 * @param vectors its tasks' uploads, [k, d].
 * @param random  a stream in `core`, selected for this round.
 * @throws DataError if a vector is not finite.
 */
export function noisyIntegers(
  core: Core,
  random: NoiseStream,
  { grid, steps }: RoundTerms,
  vectors: Float64Array,
): Float64Array {
  const { statistic, dimension: d, lattice, entries } = grid;
  const sum = new Float64Array(entries);
  const q = new Float64Array(d);
  for (let at = 0; at < vectors.length; at += d) {
    (grid.rounded ? roundToGrid : quantize)(vectors.subarray(at, at + d), q, lattice);
    addStatistic(statistic, q, lattice.one, sum);
  }
  q.fill(0);
  addNoiseShare(core, random, grid, steps, sum);
  return sum;
}
