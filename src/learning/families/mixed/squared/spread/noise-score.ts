/**
 * The score of the common noise from a task with many rows.
 *
 * A task's own noise is averaged over a few multiples of the common one. Many rows tell their noise more sharply than these
 * multiples are apart; the likelihood then has a maximum wherever one of them fits, and its derivative is a saw: steps
 * along it end at a noise three or ten times too small, or go to and fro. So of such tasks the score is that of where the
 * prior of the logarithm lies, N(0, {@link NOISE_SPREAD}) around the common one (Fisher's identity): what the rows that no direction of the
 * model explains say of it, log(rest / q) with a variance of 2 / q, weighed with that prior.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { NOISE_MULTIPLES, NOISE_SPREAD } from "../squared-settings.js";

/** Rows beyond the model's directions that tell a noise as sharply as the multiples, half a decade apart, divide it: 24 / log(10^.5)^2. */
const SHARP_ROWS = 18;

/** Furthest that a noise is from the common one: a quarter of a decade beyond the last multiple. */
const FURTHEST = log(NOISE_MULTIPLES.at(-1)!) + log(10) / 4;

/**
 * Score of the logarithm of the common noise.
 * @param byMultiples the same by the average over multiples, which few rows keep.
 * @param q rows beyond the model's directions.
 * @param rest sum of the squares that no direction explains.
 * @param noise the common one.
 */
export function noiseScore(byMultiples: number, q: number, rest: number, noise: number): number {
  if (q === 0) return byMultiples;
  // The saw is as high as q: it has to fade faster.
  const few = (SHARP_ROWS * SHARP_ROWS) / (q * q);
  const sharp = 1 / (1 + few * few);
  const told = log(Math.max(rest / (q * noise), Number.MIN_VALUE));
  const held = Math.min(Math.max(told, -FURTHEST), FURTHEST);
  return (1 - sharp) * byMultiples + (sharp * held) / (NOISE_SPREAD + 2 / q);
}
