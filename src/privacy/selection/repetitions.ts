/**
 * How often a private selection runs its base mechanism: the law of the random number K.
 *
 * A number fixed in advance and kept secret would not do: the best of K runs leaks more the larger K
 * is. A random K of these laws costs little, because its generating function f changes slowly.
 *
 * - truncated negative binomial, eta > -1 and 0 < gamma < 1, on k = 1, 2, ...:
 *   P[K = k] proportional to (1 - gamma)^k prod_{l<k} (l + eta) / (l + 1). eta = 1 is the geometric
 *   law, eta = 0 the logarithmic one; eta < 0 has a long tail and costs least.
 * - Poisson of a mean, on k = 0, 1, ...: light tails; K = 0 stands for an output fixed beforehand.
 * @see Papernot and Steinke (2022), "Hyperparameter tuning with Renyi differential privacy",
 *   Definition 1 and section 3.4.
 * @module
 */
import * as math from "../../core/elementary.js";
import { finite, positive } from "../../core/checks.js";
import { smallest } from "../accounting/bisect.js";

/** gamma^(eta + 1), from which all probabilities follow one after another, is not below e to this. */
const LEAST_LOG = -690;

/** The law of K, as data. */
export type Repetitions =
  /** Truncated negative binomial on k = 1, 2, …: P[K = k] proportional to (1 - gamma)^k prod_{l<k} (l + eta) / (l + 1). */
  | {
      readonly kind: "negative-binomial";
      /** Shape of the law, > -1: 1 is the geometric law, 0 the logarithmic one; below 0 the tail is long. */
      readonly eta: number;
      /** In (0, 1): the smaller, the more runs. */
      readonly gamma: number;
    }
  /** Poisson on k = 0, 1, …; K = 0 stands for an output fixed beforehand. */
  | {
      readonly kind: "poisson";
      /** Mean number of runs, > 0. */
      readonly mean: number;
    };

/** Longest tail a sampler would follow, and most runs of a mean it would draw; beyond these gamma and mean are refused. */
const LEAST_GAMMA = 1e-9;
const MOST_MEAN = 1e9;

/** @throws TypeError or RangeError naming the field. */
export function checkRepetitions(value: unknown): Repetitions {
  const { kind, eta, gamma, mean } = (value ?? {}) as Record<string, unknown>;
  if (kind === "poisson") {
    positive(`repetitions.mean`, mean as number);
    if ((mean as number) > MOST_MEAN) {
      throw new RangeError(
        `repetitions.mean: expected mean <= ${MOST_MEAN}, got ${mean as number}`,
      );
    }
    return { kind, mean: mean as number };
  }
  if (kind !== "negative-binomial") {
    throw new RangeError(
      `repetitions.kind: expected "negative-binomial" or "poisson", got ${JSON.stringify(kind)}`,
    );
  }
  finite(`repetitions.eta`, eta as number);
  finite(`repetitions.gamma`, gamma as number);
  if (!((eta as number) > -1)) {
    throw new RangeError(`repetitions.eta: expected eta > -1, got ${eta as number}`);
  }
  if (!((gamma as number) >= LEAST_GAMMA && (gamma as number) < 1)) {
    throw new RangeError(
      `repetitions.gamma: expected ${LEAST_GAMMA} <= gamma < 1, got ${gamma as number}`,
    );
  }
  if (((eta as number) + 1) * math.log(gamma as number) < LEAST_LOG) {
    throw new RangeError(
      `repetitions: expected one run to have a probability, got eta ${eta as number}, gamma ${gamma as number}`,
    );
  }
  return { kind, eta: eta as number, gamma: gamma as number };
}

/**
 * E[K]: eta (1 - gamma) / (gamma (1 - gamma^eta)); (1/gamma - 1) / ln(1/gamma) at eta = 0.
 * @throws TypeError or RangeError naming the field that is out of range.
 */
export const meanRepetitions = (repetitions: Repetitions): number =>
  meanOf(checkRepetitions(repetitions));

/** The same of a law that is checked, or is looked for beyond what is taken. */
function meanOf(repetitions: Repetitions): number {
  if (repetitions.kind === "poisson") return repetitions.mean;
  const { eta, gamma } = repetitions;
  const log = math.log(gamma);
  // (1 - gamma^eta) / eta, whose limit at eta = 0 is -ln gamma.
  const ratio =
    Math.abs(eta * log) < 1e-8 ? -log * (1 + (eta * log) / 2) : -math.expm1(eta * log) / eta;
  return (1 - gamma) / (gamma * ratio);
}

/**
 * The truncated negative binomial law of a mean.
 *
 * @param eta  > -1; 0 (logarithmic) is a good default.
 * @param mean > 1.
 * @throws RangeError naming the argument that is out of range.
 */
export function repetitionsOfMean(eta: number, mean: number): Repetitions {
  finite("eta", eta);
  if (!(mean > 1)) throw new RangeError(`mean: expected mean > 1, got ${mean}`);
  // E[K] falls in gamma, from infinity to 1.
  const inverse = smallest(
    (x) => x > 1 && meanOf({ kind: "negative-binomial", eta, gamma: 1 / x }) >= mean,
    2,
    1e-12,
  );
  return checkRepetitions({ kind: "negative-binomial", eta, gamma: 1 / inverse });
}
