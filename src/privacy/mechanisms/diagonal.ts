/**
 * Gaussian or Laplace noise on the diagonal of W W^T: all that group-sparse sharing reads.
 *
 * **Statement.** Laplace noise of scale Delta_1 / eps on each of the d numbers is eps-DP; Gaussian
 * noise of standard deviation sigma is (Delta_2 / sigma)-GDP.
 *
 * **Proof.** The entries C_jj = sum_i w_ij^2 change by non-negative amounts of sum at most K^2 that
 * appear, disappear or do both (sensitivity.ts). The Laplace density ratio is at most
 * exp(sum_j |D_j| / scale) (Dwork et al. 2006); a normal of covariance sigma^2 I shifted by D is a
 * one-dimensional normal shifted by ||D||_2 (Dong, Roth, Su 2022). QED
 *
 * The Laplace release is dominated by one Laplace variable shifted by Delta_1, which is sharper than
 * eps-DP alone when it is composed. *Proof.* Change the coordinates one at a time. The trade-off
 * function of a product pair is at least the group bound of its steps, f_2 after 1 - f_1; for a
 * log-concave location family the Neyman-Pearson tests are thresholds, F(F^-1(1-a) - s), for which
 * that bound is exactly the trade-off function of the summed shift. QED
 *
 * Unlike the Wishart matrix's diagonal (mean nu v), this noise does not grow with d.
 *
 * **Shift.** By the union bound over d entries, with d P(-noise > tau) <= 0.01.
 * @module
 */
import * as math from "../../core/elementary.js";
import { positive } from "../../core/checks.js";
import { gaussianEvent, laplaceEvent } from "../events/events.js";
import { sensitivity as sensitivityOf } from "../sensitivity.js";
import {
  REAL_NUMBERS_ONLY,
  SHIFT_FAILURE,
  type Mechanism,
  type MechanismOptions,
} from "./mechanism.js";

function requireDiagonal({ statistic }: MechanismOptions, name: string): void {
  if (statistic !== "diagonal") {
    throw new RangeError(
      `statistic: expected "diagonal" for mechanism "${name}", got "${statistic}"`,
    );
  }
}

/** Independent normal noise on the diagonal; a round's budget is its mu. */
export function gaussianDiagonalMechanism(options: MechanismOptions): Mechanism {
  requireDiagonal(options, "gaussian-diagonal");
  const { dimension: d, adjacency = "replace" } = options;
  const sensitivity = sensitivityOf({ ...options, adjacency, norm: "frobenius" });
  const noiseScale = (budget: number) => sensitivity / positive("budget", budget);
  return {
    name: "gaussian-diagonal",
    statistic: "diagonal",
    adjacency,
    sound: true,
    exact: false,
    why: `independent Gaussian noise calibrated to the diagonal's l2 sensitivity; Gaussian DP composes exactly${REAL_NUMBERS_ONLY}`,
    budgetKind: "mu",
    noiseScale,
    event: (budget) => gaussianEvent({ sigma: noiseScale(budget), sensitivity, adjacency }),
    perturb: (core, random, at, budget) =>
      core.kernels.addNormal(random.state, at, d, noiseScale(budget)),
    workspace: () => 0,
    shift: (budget) => noiseScale(budget) * Math.sqrt(2 * math.log(d / (2 * SHIFT_FAILURE))),
  };
}

/** Independent Laplace noise on the diagonal; a round's budget is its eps. */
export function laplaceDiagonalMechanism(options: MechanismOptions): Mechanism {
  requireDiagonal(options, "laplace-diagonal");
  const { dimension: d, adjacency = "replace" } = options;
  const sensitivity = sensitivityOf({ ...options, adjacency, norm: "nuclear" });
  const noiseScale = (budget: number) => sensitivity / positive("budget", budget);
  return {
    name: "laplace-diagonal",
    statistic: "diagonal",
    adjacency,
    sound: true,
    exact: false,
    why: `independent Laplace noise calibrated to the diagonal's l1 sensitivity: pure DP${REAL_NUMBERS_ONLY}`,
    budgetKind: "epsilon",
    noiseScale,
    event: (budget) => laplaceEvent({ scale: noiseScale(budget), sensitivity, adjacency }),
    perturb: (core, random, at, budget) =>
      core.kernels.addLaplace(random.state, at, d, noiseScale(budget)),
    workspace: () => 0,
    shift: (budget) => noiseScale(budget) * math.log(d / (2 * SHIFT_FAILURE)),
  };
}
