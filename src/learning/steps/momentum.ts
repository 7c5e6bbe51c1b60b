/**
 * beta_t of the accelerated steps.
 * @module
 */

/** The `acceleration` option. */
export type Acceleration = "none" | "convex" | "strongly-convex";

export const ACCELERATIONS: readonly Acceleration[] = ["none", "convex", "strongly-convex"];

/** beta of each round; `restart` asks to start over where the method may look at pooled progress. */
export interface Momentum {
  beta(round: number): number;
  /** Present only where the pooled restart test is allowed: it reads every task's models. */
  readonly restart?: (round: number) => void;
}

/**
 * none 0; convex (t-1)/(t+2); strongly convex (1 - sqrt(mu/L))/(1 + sqrt(mu/L)).
 * @see Liang et al., Algorithms 2 and 3; docs/METHODS-STRUCTURE.md, "Algorithms 2 to 4".
 */
export function fixedMomentum(
  acceleration: Acceleration,
  strongConvexity: number,
  smoothness: number,
): Momentum {
  if (acceleration === "none") return { beta: () => 0 };
  if (acceleration === "convex") return { beta: (round) => (round - 1) / (round + 2) };
  const root = Math.sqrt(Math.min(1, strongConvexity / smoothness));
  const beta = (1 - root) / (1 + root);
  return { beta: () => beta };
}

/**
 * Convex momentum that starts over when it points uphill: linear convergence without knowing the
 * strong convexity. Not for private fits, whose rounds must not depend on pooled models.
 * @see O'Donoghue and Candes (2015), the gradient scheme.
 */
export function restartedMomentum(): Momentum {
  let start = 0;
  return {
    beta: (round) => (round - start - 1) / (round - start + 2),
    restart: (round) => {
      start = round - 1;
    },
  };
}
