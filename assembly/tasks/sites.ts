/**
 * A task's Gaussian sites in memory: exp(-|u|^2 / 2 + sum_j shift_j z_j . u - precision_j (z_j . u)^2 / 2), and room to work out what
 * follows from it.
 */
import { at } from "../address";

/** Rows and coordinates are padded with zeros to whole blocks of so many. */
export const BLOCK: i32 = 4;

@unmanaged
export class Sites {
  n: i32;
  d: i32;
  /** n and d in whole blocks. */
  rows: i32;
  width: i32;
  /** f64[n, width]: rows z_j; f64[d, rows]: their transpose. */
  z: usize;
  columns: usize;
  /** f64[rows] each: the sites; variance and mean of z_j . u; what the prior's mean adds to it. */
  precision: usize;
  shift: usize;
  variance: usize;
  center: usize;
  offset: usize;
  /** Of rows, where they are at most d: f64[n, rows] of their products, f64[rows] roots of the precisions, weights of the rows in the mean. */
  kernel: usize;
  roots: usize;
  weights: usize;
  /** Of coordinates, where these are fewer: f64[n, width] rows times their precision. */
  weighted: usize;
  /** Mean of u, f64[width]. */
  mean: usize;
  /** L, and what L^-1 made of columns. */
  factor: usize;
  solved: usize;
  /** f64[width, width] of sums of products. */
  products: usize;
  /** ln det (I + Z^T diag(precision) Z), and shift . center. */
  logDeterminant: f64;
  quadratic: f64;
  /** Largest change that a site's precision was asked for last. */
  change: f64;
}

@inline function whole(n: i32): i32 {
  return (n + BLOCK - 1) & -BLOCK;
}

/** Bytes of `openSites`. */
export function sitesBytes(n: i32, d: i32): f64 {
  const rows = <f64>whole(n), width = <f64>whole(d), order = Math.min(rows, width);
  const matrices = 2.0 * rows * width + rows * order + order * order + order * Math.max(rows, width) + width * width;
  return <f64>(offsetof<Sites>() + 15) + 8.0 * (matrices + rows * width + 7.0 * rows + width);
}

/** A record and its blocks at work, zeros all. */
export function openSites(work: usize, n: i32, d: i32): Sites {
  memory.fill(work, 0, <usize>sitesBytes(n, d));
  const s = changetype<Sites>(work), rows = whole(n), width = whole(d), order = min(rows, width);
  s.n = n;
  s.d = d;
  s.rows = rows;
  s.width = width;
  s.z = (work + offsetof<Sites>() + 15) & ~15;
  s.columns = at(s.z, n * width);
  s.precision = at(s.columns, d * rows);
  s.shift = at(s.precision, rows);
  s.variance = at(s.shift, rows);
  s.center = at(s.variance, rows);
  s.offset = at(s.center, rows);
  s.roots = at(s.offset, rows);
  s.weights = at(s.roots, rows);
  s.mean = at(s.weights, rows);
  s.kernel = at(s.mean, width);
  s.weighted = at(s.kernel, rows * order);
  s.factor = at(s.weighted, n * width);
  s.solved = at(s.factor, order * order);
  s.products = at(s.solved, order * max(rows, width));
  return s;
}
