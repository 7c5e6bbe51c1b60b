/**
 * Scores of the logarithms of the three variances, of one task after the other.
 *
 * With V = s I + X P X^T, u = X^T V^-1 r and H = X^T V^-1 X, the score of the logarithm of a variance is
 * (1/2) sum_c [u_c (C u)_c - (H C)_cc] over its coordinates, and (1/2) [s |V^-1 r|^2 - s tr V^-1] for the noise;
 * both are averaged over the hypotheses on the task's noise (Fisher's identity), the latter as `noise-score.ts` has it.
 * @see assembly/tasks/variance-scores.ts
 * @module
 */
import type { Core } from "../../../../../core/index.js";
import { log } from "../../../../../core/elementary.js";
import { KernelRecord } from "../../../../tasks/kernel-record.js";
import type { TaskSpectrum } from "../../spectra/task-spectrum.js";
import type { OwnScores } from "./clipped-scores.js";
import { noiseScore } from "./noise-score.js";
import { NOISE_MULTIPLES, NOISE_PRIOR } from "../squared-settings.js";
import { VARIANCES, type SquaredState } from "../squared-state.js";

/** Words of the kernel's record, in its order. */
const WORDS = [
  "d",
  "count",
  "noises",
  "logs",
  "priors",
  "row",
  "squares",
  "observed",
  "directions",
  "told",
  "factors",
  "weights",
  "parts",
  "scores",
] as const;

/** Numbers of a hypothesis, and of it and a direction, that the kernel keeps. */
const KEPT = { told: 4, factors: 5 } as const;

/** What a task's directions come to, whatever is observed along them, is worked out once a task. */
export class VarianceScores implements OwnScores {
  readonly l: Float64Array;
  readonly length = VARIANCES;
  readonly #core: Core;
  readonly #at: Record<(typeof WORDS)[number], number>;
  readonly #record: number;
  readonly #scale: Float64Array;
  readonly #common: number;
  /** Of the opened task, in the core's memory. */
  #observed: Float64Array = new Float64Array(0);
  #scores: Float64Array = new Float64Array(0);

  /**
   * @param core in whose arena everything lies; the caller releases it.
   * @param l the factor of the state's covariance C, under which the tasks' spectra are.
   * @param scale what each of the three scores is multiplied by.
   */
  constructor(core: Core, state: SquaredState, l: Float64Array, scale: Float64Array) {
    const { arena } = core;
    const { d } = state.sizes;
    const count = NOISE_MULTIPLES.length;
    const noises = Float64Array.from(NOISE_MULTIPLES, (multiple) => state.noise * multiple);
    const logsOf = (values: Iterable<number>) => arena.copyOf(Float64Array.from(values, log));
    this.l = l;
    this.#core = core;
    this.#scale = scale;
    this.#common = state.noise;
    this.#at = {
      d,
      count,
      noises: arena.copyOf(noises),
      logs: logsOf(noises),
      priors: logsOf(NOISE_PRIOR),
      row: arena.copyOf(l.subarray((d - 1) * d, d * d)),
      squares: arena.f64(d),
      observed: arena.f64(d),
      directions: arena.f64(d * d),
      told: arena.f64(KEPT.told * count),
      factors: arena.f64(KEPT.factors * count * d),
      weights: arena.f64(count),
      parts: arena.f64(count * VARIANCES),
      scores: arena.f64(VARIANCES),
    };
    const record = new KernelRecord(core, 0, WORDS);
    record.write([], this.#at);
    this.#record = record.at;
  }

  /** Takes a task's directions and their sizes. Nothing may be allocated in the core until its scores were asked for. */
  open({ k, squares, directions }: TaskSpectrum): void {
    const { arena, kernels } = this.#core;
    const { d } = this.#at;
    this.#observed = arena.view(this.#at.observed, d);
    this.#scores = arena.view(this.#at.scores, VARIANCES);
    arena.view(this.#at.squares, d).set(squares);
    arena.view(this.#at.directions, d * d).set(directions);
    kernels.openVarianceScores(this.#record, k);
  }

  /** The scores of what the opened task observes, [3]: of slopes, intercept and noise. */
  write({ n, k, observed, rest }: TaskSpectrum, into: Float64Array): void {
    this.#observed.set(observed);
    this.#core.kernels.varianceScores(this.#record, n, k, rest);
    const scores = this.#scores;
    const scale = this.#scale;
    into[0] = scores[0]! * scale[0]!;
    into[1] = scores[1]! * scale[1]!;
    into[2] = noiseScore(scores[2]!, n - k, rest, this.#common) * scale[2]!;
  }
}
