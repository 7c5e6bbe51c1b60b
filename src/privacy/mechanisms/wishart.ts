/**
 * One-sided Wishart noise, the papers' mechanism: S + E, E ~ W_d(nu, v I).
 *
 * **Statement 1 (nu = d + 1, v = K^2 / (2 eps), the papers' setting).** It is *not* eps-DP, for no
 * eps. Zeroing out a column of norm K, the release gives that away with certainty with probability
 * exactly 1 - exp(-eps), whatever d is. It is (0, 1 - exp(-eps))-DP under zero-out, and
 * (eps, 1 - exp(-eps))-DP under replace; both deltas are attained.
 *
 * **Proof.** The noise is supported on the cone E >= 0. Without the column w, the output C + E lies
 * outside the support {S : S - C - w w^T >= 0} of the world with it exactly when E - w w^T is not >= 0,
 * that is when w^T E^-1 w > 1. With X = ||w||^2 / (v * w^T E^-1 w) chi-square with nu - d + 1 degrees of
 * freedom (Muirhead 1982, Theorem 3.2.12), this is X < K^2/v = b; with 2 degrees of freedom it has
 * probability 1 - exp(-b/2) = 1 - exp(-eps). The density is c exp(-tr E / (2v)) on the cone, so
 * where both worlds are possible the ratio is the constant exp(b/2): without against with, the
 * loss is infinite or -b/2; with against without it is always +b/2 with total variation
 * 1 - exp(-b/2). For replace go through the world that holds both columns: the first step costs
 * (0, 1 - exp(-eps)), the second (eps, 0). Removing a column is a special replacement, so delta is
 * attained there too. QED
 *
 * **Statement 2 (nu > d + 1).** A sound (eps, delta) mechanism, with the exact profile of
 * `accounting/wishart-profile.ts` under zero-out and its two-step bound under replace, also composed (Sheffet 2015,
 * 2019 for the idea; the exact profile by the same chi-square reduction).
 *
 * The density of E with more degrees of freedom has the factor det(E)^((nu-d-1)/2); the ratio of the
 * two worlds is (1 - w^T S^-1 w / ...)^..., a function of the one chi-square variable above.
 *
 * **Shift.** E >= 0 has no negative part: 0. The smallest eigenvalue grows with v, so the papers'
 * Proposition 1 holds without one.
 * @module
 */
import { finite, positive } from "../../core/checks.js";
import { wishartEvent } from "../events.js";
import { REAL_NUMBERS_ONLY, type Mechanism, type MechanismOptions } from "./mechanism.js";

/** Options of the one-sided Wishart mechanism. */
export interface WishartOptions extends MechanismOptions {
  /** nu >= d + 1; default d + 1, the papers' choice, which is reported as not sound. */
  degreesOfFreedom?: number;
}

/** One-sided Wishart mechanism; a round's budget b is its nominal eps: v = K^2 / (2 b). */
export function wishartMechanism(options: WishartOptions): Mechanism {
  const { statistic, dimension, clip, adjacency = "replace" } = options;
  if (statistic !== "covariance") {
    throw new RangeError(
      `statistic: expected "covariance" for mechanism "wishart", got "${statistic}"`,
    );
  }
  const nu = finite("degreesOfFreedom", options.degreesOfFreedom ?? dimension + 1);
  const sound = nu > dimension + 1;
  const noiseScale = (budget: number) => (clip * clip) / (2 * positive("budget", budget));
  const event = (budget: number) =>
    wishartEvent({
      dimension,
      degreesOfFreedom: nu,
      scale: noiseScale(budget),
      clip,
      adjacency,
    });
  event(1); // refuses bad sizes now
  return {
    name: "wishart",
    statistic,
    adjacency,
    sound,
    exact: false,
    why: sound
      ? `one-sided Wishart noise with more than d + 1 degrees of freedom, accounted by its exact chi-square profile${REAL_NUMBERS_ONLY}`
      : "one-sided Wishart noise lies in a cone: a release can be impossible in the neighbouring world, so it is not eps-DP for any eps; the papers' nominal eps is kept for reproduction only",
    budgetKind: "epsilon",
    noiseScale,
    event,
    perturb({ kernels, arena }, random, at, budget, work) {
      const n = dimension;
      const scratch = work + 8 * n * n + ((8 * n * n) % 16);
      kernels.wishart(random.state, work, n, nu, noiseScale(budget), scratch);
      kernels.axpy(1, work, at, n * n);
      arena.wipe(work, scratch - work + kernels.wishartWorkspace(n));
    },
    workspace: ({ kernels }) =>
      8 * dimension ** 2 + ((8 * dimension ** 2) % 16) + kernels.wishartWorkspace(dimension),
    shift: () => 0,
  };
}
