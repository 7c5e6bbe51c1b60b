/**
 * The Laplace mechanism on the diagonal in exact arithmetic: values rounded to a grid, discrete Laplace noise drawn by
 * integers alone (`assembly/random/discrete-laplace.ts`).
 *
 * **Statement.** With Delta' the l1 sensitivity of what is computed (`computed-statistic.ts`), n entries and noise
 * P(x) ~ exp(-|x| / t) in grid steps, t >= 8, the release is dominated by the Laplace mechanism of scale t grid and
 * sensitivity Delta'' = Delta' + n grid (1 + 1/32). It is Delta'' / (t grid)-DP.
 *
 * **Proof.** Rounding moves each entry of two neighbours by at most grid / 2, so the rounded values differ by integers
 * D_i with grid sum |D_i| <= Delta' + n grid. One entry: with rho = exp(-1/t), P(X <= -j) = P(X >= j) = rho^j / (1 + rho)
 * for integers j >= 0. The likelihood ratio of a shift by D is monotone, so the best tests are thresholds; for
 * thresholds between the two centres the errors (alpha, beta) have alpha beta = rho^(D+1) / (1 + rho)^2, from
 * (1 / (1 + rho), rho^(D+1) / (1 + rho)) to its mirror image; outside the trade-off function is linear to (0, 1)
 * and (1, 0). That of a Laplace shift by D' has alpha beta = rho^D' / 4 in its middle; with
 * D' = D + 2 t ln cosh(1 / (2 t)) <= D + 1/(4 t) it is the same product, and being convex it lies below the chords between
 * points of that curve, and between them and (0, 1), (1, 0). So a discrete shift by D != 0 is no easier to tell than a
 * Laplace shift by D + 1/(4 t) <= D + 1/32 steps; several entries compose as in `diagonal.ts`. QED
 *
 * @module
 */
import * as math from "../../../core/elementary.js";
import { positive } from "../../../core/checks.js";
import { laplaceEvent } from "../../events/events.js";
import { laplaceDiagonalMechanism } from "../diagonal.js";
import { SHIFT_FAILURE, type Mechanism, type MechanismOptions } from "../mechanism.js";
import { computedStatistic } from "./computed-statistic.js";
import { outOfRange } from "./range.js";

const GRID_BITS = 30;
/** Largest scale, in grid steps, that the sampler takes. */
const LARGEST_STEPS = 2 ** 46;

/** Exact form of the Laplace mechanism on the diagonal; a round's budget is its eps. */
export function discreteLaplaceMechanism(options: MechanismOptions): Mechanism {
  const { dimension: d, adjacency = "replace" } = options;
  const real = laplaceDiagonalMechanism(options);
  const { sensitivity, spread } = computedStatistic({ ...options, adjacency }, "nuclear");
  const rounded = (grid: number) => sensitivity + grid * spread * (1 + 1 / 32);

  function lattice(budget: number): { grid: number; steps: number } {
    positive("budget", budget);
    let grid = 2 ** (math.binaryExponent(sensitivity / spread) - GRID_BITS);
    while (rounded(grid) / (budget * grid) > LARGEST_STEPS) grid *= 2;
    const steps = Math.ceil(rounded(grid) / (budget * grid));
    if (grid * spread > sensitivity || steps < 8) throw outOfRange(budget);
    return { grid, steps };
  }
  const noiseScale = (budget: number) => {
    const { grid, steps } = lattice(budget);
    return steps * grid;
  };
  return {
    ...real,
    exact: true,
    why: "discrete Laplace noise by exact integer arithmetic on values rounded to a grid, calibrated to the l1 sensitivity of what is computed: pure DP",
    noiseScale,
    event: (budget) =>
      laplaceEvent({
        scale: noiseScale(budget),
        sensitivity: rounded(lattice(budget).grid),
        adjacency,
      }),
    perturb({ kernels }, random, at, budget) {
      const { grid, steps } = lattice(budget);
      kernels.addDiscreteLaplace(random.state, at, d, steps, grid);
    },
    // P(X >= j) = rho^j / (1 + rho) is below that of the continuous law at j - 1.
    shift(budget) {
      const { grid, steps } = lattice(budget);
      return steps * grid * math.log(d / (2 * SHIFT_FAILURE)) + grid;
    },
  };
}
