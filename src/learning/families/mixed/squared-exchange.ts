/**
 * The private mixed model with the squared loss: y = x . w_i + e, w_i ~ N(a, C), e ~ N(0, s omega_i).
 *
 * Rounds of variance components and fixed effects, each from noisy sums over tasks, then every task's own
 * average of posterior means. Harville (1977) for the scores; the noise of the releases is filtered as in a
 * Kalman filter, so that at small budgets the prior stays wide and every task learns alone.
 * @module
 */
import { log } from "../../../core/elementary.js";
import type { Core } from "../../../core/index.js";
import type { MixedExchange, MixedModels, MixedSizes } from "./exchange.js";
import { covarianceUploads, hearCovariance } from "./squared-covariance.js";
import { SquaredLocation } from "./squared-location.js";
import type { SquaredStep } from "./squared-plan.js";
import { FIRST_SPLIT } from "./squared-settings.js";
import { solveTasks } from "./squared-solve.js";
import { SquaredState } from "./squared-state.js";
import { hearVariances, scaleVariances, varianceUploads } from "./squared-variances.js";
import { TaskSpectra, type TaskRows } from "./task-spectrum.js";

const PARTS = ["score", "information", "curvature"] as const;

/** Where a release belongs. */
interface Place {
  readonly step: SquaredStep;
  /** Of a location's releases. */
  readonly part: (typeof PARTS)[number];
  /** Whether it is the first of its step, and of the run. */
  readonly opens: boolean;
  readonly first: boolean;
}

function placesOf(steps: readonly SquaredStep[]): Place[] {
  return steps.flatMap((step, at) => {
    const parts = step.kind !== "location" ? PARTS.slice(0, 1) : PARTS.slice(0, step.full ? 2 : 3);
    return parts.map((part, k) => ({ step, part, opens: k === 0, first: at === 0 }));
  });
}

export class SquaredExchange implements MixedExchange {
  readonly #state: SquaredState;
  readonly #tasks: TaskSpectra;
  readonly #places: readonly Place[];
  #location: SquaredLocation | undefined;
  /** The release that made it. */
  #opened = -1;

  /** @param rows those of the batch. */
  constructor(core: Core, rows: TaskRows, sizes: MixedSizes, steps: readonly SquaredStep[]) {
    this.#state = new SquaredState(sizes);
    this.#tasks = new TaskSpectra(core, rows, sizes.d);
    this.#places = placesOf(steps);
  }

  upload(release: number): Float64Array {
    const { step, part } = this.#open(release);
    if (step.kind === "variances") return varianceUploads(this.#state, this.#tasks);
    if (step.kind === "covariance") return covarianceUploads(this.#state, this.#tasks);
    return this.#location!.upload(part, this.#tasks);
  }

  hear(release: number, sum: Float64Array, deviation: number): void {
    const { step, part, first } = this.#open(release);
    const state = this.#state;
    if (step.kind === "location") this.#location!.hear(part, sum, deviation);
    else if (step.kind === "covariance") hearCovariance(state, sum, deviation);
    else {
      hearVariances(state, sum, deviation);
      if (!first) return;
      // Variances around zero: part of them is the fixed effects' own.
      state.error = state.covariance.map((x) => x * FIRST_SPLIT.mean);
      scaleVariances(state, log(FIRST_SPLIT.tasks));
    }
  }

  solve(): MixedModels {
    return solveTasks(this.#state, this.#tasks);
  }

  /** The place of a release; its location step is made when its first release is asked for or heard. */
  #open(release: number): Place {
    const place = this.#places[release]!;
    if (place.step.kind !== "location") this.#location = undefined;
    else if (place.opens && this.#opened !== release) {
      this.#location = new SquaredLocation(this.#state, place.step);
      this.#opened = release;
    }
    return place;
  }
}
