/**
 * Noise on a vector: l2-Laplace output perturbation, and Gaussian noise on a sum of clipped updates.
 *
 * **Statement (spherical-laplace).** b with density proportional to exp(-||b||_2 / scale), scale =
 * Delta_2 / eps, makes the release eps-DP.
 *
 * **Proof.** | ||x - c|| - ||x - c'|| | <= ||c - c'|| <= Delta_2, so the density ratio at any x is at
 * most exp(Delta_2 / scale) = exp(eps). ||b|| ~ Gamma(d, scale), direction uniform (Chaudhuri,
 * Monteleoni, Sarwate 2011). The papers' Algorithm 5 prints the constant upside down. The noisy
 * vector is no longer within the clip: clip again, which is post-processing. QED
 *
 * **Statement (gaussian-mean).** The sum of m updates of norm at most gamma plus N(0, sigma^2 I), all
 * tasks taking part, is (Delta_2 / sigma)-GDP: gamma zero-out, 2 gamma replace. With Poisson sampling
 * at rate q it is the Poisson-subsampled Gaussian under zero-out. A fixed-size sample has no
 * amplification against a coalition that knows which of its own members were picked, and costs the
 * same as q = 1. An allocation, every task in one round of each of k blocks, of its own secret choice, is one release of
 * all of them under zero-out (`accounting/pld/allocation/allocation.ts` has statement and proof). Both are refused under replace.
 *
 * **Proof.** Rotate the change onto one axis as in `gaussian.ts`. Given the others' data and
 * choices, with the task present the output is (1 - q) N(0) + q N(g), ||g|| <= gamma, against N(0)
 * without it; one dimension suffices and ||g|| = gamma dominates (Zhu, Dong, Wang 2022, Theorem 11;
 * Mironov, Talwar, Zhang 2019, Theorem 4). That g may depend on the task's own earlier draws costs nothing more: P/Q is a
 * sum over these, to which "own draws" of `accounting/pld/allocation/allocation.ts` applies. Dividing by the fixed q m is
 * post-processing. QED
 * @module
 */
import { positive } from "../../core/checks.js";
import { sphericalLaplaceEvent } from "../events/events.js";
import { isVectorSum, sensitivity as sensitivityOf } from "../sensitivity.js";
import { REAL_NUMBERS_ONLY, type Mechanism, type MechanismOptions } from "./mechanism.js";
import { isAmplified, requireCovered, sampledEvents, type Sampling } from "./sampled-events.js";

/** Options of the Gaussian mean. */
export interface GaussianMeanOptions extends MechanismOptions {
  /** Default `{ kind: "all" }`. */
  sampling?: Sampling;
}

function requireVector({ statistic }: MechanismOptions, name: string): void {
  if (!isVectorSum(statistic)) {
    throw new RangeError(
      `statistic: expected "vector" for mechanism "${name}", got "${statistic}"`,
    );
  }
}

/** l2-Laplace output perturbation; a round's budget is its eps. */
export function sphericalLaplaceMechanism(options: MechanismOptions): Mechanism {
  requireVector(options, "spherical-laplace");
  const { dimension: d, adjacency = "replace" } = options;
  const sensitivity = sensitivityOf({ ...options, adjacency, norm: "frobenius" });
  const noiseScale = (budget: number) => sensitivity / positive("budget", budget);
  return {
    name: "spherical-laplace",
    statistic: options.statistic,
    adjacency,
    sound: true,
    exact: false,
    why: `noise of density exp(-||b|| / scale) calibrated to the l2 sensitivity: pure DP${REAL_NUMBERS_ONLY}`,
    budgetKind: "epsilon",
    noiseScale,
    event: (budget) => sphericalLaplaceEvent({ scale: noiseScale(budget), sensitivity, adjacency }),
    perturb: ({ kernels }, random, at, budget, work) =>
      kernels.addSphericalLaplace(random.state, at, d, noiseScale(budget), work),
    workspace: ({ kernels }) => kernels.addSphericalLaplaceWorkspace(d),
    shift: () => 0,
  };
}

/** Why the Gaussian mean is sound. */
export function meanWhy(sampling: Sampling): string {
  if (!isAmplified(sampling)) {
    return "Gaussian noise on a clipped sum, without amplification by sampling";
  }
  const sample = sampling.kind === "poisson" ? "a Poisson sample's" : "a random allocation's";
  return `Gaussian noise on ${sample} clipped sum, accounted with amplification under zero-out`;
}

/** Gaussian noise on a sum of clipped vectors; a round's budget is mu = sensitivity / sigma. */
export function gaussianMeanMechanism(options: GaussianMeanOptions): Mechanism {
  requireVector(options, "gaussian-mean");
  const { dimension: d, adjacency = "replace", sampling = { kind: "all" } } = options;
  const sensitivity = sensitivityOf({ ...options, adjacency, norm: "frobenius" });
  const noiseScale = (budget: number) => sensitivity / positive("budget", budget);
  const noiseAt = (budget: number) => ({ sigma: noiseScale(budget), sensitivity, adjacency });
  requireCovered(sampling, adjacency);
  return {
    name: "gaussian-mean",
    statistic: options.statistic,
    adjacency,
    sound: true,
    exact: false,
    why: meanWhy(sampling) + REAL_NUMBERS_ONLY,
    budgetKind: "mu",
    noiseScale,
    ...sampledEvents(sampling, noiseAt),
    perturb: (core, random, at, budget) =>
      core.kernels.addNormal(random.state, at, d, noiseScale(budget)),
    workspace: () => 0,
    shift: () => 0,
  };
}
