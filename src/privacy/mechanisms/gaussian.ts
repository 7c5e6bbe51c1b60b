/**
 * Symmetric Gaussian noise on a symmetric matrix: S + sigma (G + G^T) / 2.
 *
 * **Statement.** With Frobenius sensitivity Delta, the release is mu-GDP, mu = Delta / sigma.
 *
 * **Proof.** G is [n, n] with independent N(0, 1) entries. E = sigma (G + G^T)/2 has independent
 * upper entries, of variance sigma^2 on the diagonal and sigma^2/2 off it. In the coordinates
 * (E_ii, sqrt(2) E_ij for i < j) the noise is N(0, sigma^2 I), and the Euclidean norm of a symmetric
 * change D in these coordinates is ||D||_F. Rotating the change onto one axis leaves a normal of
 * standard deviation sigma shifted by at most Delta: the definition of (Delta/sigma)-GDP (Dong, Roth,
 * Su 2022, Theorem 1), a larger shift being easier to tell apart. QED
 *
 * **Shift.** E||.|| of the top eigenvalue is at most sigma sqrt(2n) (Sudakov-Fernique against
 * sqrt(2) sigma <g, v>), and it is sigma-Lipschitz in G, so -lambda_min(E) exceeds
 * sigma (sqrt(2n) + sqrt(2 ln(1/beta))) with probability at most beta.
 * @module
 */
import * as math from "../../core/elementary.js";
import { positive } from "../../core/checks.js";
import { gaussianEvent } from "../events/events.js";
import { sensitivity as sensitivityOf } from "../sensitivity.js";
import {
  matrixSide,
  REAL_NUMBERS_ONLY,
  SHIFT_FAILURE,
  type Mechanism,
  type MechanismOptions,
} from "./mechanism.js";

/** Symmetric Gaussian mechanism; a round's budget is its mu. */
export function gaussianMechanism(options: MechanismOptions): Mechanism {
  const { statistic, adjacency = "replace" } = options;
  const n = matrixSide(options);
  const sensitivity = sensitivityOf({ ...options, adjacency, norm: "frobenius" });
  const noiseScale = (budget: number) => sensitivity / positive("budget", budget);
  return {
    name: "gaussian",
    statistic,
    adjacency,
    sound: true,
    exact: false,
    why: `independent symmetric Gaussian noise calibrated to the Frobenius sensitivity; Gaussian DP composes exactly${REAL_NUMBERS_ONLY}`,
    budgetKind: "mu",
    noiseScale,
    event: (budget) => gaussianEvent({ sigma: noiseScale(budget), sensitivity, adjacency }),
    perturb: (core, random, at, budget) =>
      core.kernels.addSymmetricNormal(random.state, at, n, noiseScale(budget)),
    workspace: () => 0,
    shift: (budget) =>
      noiseScale(budget) * (Math.sqrt(2 * n) + Math.sqrt(-2 * math.log(SHIFT_FAILURE))),
  };
}
