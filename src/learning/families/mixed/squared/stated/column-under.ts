/**
 * What all releases say of one effect, where tasks tell other parts of its own column. What all columns have alike is multiplied once
 * (`round-under.ts`); what is asked of an inverse of order d, two numbers, takes a factor alone. `releases-under.ts` has the same from the
 * definition.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { factor } from "../../../../../linalg/small-matrices.js";
import type { RoundTold } from "./left-of-clip.js";
import type { UnderGiven } from "./releases-under.js";
import { MeasuredRound, PredictedRound, type RoundUnder } from "./round-under.js";

/** Of one effect. */
export interface EffectUnder {
  readonly evidence: number;
  readonly mean: number;
  readonly variance: number;
  /** What the last clip left. */
  readonly weight: number;
}

export class ColumnUnder {
  readonly #widths: Float64Array;
  readonly #rounds: readonly RoundUnder[];
  readonly #precision: Float64Array;
  readonly #pull: Float64Array;
  readonly #root: Float64Array;
  readonly #turned: Float64Array;
  readonly #column: Float64Array;

  /** @param roots of what is told of each coordinate, by release, [d] each. */
  constructor(
    rounds: readonly RoundTold[],
    roots: readonly Float64Array[],
    { widths, m }: UnderGiven,
  ) {
    const d = widths.length;
    this.#widths = widths;
    this.#rounds = rounds.map((round, t) =>
      round.information
        ? new MeasuredRound(round, roots[t]!, m)
        : new PredictedRound(round, roots[t]!, m),
    );
    [this.#precision, this.#root] = [new Float64Array(d * d), new Float64Array(d * d)];
    [this.#pull, this.#turned] = [new Float64Array(d), new Float64Array(d)];
    this.#column = new Float64Array(d);
  }

  /**
   * @param roots of what is told of coordinate c, by release.
   * @returns with evidence up to a constant that is the same whatever c and its roots.
   */
  under(c: number, roots: ArrayLike<number>): EffectUnder {
    const [precision, pull] = [this.#precision, this.#pull];
    const d = pull.length;
    precision.fill(0);
    pull.fill(0);
    let [evidence, weight] = [0, 0];
    for (let t = 0; t < this.#rounds.length; t++) {
      const left = this.#rounds[t]!.add({ precision, pull }, c, roots[t]!);
      evidence += left.evidence;
      weight = left.weight;
    }
    for (let e = 0; e < d; e++) precision[e * (d + 1)]! += 1 / this.#widths[e]!;
    const root = factor(precision, d, this.#root);
    // L^-1 of the pull and of the unit vector of c: their squares and their product are what is asked of the inverse.
    const turned = solved(root, pull, 0, this.#turned);
    const unit = pull.fill(0);
    unit[c] = 1;
    const column = solved(root, unit, c, this.#column);
    let [mean, variance] = [0, 0];
    for (let i = 0; i < d; i++) {
      evidence += turned[i]! ** 2 / 2 - log(root[i * (d + 1)]!);
      if (i < c) continue;
      mean += column[i]! * turned[i]!;
      variance += column[i]! ** 2;
    }
    return { evidence, mean, variance, weight };
  }
}

/** L^-1 x, where x is 0 before `first`; what is before it in `out` stays. */
function solved(l: Float64Array, x: Float64Array, first: number, out: Float64Array): Float64Array {
  const d = x.length;
  for (let i = first; i < d; i++) {
    let sum = x[i]!;
    for (let k = first; k < i; k++) sum -= l[i * d + k]! * out[k]!;
    out[i] = sum / l[i * (d + 1)]!;
  }
  return out;
}
