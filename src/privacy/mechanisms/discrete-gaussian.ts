/**
 * The Gaussian mechanisms in exact arithmetic: values rounded to a grid of spacing 2^-k, discrete
 * Gaussian noise drawn exactly (`assembly/random/discrete.ts`).
 *
 * **Statement.** As for the Gaussian mechanisms, with the sensitivity of what is really computed:
 * Delta' = (Delta + 2 e sqrt(n)) (1 + c) + grid sqrt(n), and the price of `accounting/discrete.ts`.
 *
 * **Proof.** The computed statistic differs from the exact one by rounding. Each entry is a sum of m
 * products of numbers of absolute value at most K whose absolute sum is at most m K^2, so its error is
 * at most e = (m + 2) 2^-53 m K^2, over n entries e sqrt(n) in l2, on both sides. A vector clipped in
 * floating point has norm at most K (1 + (d + 4) 2^-52), which widens every sensitivity by
 * 1 + c, c = (2d + 9) 2^-52. Then `accounting/discrete.ts` applies. What is released are grid points,
 * whose low bits depend on neither world's rounding (Mironov 2012 on the attack this stops). QED
 *
 * The grid is a 2^-20th of Delta / sqrt(n), so that Delta' is Delta to six digits.
 * @module
 */
import * as math from "../../core/elementary.js";
import { positive } from "../../core/checks.js";
import { discreteGaussianEvent } from "../events.js";
import { sensitivity } from "../sensitivity.js";
import { matrixSide, type Mechanism, type MechanismOptions } from "./mechanism.js";

const GRID_BITS = 20;
/** Largest noise parameter, in grid steps, that the sampler takes. */
const LARGEST_STEPS = 2 ** 46;

/** Grid and noise of one round. */
interface Lattice {
  /** A power of two. */
  grid: number;
  /** Discrete Gaussian parameter in grid steps: an integer. */
  steps: number;
}

/**
 * Discrete twin of the symmetric, diagonal or vector Gaussian mechanism; a round's budget is its mu.
 *
 * @throws RangeError from `event` if the budget is so small that the noise leaves the sampler's range.
 */
export function discreteGaussianMechanism(
  name: "gaussian" | "gaussian-diagonal" | "gaussian-mean",
  options: MechanismOptions,
): Mechanism {
  const { statistic, rows: m, dimension: d, clip, adjacency = "replace" } = options;
  const matrix = name === "gaussian";
  const side = matrix ? matrixSide(options) : d;
  const entries = matrix ? side * side : d;
  const root = Math.sqrt(entries);
  const exact = sensitivity({ ...options, adjacency, norm: "frobenius" });
  const terms = statistic === "task-covariance" ? d : m;
  const bound = statistic === "vector" ? clip : clip * clip + 1;
  const error = (terms + 2) * 2 ** -53 * m * bound;
  const delta = (exact + 2 * error * root) * (1 + (2 * d + 9) * 2 ** -52);
  // A matrix has noise sqrt(2) steps on its diagonal, and that is its sigma.
  const unit = matrix ? Math.SQRT2 : 1;

  function lattice(budget: number): Lattice {
    positive("budget", budget);
    const sigmaAt = (grid: number) => (delta + grid * root) / budget;
    let grid = 2 ** (math.binaryExponent(delta / root) - GRID_BITS);
    while (sigmaAt(grid) / (unit * grid) > LARGEST_STEPS) grid *= 2;
    const steps = Math.ceil(sigmaAt(grid) / (unit * grid));
    if (grid * root > delta || steps < 8) {
      throw new RangeError(
        `budget: expected a budget within the exact sampler's range, got ${budget}; use the ` +
          "floating-point mechanism or another budget",
      );
    }
    return { grid, steps };
  }
  const noiseScale = (budget: number) => {
    const { grid, steps } = lattice(budget);
    return unit * steps * grid;
  };
  return {
    name,
    statistic,
    adjacency,
    sound: true,
    why: "discrete Gaussian noise by exact integer arithmetic on values rounded to a grid, accounted as Gaussian with the price of rounding",
    budgetKind: "mu",
    noiseScale,
    event: (budget) =>
      discreteGaussianEvent({
        sigma: noiseScale(budget),
        grid: lattice(budget).grid,
        entries,
        sensitivity: delta,
        adjacency,
      }),
    perturb({ kernels }, random, at, budget) {
      const { grid, steps } = lattice(budget);
      if (matrix) kernels.addDiscreteSymmetricNormal(random.state, at, side, steps, grid);
      else kernels.addDiscreteNormal(random.state, at, side, steps, grid);
    },
    workspace: () => 0,
    // As for the continuous twins: the discrete Gaussian is no heavier in its tails.
    shift: (budget) =>
      name === "gaussian-mean"
        ? 0
        : noiseScale(budget) *
          (matrix
            ? Math.sqrt(2 * side) + Math.sqrt(-2 * math.log(0.01))
            : Math.sqrt(2 * math.log(d / 0.02))),
  };
}
