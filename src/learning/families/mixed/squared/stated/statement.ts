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
import { exp, log } from "../../../../../core/elementary.js";
import { invertDefinite, multiply, scaledOnSides } from "../../../../../linalg/small-matrices.js";
import { sumOfParts, type CommonWork } from "../../../../round/common-work.js";
import type { StatedEffects } from "../../exchange.js";
import {
  kindsOf,
  partTold,
  varianceTold,
  type ColumnKind,
  type Kinds,
  type ToldOf,
} from "./column-kinds.js";
import { ColumnUnder, type EffectUnder } from "./column-under.js";
import { mixtureOf, widthOf, type Effect, type Possible } from "./effect-mixture.js";
import type { RoundTold } from "./left-of-clip.js";
import { releasesUnder, type Under } from "./releases-under.js";
import { SAMPLING, UNSURE_COLUMN } from "../squared-settings.js";
import { deviationHolding, type PartNormal } from "./stated-width.js";

/** What all releases said in the end. */
export interface FoundInTheEnd {
  /** Variances that the effects' sizes are multiples of, and the effects that models use, [d]. */
  readonly scales: Float64Array;
  readonly mean: Float64Array;
  /** C, and what made-up tasks tell under it, [d, d]. */
  readonly covariance: Float64Array;
  readonly told: Float64Array;
}

/** What is public of the run. */
export interface StatementSizes {
  readonly m: number;
  readonly d: number;
  /** Directions of which a task's rows tell. */
  readonly directions: number;
  /** Coordinates of columns that are declared to be constant within tasks. */
  readonly known: readonly number[];
}

/** Parts into which threads divide the columns. */
const PARTS = 16;
/** Numbers of an effect under a kind. */
const NUMBERS = 4;

/** Step by step: passes over the columns, in which each is weighed with the others as the pass before left them, and then widths. */
export class Statement {
  readonly #rounds: readonly RoundTold[];
  readonly #found: FoundInTheEnd;
  readonly #sizes: StatementSizes;
  readonly #effects: readonly Effect[];
  readonly #kinds: readonly Kinds[];
  readonly #widths: Float64Array;
  /** Of what is told of each coordinate, by release. */
  #roots: readonly Float64Array[];
  #mixtures: readonly (readonly Possible[])[] = [];
  #passes = 0;
  /** Of what is stated, [d]. */
  #deviations: Float64Array | undefined;

  /** @param rounds at least one. */
  constructor(rounds: readonly RoundTold[], found: FoundInTheEnd, sizes: StatementSizes) {
    const { d, known } = sizes;
    this.#rounds = rounds;
    this.#found = found;
    this.#sizes = sizes;
    this.#effects = Array.from(found.scales, (scale, c) => ({ c, scale, intercept: c === d - 1 }));
    this.#kinds = this.#effects.map(({ c }) => kindsOf(c, d, known));
    this.#widths = Float64Array.from(this.#effects, widthOf);
    this.#roots = rounds.map(() => new Float64Array(d).fill(1));
    for (const c of known) {
      this.#rootsOf(c, "constant").forEach((root, t) => (this.#roots[t]![c] = root));
    }
  }

  /** The next step, for threads to divide; undefined after the last. */
  work(): CommonWork | undefined {
    if (this.#deviations) return undefined;
    return this.#passes < UNSURE_COLUMN.passes ? this.#pass() : this.#last();
  }

  /** Works out the steps that are left. */
  get stated(): StatedEffects {
    for (let work = this.work(); work; work = this.work()) {
      work.take(sumOfParts(work, work.compute(0, work.parts)));
    }
    const { d, m, known } = this.#sizes;
    const { error } = releasesUnder(this.#rounds, this.#roots, { widths: this.#widths, m });
    const factors = this.#deviations!.map((own, c) => own / Math.sqrt(error[c * (d + 1)]!));
    return {
      ...(known.length > 0 ? { statedEffects: this.#statedEffects() } : {}),
      fixedEffectsCovariance: scaledOnSides(error, factors),
    };
  }

  /** What releases say of each effect under each kind of its column. */
  #pass(): CommonWork {
    const { d, m } = this.#sizes;
    const [rounds, roots] = [this.#rounds, this.#roots];
    const given = { widths: this.#widths, m };
    const columns = once(() => new ColumnUnder(rounds, roots, given));
    const whole = once(() => releasesUnder(rounds, roots, given));
    const each = NUMBERS * Math.max(...this.#kinds.map((own) => own.kinds.length));
    return {
      parts: PARTS,
      length: d * each,
      compute: (first, end) => {
        const out = new Float64Array((end - first) * d * each);
        for (let part = first; part < end; part++) {
          const own = out.subarray((part - first) * d * each);
          for (let c = cut(d, part); c < cut(d, part + 1); c++) {
            const { kinds } = this.#kinds[c]!;
            for (let k = 0; k < kinds.length; k++) {
              const one =
                kinds.length === 1
                  ? effectIn(whole(), c)
                  : columns().under(c, this.#rootsOf(c, kinds[k]!));
              write(one, own, c * each + k * NUMBERS);
            }
          }
        }
        return out;
      },
      take: (sum) => this.#takeUnder(sum, each),
    };
  }

  #takeUnder(sum: Float64Array, each: number): void {
    const { d } = this.#sizes;
    const mixtures: Possible[][] = [];
    for (let c = 0; c < d; c++) {
      const kinds = this.#kinds[c]!;
      const under: EffectUnder[] = [];
      for (let k = 0; k < kinds.kinds.length; k++) {
        under.push(effectOf(sum, c * each + k * NUMBERS));
      }
      mixtures.push(mixtureOf(this.#effects[c]!, kinds, under));
    }
    this.#mixtures = mixtures;
    const all: Float64Array[] = [];
    for (const round of this.#rounds) {
      const roots = new Float64Array(d);
      for (let c = 0; c < d; c++) roots[c] = meanRoot(mixtures[c]!, toldOf(round, c));
      all.push(roots);
    }
    this.#roots = all;
    this.#passes++;
  }

  /** Half as wide as an interval around what is stated has to be. */
  #last(): CommonWork {
    const { d, directions } = this.#sizes;
    const least = once(() => clippedSampling(this.#rounds.at(-1)!, directions));
    const inverse = once(() => invertDefinite(this.#found.told, d));
    const effects = this.#statedEffects();
    return {
      parts: PARTS,
      length: d,
      compute: (first, end) => {
        const out = new Float64Array((end - first) * d);
        for (let part = first; part < end; part++) {
          const from = (part - first) * d;
          for (let c = cut(d, part); c < cut(d, part + 1); c++) {
            out[from + c] = this.#deviation(c, effects[c]!, inverse(), least()[c]!);
          }
        }
        return out;
      },
      take: (deviations) => (this.#deviations = deviations),
    };
  }

  #deviation(c: number, effect: number, inverse: Float64Array, least: number): number {
    const { covariance, told } = this.#found;
    const { d, m } = this.#sizes;
    const at = c * (d + 1);
    const own = { spread: covariance[at]!, told: 1 / inverse[at]!, ofIntercept: told[d * d - 1]! };
    const around: PartNormal[] = [];
    for (const { weight, mean, variance, kind, clip } of this.#mixtures[c]!) {
      const ofScores = least / clip ** 2;
      const sampling = Math.max(SAMPLING.variances * varianceTold(kind, own), ofScores);
      around.push({ weight, mean: mean - effect, variance: variance + sampling / m });
    }
    return deviationHolding(around, UNSURE_COLUMN.quantile);
  }

  /** The effects that models use; of columns declared to be constant what releases say. */
  #statedEffects(): Float64Array {
    const effects = this.#found.mean.slice();
    for (const c of this.#sizes.known) {
      effects[c] = this.#mixtures[c]!.reduce((sum, { weight, mean }) => sum + weight * mean, 0);
    }
    return effects;
  }

  /** By release, the root of what is told of a column of such a kind. */
  #rootsOf(c: number, kind: ColumnKind): Float64Array {
    const rounds = this.#rounds;
    const roots = new Float64Array(rounds.length);
    for (let t = 0; t < roots.length; t++) {
      roots[t] = Math.sqrt(partTold(kind, toldOf(rounds[t]!, c)));
    }
    return roots;
  }
}

/** First column of a part. Sums of parts are of all columns: what is not in a part is 0 there. */
const cut = (d: number, part: number): number => Math.round((d * part) / PARTS);

function write({ evidence, mean, variance, weight }: EffectUnder, into: Float64Array, at: number) {
  into[at] = evidence;
  into[at + 1] = mean;
  into[at + 2] = variance;
  into[at + 3] = weight;
}

function effectOf(numbers: Float64Array, at: number): EffectUnder {
  return {
    evidence: numbers[at]!,
    mean: numbers[at + 1]!,
    variance: numbers[at + 2]!,
    weight: numbers[at + 3]!,
  };
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
