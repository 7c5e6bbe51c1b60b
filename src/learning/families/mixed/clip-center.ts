/**
 * The point from which skewed scores are clipped so that their mean is 0 where the model holds: clipped from 0 it would not be.
 * @see Hampel, Ronchetti, Rousseeuw and Stahel (1986), "Robust statistics", 4.3: standardised optimal B-robust estimators
 * @module
 */

/** Passes of weighted means, each nearer to the point. */
const PASSES = 8;

/** Points of draws of what a task may say if the model holds, in room that is kept for the next task. */
export class ClipCenter {
  /** Where draws are written, `most` of [q]. */
  readonly scores: readonly Float64Array[];
  readonly #clip: number;
  readonly #center: Float64Array;
  readonly #sum: Float64Array;

  constructor(most: number, q: number, clip: number) {
    this.scores = Array.from({ length: most }, () => new Float64Array(q));
    this.#clip = clip;
    this.#center = new Float64Array(q);
    this.#sum = new Float64Array(q);
  }

  /**
   * The c at which the s - c, each held to norm `clip`, sum to 0 over the first `count` scores, at least one. It is overwritten by
   * the next.
   */
  of(count: number): Float64Array {
    this.#center.fill(0);
    for (let pass = 0; pass < PASSES; pass++) {
      this.#sum.fill(0);
      let total = 0;
      for (let draw = 0; draw < count; draw++) total += this.#add(this.scores[draw]!);
      for (let k = 0; k < this.#sum.length; k++) this.#center[k] = this.#sum[k]! / total;
    }
    return this.#center;
  }

  /** Adds a score with the weight that holds its way from the point, which is returned. */
  #add(score: Float64Array): number {
    const center = this.#center;
    const sum = this.#sum;
    let square = 0;
    for (let k = 0; k < sum.length; k++) square += (score[k]! - center[k]!) ** 2;
    const weight = Math.min(1, this.#clip / Math.sqrt(square));
    for (let k = 0; k < sum.length; k++) sum[k]! += weight * score[k]!;
    return weight;
  }
}
