/**
 * What one release says of the effects if tasks tell another part of one column than was assumed when its matrices were multiplied.
 *
 * A release without released information tells w R T R of an effect: R the diagonal of roots, T the information of simulated tasks, w what the
 * clip leaves. If the root of coordinate c changes by s, R becomes R + s e_c e_c^T, and T R M^-1 R T, with M the metric, gains
 * s (k t^T + t k^T) + s^2 (M^-1)_cc t t^T: t is column c of T, k that of T R M^-1. An update so costs d^2 instead of d^3. Released information
 * is weighed entry by entry between prediction and release, by the errors of both, so that there everything is multiplied anew.
 * @module
 */
import { product } from "../../../../../linalg/kernel-products.js";
import { apply, scaledColumns, transpose } from "../../../../../linalg/small-matrices.js";
import { LeftOfClip, type Left, type RoundTold } from "./left-of-clip.js";
import { addRelease } from "./releases-under.js";

/** Sums over releases: precision [d, d], of which the lower triangle is asked for, and pull [d]. */
export interface UnderSums {
  readonly precision: Float64Array;
  readonly pull: Float64Array;
}

/** A release whose roots can be varied in one coordinate. */
export interface RoundUnder {
  /**
   * Adds what the release says.
   * @param other the root of what is told of coordinate c.
   * @returns what the evidence gains by it, and what its clip left.
   */
  add(sums: UnderSums, c: number, other: number): Left;
}

/** A release with released information. */
export class MeasuredRound implements RoundUnder {
  readonly #round: RoundTold;
  readonly #left: LeftOfClip;
  readonly #root: Float64Array;
  readonly #m: number;

  /** @param root of what is told of each coordinate, [d]. @param m tasks. */
  constructor(round: RoundTold, root: Float64Array, m: number) {
    this.#round = round;
    this.#left = new LeftOfClip(round, root);
    this.#root = root.slice();
    this.#m = m;
  }

  add(sums: UnderSums, c: number, other: number): Left {
    const { evidence, weight } = this.#left.under(c, other);
    const root = this.#root;
    const before = root[c]!;
    root[c] = other;
    const lost = addRelease(sums, this.#round, root, { weight, m: this.#m });
    root[c] = before;
    return { evidence: evidence - lost, weight };
  }
}

/** A release without released information. */
export class PredictedRound implements RoundUnder {
  readonly #round: RoundTold;
  readonly #left: LeftOfClip;
  readonly #root: Float64Array;
  readonly #m: number;
  readonly #alike: ReturnType<typeof alike>;
  /** Scratch [d]: the residual times M^-1; R t; and R (s k + s^2 (M^-1)_cc t / 2). */
  readonly #weighed: Float64Array;
  readonly #column: Float64Array;
  readonly #gain: Float64Array;

  /** @param root of what is told of each coordinate, [d]. @param m tasks. */
  constructor(round: RoundTold, root: Float64Array, m: number) {
    const d = root.length;
    this.#round = round;
    this.#left = new LeftOfClip(round, root);
    this.#root = root;
    this.#m = m;
    this.#alike = alike(round, root);
    [this.#weighed, this.#column] = [new Float64Array(d), new Float64Array(d)];
    this.#gain = new Float64Array(d);
  }

  add({ precision, pull }: UnderSums, c: number, other: number): Left {
    const { evidence, weight } = this.#left.under(c, other);
    const times = weight * this.#m * this.#round.turned;
    const lost = this.#addPull(pull, c, other, times);
    this.#addPrecision(precision, c, other, times ** 2 / this.#round.noise);
    return { evidence: evidence - lost, weight };
  }

  /** Adds to the pull; returns half the squared residual under M^-1, in units of the noise. */
  #addPull(pull: Float64Array, c: number, other: number, times: number): number {
    const { told, inverse, score, noise, effects } = this.#round;
    const { half, whole, toldOf, weighedTold, weighedScore, turnedTold, turnedScore } = this.#alike;
    const [root, weighed] = [this.#root, this.#weighed];
    const d = root.length;
    const more = other - root[c]!;
    // T R e moves along column c; then R times it by its own entry.
    const along = more * effects[c]!;
    const own = more * (toldOf[c]! + along * told[c * (d + 1)]!);
    let square = 0;
    for (let i = 0; i < d; i++) {
      const rooted = i === c ? other : root[i]!;
      const by = weighedTold[i]! + along * half[c * d + i]! + own * inverse[i * d + c]!;
      weighed[i] = times * by + weighedScore[i]!;
      square +=
        (times * rooted * (toldOf[i]! + along * told[i * d + c]!) + score[i]!) * weighed[i]!;
    }
    const ofColumn = more * weighed[c]!;
    for (let i = 0; i < d; i++) {
      const rooted = i === c ? other : root[i]!;
      const by = turnedTold[i]! + along * whole[i * d + c]! + own * half[i * d + c]!;
      const turned = times * by + turnedScore[i]! + ofColumn * told[i * d + c]!;
      pull[i]! += (times * rooted * turned) / noise;
    }
    return square / noise / 2;
  }

  #addPrecision(precision: Float64Array, c: number, other: number, times: number): void {
    const { told, inverse } = this.#round;
    const { half, whole, both } = this.#alike;
    const [root, column, gain] = [this.#root, this.#column, this.#gain];
    const d = root.length;
    const more = other - root[c]!;
    const bent = (more * more * inverse[c * (d + 1)]!) / 2;
    for (let i = 0; i < d; i++) {
      const rooted = i === c ? other : root[i]!;
      column[i] = rooted * told[i * d + c]!;
      gain[i] = rooted * (more * half[i * d + c]! + bent * told[i * d + c]!);
    }
    for (let i = 0; i < d; i++) {
      const [t, k, from] = [column[i]!, gain[i]!, i * d];
      for (let j = 0; j <= i; j++) {
        precision[from + j]! += times * (both[from + j]! + t * gain[j]! + k * column[j]!);
      }
    }
    for (let j = 0; j < c; j++)
      precision[c * d + j]! += times * more * root[j]! * whole[c * d + j]!;
    precision[c * (d + 1)]! += times * (other + root[c]!) * more * whole[c * (d + 1)]!;
    for (let i = c + 1; i < d; i++)
      precision[i * d + c]! += times * more * root[i]! * whole[i * d + c]!;
  }
}

/** The products that do not depend on the varied root. */
function alike({ told, inverse, effects, score }: RoundTold, root: Float64Array) {
  const d = root.length;
  const rooted = new Float64Array(d);
  for (let c = 0; c < d; c++) rooted[c] = effects[c]! * root[c]!;
  const half = product(scaledColumns(told, root), inverse, d, d, d);
  const whole = product(scaledColumns(half, root), told, d, d, d);
  const both = new Float64Array(d * d);
  for (let i = 0, at = 0; i < d; i++) {
    for (let j = 0; j < d; j++, at++) both[at] = root[i]! * whole[at]! * root[j]!;
  }
  return {
    /** T R M^-1, T R M^-1 R T, and R times that times R. */
    half,
    whole,
    both,
    /** T R e, e the effects; M^-1 R and T R M^-1 R times that. */
    toldOf: apply(told, rooted, d, d),
    weighedTold: apply(transpose(half, d, d), rooted, d, d),
    turnedTold: apply(whole, rooted, d, d),
    /** M^-1 and T R M^-1 times the score. */
    weighedScore: apply(inverse, score, d, d),
    turnedScore: apply(half, score, d, d),
  };
}
