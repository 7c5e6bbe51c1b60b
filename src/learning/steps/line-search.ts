/**
 * Backtracking: a step is halved until the value falls by a part of what the slope promises.
 * @module
 */

/** Part of the first-order decrease that a step must bring (Armijo; Nocedal and Wright 2006, section 3.1). */
const ARMIJO = 1e-4;

/** Where to search. */
export interface LineSearch {
  /** The value at step 0, and its derivative by the step there, < 0. */
  readonly value: number;
  readonly slope: number;
  /** The first step that is tried. */
  readonly step: number;
  /** Halvings before giving up. */
  readonly mostHalvings: number;
  /** Increase that may be rounding; default 0. */
  readonly rounding?: number;
}

/** Whether a step brings enough. @param reached the value there. */
export function isEnough(
  { value, slope, rounding = 0 }: Pick<LineSearch, "value" | "slope" | "rounding">,
  step: number,
  reached: number,
): boolean {
  return reached <= value + ARMIJO * step * slope + rounding;
}

/**
 * The first of step, step / 2, step / 4, ... that brings enough.
 * @param evaluate the value at a step; NaN is not accepted.
 * @returns undefined if none did; the last one that was tried has been evaluated last.
 */
export function backtrack(
  { value, slope, step: first, mostHalvings, rounding = 0 }: LineSearch,
  evaluate: (step: number) => number,
): { readonly step: number; readonly value: number } | undefined {
  let step = first;
  for (let halvings = 0; halvings <= mostHalvings; halvings++, step /= 2) {
    const reached = evaluate(step);
    if (isEnough({ value, slope, rounding }, step, reached)) return { step, value: reached };
  }
  return undefined;
}
