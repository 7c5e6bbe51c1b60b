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
import * as math from "../../core/elementary.js";
import { integer } from "../../core/checks.js";
import { OptionError } from "../../core/errors.js";
import type { Adjacency } from "../../privacy/index.js";
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
import { LARGEST_STEPS, shareSteps } from "./noise.js";
import type { ModulusBits } from "./residues.js";

/** What the numbers follow from. */
export interface NumberOptions {
  readonly statistic: SummedStatistic;
  /** m, tasks of all participants together. */
  readonly tasks: number;
  /** d, entries of a shared vector. */
  readonly dimension: number;
  /** K > 0. */
  readonly clip: number;
  readonly adjacency: Adjacency;
  /** n. */
  readonly participants: number;
  /** h = t - c, honest participants in every sum. */
  readonly honest: number;
  /** The smallest mu of any round. */
  readonly smallestBudget: number;
  /** Grid steps to K, in bits; default: the most, up to 20, that the bounds allow. */
  readonly precision?: number;
}

/** The numbers. */
export interface AggregationNumbers {
  readonly statistic: SummedStatistic;
  readonly dimension: number;
  readonly adjacency: Adjacency;
  readonly precision: number;
  readonly lattice: Lattice;
  /** Integers per participant and round. */
  readonly entries: number;
  /** Side of a matrix statistic, 0 of a vector. */
  readonly side: number;
  /** Value of one integer step of the statistic. */
  readonly step: number;
  readonly squaredSensitivity: bigint;
  readonly bits: ModulusBits;
}

const FINEST = 20;
const COARSEST = 4;
/** Sums of contributions stay exact in a double. */
const EXACT = 2 ** 52;
const LOG_FAILURE = 100 * Math.LN2;

/** @throws OptionError if no grid keeps the sum within 64 bits, saying what to change. */
export function aggregationNumbers(options: NumberOptions): AggregationNumbers {
  const { precision } = options;
  if (precision !== undefined) {
    const found = numbersAt(options, integer("precision", precision, COARSEST, 24));
    if (typeof found !== "string") return found;
    throw new OptionError(
      `precision: expected one whose sum fits, ${precision} does not: ${found}`,
    );
  }
  let why = "";
  for (let bits = FINEST; bits >= COARSEST; bits--) {
    const found = numbersAt(options, bits);
    if (typeof found !== "string") return found;
    why = found;
  }
  throw new OptionError(`secure aggregation: expected sums that fit into 64 bits: ${why}`);
}

function numbersAt(options: NumberOptions, precision: number): AggregationNumbers | string {
  const { statistic, dimension, clip, adjacency, tasks, participants, honest } = options;
  integer("tasks", tasks, 1);
  integer("dimension", dimension, 1);
  const grid = lattice(clip, precision);
  if (
    statistic === "augmented-covariance" &&
    !(Number.isInteger(grid.one) && grid.one <= 2 ** 24)
  ) {
    return `the constant 1 is not between one and 2^24 grid steps at clip ${clip}`;
  }
  const signal = tasks * largestEntry(statistic, grid);
  if (!(signal < EXACT)) return "the tasks' sum exceeds 2^52 steps";
  const squared = squaredSensitivity(statistic, grid, adjacency);
  const exact = Math.sqrt(Number(squared) / honest) / options.smallestBudget;
  if (!(exact < LARGEST_STEPS)) return "the noise exceeds 2^46 steps";
  const steps = shareSteps(options.smallestBudget, squared, honest, isMatrix(statistic));
  const entries = statisticEntries(statistic, dimension);
  const variance = 2 * participants * steps * steps;
  const reach = Math.sqrt(2 * variance * (math.log(2 * entries) + LOG_FAILURE));
  const total = signal + reach;
  if (!(total < 2 ** 62)) return "values and noise exceed 2^62 steps";
  return {
    statistic,
    dimension,
    adjacency,
    precision,
    lattice: grid,
    entries,
    side: isMatrix(statistic) ? dimension + (statistic === "augmented-covariance" ? 1 : 0) : 0,
    step: statisticGrid(statistic, grid),
    squaredSensitivity: squared,
    bits: total < 2 ** 31 ? 32 : 64,
  };
}
