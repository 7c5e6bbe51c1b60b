/**
 * The mixed model with the squared loss whose noise hides one record: three releases, each a sum over records or of bounded
 * change under one, and then every task's own average of posterior means, as in the exchange that hides a task.
 * @module
 */
import { clippedTo } from "../../../../linalg/norm.js";
import { triangle } from "../../../../linalg/packed-symmetric.js";
import type { Core } from "../../../../core/index.js";
import { diagonal } from "../../../../linalg/small-matrices.js";
import type {
  MixedExchange,
  MixedModels,
  MixedPrior,
  MixedRelease,
  MixedSizes,
} from "../exchange.js";
import { betweenUnit, betweenUploads, type BetweenScale } from "./record-between.js";
import { recordEffects, type RecordEffects } from "./record-effects.js";
import { meansOfPairs, meansOfRows, type NoisyMeans } from "./record-means.js";
import type { OwnRelease } from "../../../release/own-release.js";
import { solveFromMoments } from "./record-own.js";
import { pairMoments, rowMoments } from "./record-moments.js";
import { BETWEEN, CLIPS, FRACTIONS, TASK_CLIPS } from "./record-settings.js";
import { recordVariances } from "./record-variances.js";
import { solveTasks } from "../squared/solve/squared-solve.js";
import { TaskSpectra } from "../spectra/task-spectra.js";
import type { TaskRows } from "../spectra/task-spectrum.js";
import type { WeightedSizes } from "../weighted-sizes.js";

/** The releases, in order; the second and third are of tasks as the first left them. */
export function recordReleases({ d }: Pick<MixedSizes, "d">): MixedRelease[] {
  const { rows, pairs, between } = FRACTIONS;
  return [
    { label: "rows", statistic: "moment", length: triangle(d + 1), fraction: rows },
    { label: "pairs", statistic: "moment", length: triangle(d), fraction: pairs },
    { label: "between", statistic: "vector", length: 2, fraction: between },
  ];
}

/**
 * Norms to which the tasks' sums of the releases are clipped where tasks are hidden too. The projection onto a ball moves no
 * two points apart, so what one record changes is still at most what it was.
 */
export function taskClips({ meanRows }: Pick<MixedSizes, "meanRows">): readonly number[] {
  const { rows, pairs, between } = TASK_CLIPS;
  return [rows, pairs, between].map((clip) => clip * meanRows);
}

/** Rows of a matrix, each of norm at most `most`; zeros where one is not finite. */
function clipped(values: Float64Array, most: number, batch: number): Float64Array {
  const length = values.length / batch;
  const out = new Float64Array(values.length);
  for (let i = 0; i < batch; i++) {
    out.set(clippedTo(values.subarray(i * length, (i + 1) * length), most), i * length);
  }
  return out;
}

/** How releases and models are made. */
export interface RecordForm {
  readonly own: OwnRelease | undefined;
  readonly clipTasks: boolean;
  readonly weights?: readonly number[] | undefined;
  readonly of: WeightedSizes;
}

export class RecordExchange implements MixedExchange {
  readonly #core: Core;
  readonly #rows: TaskRows;
  readonly #sizes: MixedSizes;
  readonly #own: OwnRelease | undefined;
  readonly #clipTasks: boolean;
  readonly #weights: readonly number[] | undefined;
  readonly #of: WeightedSizes;
  readonly #clips: { readonly rows: number; readonly pairs: number };
  #ofRows: NoisyMeans | undefined;
  #ofPairs: NoisyMeans | undefined;
  #effects: RecordEffects | undefined;
  #prior: MixedPrior | undefined;

  /**
   * @param rows those of the batch.
   * @param form `own` perturbs what a task's own model is made of; absent: its own rows as they are. `clipTasks`: a
   *   task's sums are clipped too. `weights`: factors of the batch's sums, and of the model's noisy moments, where owners
   *   have budgets of their own; `of`: the run's sizes with everyone's.
   */
  constructor(
    core: Core,
    rows: TaskRows,
    sizes: MixedSizes,
    { own, clipTasks, weights, of }: RecordForm,
  ) {
    this.#weights = weights;
    this.#of = of;
    this.#own = own;
    this.#clipTasks = clipTasks;
    this.#core = core;
    this.#rows = rows;
    this.#sizes = sizes;
    this.#clips = { rows: CLIPS.rows * (sizes.d + 1), pairs: CLIPS.pairs * sizes.d };
  }

  upload(release: number): Float64Array {
    const sums = this.#sums(release);
    return this.#times(
      this.#clipTasks
        ? clipped(sums, taskClips(this.#sizes)[release]!, this.#rows.offsets.length - 1)
        : sums,
    );
  }

  /** Every task's vector times its factor. */
  #times(vectors: Float64Array): Float64Array {
    const weights = this.#weights;
    if (!weights) return vectors;
    const length = vectors.length / weights.length;
    return vectors.map((value, at) => value * weights[Math.floor(at / length)]!);
  }

  #sums(release: number): Float64Array {
    const { d } = this.#sizes;
    if (release === 0) return rowMoments(this.#rows, d, this.#clips.rows);
    if (release === 1) return pairMoments(this.#left(), d, this.#clips.pairs);
    return betweenUploads(this.#rows, this.#scale());
  }

  /** The rows with what the effects, as far as they are known, leave of the target. */
  #left(): TaskRows {
    const { x, y, offsets } = this.#rows;
    const { effects } = this.#effects!;
    const d = effects.length;
    const left = y.map((value, row) =>
      effects.reduce((rest, effect, k) => rest - effect * x[row * d + k]!, value),
    );
    return { x, y: left, offsets };
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    const { d } = this.#sizes;
    const { rows, effectiveRows, effectiveTasks, meanRows } = this.#of;
    if (release === 0) {
      const partOf = effectiveRows / rows;
      this.#ofRows = meansOfRows(sum, { d, c: this.#clips.rows, rows, partOf, deviation });
      this.#effects = recordEffects(this.#ofRows, undefined, meanRows);
    } else if (release === 1) {
      this.#ofPairs = meansOfPairs(
        sum,
        {
          d,
          c: this.#clips.pairs,
          count: rows / 2,
          samples: Math.max(effectiveRows - effectiveTasks, 1),
          deviation,
        },
        this.#ofRows!,
        this.#effects!,
      );
      this.#effects = recordEffects(this.#ofRows!, this.#ofPairs, meanRows);
    } else this.#receiveBetween(sum, deviation);
  }

  #receiveBetween(sum: Float64Array, deviation: number): void {
    const { d } = this.#sizes;
    const { effectiveTasks } = this.#of;
    const scale = this.#scale();
    const unit = betweenUnit(scale);
    const effects = this.#effects!;
    const { slopes, intercept, noise, unsure } = recordVariances({
      rows: this.#ofRows!,
      pairs: this.#ofPairs!,
      effects,
      of: this.#of,
      between: sum.map((value) => value * unit),
      deviation: deviation * unit,
      features: scale.features,
    });
    const variances = new Float64Array(d).fill(slopes);
    variances[d - 1] = intercept;
    const error = effects.error.slice();
    // Of so many tasks, the mean lies that far from the fixed effects.
    for (let c = 0; c < d; c++) error[c * d + c]! += variances[c]! / effectiveTasks;
    this.#prior = {
      fixedEffects: effects.effects,
      stated: () => ({ fixedEffectsCovariance: error }),
      releaseCovariance: error,
      covariance: diagonal(variances),
      noise,
      unsure,
    };
  }

  /** The scale on which the third release measures how tasks differ, from the first two releases. */
  #scale(): BetweenScale {
    const { effects, residual } = this.#effects!;
    const { gram, size: d } = this.#ofRows!;
    let squares = 0;
    for (let c = 0; c < d - 1; c++) squares += gram[c * d + c]!;
    const row = BETWEEN.row * Math.sqrt(residual);
    const features = 1 / Math.sqrt(Math.max(squares, 0.3));
    return { effects, features, row, task: BETWEEN.task * row };
  }

  solve(): MixedModels {
    const prior = this.#prior!;
    if (this.#own) return { ...this.#solveFromMoments(prior, this.#own), prior };
    const tasks = new TaskSpectra(this.#core, this.#rows, this.#sizes.d);
    return { ...solveTasks(prior, tasks), prior };
  }

  #solveFromMoments(prior: MixedPrior, own: OwnRelease) {
    const { d } = this.#sizes;
    const { offsets } = this.#rows;
    const shared = this.#ofRows!;
    const kept = shared.count / this.#of.rows;
    const noisy = own.draw(this.#times(rowMoments(this.#rows, d, this.#clips.rows)));
    return solveFromMoments(prior, shared, {
      moments: noisy,
      deviation: own.deviation,
      scales: this.#weights,
      clip: this.#clips.rows,
      rows: Float64Array.from(
        { length: offsets.length - 1 },
        (_, i) => kept * (offsets[i + 1]! - offsets[i]!),
      ),
    });
  }
}
