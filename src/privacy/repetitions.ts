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
import * as math from "../core/elementary.js";
import { finite, positive } from "../core/checks.js";
import { smallest } from "./accounting/bisect.js";

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

/** Longest tail a sampler would follow; beyond it gamma is refused. */
const LEAST_GAMMA = 1e-9;

/** @throws TypeError or RangeError naming the field. */
export function checkRepetitions(value: unknown, name = "repetitions"): Repetitions {
  const { kind, eta, gamma, mean } = (value ?? {}) as Record<string, unknown>;
  if (kind === "poisson") {
    return { kind, mean: positive(`${name}.mean`, mean as number) };
  }
  if (kind !== "negative-binomial") {
    throw new RangeError(
      `${name}.kind: expected "negative-binomial" or "poisson", got ${JSON.stringify(kind)}`,
    );
  }
  finite(`${name}.eta`, eta as number);
  finite(`${name}.gamma`, gamma as number);
  if (!((eta as number) > -1)) {
    throw new RangeError(`${name}.eta: expected eta > -1, got ${eta as number}`);
  }
  if (!((gamma as number) >= LEAST_GAMMA && (gamma as number) < 1)) {
    throw new RangeError(
      `${name}.gamma: expected ${LEAST_GAMMA} <= gamma < 1, got ${gamma as number}`,
    );
  }
  if (((eta as number) + 1) * math.log(gamma as number) < LEAST_LOG) {
    throw new RangeError(
      `${name}: expected one run to have a probability, got eta ${eta as number}, gamma ${gamma as number}`,
    );
  }
  return { kind, eta: eta as number, gamma: gamma as number };
}

/** E[K]: eta (1 - gamma) / (gamma (1 - gamma^eta)); (1/gamma - 1) / ln(1/gamma) at eta = 0. */
export function meanRepetitions(repetitions: Repetitions): number {
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
 */
export function repetitionsOfMean(eta: number, mean: number): Repetitions {
  if (!(mean > 1)) throw new RangeError(`mean: expected mean > 1, got ${mean}`);
  // E[K] falls in gamma, from infinity to 1.
  const inverse = smallest(
    (x) => x > 1 && meanRepetitions({ kind: "negative-binomial", eta, gamma: 1 / x }) >= mean,
    2,
    1e-12,
  );
  return checkRepetitions({ kind: "negative-binomial", eta, gamma: 1 / inverse });
}

/** P[K = k], k = first, first + 1, ... */
export function* repetitionProbabilities(
  repetitions: Repetitions,
): Generator<{ readonly k: number; readonly probability: number }, never> {
  if (repetitions.kind === "poisson") {
    let log = -repetitions.mean;
    for (let k = 0; ; k++) {
      yield { k, probability: math.exp(log) };
      log += math.log(repetitions.mean) - math.log(k + 1);
    }
  }
  const { eta, gamma } = repetitions;
  // The first is gamma^eta eta (1 - gamma) / (1 - gamma^eta), that is E[K] gamma^(eta + 1).
  let probability = meanRepetitions(repetitions) * math.pow(gamma, eta + 1);
  for (let k = 1; ; k++) {
    yield { k, probability };
    probability *= ((1 - gamma) * (k + eta)) / (k + 1);
  }
}

/**
 * Draws K by inversion, from 53 bits and sums in floating point: by the law up to a total variation of 1e-14 at a mean of 10, 3e-12 at 1,000
 * (eta from 0 on), which no figure counts and guarantees say.
 * @param uniform one draw from (0, 1). Its 53 bits leave out tails of total probability 2^-53.
 */
export function drawRepetitions(repetitions: Repetitions, uniform: number): number {
  let cumulated = 0;
  for (const { k, probability } of repetitionProbabilities(repetitions)) {
    cumulated += probability;
    // Where rounding keeps the sum below a uniform near 1, no term would be left to add.
    if (uniform < cumulated || (probability < 1e-18 && cumulated > 0.5)) return k;
  }
  throw new RangeError("uniform: expected a number in (0, 1)");
}
