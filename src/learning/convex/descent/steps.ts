/**
 * The local half of accelerated proximal gradient: what of it each task does alone, under the orders of who sees all of them.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Participants } from "../../round/participants.js";
import type { Momentum } from "../../steps/momentum.js";
import { ProximalGradient } from "../../steps/proximal-gradient.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { LocalPenalty, MakePenalty, SharedPenalty } from "../penalties/penalty.js";
import type { Start } from "../solvers/problem.js";

/** step: take the broadcast and a step; again: that step again; project: take the broadcast alone, of the last round. */
export const ORDER = { step: 0, again: 1, project: 2 } as const;

/** Float64s of an order before the curator's broadcast: which, and beta of the step. */
export const ORDER_LENGTH = 2;

/** What tasks descend. */
export interface Descent {
  readonly tasks: ResidentTasks;
  readonly shared: SharedPenalty;
  readonly local?: MakePenalty<LocalPenalty> | undefined;
  readonly start: Start;
}

/** A batch of tasks that takes gradient steps of one size, with a momentum that it is told. */
export class DescentSteps implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** Of the last round, `ProximalGradient.angles`, [m]. */
  readonly angles: Pointer;
  readonly #descent: Descent;
  readonly #momentum: Momentum;
  #solver: ProximalGradient | undefined;
  #beta = 0;

  constructor(descent: Descent) {
    const { core, m, d } = descent.tasks;
    this.m = m;
    this.uploadLength = d;
    this.angles = core.arena.zeros(m);
    this.#descent = descent;
    this.#momentum = { beta: () => this.#beta };
  }

  /** Whose models are those of the last round. */
  get solver(): ProximalGradient {
    if (!this.#solver) throw new RangeError("steps: expected their size first");
    return this.#solver;
  }

  /** Takes the first gradient step, so that a start at the solution stays there. */
  begin(size: number): void {
    const { tasks, shared, local, start } = this.#descent;
    const { core, m, d } = tasks;
    const steps = new Float64Array(m).fill(size);
    this.#solver = new ProximalGradient(tasks, {
      clip: Infinity,
      clipIterate: false,
      steps,
      strongConvexity: 0,
      gradientFirst: true,
      momentum: this.#momentum,
      projection: shared.projection(core, m, d),
      localPart: local?.({ core, m, d, steps }).projection,
      initial: start.weights,
      initialLocal: start.local,
      initialIntercepts: start.intercepts,
    });
  }

  upload(): Pointer {
    return this.solver.upload();
  }

  /**
   * Steps before it is known whether all tasks together went against their momentum: where they did, they are told to step again
   * without it, which is seldom.
   */
  receive(order: Pointer, round: number): void {
    const [kind, beta] = this.#descent.tasks.core.arena.view(order, ORDER_LENGTH);
    this.#beta = beta!;
    if (kind !== ORDER.again) {
      this.solver.project(order + 8 * ORDER_LENGTH);
      this.solver.angles(this.angles);
    }
    if (kind !== ORDER.project) this.solver.step(round);
  }
}
