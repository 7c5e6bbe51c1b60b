/**
 * Where sums of log-normal variables are kept: points e^(k step), with a step for every number of summands.
 *
 * Nothing here is a bound: what a grid does not hold is counted where laws are put on it.
 * @module
 */
import * as math from "../../../../core/elementary.js";

/** Points of a grid at most: twice as many cost four times the work, for a quarter of the error. */
export const POINTS = 3000;
/** Normal quantile beyond which a single variable may be left out: probability 1e-19. */
const TAIL = 9;
/** -ln of the probability that a sum is below its grid. */
const RARE = 45;
/** Exponents of Chernoff's bound that are tried. */
const THETAS = 240;

/** Points e^(k step), k = first, ..., first + length - 1. */
export interface Grid {
  readonly step: number;
  readonly first: number;
  readonly length: number;
}

/** theta and ln E e^(-theta u), for u = e^(z / sigma - 1 / (2 sigma^2)), z normal; mean 1. */
function laplace(sigma: number): { theta: number; logMean: number }[] {
  const nodes: { u: number; weight: number }[] = [];
  for (let z = -TAIL; z <= TAIL; z += 1 / 8) {
    const weight = math.exp((-z * z) / 2) / (8 * Math.sqrt(2 * Math.PI));
    nodes.push({ u: math.exp(z / sigma - 1 / (2 * sigma * sigma)), weight });
  }
  const { u: least } = nodes[0]!;
  // Sums of 100,000 need no less, single ones no more.
  const [lowest, highest] = [1e-4, 40 / least + 40 * TAIL * sigma];
  const ratio = math.log(highest / lowest) / THETAS;
  return Array.from({ length: THETAS + 1 }, (_, i) => {
    const theta = lowest * math.exp(ratio * i);
    const moment = nodes.reduce(
      (sum, { u, weight }) => sum + weight * math.exp(theta * (least - u)),
      0,
    );
    return { theta, logMean: math.log(moment) - theta * least };
  });
}

/**
 * Grids for the sum of s of them, and for sums of s / 2, s / 4, ... rounded up and down, to the single ones: of each depth for
 * either size, one step for both. It is a power of two times that of the sums that are made of it, or that itself.
 */
export function grids(s: number, sigma: number): Map<number, Grid>[] {
  const transform = laplace(sigma);
  const single = (z: number) => z / sigma - 1 / (2 * sigma * sigma);
  /** Chernoff's lower quantile. */
  const lowest = (n: number) =>
    transform.reduce((low, { theta, logMean }) => {
      const bound = (-RARE - n * logMean) / theta;
      return bound > 0 ? Math.max(low, math.log(bound)) : low;
    }, single(-TAIL));
  const spread = Math.sqrt(math.expm1(1 / (sigma * sigma)));
  /** One as large as the drawn round's may be, beside the others. */
  const highest = (n: number) =>
    math.log(math.exp(single(TAIL + 1 / sigma)) + (n - 1) + TAIL * Math.sqrt(n) * spread);

  const bottom = lowest(s);
  const finest = (highest(s) - bottom) / POINTS;
  const result: Map<number, Grid>[] = [];
  for (let [depth, step] = [0, finest]; ; depth++) {
    const sizes = [Math.floor(s / 2 ** depth), Math.ceil(s / 2 ** depth)].filter((n) => n > 0);
    const ranges = sizes.map((n): [number, number, number] => {
      // Far below what matters in the whole sum, values need not be told apart.
      const least = bottom + math.log(finest) + 0.5 * math.log(n / s);
      return [n, depth === 0 ? bottom : Math.max(lowest(n), least), highest(n)];
    });
    while (ranges.some(([, low, high]) => (high - low) / step > POINTS + 1)) step *= 2;
    result.push(
      new Map(
        ranges.map(([n, low, high]) => {
          const first = Math.floor(low / step);
          return [n, { step, first, length: Math.ceil(high / step) - first + 1 }];
        }),
      ),
    );
    if (sizes.at(-1) === 1) return result;
  }
}
