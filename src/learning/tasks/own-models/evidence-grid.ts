/**
 * The grid of variances as the kernel of own models takes it. It follows from public constants, so that it is worked out once.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { logBelief, SQUARED } from "./settings.js";
import { SHIFTS } from "./shifts.js";

/** Nothing of it is ever written to. */
export interface EvidenceGrid {
  /** Of the intercept's variance to that of the slopes; 0 alone without an intercept in the grid. */
  readonly ratios: Float64Array;
  /** Variances, then their logarithms. */
  readonly slopes: Float64Array;
  readonly noise: Float64Array;
  /** By `shiftOf`; two to a vector, so that an odd number is filled up. */
  readonly shifts: Float64Array;
  /** Log prior of every point, [ratios, slopes, noise]. */
  readonly priors: Float64Array;
}

const grids = new Map<string, EvidenceGrid>();

/** @param intercept whether its variance is in the grid. @param declared whether the target's range is known. */
export function evidenceGrid(intercept: boolean, declared: boolean): EvidenceGrid {
  const name = `${intercept} ${declared}`;
  const grid = grids.get(name) ?? makeGrid(intercept, declared);
  grids.set(name, grid);
  return grid;
}

function makeGrid(withIntercept: boolean, declared: boolean): EvidenceGrid {
  const { slopes, noise, intercept } = SQUARED;
  const belief = declared ? SQUARED.declared : SQUARED.own;
  const ratios = withIntercept ? SQUARED.ratios : [0];
  const priors = ratios.flatMap((ratio) =>
    slopes.flatMap((variance) => {
      const own = ratio > 0 ? logBelief(variance * ratio, intercept) : 0;
      const prior = logBelief(variance, belief.slopes) + own;
      return noise.map((error) => prior + logBelief(error, belief.noise));
    }),
  );
  return {
    ratios: Float64Array.from(ratios),
    slopes: withLogs(slopes),
    noise: withLogs(noise),
    shifts: Float64Array.from({ length: (SHIFTS.length + 1) & ~1 }, (_, k) => SHIFTS[k] ?? 1),
    priors: Float64Array.from(priors),
  };
}

const withLogs = (variances: readonly number[]) =>
  Float64Array.from([...variances, ...variances.map(log)]);
