/**
 * Prior weights of a task's hypotheses on its spread and noise where the common variances themselves are not sure: the
 * weights around sure ones, each smeared over the grid by what is believed of the error.
 * @module
 */
import { exp, log } from "../../../../../core/elementary.js";
import { invertDefinite } from "../../../../../linalg/small-matrices.js";
import {
  BELIEF,
  INTERCEPT_MULTIPLES,
  INTERCEPT_PRIOR,
  OWN_NOISE_MULTIPLES,
  OWN_NOISE_PRIOR,
  type Spreads,
} from "../squared-settings.js";
import { VARIANCES } from "../squared-state.js";

/** A point of the grid: multiples of the common variances. */
interface Point {
  readonly intercept: number;
  readonly spread: number;
  readonly noise: number;
  /** Logarithms of what slopes, intercept and noise are multiplied by. */
  readonly at: readonly number[];
  /** Weight around sure variances, and the size of the point's cell. */
  readonly prior: number;
  readonly cell: number;
}

/** All of them by their spreads, once they were asked for. */
const grids = new WeakMap<Spreads, readonly Point[]>();

/** Weights by intercept multiple, spread multiple and noise multiple, the last fastest; they sum to 1. */
export function unsureWeights(unsure: Float64Array, spreads: Spreads): Float64Array {
  const points = grids.get(spreads) ?? grid(spreads);
  grids.set(spreads, points);
  const count = points.length;
  const wide = unsure.map((value, at) => value + (at % (VARIANCES + 1) === 0 ? BELIEF.least : 0));
  const precision = invertDefinite(wide, VARIANCES);
  const out = new Float64Array(count);
  // How near points are to each other, which is the same both ways.
  const near = new Float64Array(count * count);
  for (let from = 0; from < count; from++) {
    for (let k = 0; k <= from; k++) {
      const one = exp(-distance(points[k]!.at, points[from]!.at, precision) / 2);
      near[from * count + k] = near[k * count + from] = one;
    }
  }
  for (let from = 0; from < count; from++) {
    let total = 0;
    for (let k = 0; k < count; k++) total += points[k]!.cell * near[from * count + k]!;
    for (let k = 0; k < count; k++) {
      out[k]! += (points[from]!.prior * (points[k]!.cell * near[from * count + k]!)) / total;
    }
  }
  return out;
}

function grid({ multiples, prior }: Spreads): Point[] {
  const cells = [INTERCEPT_MULTIPLES, multiples, OWN_NOISE_MULTIPLES].map(cellsOf);
  return INTERCEPT_MULTIPLES.flatMap((own, intercept) =>
    multiples.flatMap((wide, spread) =>
      OWN_NOISE_MULTIPLES.map((loud, noise) => ({
        intercept,
        spread,
        noise,
        at: [log(wide), log(wide * own), log(loud)],
        prior: INTERCEPT_PRIOR[intercept]! * prior[spread]! * OWN_NOISE_PRIOR[noise]!,
        cell: cells[0]![intercept]! * cells[1]![spread]! * cells[2]![noise]!,
      })),
    ),
  );
}

/** How much of the logarithmic scale is nearest to each of ascending multiples; the outer cells are even. */
function cellsOf(multiples: readonly number[]): number[] {
  const at = multiples.map(log);
  const gap = (k: number) => at[k + 1]! - at[k]!;
  return at.map((_, k) => (gap(Math.max(k - 1, 0)) + gap(Math.min(k, at.length - 2))) / 2);
}

/** The quadratic form of a difference, written out: a fit asks it ten thousand times. */
function distance(a: readonly number[], b: readonly number[], precision: Float64Array): number {
  const [x, y, z] = [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
  return (
    x * precision[0]! * x +
    x * precision[1]! * y +
    x * precision[2]! * z +
    y * precision[3]! * x +
    y * precision[4]! * y +
    y * precision[5]! * z +
    z * precision[6]! * x +
    z * precision[7]! * y +
    z * precision[8]! * z
  );
}
