/**
 * The public numbers of a secure sum: grid, bounds, modulus. Every participant computes them from the
 * plan, so that a curator cannot choose them.
 *
 * **No overflow.** m tasks contribute at most m L to an entry, L from the grid. The noise of all n
 * participants is sub-Gaussian of variance at most V = 2 n s^2 (Canonne, Kamath, Steinke 2020, Corollary
 * 17: the discrete Gaussian's moment generating function is below the Gaussian's), so all N entries lie
 * within r = sqrt(2 V ln(2 N 2^100)) but for probability 2^-100. The modulus 2^b is the smaller of 2^32
 * and 2^64 with m L + r < 2^(b-1). Values alone never wrap; if noise ever did, the result would be wrong
 * but as private, since reduction is post-processing.
 * @module
 */
import { integer } from "../../../core/checks.js";
import { log } from "../../../core/elementary.js";
import { OptionError } from "../../../core/errors.js";
import type { Adjacency } from "../../../privacy/index.js";
import {
  isMatrix,
  largestEntry,
  lattice,
  squaredSensitivity,
  statisticEntries,
  statisticGrid,
  type Lattice,
  type SummedStatistic,
} from "./fixed-point.js";
import { LARGEST_STEPS } from "./noise.js";
import { latticeOfParts, squaredSensitivityOfParts, type PartsOfVectors } from "./parts.js";
import type { ModulusBits } from "./residues.js";
import type { AggregationGrid } from "./aggregation-grid.js";

/** What the grid follows from. */
export interface GridOptions {
  readonly statistic: SummedStatistic;
  /** m, tasks of all participants together. */
  readonly tasks: number;
  /** d, entries of a shared vector. */
  readonly dimension: number;
  /** K > 0. */
  readonly clip: number;
  readonly adjacency: Adjacency;
  /** Grid steps to K, in bits, 4 to 24; default: the most, up to 18, that the tasks' sum allows. */
  readonly precision?: number | undefined;
  /** Where the noise hides parts of vectors; absent: whole ones. */
  readonly parts?: PartsOfVectors | undefined;
}

/** Rounding to K 2^-19 is far below any noise that protects anyone, and leaves room for that noise. */
const FINEST = 18;
const COARSEST = 4;
/** Sums of contributions stay exact in a double. */
const EXACT = 2 ** 52;
const LOG_FAILURE = 100 * Math.LN2;

/** @throws OptionError if the tasks' sum could exceed 2^52 steps. */
export function aggregationGrid(options: GridOptions): AggregationGrid {
  const { statistic, adjacency } = options;
  const tasks = integer("tasks", options.tasks, 1);
  const dimension = integer("dimension", options.dimension, 1);
  if (options.parts && statistic !== "vector") {
    throw new OptionError("statistic: expected a sum of vectors where parts of them are hidden");
  }
  const precision = integer("precision", options.precision ?? finest(options), COARSEST, 24);
  const grid = latticeOf(options, precision);
  if (!fits(options, precision)) {
    throw new OptionError(
      `precision: expected sums of ${tasks} tasks below 2^52 grid steps, got more at ${precision} bits`,
    );
  }
  if (grid.radius < 1 || (statistic === "augmented-covariance" && !Number.isInteger(grid.one))) {
    throw new OptionError(
      `clip: expected K and, in an augmented covariance, 1 to be at least one grid step of ` +
        `${grid.grid}; use another precision, or features in other units`,
    );
  }
  return {
    statistic,
    tasks,
    dimension,
    adjacency,
    precision,
    lattice: grid,
    entries: statisticEntries(statistic, dimension),
    side: isMatrix(statistic) ? dimension + (statistic === "augmented-covariance" ? 1 : 0) : 0,
    step: statisticGrid(statistic, grid),
    squaredSensitivity: options.parts
      ? squaredSensitivityOfParts(options.parts, dimension, grid)
      : squaredSensitivity(statistic, grid, adjacency),
    rounded: options.parts !== undefined,
  };
}

/** An augmented vector has entries up to K and the constant 1. */
function latticeOf({ statistic, clip, parts, dimension }: GridOptions, precision: number): Lattice {
  if (parts) return latticeOfParts(parts, { clip, dimension, precision });
  return lattice(clip, precision, statistic === "augmented-covariance" ? Math.max(clip, 1) : clip);
}

function fits(options: GridOptions, precision: number): boolean {
  return options.tasks * largestEntry(options.statistic, latticeOf(options, precision)) < EXACT;
}

function finest(options: GridOptions): number {
  let precision = FINEST;
  while (precision > COARSEST && !fits(options, precision)) precision--;
  return precision;
}

/**
 * Bits of the modulus in which values and the noise of all n participants fit.
 *
 * @param steps s, the largest parameter of any round's shares.
 * @throws OptionError if s is beyond the exact sampler, 2^46, or 64 bits are too few.
 */
export function modulusBits(
  grid: AggregationGrid,
  participants: number,
  steps: number,
): ModulusBits {
  const signal = grid.tasks * largestEntry(grid.statistic, grid.lattice);
  const variance = 2 * participants * steps * steps;
  const reach = Math.sqrt(2 * variance * (log(2 * grid.entries) + LOG_FAILURE));
  if (!(steps <= LARGEST_STEPS && signal + reach < 2 ** 62)) {
    throw new OptionError(
      `precision: expected noise of at most 2^46 grid steps a share, got ${steps} at ` +
        `${grid.precision} bits; use a lower precision or a larger budget`,
    );
  }
  return signal + reach < 2 ** 31 ? 32 : 64;
}
