/**
 * F(a) = sum_i min_{w,b} L_i(w, b) + lambda ||w - a||^2 as Newton's method sees it, however the rows lie.
 * @module
 */
import type { Gap } from "../certificates/duality-gap.js";

/** What is there at once, or once other threads have answered. */
type Soon<T> = T | Promise<T>;

/** F at a point, and its gradient, [d]. */
export interface Evaluated {
  readonly value: number;
  readonly gradient: Float64Array;
}

/** Works at the point that was evaluated last. */
export interface MeanProblem {
  /** Eliminates the tasks at a[d]. */
  evaluate(a: Float64Array): Soon<Evaluated>;
  /** x with (Hessian of F) x = gradient, [d]; of least norm where there are several. */
  newtonStep(gradient: Float64Array): Soon<Float64Array>;
  /** The duality gap of the tasks' models, whose intercepts it moves to their minimisers. */
  gap(): Soon<Gap>;
  /** Whether the point that was evaluated last proves that there is no minimiser; absent: nobody looks. */
  readonly unbounded?: boolean;
  /** Has the tasks make their models, where these are not what they work on. */
  close?(): Promise<void>;
}
