/**
 * The Gaussian mechanisms as a method's halves see them where the curator only sees sums: their noise
 * comes in the participants' shares, so `perturb` adds none.
 *
 * What is charged is what h = t - c honest shares give: the guarantee against the curator together
 * with any c participants. `noiseScale` is that of everyone's shares, which is what is in the sum when
 * nobody is missing: sharing rules read it, nothing is promised by it.
 * @module
 */
import { OptionError } from "../../../core/errors.js";
import { positive } from "../../../core/checks.js";
import { log } from "../../../core/elementary.js";
import type {
  Adjacency,
  CreateMechanismOptions,
  Mechanism,
  MechanismFactory,
} from "../../../privacy/index.js";
import { computedStatistic } from "../../../privacy/mechanisms/exact/computed-statistic.js";
import { isMatrix, type SummedStatistic } from "../integers/fixed-point.js";
import { shareEvent, shareSteps } from "../integers/noise.js";
import { aggregationGrid } from "../integers/numbers.js";
import type { Parties } from "./parties.js";
import type { AggregationGrid } from "../integers/aggregation-grid.js";

/** What a federated plan says about secure aggregation, beside the numbers of {@link Parties}. */
export interface ShareOptions {
  readonly parties: Parties;
  /** Grid steps to K, in bits; default the most, up to 18, that the number of tasks allows. */
  readonly precision?: number | undefined;
}

/** A mechanism whose noise comes in shares, and the grid it lives on. */
export interface ShareMechanism extends Mechanism {
  readonly inNoiseShares: true;
  readonly grid: AggregationGrid;
}

const NAMES = {
  covariance: "gaussian",
  "augmented-covariance": "gaussian",
  diagonal: "gaussian-diagonal",
  vector: "gaussian-mean",
} as const;

/** The factory that a method's halves take as `shares`. */
export function shareMechanisms(options: ShareOptions): MechanismFactory {
  return (asked) => shareMechanism(asked, options);
}

/**
 * The mechanism of one statistic.
 * @throws OptionError for a statistic that is no sum over tasks, another noise than Gaussian, or sampling.
 */
export function shareMechanism(
  options: CreateMechanismOptions,
  { parties, precision }: ShareOptions,
): ShareMechanism {
  const { adjacency = "replace", delta, name = "auto" } = options;
  const statistic = summed(options.statistic);
  if (delta === 0 || (name !== "auto" && name !== NAMES[statistic])) {
    throw new OptionError(
      `mechanism: with secure aggregation expected Gaussian noise and delta > 0, got ` +
        `"${name}", delta ${delta}; other noise does not add up from shares`,
    );
  }
  if (options.sampling && options.sampling.kind !== "all") {
    throw new OptionError(
      'sampling: expected "all" with secure aggregation: the curator knows who is in a sum, so ' +
        "sampling amplifies nothing",
    );
  }
  const { tasks, dimension, clip, vectors } = options;
  const grid = aggregationGrid(
    vectors
      ? {
          statistic,
          tasks,
          dimension,
          adjacency,
          precision,
          clip: vectors.clip,
          parts: { perUnit: vectors.perUnit, sensitivity: sensitivityOf(options, adjacency) },
        }
      : { statistic, tasks, dimension, clip, adjacency, precision },
  );
  const { honest, participants, colluding, threshold } = parties;
  const matrix = isMatrix(statistic);
  const unit = matrix ? Math.SQRT2 : 1;
  const steps = (budget: number) =>
    shareSteps(positive("budget", budget), grid.squaredSensitivity, honest, matrix);
  const scale = (budget: number) => unit * Math.sqrt(participants) * steps(budget) * grid.step;
  return {
    name: NAMES[statistic],
    statistic,
    adjacency,
    sound: true,
    exact: true,
    inNoiseShares: true,
    grid,
    why:
      `discrete Gaussian noise in shares that the participants add before a secure sum of integers: ` +
      `at least ${honest} honest shares are in it as long as at most ${colluding} of ` +
      `${participants} participants collude with the curator (threshold ${threshold})`,
    budgetKind: "mu",
    event: (budget) => shareEvent(grid, steps(budget), honest),
    noiseScale: scale,
    perturb: () => undefined,
    workspace: () => 0,
    // As for noise drawn in one piece: a sum of discrete Gaussians is no heavier in its tails.
    shift: (budget) =>
      statistic === "vector"
        ? 0
        : scale(budget) *
          (matrix
            ? Math.sqrt(2 * grid.side) + Math.sqrt(-2 * log(0.01))
            : Math.sqrt(2 * log(dimension / 0.02))),
  };
}

/** Of the sum as it is computed in floating point: moments stay what they are, rounding being counted apart. */
const sensitivityOf = (options: CreateMechanismOptions, adjacency: Adjacency) =>
  computedStatistic({ ...options, adjacency }, "frobenius").sensitivity;

function summed(statistic: CreateMechanismOptions["statistic"]): SummedStatistic {
  // Rounding to integers may turn inner products negative: a sum of moments is held to be of any vectors.
  if (statistic === "moment") return "vector";
  if (statistic !== "task-covariance") return statistic;
  throw new OptionError(
    'statistic: expected a sum over tasks with secure aggregation, got "task-covariance", every ' +
      "entry of which needs two tasks' models",
  );
}
