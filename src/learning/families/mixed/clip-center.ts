/**
 * The point from which skewed scores are clipped so that their mean is 0 where the model holds: clipped from 0 it would not be.
 * @see Hampel, Ronchetti, Rousseeuw and Stahel (1986), "Robust statistics", 4.3: standardised optimal B-robust estimators
 * @module
 */

/** Passes of weighted means, each nearer to the point. */
const PASSES = 8;

/** The c at which the s - c, each held to norm `clip`, sum to 0. @param scores draws of what a task may say if the model holds, at least one. */
export function clipCenter(scores: readonly Float64Array[], clip: number): Float64Array {
  const q = scores[0]!.length;
  const center = new Float64Array(q);
  const sum = new Float64Array(q);
  for (let pass = 0; pass < PASSES; pass++) {
    sum.fill(0);
    let total = 0;
    for (const score of scores) {
      let square = 0;
      for (let k = 0; k < q; k++) square += (score[k]! - center[k]!) ** 2;
      const weight = Math.min(1, clip / Math.sqrt(square));
      total += weight;
      for (let k = 0; k < q; k++) sum[k]! += weight * score[k]!;
    }
    for (let k = 0; k < q; k++) center[k] = sum[k]! / total;
  }
  return center;
}
