/**
 * What is stated of the fixed effects of a logistic mixed model, and how far off that is.
 *
 * Effects around which tasks' own models are expected are drawn to zero where they do not stand out of the noise. That predicts better, but an
 * effect of which little was learned is then half as large as it is, and how much it was drawn depends on how far tasks are thought to lie apart,
 * which the same noise decides. What is stated follows from the same scores under a wide prior, which nothing but clear evidence of large effects
 * changes: as far as the scores say little it is the prior's, and the standard error is the prior's deviation. Post-processing of releases.
 * @module
 */
import { congruence } from "../../../../../linalg/kernel-products.js";
import {
  diagonal,
  invertDefinite,
  multiply,
  symmetric,
  transpose,
} from "../../../../../linalg/small-matrices.js";
import { scoreMeasurement, type ScoreContext } from "./logistic-measurement.js";
import { measuredEffects, type EffectsBelief, type Measurement } from "./logistic-scores.js";
import { overSizes } from "./unsure-sizes.js";

/** Deviation of the prior: a column of unit size changes the log-odds by three, or the intercept is three. */
const WIDE = 3;

/** Most that a logarithm of a size is taken to be off by: of votes near their noise a posterior's tails would leave errors in the hundreds. */
const MOST_UNSURE = 1;

/** Least part of an effect that is taken to be measured. */
const NOTHING = 1e-9;

/** A sum of scores. */
interface Score {
  readonly sum: Float64Array;
  readonly deviation: number;
  /** Effects at which it was asked, [d]. */
  readonly at: Float64Array;
  readonly context: Omit<ScoreContext, "belief" | "asked">;
}

interface KeptScore extends Score {
  /** How much larger effects are now thought to be. */
  readonly ratio: number;
}

const PASSES = 3;

export class StatedEffects {
  /** Rounds whose scores count. */
  readonly #asked: number;
  /** Variances of the prior, [d]. */
  readonly #variances: Float64Array;
  readonly #unsure: Float64Array;
  #scores: readonly KeptScore[] = [];

  /**
   * @param start  variances of the tasks' models around zero, as the first round found them, [d].
   * @param asked  rounds whose scores count.
   * @param unsure deviations of the logarithms of the columns' sizes, where tasks voted on them, [d]; default 0.
   */
  constructor(
    start: Float64Array,
    asked: number,
    unsure: Float64Array = new Float64Array(start.length),
  ) {
    this.#asked = asked;
    this.#variances = start.map((own) => Math.max(own, WIDE ** 2));
    this.#unsure = unsure.map((own) => Math.min(own, MOST_UNSURE));
  }

  /** All effects are now thought to be larger by this factor. */
  rescale(ratio: number): void {
    this.#scores = this.#scores.map((one) => ({ ...one, ratio: one.ratio * ratio }));
  }

  receive(score: Score): void {
    this.#scores = [...this.#scores, { ...score, ratio: 1 }].slice(-this.#asked);
  }

  /** What errors of information do to a score depends on how far from the effects it was asked, which all scores together tell: in passes. */
  belief(): EffectsBelief {
    const d = this.#variances.length;
    let found: EffectsBelief = {
      mean: new Float64Array(d),
      covariance: diagonal(this.#variances),
    };
    for (let pass = 0; pass < PASSES; pass++) {
      found = this.#beliefOf(this.#scores.map((score) => measured(score, found, this.#asked)));
    }
    return found;
  }

  /**
   * The effects and the covariance of their error: K E K^T + (I - K D) V (I - K D)^T, K the gain, D the design, V the prior. E is of the
   * noise, and of the tasks that happened to take part: all rounds ask the same ones, so their scores are off by the same, and two
   * rounds tell no more of a population than one. The gain, which weighs rounds against each other and against the prior, counts each round's
   * scores as if they were off by little.
   */
  #beliefOf(measurements: readonly Measurement[]): EffectsBelief {
    const variances = this.#variances;
    const d = variances.length;
    const { stacked, weighed, precision } = measuredEffects(measurements, d);
    const { design, value } = stacked;
    const n = value.length;
    const whole = precision.map((told, k) => told + (k % (d + 1) ? 0 : 1 / variances[k % d]!));
    const reckoned = invertDefinite(symmetric(whole, d), d);
    const gain = multiply(reckoned, weighed, d, d, n);
    const error = errorsOf(measurements, stacked.error, d, this.#asked);
    const left = multiply(gain, design, d, n, d).map((kept, k) => (k % (d + 1) ? 0 : 1) - kept);
    const drawn = congruence(left, diagonal(variances), d, d);
    const off = congruence(gain, error, d, n).map((told, k) => told + drawn[k]!);
    const mean = multiply(gain, value, d, n, 1);
    return this.#overSizes({ mean, covariance: symmetric(off, d) }, reckoned);
  }

  /** With every column as unsure as its size is, beside the others as voted. @param reckoned covariance by which scores were weighed. */
  #overSizes({ mean, covariance }: EffectsBelief, reckoned: Float64Array): EffectsBelief {
    const d = mean.length;
    const center = mean.slice();
    const wider = new Float64Array(d).fill(1);
    this.#unsure.forEach((unsure, c) => {
      const prior = this.#variances[c]!;
      const [own, stated] = [reckoned[c * (d + 1)]!, covariance[c * (d + 1)]!];
      const kept = Math.max(1 - own / prior, NOTHING);
      if (unsure === 0) return;
      const measured = {
        value: mean[c]! / kept,
        reckoned: own / kept,
        prior,
        variance: Math.max(stated - (1 - kept) ** 2 * prior, 0) / kept ** 2,
      };
      const over = overSizes(measured, unsure);
      center[c] = over.mean;
      wider[c] = Math.sqrt(over.variance / stated);
    });
    return { mean: center, covariance: congruence(diagonal(wider), covariance, d, d) };
  }
}

/** A score as a measurement, if effects are believed to be there. */
function measured(
  { sum, deviation, at, context, ratio }: KeptScore,
  { mean, covariance }: EffectsBelief,
  asked: number,
): Measurement {
  const d = at.length;
  // Squares and products of how far the effects may be from where the score was asked, in its units.
  const off = mean.map((value, j) => value / ratio - at[j]!);
  const squares = covariance.map(
    (value, k) => value / ratio ** 2 + off[Math.floor(k / d)]! * off[k % d]!,
  );
  const belief = { mean: at, covariance: squares };
  const one = scoreMeasurement(sum, deviation, { ...context, asked, belief });
  return { ...one, design: one.design.map((value) => value / ratio) };
}

/** Covariance of the errors of all measurements, those of the tasks that took part in common, [n, n]. */
function errorsOf(
  measurements: readonly Measurement[],
  error: Float64Array,
  d: number,
  asked: number,
): Float64Array {
  const n = Math.sqrt(error.length);
  const apart = error.slice();
  const tasks = new Float64Array(n * d);
  let at = 0;
  for (const { sampling, value } of measurements) {
    tasks.set(sampling, at * d);
    const rows = value.length;
    const own = multiply(sampling, transpose(sampling, rows, d), rows, d, rows);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < rows; j++) apart[(at + i) * n + at + j]! -= own[i * rows + j]! / asked;
    at += rows;
  }
  const common = multiply(tasks, transpose(tasks, n, d), n, d, n);
  return apart.map((value, k) => value + common[k]!);
}
