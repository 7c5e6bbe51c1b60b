/**
 * Standard errors of the fixed effects of a logistic mixed model: of the tasks that happened to take part and of the noise.
 *
 * The effects are gain . value of all noisy measurements together. All rounds ask the same tasks, so their scores are off by the
 * same, and two rounds tell no more of a population than one; the belief, which weighs rounds against each other and against
 * the prior, counts each round's scores as if they were off by little.
 * @module
 */
import { congruence, multiply, symmetric, transpose } from "../../../../linalg/small-matrices.js";
import { stacked, type MeasuredEffects, type Measurement } from "./logistic-scores.js";

/**
 * Covariance of the effects' error, [d, d]: K E K^T + (I - K D) V (I - K D)^T, K the gain, D the design, V the belief before.
 * @param asked rounds whose scores count.
 */
export function effectsError(
  measurements: readonly Measurement[],
  { gain, unmeasured }: MeasuredEffects,
  asked: number,
): Float64Array {
  const d = unmeasured.length;
  const n = gain.length / d;
  const { design, error } = stacked(measurements, n, d);
  const tasks = new Float64Array(n * d);
  let at = 0;
  for (const { sampling, value } of measurements) {
    tasks.set(sampling, at * d);
    const rows = value.length;
    const own = multiply(sampling, transpose(sampling, rows, d), rows, d, rows);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < rows; j++) error[(at + i) * n + at + j]! -= own[i * rows + j]! / asked;
    at += rows;
  }
  const common = multiply(tasks, transpose(tasks, n, d), n, d, n);
  const off = congruence(
    gain,
    error.map((value, k) => value + common[k]!),
    d,
    n,
  );
  const left = multiply(gain, design, d, n, d).map((value, k) => (k % (d + 1) ? 0 : 1) - value);
  for (let i = 0; i < d; i++)
    for (let j = 0; j < d; j++)
      for (let k = 0; k < d; k++)
        off[i * d + j]! += left[i * d + k]! * unmeasured[k]! * left[j * d + k]!;
  return symmetric(off, d);
}
