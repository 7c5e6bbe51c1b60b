/**
 * The private mixed model with the squared loss: y = x . w_i + e, w_i ~ N(a, C), e ~ N(0, s omega_i).
 *
 * Rounds of variance components and fixed effects, each from noisy sums over tasks, then every task's own
 * average of posterior means. Harville (1977) for the scores; the releases are believed as far as they stand out
 * of their noise, so that at small budgets the prior stays wide and every task learns alone.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import type { Core } from "../../../../core/index.js";
import { times } from "../../../../linalg/small-matrices.js";
import type { CommonWork } from "../../../round/common-work.js";
import type { MixedExchange, MixedModels, MixedSizes } from "../exchange.js";
import { covarianceUploads, receiveCovariance } from "./spread/squared-covariance.js";
import { apartIn, type Apart } from "./solve/alone-roots.js";
import type { Units } from "../units/units.js";
import { ExactEffects } from "./exact-effects.js";
import { SquaredLocation } from "./squared-location.js";
import { partsOf, type LocationPart, type SquaredStep } from "./squared-plan.js";
import { solveTasks } from "./solve/squared-solve.js";
import { receiveShape, shapeUploads } from "./spread/squared-shape.js";
import { SquaredState } from "./squared-state.js";
import { receiveVariances, scaleVariances, varianceUploads } from "./spread/squared-variances.js";
import { UploadRoom } from "../upload-room.js";
import { TaskSpectra } from "../spectra/task-spectra.js";
import type { TaskRows } from "../spectra/task-spectrum.js";

/** Where a release belongs. */
interface Place {
  readonly step: SquaredStep;
  /** Of a location's releases. */
  readonly part: LocationPart;
}

function placesOf(steps: readonly SquaredStep[]): Place[] {
  return steps.flatMap((step) => partsOf(step).map((part) => ({ step, part })));
}

export class SquaredExchange implements MixedExchange {
  readonly #state: SquaredState;
  readonly #tasks: TaskSpectra;
  readonly #places: readonly Place[];
  readonly #apart: Apart;
  #location: SquaredLocation | undefined;
  #exact: ExactEffects | undefined;
  /** Of what tasks send or keep by their triangles. */
  readonly #room = new UploadRoom();
  /** The release that made it. */
  #opened = -1;

  /**
   * @param rows  those of the batch.
   * @param units what was voted on.
   */
  constructor(
    core: Core,
    rows: TaskRows,
    sizes: MixedSizes,
    steps: readonly SquaredStep[],
    units: Pick<Units, "voted" | "untold"> = {},
  ) {
    this.#state = new SquaredState(sizes, core);
    this.#tasks = new TaskSpectra(core, rows, sizes.d);
    this.#places = placesOf(steps);
    this.#apart = apartIn(rows, sizes.d, units);
  }

  upload(release: number): Float64Array {
    const { step, part } = this.#open(release);
    if (step.kind === "variances") return varianceUploads(this.#state, this.#tasks);
    if (step.kind === "covariance") return covarianceUploads(this.#state, this.#tasks, this.#room);
    if (step.kind === "shape") return shapeUploads(this.#state, this.#tasks);
    if (step.kind === "exact") return this.#exact!.upload(step.part, this.#tasks, this.#room);
    return this.#location!.upload(part, this.#tasks, this.#room);
  }

  common(release: number): CommonWork | undefined {
    const state = this.#state;
    if (release === this.#places.length) return state.statedWork();
    const { step, part } = this.#places[release]!;
    if (part !== "score" || step.kind === "covariance" || step.kind === "exact") return undefined;
    return state.syntheticOf(step.kind === "location" ? state.spread : state.covariance);
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    const { step, part } = this.#open(release);
    const state = this.#state;
    if (step.kind === "location") this.#location!.receive(part, sum, deviation);
    else if (step.kind === "covariance") receiveCovariance(state, sum, deviation);
    else if (step.kind === "shape") receiveShape(state, sum, deviation);
    else if (step.kind === "exact") state.stated = this.#exact!.receive(step.part, sum);
    else {
      receiveVariances(state, sum, deviation, step.widening);
      if (!step.first) return;
      // Variances around zero: part of them is the fixed effects' own.
      const { width, tasksPart } = step.first;
      state.error = times(state.covariance, width);
      const scales = state.deviations.map((x) => width * x * x);
      state.filter.start(scales);
      scaleVariances(state, log(tasksPart));
    }
  }

  solve(zero?: Float64Array): MixedModels {
    const { prior } = this.#state;
    return { ...solveTasks(prior, this.#tasks, { zero, ...this.#apart }), prior };
  }

  /** The place of a release; its location step is made when its first release is asked for or received. */
  #open(release: number): Place {
    const place = this.#places[release]!;
    const { step, part } = place;
    if (step.kind === "exact") this.#exact ??= new ExactEffects(this.#state);
    if (step.kind !== "location") this.#location = undefined;
    else if (part === "score" && this.#opened !== release) {
      this.#location = new SquaredLocation(this.#state, step);
      this.#opened = release;
    }
    return place;
  }
}
