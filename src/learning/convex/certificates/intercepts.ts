/**
 * Minimising over the free intercepts with the weights held: one secant iteration per task, all
 * tasks at once.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";

const PASSES = 40;

/**
 * Moves every b_i to where dL_i/db_i is zero to rounding, and leaves the gradients there.
 *
 * @param gradients re-evaluates `interceptGradients[m]` at the present intercepts.
 * @returns the largest |dL_i/db_i| left.
 */
export function polishIntercepts(
  { arena }: Core,
  m: number,
  intercepts: Pointer,
  interceptGradients: Pointer,
  gradients: () => void,
): number {
  const before = Float64Array.from(arena.view(interceptGradients, m));
  const step = new Float64Array(m).map((_, i) => -before[i]!);
  let residual = largest(before);
  for (let pass = 0; pass < PASSES && residual > 0; pass++) {
    const b = arena.view(intercepts, m);
    for (let i = 0; i < m; i++) b[i]! += step[i]!;
    gradients();
    const now = arena.view(interceptGradients, m);
    let moved = false;
    for (let i = 0; i < m; i++) {
      const slope = now[i]! - before[i]!;
      // L_i is convex, so the slope has the step's sign; rounding ends a task's iteration.
      const next = slope === 0 || step[i] === 0 ? 0 : (-now[i]! * step[i]!) / slope;
      const growth = 4 * Math.abs(step[i]!);
      step[i] = Math.max(-growth, Math.min(growth, next));
      before[i] = now[i]!;
      // A task that is there stays there, so that its bits do not depend on how long others take.
      if (Math.abs(step[i]!) > 1e-15 * Math.max(1, Math.abs(b[i]!))) moved = true;
      else step[i] = 0;
    }
    residual = largest(now);
    if (!moved) break;
  }
  return residual;
}

function largest(values: Float64Array): number {
  let result = 0;
  for (const value of values) result = Math.max(result, Math.abs(value));
  return result;
}
