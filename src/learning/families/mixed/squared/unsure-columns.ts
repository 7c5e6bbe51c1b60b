/**
 * What is stated of the fixed effects of numbers, with standard errors that count the noise, the sampling of tasks, and what is not known of
 * the information: columns may hardly vary within tasks, or lie in a small part of their declared range. Post-processing of releases.
 *
 * A score is of t H (a - e) + noise, e the effects at which it was taken, t what its clip leaves and H what tasks tell. Made-up tasks tell H of
 * columns that vary over their range; row and column of one of another kind are multiplied by the root of what is told of it then. Where a
 * noisy sum of the information was released, H lies between it and that, by the errors of either. For each column alone the evidence of all
 * that was released weighs the kinds, and the effect is one of a mixture of normals. What is stated is the effect that models use, so that
 * coefficients give predictions, with a width around it that holds as much of the mixture as of a normal: it counts that this effect is drawn to zero.
 * The mixture's mean would be nearer to effects of constant columns, but farther from those of columns that vary. So it is stated of
 * those that are declared to be constant alone.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";
import { invertDefinite, multiply, scaledOnSides } from "../../../../linalg/small-matrices.js";
import type { MixedSizes } from "../exchange.js";
import { clipWeight } from "./clip-weight.js";
import { kindsOf, partTold, varianceTold, type ColumnKind, type ToldOf } from "./column-kinds.js";
import { mixtureOf, widthOf, type Effect, type Possible } from "./effect-mixture.js";
import { keptScore, type KeptScore, type LocationReleases } from "./kept-score.js";
import { ColumnUnder, type EffectUnder } from "./column-under.js";
import { releasesUnder, type RoundTold, type Under } from "./releases-under.js";
import { SAMPLING, UNSURE_COLUMN } from "./squared-settings.js";
import { deviationHolding } from "./stated-width.js";

/** What all releases said in the end. */
export interface FoundInTheEnd {
  /** Variances that the effects' sizes are multiples of, and the effects that models use, [d]. */
  readonly scales: Float64Array;
  readonly mean: Float64Array;
  /** C, and what made-up tasks tell under it, [d, d]. */
  readonly covariance: Float64Array;
  readonly told: Float64Array;
}

export interface StatedEffects {
  /** Where columns are declared to be constant within tasks: what is stated in the place of the effects that models use. */
  readonly statedEffects?: Float64Array | undefined;
  readonly fixedEffectsCovariance: Float64Array;
}

/** Scores of the fixed effects of a fit, one after the other. */
export class UnsureColumns {
  readonly #m: number;
  readonly #d: number;
  /** Directions of which a task's rows tell. */
  readonly #directions: number;
  /** Coordinates of columns that are declared to be constant within tasks. */
  readonly #known: readonly number[];
  readonly #kept: KeptScore[] = [];

  constructor({ m, d, meanRows, perTask = [] }: MixedSizes) {
    this.#m = m;
    this.#d = d;
    this.#directions = Math.min(d, Math.max(meanRows, 1));
    this.#known = perTask;
  }

  /** @param noise variance of each entry of the score, as it was taken. */
  add(releases: LocationReleases, noise: number): void {
    this.#kept.push(keptScore(releases, noise, this.#m));
  }

  /** Undefined before the first score. */
  stated(found: FoundInTheEnd): StatedEffects | undefined {
    if (this.#kept.length === 0) return undefined;
    const d = this.#d;
    const rounds = this.#kept.map((kept): RoundTold => {
      return { ...kept, ...clipWeight(kept, found, this.#directions) };
    });
    const effects = Array.from(found.scales, (scale, c): Effect => {
      return { c, scale, intercept: c === d - 1 };
    });
    const kinds = effects.map(({ c }) => kindsOf(c, d, this.#known));
    const widths = Float64Array.from(effects, widthOf);
    const given = { widths, m: this.#m };
    /** By release, the root of what is told of a column of such a kind. */
    const rootsOf = (c: number, kind: ColumnKind) =>
      Float64Array.from(rounds, (round) => Math.sqrt(partTold(kind, toldOf(round, c))));
    let roots = rounds.map(() => new Float64Array(d).fill(1));
    for (const c of this.#known) {
      rootsOf(c, "constant").forEach((root, t) => (roots[t]![c] = root));
    }
    let mixtures: Possible[][] = [];
    for (let pass = 0; pass < UNSURE_COLUMN.passes; pass++) {
      const from = roots;
      const columns = once(() => new ColumnUnder(rounds, from, given));
      const whole = once(() => releasesUnder(rounds, from, given));
      mixtures = effects.map((effect, c) => {
        const own = kinds[c]!;
        const under = (kind: ColumnKind) =>
          own.kinds.length === 1 ? effectIn(whole(), c) : columns().under(c, rootsOf(c, kind));
        return mixtureOf(effect, own, own.kinds.map(under));
      });
      roots = rounds.map((round) =>
        Float64Array.from(mixtures, (mixture, c) => meanRoot(mixture, toldOf(round, c))),
      );
    }
    const { error } = releasesUnder(rounds, roots, given);
    return this.#of(mixtures, found, { last: rounds.at(-1)!, error });
  }

  #of(
    mixtures: readonly (readonly Possible[])[],
    { mean, covariance, told }: FoundInTheEnd,
    { last, error }: { readonly last: RoundTold; readonly error: Float64Array },
  ): StatedEffects {
    const [m, d] = [this.#m, this.#d];
    const least = clippedSampling(last, this.#directions);
    const inverse = invertDefinite(told, d);
    const ofIntercept = told[d * d - 1]!;
    const effects = mean.slice();
    const factors = new Float64Array(d);
    mixtures.forEach((mixture, c) => {
      const at = c * (d + 1);
      const own = { spread: covariance[at]!, told: 1 / inverse[at]!, ofIntercept };
      if (this.#known.includes(c)) {
        effects[c] = mixture.reduce((sum, { weight, mean: own }) => sum + weight * own, 0);
      }
      const around = mixture.map(({ weight, mean: center, variance, kind, clip }) => {
        const sampling = Math.max(
          SAMPLING.variances * varianceTold(kind, own),
          least[c]! / clip ** 2,
        );
        return { weight, mean: center - effects[c]!, variance: variance + sampling / m };
      });
      factors[c] = deviationHolding(around, UNSURE_COLUMN.quantile) / Math.sqrt(error[at]!);
    });
    return {
      ...(this.#known.length > 0 ? { statedEffects: effects } : {}),
      fixedEffectsCovariance: scaledOnSides(error, factors),
    };
  }
}

/** Worked out when first asked. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** Where its column is of one kind. */
function effectIn({ evidence, mean, error, weight }: Under, c: number): EffectUnder {
  return { evidence, mean: mean[c]!, variance: error[c * (mean.length + 1)]!, weight };
}

function toldOf({ spread, told }: RoundTold, c: number): ToldOf {
  const d = Math.sqrt(told.length);
  const at = c * (d + 1);
  return { spread: spread[at]!, told: told[at]!, ofIntercept: told[d * d - 1]! };
}

/** The root of what is told of a column, in the geometric mean over its kinds, of which the mixture has several normals one after the other. */
function meanRoot(mixture: readonly Possible[], told: ToldOf): number {
  let sum = 0;
  for (let k = 0; k < mixture.length;) {
    const { kind } = mixture[k]!;
    let weight = 0;
    for (; mixture[k]?.kind === kind; k++) weight += mixture[k]!.weight;
    sum += (weight * log(partTold(kind, told))) / 2;
  }
  return exp(sum);
}

/** Variance of an effect by the sampling of one task, by how long scores are when they are clipped, were their weight one; [d]. */
function clippedSampling(
  { told, metric, square, turned, effects }: RoundTold,
  directions: number,
): Float64Array {
  const d = effects.length;
  const inverse = invertDefinite(told, d);
  const across = multiply(multiply(inverse, metric, d, d, d), inverse, d, d, d);
  const each = (SAMPLING.clipped * d * square) / (directions * turned) ** 2;
  return effects.map((_, c) => each * across[c * (d + 1)]!);
}
