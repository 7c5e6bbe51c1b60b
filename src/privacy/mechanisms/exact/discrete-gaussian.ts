/**
 * The Gaussian mechanisms in exact arithmetic: values rounded to a grid of spacing 2^-k, discrete
 * Gaussian noise drawn exactly (`assembly/random/discrete.ts`).
 *
 * **Statement.** As for the Gaussian mechanisms, with the sensitivity of what is really computed and rounded,
 * Delta' + grid sqrt(n) (`computed-statistic.ts`), and the price of `accounting/discrete.ts`.
 *
 * **Proof.** Delta' is the sensitivity of the computed statistic; `accounting/discrete.ts` applies to it. What is
 * released are grid points, whose low bits depend on neither world's rounding (Mironov 2012 on the attack this
 * stops). QED
 *
 * The grid is a 2^-20th of Delta / sqrt(n), so that Delta' is Delta to six digits.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { positive } from "../../../core/checks.js";
import { discreteGaussianEvent } from "../../events/events.js";
import type { Mechanism, MechanismOptions } from "../mechanism.js";
import { isVectorSum } from "../../sensitivity.js";
import { computedStatistic } from "./computed-statistic.js";
import { outOfRange } from "./range.js";

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
 * Discrete form of the symmetric, diagonal or vector Gaussian mechanism; a round's budget is its mu.
 *
 * @throws RangeError from `event` if the budget is so small that the noise leaves the sampler's range.
 */
export function discreteGaussianMechanism(
  name: "gaussian" | "gaussian-diagonal" | "gaussian-mean",
  options: MechanismOptions,
): Mechanism {
  const { statistic, dimension: d, adjacency = "replace" } = options;
  const {
    matrix,
    side,
    entries,
    spread: root,
    sensitivity,
  } = computedStatistic({ ...options, adjacency }, "frobenius");
  // A matrix has noise sqrt(2) steps on its diagonal, and that is its sigma.
  const unit = matrix ? Math.SQRT2 : 1;

  function lattice(budget: number): Lattice {
    positive("budget", budget);
    const sigmaAt = (grid: number) => (sensitivity + grid * root) / budget;
    let grid = 2 ** (math.binaryExponent(sensitivity / root) - GRID_BITS);
    while (sigmaAt(grid) / (unit * grid) > LARGEST_STEPS) grid *= 2;
    const steps = Math.ceil(sigmaAt(grid) / (unit * grid));
    if (grid * root > sensitivity || steps < 8) {
      throw outOfRange(budget);
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
    exact: true,
    why: "discrete Gaussian noise by exact integer arithmetic on values rounded to a grid, accounted as Gaussian with the price of rounding",
    budgetKind: "mu",
    noiseScale,
    event: (budget) =>
      discreteGaussianEvent({
        sigma: noiseScale(budget),
        grid: lattice(budget).grid,
        entries,
        sensitivity,
        adjacency,
      }),
    perturb({ kernels }, random, at, budget) {
      const { grid, steps } = lattice(budget);
      if (matrix) kernels.addDiscreteSymmetricNormal(random.state, at, side, steps, grid);
      else kernels.addDiscreteNormal(random.state, at, side, steps, grid);
    },
    workspace: () => 0,
    // As for the continuous forms: the discrete Gaussian is no heavier in its tails.
    shift: (budget) =>
      isVectorSum(statistic)
        ? 0
        : noiseScale(budget) *
          (matrix
            ? Math.sqrt(2 * side) + Math.sqrt(-2 * math.log(0.01))
            : Math.sqrt(2 * math.log(d / 0.02))),
  };
}
