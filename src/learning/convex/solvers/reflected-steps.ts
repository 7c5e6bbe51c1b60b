/**
 * The local half of Douglas-Rachford rounds for the squared loss: every task takes its exact
 * proximal step instead of a gradient step.
 *
 * The state is V; the curator's broadcast gives Z = prox of the penalty at V. Then
 * w_i = argmin L_i(w) + (rho/2) ||w - (2 z_i - v_i)||^2 and v_i += relaxation (w_i - z_i). At a fixed
 * point W = Z is the solution and rho (Z - V) the gradient of the losses there. Ill-conditioned data
 * costs nothing: L_i is inverted, not descended.
 *
 * @see Douglas and Rachford (1956); Eckstein and Bertsekas (1992), for the relaxation and for its being
 *   the alternating direction method of multipliers.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { Participants } from "../../round/participants.js";
import type { Projection } from "../../steps/projection.js";

/** Over-relaxation; between 1.5 and 1.8 it spared a third of the rounds on all data tried. */
const RELAXATION = 1.8;

/** A batch of tasks with squared loss that takes reflected proximal steps. */
export class ReflectedSteps implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** Z, the models of the last round, [m, d]. */
  weights: Pointer;
  readonly #tasks: ResidentTasks;
  #previous: Pointer;
  readonly #v: Pointer;
  readonly #w: Pointer;
  readonly #resolvents: Pointer;
  readonly #points: Pointer;
  readonly #residuals: Pointer;
  readonly #work: Pointer;
  #projection: Projection | undefined;
  #rho = 0;

  /** @param start Z(0), [m, d]. */
  constructor(tasks: ResidentTasks, start: Float64Array) {
    const { m, d, core } = tasks;
    const { arena, kernels } = core;
    this.m = m;
    this.uploadLength = d;
    this.#tasks = tasks;
    this.weights = arena.copyOf(start);
    this.#previous = arena.copyOf(start);
    this.#v = arena.f64(m * d);
    this.#w = arena.f64(m * d);
    this.#resolvents = arena.f64(m * d * d, "the tasks' inverse matrices");
    this.#points = arena.f64(m * d);
    this.#residuals = arena.zeros(2);
    this.#work = arena.bytes(
      Math.max(kernels.taskResolventsWorkspace(d), kernels.taskGramsWorkspace(d)),
    );
  }

  /** Bytes that such a batch takes. */
  static bytes(m: number, d: number): number {
    return 8 * (m * d * (d + 5) + 7 * d * d);
  }

  /**
   * A penalty parameter rho to begin with: a part of the median task's mean curvature, which
   * balances the two halves of a round on standardised data.
   */
  suggestedRho(): number {
    const { arena } = this.#tasks.core;
    this.#grams();
    const { m, uploadLength: d } = this;
    const mean = new Float64Array(m);
    for (let i = 0; i < m; i++) {
      const h = arena.view(this.#resolvents + 8 * i * d * d, d * d);
      for (let j = 0; j < d; j++) mean[i]! += h[j * (d + 1)]! / d;
    }
    mean.sort();
    const typical = mean[m >> 1]! || mean[m - 1]!;
    return typical > 0 ? 0.3 * typical : 1;
  }

  #grams(): void {
    const tasks = this.#tasks;
    const centred = tasks.intercept ? 1 : 0;
    tasks.core.kernels.taskGrams(tasks.at, centred, this.#resolvents, this.#points, this.#work);
  }

  /**
   * Starts rounds with parameter rho from the present models.
   * @param projection proximal step of the penalty / rho.
   * @param gradient of the losses at `weights`; by default the dual variable of the last round.
   */
  begin(rho: number, projection: Projection, gradient?: Pointer): void {
    const { kernels } = this.#tasks.core;
    const size = this.m * this.uploadLength;
    if (gradient !== undefined) {
      this.#fill(this.#v, this.weights);
      kernels.axpy(-1 / rho, gradient, this.#v, size);
    } else {
      // v - z is the dual variable over rho; taken of the v that gave z.
      const ratio = this.#rho / rho;
      const { arena } = this.#tasks.core;
      const [v, z, w] = [this.#v, this.weights, this.#w].map((at) => arena.view(at, size));
      for (let k = 0; k < size; k++) {
        const dual = v![k]! - RELAXATION * (w![k]! - z![k]!) - z![k]!;
        v![k] = z![k]! + ratio * dual;
      }
    }
    this.#rho = rho;
    this.#projection = projection;
    this.#grams();
    const failed = kernels.taskResolvents(
      this.#resolvents,
      this.#points,
      rho,
      this.m,
      this.uploadLength,
      this.#work,
    );
    if (failed !== 0) {
      throw new RangeError(
        `task ${failed - 1}: sums of squares of its features leave the double range; rescale them.`,
      );
    }
  }

  upload(): Pointer {
    return this.#v;
  }

  receive(broadcast: Pointer): void {
    [this.weights, this.#previous] = [this.#previous, this.weights];
    this.#projection!(broadcast, this.#v, this.weights);
    this.#tasks.core.kernels.reflectedSteps(
      this.#resolvents,
      this.#points,
      this.weights,
      this.#v,
      this.#w,
      RELAXATION,
      this.m,
      this.uploadLength,
      this.#work,
    );
  }

  /** Adds how far the last round was from a fixed point to what `imbalance` reads. */
  measure(): void {
    this.#tasks.core.kernels.addResiduals(
      this.weights,
      this.#previous,
      this.#v,
      this.#w,
      RELAXATION,
      this.#residuals,
      this.m * this.uploadLength,
    );
  }

  /**
   * How far apart W and Z were over how far Z still moved, relative to their sizes, in the rounds
   * measured since the last call; rho should grow with it. NaN or 0 where there is nothing to compare.
   * @see Wohlberg (2017), "ADMM penalty parameter selection by residual balancing".
   */
  imbalance(): number {
    const residuals = this.#tasks.core.arena.view(this.#residuals, 2);
    const result = Math.sqrt(residuals[0]! / residuals[1]!);
    residuals.fill(0);
    return result;
  }

  #fill(to: Pointer, from: Pointer): void {
    const { arena } = this.#tasks.core;
    const size = this.m * this.uploadLength;
    arena.view(to, size).set(arena.view(from, size));
  }
}
