/**
 * Units in which features and target are of about unit size, and rows in them; `change-units.ts` brings what was learned back.
 * @module
 */
import { rangedFeatures } from "../../../../data/provenance/ranged-features.js";
import type { DataEncoding } from "../../../../data/index.js";
import type { TaskRows } from "../spectra/task-spectrum.js";

/** Per coordinate x' = (x - center) / size; the last is the constant, with 0 and 1. The target likewise. */
export interface Units {
  readonly centers: Float64Array;
  readonly sizes: Float64Array;
  readonly targetCenter: number;
  readonly targetSize: number;
  /** Positions of features whose center and size were voted on; default none. */
  readonly voted?: readonly number[] | undefined;
  /** Of those, standard deviations of the logarithms of the sizes, 0 of others, [d]; while a fit runs, default 0. */
  readonly unsure?: Float64Array | undefined;
  /** Positions of coordinates whose effects rest on a place or a size that votes left open, the constant last, ascending; default none. */
  readonly unplaced?: readonly number[] | undefined;
  /**
   * Where rows enter by their differences within tasks: positions of coordinates that these say nothing of, ascending, the constant last.
   * Absent: rows enter as they are.
   */
  readonly untold?: readonly number[] | undefined;
}

/** Features farther from their center than this many sizes are taken there: one bad cell must not carry a model. */
export const FARTHEST = 8;

/**
 * Differences within tasks, which predictions are not made from, only where squares of their squares are numbers no more: a task that had
 * no decomposition would end the fit for all, after a release.
 */
const FARTHEST_DIFFERENCE = 1e60;

/** Units that leave d coordinates as they are. */
export function givenUnits(d: number): Units {
  const sizes = new Float64Array(d).fill(1);
  return { centers: new Float64Array(d), sizes, targetCenter: 0, targetSize: 1 };
}

/**
 * Of features of declared ranges; others as they are.
 * @param rangeSize size of what was brought to [-1, 1].
 */
export function declaredUnits(encoding: DataEncoding, rangeSize: number): Units {
  const units = givenUnits(encoding.columns.length + 1);
  rangedFeatures(encoding).forEach((own, c) => (units.sizes[c] = own ? rangeSize : 1));
  return { ...units, targetSize: encoding.target.scale ? rangeSize : 1 };
}

/** Centers, then sizes, of the features and, last, the target: a component of the model. */
export const unitsArray = ({ centers, sizes, targetCenter, targetSize }: Units) =>
  Float64Array.of(
    ...[...centers.subarray(0, -1), targetCenter],
    ...[...sizes.subarray(0, -1), targetSize],
  );

/** The units of that component. */
export function unitsOf(array: Float64Array): Units {
  const d = array.length / 2;
  const centers = array.slice(0, d);
  const sizes = array.slice(d);
  const [targetCenter, targetSize] = [centers[d - 1]!, sizes[d - 1]!];
  centers[d - 1] = 0;
  sizes[d - 1] = 1;
  return { centers, sizes, targetCenter, targetSize };
}

/** What rows are held within, in the units of the data: least values of the d - 1 features, then the largest. */
export function limitsArray({ centers, sizes }: Units): Float64Array {
  const edge = (side: number) =>
    centers.subarray(0, -1).map((center, c) => center + side * FARTHEST * sizes[c]!);
  return Float64Array.of(...edge(-1), ...edge(1));
}

/** Rows in the units; what is far outside is taken to the edge, and a difference that no number holds to 0. */
export function inUnits(units: Units, { x, y, offsets, names }: TaskRows): TaskRows {
  const { centers, sizes, targetCenter, targetSize, untold } = units;
  const d = centers.length;
  const farthest = untold ? FARTHEST_DIFFERENCE : FARTHEST;
  const scaled = new Float64Array(x.length);
  for (let from = 0; from < x.length; from += d) {
    for (let c = 0; c < d; c++) {
      const z = (x[from + c]! - centers[c]!) / sizes[c]!;
      scaled[from + c] = Number.isNaN(z) ? 0 : Math.min(Math.max(z, -farthest), farthest);
    }
  }
  const target = new Float64Array(y.length);
  for (let row = 0; row < y.length; row++) target[row] = (y[row]! - targetCenter) / targetSize;
  return { x: scaled, y: target, offsets, names };
}
