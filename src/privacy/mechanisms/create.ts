/**
 * A mechanism by name, or the default for a statistic and a delta.
 * @module
 */
import { integer, nonNegative, oneOf, positive } from "../../core/checks.js";
import type { Adjacency } from "../events.js";
import { isVectorSum, type Statistic } from "../sensitivity.js";
import { gaussianDiagonalMechanism, laplaceDiagonalMechanism } from "./diagonal.js";
import { discreteGaussianMechanism } from "./exact/discrete-gaussian.js";
import { discreteLaplaceMechanism } from "./exact/discrete-laplace.js";
import { roundedNormalMechanism } from "./exact/rounded-normal.js";
import { roundedSphericalLaplaceMechanism } from "./exact/rounded-spherical-laplace.js";
import { roundedWishartMechanism } from "./exact/rounded-wishart.js";
import { gaussianMechanism } from "./gaussian.js";
import type { Mechanism, MechanismName } from "./mechanism.js";
import { twoSidedWishartMechanism } from "./two-sided-wishart.js";
import { gaussianMeanMechanism, sphericalLaplaceMechanism, type Sampling } from "./vector.js";
import { wishartMechanism } from "./wishart.js";

/** All mechanism names. */
export const MECHANISM_NAMES: readonly MechanismName[] = [
  "gaussian",
  "two-sided-wishart",
  "wishart",
  "gaussian-diagonal",
  "laplace-diagonal",
  "spherical-laplace",
  "gaussian-mean",
];

/** Options of {@link createMechanism}. */
export interface CreateMechanismOptions {
  /** Default `"auto"`. */
  name?: MechanismName | "auto";
  statistic: Statistic;
  /** m, tasks. */
  rows: number;
  /** d, features. */
  dimension: number;
  /** K > 0, l2 bound on every task's vector. */
  clip: number;
  /** Default `"replace"`. */
  adjacency?: Adjacency;
  /** The guarantee's delta, which `"auto"` looks at: 0 asks for a pure mechanism. */
  delta: number;
  /** One-sided Wishart only. */
  degreesOfFreedom?: number;
  /** Gaussian mean only. */
  sampling?: Sampling;
  /**
   * Exact noise on a grid instead of floating-point noise, whose proofs are for real numbers only; every mechanism but
   * the one-sided Wishart. Default false.
   */
  discrete?: boolean;
}

/** Makes a mechanism for a statistic: {@link createMechanism}, or one whose noise comes in shares. */
export type MechanismFactory = (options: CreateMechanismOptions) => Mechanism;

/**
 * What `"auto"` means: Gaussian when delta > 0, else the pure mechanism of the statistic.
 */
export function defaultMechanism(statistic: Statistic, delta: number): MechanismName {
  if (statistic === "diagonal") return delta > 0 ? "gaussian-diagonal" : "laplace-diagonal";
  if (isVectorSum(statistic)) return delta > 0 ? "gaussian-mean" : "spherical-laplace";
  return delta > 0 ? "gaussian" : "two-sided-wishart";
}

/** The mechanisms that are for a statistic. */
export function mechanismsFor(statistic: Statistic): readonly MechanismName[] {
  if (statistic === "diagonal") return ["gaussian-diagonal", "laplace-diagonal"];
  if (isVectorSum(statistic)) return ["gaussian-mean", "spherical-laplace"];
  const matrix: readonly MechanismName[] = ["gaussian", "two-sided-wishart"];
  return statistic === "covariance" ? [...matrix, "wishart"] : matrix;
}

/**
 * Builds a mechanism for one statistic.
 *
 * @throws RangeError if the name does not go with the statistic, a size is out of range, or a
 *   Gaussian mechanism is asked for with delta 0.
 * @example createMechanism({ statistic: "covariance", rows: 139, dimension: 27, clip: 1, delta: 1e-4 })
 */
export function createMechanism(options: CreateMechanismOptions): Mechanism {
  const { statistic } = options;
  const delta = nonNegative("delta", options.delta);
  integer("rows", options.rows, 1);
  integer("dimension", options.dimension, 1);
  positive("clip", options.clip);
  oneOf("adjacency", options.adjacency ?? "replace", ["replace", "zero-out"]);
  const asked = oneOf("mechanism", options.name ?? "auto", ["auto", ...MECHANISM_NAMES]);
  const name = asked === "auto" ? defaultMechanism(statistic, delta) : asked;
  const suited = mechanismsFor(statistic);
  if (!suited.includes(name)) {
    throw new RangeError(
      `mechanism: expected one of ${suited.join(", ")} for the statistic "${statistic}", got "${name}"`,
    );
  }
  if (delta === 0 && name.startsWith("gaussian")) {
    throw new RangeError(
      `delta: expected delta > 0 for mechanism "${name}"; for delta 0 use ` +
        `"${defaultMechanism(statistic, 0)}"`,
    );
  }
  if (options.discrete) return exactMechanism(name, options);
  switch (name) {
    case "gaussian":
      return gaussianMechanism(options);
    case "two-sided-wishart":
      return twoSidedWishartMechanism(options);
    case "wishart":
      return wishartMechanism(options);
    case "gaussian-diagonal":
      return gaussianDiagonalMechanism(options);
    case "laplace-diagonal":
      return laplaceDiagonalMechanism(options);
    case "spherical-laplace":
      return sphericalLaplaceMechanism(options);
    case "gaussian-mean":
      return gaussianMeanMechanism(options);
  }
}

function exactMechanism(name: MechanismName, options: CreateMechanismOptions): Mechanism {
  switch (name) {
    case "gaussian":
    case "gaussian-diagonal":
      return discreteGaussianMechanism(name, options);
    case "gaussian-mean":
      return options.sampling?.kind === "poisson"
        ? roundedNormalMechanism(options)
        : discreteGaussianMechanism(name, options);
    case "laplace-diagonal":
      return discreteLaplaceMechanism(options);
    case "two-sided-wishart":
      return roundedWishartMechanism(options);
    case "spherical-laplace":
      return roundedSphericalLaplaceMechanism(options);
    case "wishart":
      throw new RangeError(
        'discrete: expected another mechanism than "wishart", which has no exact form',
      );
  }
}
