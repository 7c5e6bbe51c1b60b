/**
 * The mixed model with the squared loss whose noise hides one record: three releases, each a sum over records or of bounded
 * change under one, and then every task's own average of posterior means, as in the exchange that hides a task.
 * @module
 */
import type { Core } from "../../../core/index.js";
import { diagonal } from "../../../linalg/small-matrices.js";
import type {
  MixedExchange,
  MixedModels,
  MixedPrior,
  MixedRelease,
  MixedSizes,
} from "./exchange.js";
import { betweenUnit, betweenUploads, type BetweenScale } from "./record-between.js";
import {
  meansOfPairs,
  meansOfRows,
  recordEffects,
  type NoisyMeans,
  type RecordEffects,
} from "./record-effects.js";
import { pairMoments, rowMoments } from "./record-moments.js";
import { BETWEEN, CLIPS, FRACTIONS } from "./record-settings.js";
import { recordVariances } from "./record-variances.js";
import { triangle } from "./squared-plan.js";
import { solveTasks } from "./squared-solve.js";
import { TaskSpectra } from "./task-spectra.js";
import type { TaskRows } from "./task-spectrum.js";

/** The releases, in order; the second and third are of tasks as the first left them. */
export function recordReleases({ d }: Pick<MixedSizes, "d">): MixedRelease[] {
  const { rows, pairs, between } = FRACTIONS;
  return [
    { label: "rows", statistic: "moment", length: triangle(d + 1), fraction: rows },
    { label: "pairs", statistic: "moment", length: triangle(d), fraction: pairs },
    { label: "between", statistic: "vector", length: 2, fraction: between },
  ];
}

export class RecordExchange implements MixedExchange {
  readonly #core: Core;
  readonly #rows: TaskRows;
  readonly #sizes: MixedSizes;
  readonly #clips: { readonly rows: number; readonly pairs: number };
  #ofRows: NoisyMeans | undefined;
  #ofPairs: NoisyMeans | undefined;
  #effects: RecordEffects | undefined;
  #prior: MixedPrior | undefined;

  /** @param rows those of the batch. */
  constructor(core: Core, rows: TaskRows, sizes: MixedSizes) {
    this.#core = core;
    this.#rows = rows;
    this.#sizes = sizes;
    this.#clips = { rows: CLIPS.rows * (sizes.d + 1), pairs: CLIPS.pairs * sizes.d };
  }

  upload(release: number): Float64Array {
    const { d } = this.#sizes;
    if (release === 0) return rowMoments(this.#rows, d, this.#clips.rows);
    if (release === 1) return pairMoments(this.#rows, d, this.#clips.pairs);
    return betweenUploads(this.#rows, this.#scale());
  }

  hear(release: number, sum: Float64Array, deviation: number): void {
    const { d, m, meanRows } = this.#sizes;
    const rows = m * meanRows;
    if (release === 0) {
      this.#ofRows = meansOfRows(sum, { d, c: this.#clips.rows, rows, deviation });
    } else if (release === 1) {
      // Half of a task's rows, rounded down; which of them are odd in number is not known here.
      const count = Math.max(rows / 2 - m / 4, 1);
      this.#ofPairs = meansOfPairs(
        sum,
        { d, c: this.#clips.pairs, count, deviation },
        this.#ofRows!,
      );
      this.#effects = recordEffects(this.#ofRows!, this.#ofPairs, meanRows);
    } else this.#hearBetween(sum, deviation);
  }

  #hearBetween(sum: Float64Array, deviation: number): void {
    const { d, m, meanRows } = this.#sizes;
    const scale = this.#scale();
    const unit = betweenUnit(scale);
    const effects = this.#effects!;
    const { slopes, intercept, noise } = recordVariances({
      ...{ rows: this.#ofRows!, pairs: this.#ofPairs!, effects, m, meanRows },
      ...{ between: sum.map((value) => value * unit), deviation: deviation * unit },
      features: scale.features,
    });
    const variances = new Float64Array(d).fill(slopes);
    variances[d - 1] = intercept;
    const error = effects.error.slice();
    // Of m tasks, the mean lies that far from the fixed effects.
    for (let c = 0; c < d; c++) error[c * d + c]! += variances[c]! / m;
    this.#prior = {
      ...{ fixedEffects: effects.effects, fixedEffectsCovariance: error },
      ...{ releaseCovariance: error, covariance: diagonal(variances), noise },
    };
  }

  /** Of the third release, from the first two. */
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
    const tasks = new TaskSpectra(this.#core, this.#rows, this.#sizes.d);
    return { ...solveTasks(prior, tasks), prior };
  }
}
