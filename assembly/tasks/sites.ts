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
  /** f64[rows] each: what cavities ask precision and shift to change by. */
  toPrecision: usize;
  toShift: usize;
  /** f64[rows] each: logarithm of the link's mean in a cavity, as p and s of p exp(-s); the cavity's mean and variance. */
  means: usize;
  exponents: usize;
  cavity: usize;
  spread: usize;
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
  /** f64[width, width] of sums of products, where the covariance is wanted. */
  products: usize;
  /** ln det (I + Z^T diag(precision) Z), and shift . center. */
  logDeterminant: f64;
  quadratic: f64;
  /** Of the changes that cavities ask for the largest of a precision, and their square; their product with those asked for before, and the square of these. */
  change: f64;
  square: f64;
  across: f64;
  before: f64;
  /** Whether precisions stayed in the end. */
  stayed: bool;
}

@inline function blocks(n: i32): i32 {
  return (n + BLOCK - 1) & -BLOCK;
}

/** Bytes of `openSites`. @param whole whether the covariance is wanted. */
export function sitesBytes(n: i32, d: i32, whole: bool): f64 {
  const rows = <f64>blocks(n), width = <f64>blocks(d), order = Math.min(rows, width);
  const matrices = 3.0 * rows * width + rows * order + order * order + order * Math.max(rows, width);
  const products = whole ? width * width : 0.0;
  return <f64>(offsetof<Sites>() + 15) + 8.0 * (matrices + products + 13.0 * rows + width);
}

/** A record and its blocks at work: zeros up to the kernel, what lay there from there on. */
export function openSites(work: usize, n: i32, d: i32): Sites {
  const s = changetype<Sites>(work), rows = blocks(n), width = blocks(d), order = min(rows, width);
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
  s.toPrecision = at(s.offset, rows);
  s.toShift = at(s.toPrecision, rows);
  s.means = at(s.toShift, rows);
  s.exponents = at(s.means, rows);
  s.cavity = at(s.exponents, rows);
  s.spread = at(s.cavity, rows);
  s.roots = at(s.spread, rows);
  s.weights = at(s.roots, rows);
  s.mean = at(s.weights, rows);
  s.kernel = at(s.mean, width);
  s.weighted = at(s.kernel, rows * order);
  s.factor = at(s.weighted, n * width);
  s.solved = at(s.factor, order * order);
  s.products = at(s.solved, order * max(rows, width));
  memory.fill(s.z, 0, s.kernel - s.z);
  return s;
}
