/**
 * F(a) = sum_i min_{w,b} L_i(w, b) + lambda ||w - a||^2 as Newton's method sees it, however the rows lie.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Gap } from "../certificates/duality-gap.js";

/** Works at the point that was evaluated last. */
export interface MeanProblem {
  /** Eliminates the tasks at a[d]; F there, and its gradient, [d]. */
  evaluate(a: Float64Array): { readonly value: number; readonly gradient: Float64Array };
  /** x with (Hessian of F) x = gradient, [d]; of least norm where there are several. */
  newtonStep(gradient: Float64Array): Float64Array;
  /** The duality gap of the tasks' models, whose intercepts it moves to their minimisers. */
  gap(): Gap;
  /** The models: W, [m, d], and intercepts, [m], or 0; in the core of the tasks. */
  models(): { readonly weights: Pointer; readonly intercepts: Pointer };
}
