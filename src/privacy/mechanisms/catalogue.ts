/**
 * The mechanisms as data: what each is for, what it takes, how it is made. Whoever wants to know something of a mechanism
 * by its name asks here.
 * @module
 */
import { nonNegative, oneOf } from "../../core/checks.js";
import { STATISTICS, type Statistic } from "../sensitivity.js";
import { gaussianDiagonalMechanism, laplaceDiagonalMechanism } from "./diagonal.js";
import { discreteGaussianMechanism } from "./exact/discrete-gaussian.js";
import { discreteLaplaceMechanism } from "./exact/discrete-laplace.js";
import { roundedNormalMechanism } from "./exact/rounded-normal.js";
import { roundedSphericalLaplaceMechanism } from "./exact/rounded-spherical-laplace.js";
import { roundedWishartMechanism } from "./exact/rounded-wishart.js";
import { gaussianMechanism } from "./gaussian.js";
import type { Mechanism, MechanismName, MechanismOptions } from "./mechanism.js";
import {
  chiSquareEntries,
  freeDifference,
  laplaceEntries,
  marchenkoPastur,
  normalEntries,
  semicircle,
  type EntryNoise,
  type MatrixNoise,
  type NoiseLaw,
} from "./noise-law.js";
import { twoSidedWishartMechanism } from "./two-sided-wishart.js";
import type { Sampling } from "./sampled-events.js";
import { gaussianMeanMechanism, sphericalLaplaceMechanism } from "./vector.js";
import { olderWishartMechanism, wishartMechanism } from "./wishart.js";

/** Sizes, and what some mechanisms take beside. */
export interface MakeOptions extends MechanismOptions {
  readonly degreesOfFreedom?: number;
  readonly sampling?: Sampling;
}

/** One mechanism. */
export interface MechanismDescriptor {
  readonly name: MechanismName;
  /** What it is for; the first where nothing else is said. */
  readonly statistics: readonly [Statistic, ...Statistic[]];
  /** What a round's budget measures: mu needs a delta, eps does without. */
  readonly budgetKind: Mechanism["budgetKind"];
  /** Whether its guarantee holds as the papers use it. */
  readonly sound: boolean;
  /** Options of its own. */
  readonly takes: readonly ("sampling" | "degreesOfFreedom")[];
  /** Noise in floating point. */
  readonly make: (options: MakeOptions) => Mechanism;
  /** Exact noise; absent where there is none. */
  readonly makeExact?: (options: MakeOptions) => Mechanism;
  /** What is known of its noise on a matrix, or on independent entries. */
  readonly matrixNoise?: NoiseLaw<MatrixNoise>;
  readonly entryNoise?: NoiseLaw<EntryNoise>;
}

const MATRICES = ["covariance", "augmented-covariance", "task-covariance"] as const;
const SUMS = ["vector", "moment"] as const;

/** All mechanisms; for each statistic those that are taken by default stand first. */
const MECHANISMS: readonly MechanismDescriptor[] = [
  {
    name: "gaussian",
    statistics: MATRICES,
    budgetKind: "mu",
    sound: true,
    takes: [],
    make: gaussianMechanism,
    makeExact: (options) => discreteGaussianMechanism("gaussian", options),
    matrixNoise: semicircle,
  },
  {
    name: "two-sided-wishart",
    statistics: MATRICES,
    budgetKind: "epsilon",
    sound: true,
    takes: [],
    make: twoSidedWishartMechanism,
    makeExact: roundedWishartMechanism,
    matrixNoise: freeDifference,
  },
  {
    name: "gaussian-diagonal",
    statistics: ["diagonal"],
    budgetKind: "mu",
    sound: true,
    takes: [],
    make: gaussianDiagonalMechanism,
    makeExact: (options) => discreteGaussianMechanism("gaussian-diagonal", options),
    entryNoise: normalEntries,
  },
  {
    name: "laplace-diagonal",
    statistics: ["diagonal"],
    budgetKind: "epsilon",
    sound: true,
    takes: [],
    make: laplaceDiagonalMechanism,
    makeExact: discreteLaplaceMechanism,
    entryNoise: laplaceEntries,
  },
  {
    name: "gaussian-mean",
    statistics: SUMS,
    budgetKind: "mu",
    sound: true,
    takes: ["sampling"],
    make: gaussianMeanMechanism,
    makeExact: (options) =>
      options.sampling && ["poisson", "allocation"].includes(options.sampling.kind)
        ? roundedNormalMechanism(options)
        : discreteGaussianMechanism("gaussian-mean", options),
    entryNoise: normalEntries,
  },
  {
    name: "spherical-laplace",
    statistics: SUMS,
    budgetKind: "epsilon",
    sound: true,
    takes: [],
    make: sphericalLaplaceMechanism,
    makeExact: roundedSphericalLaplaceMechanism,
  },
  {
    name: "wishart",
    statistics: ["covariance", "diagonal"],
    budgetKind: "epsilon",
    sound: false,
    takes: ["degreesOfFreedom"],
    make: wishartMechanism,
    matrixNoise: marchenkoPastur,
    entryNoise: chiSquareEntries,
  },
  {
    name: "wishart-older",
    statistics: ["covariance", "diagonal"],
    budgetKind: "epsilon",
    sound: false,
    takes: [],
    make: olderWishartMechanism,
    matrixNoise: marchenkoPastur,
    entryNoise: chiSquareEntries,
  },
];

/** All mechanism names. */
export const MECHANISM_NAMES: readonly MechanismName[] = MECHANISMS.map(({ name }) => name);

/** The descriptor of a mechanism. @throws RangeError for a name that is none. */
export function mechanismNamed(name: MechanismName): MechanismDescriptor {
  const found = MECHANISMS.find((one) => one.name === name);
  if (found) return found;
  throw new RangeError(`mechanism: expected one of ${MECHANISM_NAMES.join(", ")}, got "${name}"`);
}

/** The mechanisms that are for a statistic, and those that take an option. */
export function mechanismsFor(statistic: Statistic): readonly MechanismName[] {
  return namesOf(({ statistics }) => statistics.includes(statistic));
}
export function mechanismsTaking(
  option: MechanismDescriptor["takes"][number],
): readonly MechanismName[] {
  return namesOf(({ takes }) => takes.includes(option));
}

function namesOf(which: (one: MechanismDescriptor) => boolean): readonly MechanismName[] {
  return MECHANISMS.filter(which).map(({ name }) => name);
}

/**
 * What `"auto"` means: Gaussian when delta > 0, else the pure mechanism of the statistic.
 * @throws RangeError or TypeError for another statistic, or a delta below 0.
 */
export function defaultMechanism(statistic: Statistic, delta: number): MechanismName {
  oneOf("statistic", statistic, STATISTICS);
  const kind = nonNegative("delta", delta) > 0 ? "mu" : "epsilon";
  const suits = ({ statistics, budgetKind, sound }: MechanismDescriptor) =>
    sound && budgetKind === kind && statistics.includes(statistic);
  return MECHANISMS.find(suits)!.name;
}

/**
 * What is known of noise of a scale on an [n, n] statistic.
 * @throws RangeError for a mechanism that adds none.
 */
export function matrixNoiseOf(
  { name }: Pick<Mechanism, "name">,
  scale: number,
  n: number,
): MatrixNoise {
  const { matrixNoise } = mechanismNamed(name);
  if (matrixNoise) return matrixNoise(scale, n);
  throw new RangeError(`mechanism: "${name}" adds no matrix noise, so it has no spectrum`);
}

/** The same on n entries. */
export function entryNoiseOf(
  { name }: Pick<Mechanism, "name">,
  scale: number,
  n: number,
): EntryNoise {
  const { entryNoise } = mechanismNamed(name);
  if (entryNoise) return entryNoise(scale, n);
  throw new RangeError(`mechanism: "${name}" adds no independent noise to entries`);
}
