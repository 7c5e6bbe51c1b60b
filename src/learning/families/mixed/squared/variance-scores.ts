/**
 * Scores of the logarithms of the three variances, of one task after the other.
 *
 * With V = s I + X P X^T, u = X^T V^-1 r and H = X^T V^-1 X, the score of the logarithm of a variance is
 * (1/2) sum_c [u_c (C u)_c - (H C)_cc] over its coordinates, and (1/2) [s |V^-1 r|^2 - s tr V^-1] for the noise;
 * both are averaged over the hypotheses on the task's noise (Fisher's identity), the latter as `noise-score.ts` has it.
 * @see assembly/tasks/variance-scores.ts
 * @module
 */
import type { Core } from "../../../../core/index.js";
import { log } from "../../../../core/elementary.js";
import { invertLower, multiply } from "../../../../linalg/small-matrices.js";
import { KernelRecord } from "../../../tasks/kernel-record.js";
import { softmax } from "../softmax.js";
import { noiseScore } from "./noise-score.js";
import { NOISE_MULTIPLES, NOISE_PRIOR } from "./squared-settings.js";
import { VARIANCES, type SquaredState } from "./squared-state.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";

/** Words of the kernel's record, in its order. */
const WORDS = [
  "d",
  "count",
  "noises",
  "inverse",
  "toCovariance",
  "squares",
  "observed",
  "directions",
  "logs",
  "own",
  "other",
  "information",
  "costs",
  "weights",
  "scores",
  "parts",
  "u",
  "cu",
] as const;

/** What a task's directions come to, whatever is observed along them, is worked out once a task. */
export class VarianceScores {
  readonly #core: Core;
  readonly #at: Record<(typeof WORDS)[number], number>;
  readonly #record: number;
  readonly #common: number;
  /** The noise under every hypothesis, its logarithm, and that of the hypothesis' prior. */
  readonly #noises: readonly number[];
  readonly #logs: readonly number[];
  readonly #priors: readonly number[];
  /** Of the opened task, in the core's memory. */
  #observed: Float64Array = new Float64Array(0);
  #costs: Float64Array = new Float64Array(0);
  #weights: Float64Array = new Float64Array(0);
  #scores: Float64Array = new Float64Array(0);

  /**
   * @param core in whose arena everything lies; the caller releases it.
   * @param l the factor of the state's covariance C, under which the tasks' spectra are.
   */
  constructor(core: Core, state: SquaredState, l: Float64Array) {
    const { arena } = core;
    const { d } = state.sizes;
    const count = NOISE_MULTIPLES.length;
    const inverse = invertLower(l, d);
    const block = () => arena.f64(d * d);
    this.#core = core;
    this.#common = state.noise;
    this.#noises = NOISE_MULTIPLES.map((multiple) => state.noise * multiple);
    this.#logs = this.#noises.map((noise) => log(noise));
    this.#priors = NOISE_PRIOR.map((part) => log(part));
    this.#at = {
      ...{ d, count, noises: arena.copyOf(Float64Array.from(this.#noises)) },
      inverse: arena.copyOf(inverse),
      toCovariance: arena.copyOf(multiply(inverse, state.covariance, d, d, d)),
      ...{ squares: arena.f64(d), observed: arena.f64(d), directions: block() },
      ...{ logs: arena.f64(count * d), own: block(), other: block() },
      information: arena.f64(count * d),
      ...{ costs: arena.f64(count), weights: arena.f64(count), scores: arena.f64(VARIANCES) },
      ...{ parts: arena.f64(d), u: arena.f64(d), cu: arena.f64(d) },
    };
    const record = new KernelRecord(core, 0, WORDS);
    record.write([], this.#at);
    this.#record = record.at;
  }

  /** Takes a task's directions and their sizes. Nothing may be allocated in the core until its scores were asked for. */
  open({ k, squares, directions }: TaskSpectrum): void {
    const { arena, kernels } = this.#core;
    const { d, count } = this.#at;
    this.#observed = arena.view(this.#at.observed, k);
    this.#costs = arena.view(this.#at.costs, count);
    this.#weights = arena.view(this.#at.weights, count);
    this.#scores = arena.view(this.#at.scores, VARIANCES);
    arena.view(this.#at.squares, k).set(squares.subarray(0, k));
    arena.view(this.#at.directions, k * d).set(directions.subarray(0, k * d));
    const logs = arena.view(this.#at.logs, count * k);
    this.#noises.forEach((noise, j) => {
      for (let t = 0; t < k; t++) logs[j * k + t] = log(noise + squares[t]!);
    });
    kernels.openVarianceScores(this.#record, k);
  }

  /** The scores of what the opened task observes, [3]: of slopes, intercept and noise. */
  of({ n, k, observed, rest }: TaskSpectrum): Float64Array {
    const { kernels } = this.#core;
    const seen = this.#observed;
    const costs = this.#costs;
    const weights = this.#weights;
    for (let t = 0; t < k; t++) seen[t] = observed[t]!;
    for (let j = 0; j < costs.length; j++) {
      costs[j] = (n - k) * this.#logs[j]! + rest / this.#noises[j]!;
    }
    kernels.varianceCosts(this.#record, k);
    for (let j = 0; j < costs.length; j++) weights[j] = -costs[j]! / 2 + this.#priors[j]!;
    softmax(weights, weights);
    kernels.varianceScores(this.#record, n, k, rest);
    const scores = this.#scores.slice();
    scores[2] = noiseScore(scores[2]!, n - k, rest, this.#common);
    return scores;
  }
}
