/**
 * A convex penalty as the solvers see it: its proximal step, its value, its conjugate.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Conjugate } from "../certificates/conjugate.js";
import type { Projection } from "../../steps/projection.js";
import type { SharingRule } from "../../round/sharing-rule.js";

/** Where a penalty works, and the step size of every task, [m]. */
export interface PenaltyContext {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  readonly steps: Float64Array;
}

/** A penalty whose proximal step every task takes alone. */
export interface LocalPenalty {
  /** prox of steps[i] times the penalty, on rows of V[m,d]. */
  readonly projection: Projection;
  /** The penalty at V[m,d]. */
  readonly value: (v: Pointer) => number;
  readonly conjugate: Conjugate;
}

/**
 * A penalty that joins the tasks: its proximal step is a round of Algorithm 1, the curator's rule
 * and the projection by its broadcast. All tasks have one step size. `value` may read the last
 * round, so it is asked at the output of that round only.
 */
export interface SharedPenalty extends LocalPenalty {
  readonly rule: SharingRule;
}

/** Makes a penalty for one problem; allocates its scratch memory. */
export type MakePenalty<P extends LocalPenalty> = (context: PenaltyContext) => P;
