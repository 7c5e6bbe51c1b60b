/**
 * Minimising over the free intercepts with the weights held: one secant iteration per task, all
 * tasks at once.
 * @module
 */
import { largestMagnitude } from "../../../core/largest.js";
import type { Core, Pointer } from "../../../core/index.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";

const PASSES = 40;

/** Where models lie, and what of them is written: gradients [m, d], and of every task its intercept's, [m], and its loss, [m]. */
export type EvaluatedAt = Readonly<
  Record<"weights" | "intercepts" | "gradients" | "slopes" | "losses", Pointer>
>;

/**
 * Losses and gradients where every free intercept has been moved to its minimiser. Rows are read twice however long that takes.
 *
 * @param at intercepts 0: there are none.
 * @returns the largest |dL_i/db_i| left.
 */
export function evaluatePolished(tasks: ResidentTasks, at: EvaluatedAt): number {
  const { core, rows, m } = tasks;
  const { weights, intercepts, gradients, slopes, losses } = at;
  if (intercepts === 0) {
    tasks.gradients(weights, 0, gradients, 0, losses);
    return 0;
  }
  const { arena } = core;
  const mark = arena.mark();
  const margins = arena.f64(rows);
  tasks.predict(weights, 0, margins);
  const moveTo = () => tasks.gradientsOfMargins(margins, intercepts, 0, slopes, 0);
  moveTo();
  const residual = polishIntercepts(core, m, intercepts, slopes, moveTo);
  tasks.gradientsOfMargins(margins, intercepts, gradients, slopes, losses);
  arena.release(mark);
  return residual;
}

/**
 * Moves every b_i to where dL_i/db_i is zero to rounding, and leaves the derivatives there.
 *
 * @param evaluate re-evaluates `interceptGradients[m]` at the present intercepts.
 * @returns the largest |dL_i/db_i| left.
 */
function polishIntercepts(
  { arena }: Core,
  m: number,
  intercepts: Pointer,
  interceptGradients: Pointer,
  evaluate: () => void,
): number {
  const block = arena.f64(4 * m);
  /** The intercepts and the derivatives; of the pass before the derivatives; the steps; above and below what the minimisers are known to be. */
  const state = () => {
    const view = (at: Pointer) => arena.view(at, m);
    const blocks = [0, 1, 2, 3].map((k) => view(block + 8 * m * k));
    const [before, step, low, high] = blocks as [Numbers, Numbers, Numbers, Numbers];
    return { b: view(intercepts), now: view(interceptGradients), before, step, low, high };
  };
  const first = state();
  first.low.fill(-Infinity);
  first.high.fill(Infinity);
  for (let i = 0; i < m; i++) {
    first.before[i] = first.now[i]!;
    first.step[i] = -first.now[i]!;
    bound(first, i);
  }
  let residual = largestMagnitude(first.now);
  for (let pass = 0; pass < PASSES && residual > 0; pass++) {
    move(state(), m);
    evaluate();
    const here = state();
    const { b, now, before, step, low, high } = here;
    let moved = false;
    for (let i = 0; i < m; i++) {
      bound(here, i);
      step[i] = nextStep(b[i]!, now[i]!, now[i]! - before[i]!, step[i]!);
      const to = b[i]! + step[i]!;
      // Where the loss is all but straight a secant leads too far.
      const isOutside = to <= low[i]! || to >= high[i]!;
      const isKnown = low[i]! > -Infinity && high[i]! < Infinity;
      if (isOutside && isKnown && !isSmall(step[i]!, b[i]!))
        step[i] = (low[i]! + high[i]!) / 2 - b[i]!;
      before[i] = now[i]!;
      // A task that is there stays there, so that its bits do not depend on how long others take.
      if (Math.abs(step[i]!) > 1e-15 * Math.max(1, Math.abs(b[i]!))) moved = true;
      else step[i] = 0;
    }
    residual = largestMagnitude(now);
    if (!moved) break;
  }
  return residual;
}

type Numbers = Float64Array;

function move({ b, step }: Readonly<Record<"b" | "step", Numbers>>, m: number): void {
  for (let i = 0; i < m; i++) b[i]! += step[i]!;
}

/** Takes what a derivative says of where the minimiser is. */
function bound(at: Readonly<Record<"b" | "now" | "low" | "high", Numbers>>, i: number): void {
  if (at.now[i]! < 0) at.low[i] = at.b[i]!;
  else if (at.now[i]! > 0) at.high[i] = at.b[i]!;
}

/** Whether a step is at the end of the iteration. */
const isSmall = (step: number, b: number) => Math.abs(step) < 1e-9 * Math.max(1, Math.abs(b));

/** By how much to move from b next, where `slope` is what the last step changed of the derivative. */
function nextStep(b: number, now: number, slope: number, step: number): number {
  if (step === 0) return 0;
  const growth = 4 * Math.abs(step);
  if (slope !== 0) return Math.max(-growth, Math.min(growth, (-now * step) / slope));
  // L_i is convex, so the slope has the step's sign: none is rounding at the end, and far off a straight stretch of the loss.
  return isSmall(step, b) ? 0 : -Math.sign(now) * growth;
}
