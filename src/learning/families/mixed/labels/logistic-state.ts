/**
 * What the releases of a logistic mixed model say so far: a function of releases and public sizes alone, the
 * same for curator and tasks.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { diagonal } from "../../../../linalg/small-matrices.js";
import type { MixedPrior, MixedRelease, MixedSizes } from "../exchange.js";
import { evidenceBelief, type EvidenceBelief } from "./evidence/evidence-belief.js";
import { surfaceShape, type SurfaceShape } from "./evidence/evidence-shape.js";
import { attenuationRatio } from "./effects/logistic-attenuation.js";
import { centralScales, hypotheses, type Hypotheses } from "./evidence/logistic-hypotheses.js";
import {
  COLUMNS_VARY,
  pooledInformation,
  type PooledInformation,
} from "./effects/logistic-information.js";
import {
  fixedEffects,
  clippedWeight,
  scoreMetric,
  type Measurement,
  type ScoreMetric,
} from "./effects/logistic-scores.js";
import { scaleError } from "./effects/scale-error.js";
import { StatedEffects } from "./effects/stated-effects.js";
import { scoreMeasurement } from "./effects/logistic-measurement.js";
import { sharedWeight } from "./evidence/shared-weight.js";
import { roundsOf, stepOf } from "./logistic-plan.js";
import {
  expectedInformation,
  meanSquares,
  drawSyntheticTasks,
  type ExpectedInformation,
  type SyntheticTasks,
  type SyntheticColumn,
} from "./evidence/logistic-synthetic.js";
import { softmax } from "../../../../linalg/softmax.js";

/**
 * Clips at a vanishing budget, which grow with mu: where noise is large a small one loses less than it saves, since most uploads then say their
 * direction, and where noise is small bias is what is left.
 */
const CLIPS = {
  evidence: { least: 0.5, growth: 0.5 },
  score: { least: 0.25, growth: 0.3 },
  most: 20,
  information: 1.2,
} as const;
/** Budget beyond which the metric of scores stays as it is. */
const MOST_MU = 100;

/** What is known of the columns before the first round. */
export interface KnownColumns {
  /** What is public of those without the constant; default: numbers in [-1, 1]. */
  readonly columns?: readonly SyntheticColumn[] | undefined;
  /** A public model, around which models are expected, [d]; default none. */
  readonly center?: Float64Array | undefined;
  /** Of columns on whose sizes tasks voted, standard deviations of their logarithms, [d]; default 0. */
  readonly unsure?: Float64Array | undefined;
  /** Positions of those columns; default none. */
  readonly voted?: readonly number[] | undefined;
}

export class LogisticState {
  readonly d: number;
  readonly m: number;
  readonly grid: Hypotheses;
  readonly clips: { readonly evidence: number; readonly score: number };
  readonly shape: SurfaceShape;
  /** Positions of columns on which tasks voted. */
  readonly voted: readonly number[];
  /** Mean squares of the columns, [d]. */
  readonly squares: Float64Array;
  readonly #synthetic: SyntheticTasks;
  readonly #releases: readonly MixedRelease[];
  readonly #mu: number;
  #measurements: Measurement[] = [];
  #evidence: EvidenceBelief | undefined;
  #information: PooledInformation | undefined;
  #statedInformation: PooledInformation | undefined;
  #stated: StatedEffects | undefined;
  #expected: ExpectedInformation | undefined;
  /** Scores that count: of all rounds, or without noise the last, since those before were linear at other effects. */
  readonly #asked: number;
  #startVariances: Float64Array = new Float64Array();
  /** A public model around which all is learned, as it is of a population: rows of all tasks together. */
  readonly #center: Float64Array | undefined;
  readonly #unsure: Float64Array | undefined;
  /** Of the target; undefined: two. */
  readonly #classes: number | undefined;
  /** Whether there is no noise: steps of Newton's method then settle by themselves. */
  readonly isExact: boolean;
  /** Fixed effects, of a public model the difference from it, and the covariance of their error. */
  mean: Float64Array;
  uncertainty: Float64Array;
  /** Probabilities of the hypotheses around the fixed effects, and around zero. */
  belief: Float64Array;
  aloneBelief: Float64Array;
  /** Scales in the middle of the belief, [d]. */
  scales: Float64Array;
  informationClip = 1;
  metric: ScoreMetric | undefined;
  /** Weight of the shared prior against learning alone, before a task's rows are seen. */
  weight = 0;

  constructor(
    { m, d, meanRows, classes, perTask }: MixedSizes,
    mu: number,
    releases: readonly MixedRelease[],
    { columns, center, unsure, voted = [] }: KnownColumns = {},
  ) {
    this.voted = voted;
    this.d = d;
    this.#center = center;
    this.#unsure = unsure;
    this.#classes = classes;
    this.m = m;
    this.#mu = mu;
    this.#releases = releases;
    this.grid = hypotheses(d, classes);
    const growth = Math.min(mu, CLIPS.most);
    const clip = ({ least, growth: rate }: { least: number; growth: number }) =>
      least + rate * growth;
    this.clips = { evidence: clip(CLIPS.evidence), score: clip(CLIPS.score) };
    this.isExact = mu === Infinity;
    this.#asked = this.isExact ? 1 : roundsOf(releases);
    this.#synthetic = drawSyntheticTasks({ m, d, meanRows, perTask }, columns);
    this.shape = surfaceShape(this.#synthetic, this.grid, this.clips.evidence);
    this.squares = meanSquares(this.#synthetic);
    this.mean = new Float64Array(d);
    this.uncertainty = new Float64Array(d * d);
    this.belief = softmax(this.grid.logPrior);
    this.aloneBelief = this.belief;
    this.scales = centralScales(this.grid, this.belief, d);
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    const step = stepOf(release, this.#releases);
    if (step === "evidence") this.#receiveEvidence(sum, deviation);
    else if (step === "information") this.#receiveInformation(sum, deviation, release);
    else if (step === "score") this.#receiveScore(sum, deviation);
    else this.#receiveComparison(sum, deviation);
    if (this.#releases[release + 1]?.label === "information") this.#expectInformation();
  }

  #receiveEvidence(sum: Float64Array, deviation: number): void {
    const clip = this.clips.evidence;
    const { shape, m, grid } = this;
    const isFirst = !this.#evidence;
    this.#evidence = evidenceBelief(
      sum.map((value) => value * clip),
      deviation * clip,
      ...([shape, grid.logPrior, m, this.#evidence] as const),
    );
    const { weights } = this.#evidence;
    this.belief = weights;
    this.#rescale(centralScales(this.grid, weights, this.d));
    if (isFirst) {
      this.aloneBelief = weights;
      this.#startVariances = this.scales.map((scale) => scale * scale);
      this.uncertainty = diagonal(this.#startVariances);
      this.#stated = new StatedEffects(this.#startVariances, this.#asked, this.#unsure);
    }
  }

  /** What tasks are expected to say next of where effects and scales stand now. */
  #expectInformation(): void {
    const expected = expectedInformation(this.#synthetic, this.mean, this.scales, this.uncertainty);
    this.#expected = expected;
    this.informationClip = CLIPS.information * expected.norm;
  }

  /** Effects, in everything that was learned of them, are those of tasks that lie as far apart as now thought. */
  #rescale(scales: Float64Array): void {
    const ratio = attenuationRatio(scales, this.scales, this.squares);
    this.scales = scales;
    this.mean = this.mean.map((value) => value * ratio);
    this.uncertainty = this.uncertainty.map((value) => value * ratio ** 2);
    this.#startVariances = this.#startVariances.map((value) => value * ratio ** 2);
    this.#stated?.rescale(ratio);
    this.#measurements = this.#measurements.map((one) => ({
      ...one,
      design: one.design.map((value) => value / ratio),
    }));
  }

  /** The public model as it is of tasks whose models lie as far apart as that; undefined where there is none. */
  centerAt(scales: Float64Array): Float64Array | undefined {
    const ratio = attenuationRatio(scales, new Float64Array(this.d), this.squares);
    return this.#center?.map((value) => value * ratio);
  }

  /** Fixed effects of tasks that lie as far apart as now thought. */
  effects(): Float64Array {
    return this.#aroundCenter(this.mean);
  }

  #aroundCenter(effects: Float64Array): Float64Array {
    const center = this.centerAt(this.scales);
    return center ? effects.map((value, j) => value + center[j]!) : effects;
  }

  #receiveInformation(sum: Float64Array, deviation: number, release: number): void {
    const clip = this.informationClip;
    const { d, m } = this;
    const pooled = (vary: number) =>
      pooledInformation(
        sum.map((value) => value * clip),
        deviation * clip,
        ...([this.#expected!.information, m, d, vary] as const),
      );
    this.#information = pooled(0);
    this.#statedInformation = pooled(COLUMNS_VARY);
    const relative = this.uncertainty.map(
      (value, at) => value / (this.scales[Math.floor(at / d)]! * this.scales[at % d]!),
    );
    const { fraction } = this.#releases[release + 1]!;
    const noise = 2 / (Math.min(this.#mu, MOST_MU) * Math.sqrt(fraction));
    this.metric = scoreMetric(this.#information.information, relative, m, d, noise);
  }

  #receiveScore(sum: Float64Array, deviation: number): void {
    const clip = this.clips.score;
    const metric = this.metric!;
    const context = {
      clip,
      metric,
      scales: this.scales,
      weight: clippedWeight(this.#expected!.scores, metric, clip),
    };
    this.#stated!.receive({
      sum,
      deviation,
      at: this.mean,
      context: { ...context, pooled: this.#statedInformation! },
    });
    const measurements = [
      ...this.#measurements,
      scoreMeasurement(sum, deviation, {
        ...context,
        asked: this.#asked,
        pooled: this.#information!,
        belief: { mean: this.mean, covariance: this.uncertainty },
      }),
    ];
    this.#measurements = measurements.slice(-this.#asked);
    const belief = fixedEffects(this.#measurements, this.#startVariances);
    this.mean = belief.mean;
    this.uncertainty = belief.covariance;
  }

  #receiveComparison(sum: Float64Array, deviation: number): void {
    const known = this.mean.map(
      (_, j) => 1 - this.uncertainty[j * (this.d + 1)]! / this.#startVariances[j]!,
    );
    this.weight = sharedWeight(sum, deviation, this.m, Math.max(0, ...known), this.#classes);
  }

  prior(): MixedPrior {
    return {
      fixedEffects: this.effects().slice(),
      stated: () => this.#statedEffects(),
      releaseCovariance: this.uncertainty.slice(),
      covariance: diagonal(this.scales.map((scale) => scale * scale)),
      noise: 0,
    };
  }

  #statedEffects(): ReturnType<MixedPrior["stated"]> {
    const { d, squares } = this;
    // Before any release there is the public model alone.
    const { mean, covariance } = this.#stated?.belief() ?? {
      mean: this.mean,
      covariance: this.uncertainty,
    };
    const stated = this.#aroundCenter(mean);
    const scale = scaleError(this.grid, this.belief, squares);
    return {
      statedEffects: stated,
      fixedEffectsCovariance: covariance.map(
        (value, at) => value + scale * stated[Math.floor(at / d)]! * stated[at % d]!,
      ),
    };
  }

  /** Logarithms of the prior weights of all components of a task's average: shared, then alone. */
  logWeights(): Float64Array {
    const floor = 1e-12;
    const shared = this.belief.map((weight) => log(weight + floor) + log(this.weight + floor));
    const alone = this.aloneBelief.map(
      (weight) => log(weight + floor) + log(1 - this.weight + floor),
    );
    return Float64Array.of(...shared, ...alone);
  }
}
