/**
 * A convex penalty as the solvers see it: its proximal step, its value, its conjugate.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { Conjugate, SummedConjugate } from "../certificates/conjugate.js";
import type { Projection } from "../../steps/projection.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import type { StatisticName } from "../../round/statistic/statistic.js";

/** Where a penalty works, and the step size of every task, [m], read in every round: a solver may change it. */
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

/** Makes a penalty for one problem; allocates its scratch memory. */
export type MakePenalty<P> = (context: PenaltyContext) => P;

/** What the curator knows of a penalty that joins the tasks, all of which have one step size. */
export interface PooledPenalty extends SummedConjugate {
  readonly rule: SharingRule;
  /** The penalty at the models of the last round. */
  readonly value: () => number;
}

/** A penalty that joins the tasks: its proximal step is a round of Algorithm 1, in two halves. */
export interface SharedPenalty {
  /** Of all m tasks. */
  readonly curator: MakePenalty<PooledPenalty>;
  /** The projection by the rule's broadcast, of a batch of tasks. */
  readonly projection: (core: Core, m: number, d: number) => Projection;
  /** That the rule reads. */
  readonly statistic: StatisticName;
  /** Float64s of that broadcast. */
  readonly broadcastLength: (d: number) => number;
}

/** Penalties of W, or of the two parts of which it is the sum. */
export interface Penalties {
  readonly shared: SharedPenalty;
  readonly local?: MakePenalty<LocalPenalty> | undefined;
}
