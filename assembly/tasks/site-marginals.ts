/**
 * Marginals of a task's rows under its sites, worked out in the space of the rows or of the weights, whichever is smaller.
 *
 * Every sum runs in the order of its index and neighbours lie side by side, so that both builds give the same bits.
 * Cost of d coordinates and n > d rows: 3 n d^2 / 2 + d^3 / 3 flops; of n <= d rows 4 n^3 / 3.
 */
import { at } from "../address";
import { add, both, div, mul, put, sub, take, takeOne, WIDTH } from "../blas/pairs";
import { log } from "../logarithm";
import { BLOCK, Sites } from "./sites";

/** What does not depend on the sites, once z and its columns are there. */
export function prepareMarginals(s: Sites): void {
  if (s.n > s.d) return;
  for (let i = 0; i < s.n; i++) {
    const row = at(s.kernel, i * s.rows), z = at(s.z, i * s.width);
    sumOfRows(s.columns, s.rows, z, s.d, row);
  }
}

/** Works everything out for the sites as they are; whether all numbers are finite. */
export function setMarginals(s: Sites): bool {
  if (!(s.n > s.d ? ofWeights(s) : ofRows(s))) return false;
  let sum = s.logDeterminant, quadratic = 0.0;
  for (let j = 0; j < s.n; j++) {
    const center = load<f64>(at(s.center, j));
    sum += load<f64>(at(s.variance, j)) + Math.abs(center);
    quadratic += load<f64>(at(s.shift, j)) * center;
  }
  s.quadratic = quadratic;
  return isFinite(sum);
}

/** With the [n, n] matrix B = I + S K S, K = Z Z^T, S^2 = diag(precision). */
function ofRows(s: Sites): bool {
  const n = s.n, stride = s.rows, roots = s.roots, l = s.factor;
  for (let i = 0; i < n; i++) store<f64>(at(roots, i), Math.sqrt(load<f64>(at(s.precision, i))));
  for (let i = 0; i < n; i++) {
    const own = load<f64>(at(roots, i)), kernel = at(s.kernel, i * stride), row = at(l, i * stride);
    const seen = at(s.solved, i * stride);
    for (let j = 0; j < n; j++) {
      const half = own * load<f64>(at(kernel, j));
      store<f64>(at(seen, j), half);
      const product = half * load<f64>(at(roots, j));
      store<f64>(at(row, j), i == j ? 1.0 + product : product);
    }
  }
  s.logDeterminant = factorInPlace(l, n, stride);
  if (isNaN(s.logDeterminant)) return false;
  // weights = shift - S B^-1 S K shift.
  const weights = s.weights;
  sumOfRows(s.kernel, stride, s.shift, n, weights);
  for (let i = 0; i < n; i++) store<f64>(at(weights, i), load<f64>(at(roots, i)) * load<f64>(at(weights, i)));
  solveLower(l, n, stride, weights);
  solveUpper(l, n, stride, weights);
  for (let i = 0; i < n; i++) {
    const rest = load<f64>(at(roots, i)) * load<f64>(at(weights, i));
    store<f64>(at(weights, i), load<f64>(at(s.shift, i)) - rest);
  }
  sumOfRows(s.kernel, stride, weights, n, s.center);
  solveColumns(l, n, stride, s.solved, stride, s.variance);
  for (let j = 0; j < n; j++) {
    const left = load<f64>(at(s.kernel, j * (stride + 1))) - load<f64>(at(s.variance, j));
    store<f64>(at(s.variance, j), Math.max(left, 0.0));
  }
  return true;
}

/** With the [d, d] matrix I + Z^T diag(precision) Z. */
function ofWeights(s: Sites): bool {
  const n = s.n, d = s.d, stride = s.width, l = s.factor;
  for (let i = 0; i < n; i++) {
    scaled(at(s.z, i * stride), load<f64>(at(s.precision, i)), at(s.weighted, i * stride), stride);
  }
  sumOfRows(s.z, stride, s.shift, n, s.mean);
  sumOfProducts(s.weighted, s.z, n, stride, 1.0, l);
  s.logDeterminant = factorInPlace(l, d, stride);
  if (isNaN(s.logDeterminant)) return false;
  solveLower(l, d, stride, s.mean);
  solveUpper(l, d, stride, s.mean);
  sumOfRows(s.columns, s.rows, s.mean, d, s.center);
  memory.copy(s.solved, s.columns, (<usize>(d * s.rows)) << 3);
  solveColumns(l, d, stride, s.solved, s.rows, s.variance);
  return true;
}

/** Mean of u, f64[d]. */
export function posteriorMean(s: Sites, out: usize): void {
  if (s.n <= s.d) sumOfRows(s.z, s.width, s.weights, s.n, s.mean);
  memory.copy(out, s.mean, (<usize>s.d) << 3);
}

/** Covariance of u, f64[d, d]: of rows I - Z^T S B^-1 S Z, of weights the inverse of the matrix. */
export function posteriorCovariance(s: Sites, out: usize): void {
  const d = s.d, width = s.width, byRows = s.n <= d, order = byRows ? s.n : d;
  const stride = byRows ? s.rows : width;
  for (let k = 0; k < order; k++) {
    const row = at(s.solved, k * width);
    if (byRows) scaled(at(s.z, k * width), load<f64>(at(s.roots, k)), row, width);
    else {
      memory.fill(row, 0, (<usize>width) << 3);
      store<f64>(at(row, k), 1.0);
    }
  }
  solveColumns(s.factor, order, stride, s.solved, width, 0);
  sumOfProducts(s.solved, s.solved, order, width, 0.0, s.products);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      const product = load<f64>(at(s.products, i * width + j));
      const value = byRows ? (i == j ? 1.0 : 0.0) - product : product;
      store<f64>(at(out, i * d + j), value);
      store<f64>(at(out, j * d + i), value);
    }
  }
}

/**
 * The Cholesky factor of f64[n, n] in place of its lower triangle, and ln det; NaN if it is not positive definite in numbers. Without
 * anything added to the diagonal, for it is this determinant that is wanted.
 */
function factorInPlace(a: usize, n: i32, stride: i32): f64 {
  let logDeterminant = 0.0;
  for (let i = 0; i < n; i++) {
    const row = at(a, i * stride);
    for (let j = 0; j <= i; j++) {
      const other = at(a, j * stride);
      let sum = load<f64>(at(row, j));
      for (let k = 0; k < j; k++) sum -= load<f64>(at(row, k)) * load<f64>(at(other, k));
      if (i > j) store<f64>(at(row, j), sum / load<f64>(at(other, j)));
      else if (sum > 0.0 && sum < Infinity) store<f64>(at(row, i), Math.sqrt(sum));
      else return NaN;
    }
    logDeterminant += 2.0 * log(load<f64>(at(row, i)));
  }
  return logDeterminant;
}

/** x <- L^-1 x. */
function solveLower(l: usize, n: i32, stride: i32, x: usize): void {
  for (let i = 0; i < n; i++) {
    const row = at(l, i * stride);
    let sum = load<f64>(at(x, i));
    for (let k = 0; k < i; k++) sum -= load<f64>(at(row, k)) * load<f64>(at(x, k));
    store<f64>(at(x, i), sum / load<f64>(at(row, i)));
  }
}

/** x <- L^-T x. */
function solveUpper(l: usize, n: i32, stride: i32, x: usize): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = load<f64>(at(x, i));
    for (let k = i + 1; k < n; k++) sum -= load<f64>(at(l, k * stride + i)) * load<f64>(at(x, k));
    store<f64>(at(x, i), sum / load<f64>(at(l, i * stride + i)));
  }
}

/** out <- factor x, n in whole blocks. */
function scaled(x: usize, factor: f64, out: usize, n: i32): void {
  if (ASC_FEATURE_SIMD) scaledOf<v128>(x, factor, out, n);
  else scaledOf<f64>(x, factor, out, n);
}

@inline function scaledOf<T>(x: usize, factor: f64, out: usize, n: i32): void {
  const by = both<T>(factor);
  for (let j = 0; j < n; j += WIDTH) put<T>(at(out, j), mul<T>(by, take<T>(at(x, j))));
}

/** out <- sum_k weights_k a_k, rows of `stride` numbers, which are whole blocks. */
function sumOfRows(a: usize, stride: i32, weights: usize, count: i32, out: usize): void {
  if (ASC_FEATURE_SIMD) sumOfRowsOf<v128>(a, stride, weights, count, out);
  else sumOfRowsOf<f64>(a, stride, weights, count, out);
}

@inline function sumOfRowsOf<T>(a: usize, stride: i32, weights: usize, count: i32, out: usize): void {
  for (let j = 0; j < stride; j += 2 * WIDTH) {
    let left = both<T>(0.0), right = left;
    for (let k = 0; k < count; k++) {
      const weight = takeOne<T>(at(weights, k)), from = at(a, k * stride + j);
      left = add<T>(left, mul<T>(weight, take<T>(from)));
      right = add<T>(right, mul<T>(weight, take<T>(at(from, WIDTH))));
    }
    put<T>(at(out, j), left);
    put<T>(at(out, j + WIDTH), right);
  }
}

/** Lower triangle of out f64[stride, stride] <- start I + sum_k a_k b_k^T, rows of `stride` numbers, which are whole blocks. */
function sumOfProducts(a: usize, b: usize, count: i32, stride: i32, start: f64, out: usize): void {
  memory.fill(out, 0, (<usize>(stride * stride)) << 3);
  for (let i = 0; i < stride; i++) store<f64>(at(out, i * (stride + 1)), start);
  for (let i = 0; i < stride; i += BLOCK) {
    if (ASC_FEATURE_SIMD) for (let j = 0; j <= i; j += BLOCK) productsOf<v128>(a, b, count, stride, i, j, out);
    else for (let j = 0; j < i + BLOCK; j += 2) productsOf<f64>(a, b, count, stride, i, j, out);
  }
}

/** Rows i to i + 3, and two T of columns from j on. */
@inline function productsOf<T>(a: usize, b: usize, count: i32, stride: i32, i: i32, j: i32, out: usize): void {
  const step = (<usize>stride) << 3;
  let a0 = a + ((<usize>i) << 3), b0 = b + ((<usize>j) << 3);
  const to = at(out, i * stride + j);
  let c00 = take<T>(to), c01 = take<T>(at(to, WIDTH));
  let c10 = take<T>(to + step), c11 = take<T>(at(to + step, WIDTH));
  let c20 = take<T>(to + 2 * step), c21 = take<T>(at(to + 2 * step, WIDTH));
  let c30 = take<T>(to + 3 * step), c31 = take<T>(at(to + 3 * step, WIDTH));
  for (let k = 0; k < count; k++) {
    const left = take<T>(b0), right = take<T>(at(b0, WIDTH));
    let x = takeOne<T>(a0);
    c00 = add<T>(c00, mul<T>(x, left));
    c01 = add<T>(c01, mul<T>(x, right));
    x = takeOne<T>(a0 + 8);
    c10 = add<T>(c10, mul<T>(x, left));
    c11 = add<T>(c11, mul<T>(x, right));
    x = takeOne<T>(a0 + 16);
    c20 = add<T>(c20, mul<T>(x, left));
    c21 = add<T>(c21, mul<T>(x, right));
    x = takeOne<T>(a0 + 24);
    c30 = add<T>(c30, mul<T>(x, left));
    c31 = add<T>(c31, mul<T>(x, right));
    a0 += step;
    b0 += step;
  }
  put<T>(to, c00);
  put<T>(at(to, WIDTH), c01);
  put<T>(to + step, c10);
  put<T>(at(to + step, WIDTH), c11);
  put<T>(to + 2 * step, c20);
  put<T>(at(to + 2 * step, WIDTH), c21);
  put<T>(to + 3 * step, c30);
  put<T>(at(to + 3 * step, WIDTH), c31);
}

/** x <- L^-1 x for f64[n, columns], these in whole blocks; at squares, or nowhere if 0, the columns' sums of squares. */
function solveColumns(l: usize, n: i32, stride: i32, x: usize, columns: i32, squares: usize): void {
  for (let j = 0; j < columns; j += 2 * WIDTH) {
    if (ASC_FEATURE_SIMD) solveBlock<v128>(l, n, stride, x, columns, j, squares);
    else solveBlock<f64>(l, n, stride, x, columns, j, squares);
  }
}

@inline function solveBlock<T>(
  l: usize, n: i32, stride: i32, x: usize, columns: i32, j: i32, squares: usize,
): void {
  let left2 = both<T>(0.0), right2 = left2;
  for (let i = 0; i < n; i++) {
    const row = at(l, i * stride), to = at(x, i * columns + j);
    let left = take<T>(to), right = take<T>(at(to, WIDTH));
    for (let k = 0; k < i; k++) {
      const factor = takeOne<T>(at(row, k)), from = at(x, k * columns + j);
      left = sub<T>(left, mul<T>(factor, take<T>(from)));
      right = sub<T>(right, mul<T>(factor, take<T>(at(from, WIDTH))));
    }
    const pivot = takeOne<T>(at(row, i));
    left = div<T>(left, pivot);
    right = div<T>(right, pivot);
    put<T>(to, left);
    put<T>(at(to, WIDTH), right);
    left2 = add<T>(left2, mul<T>(left, left));
    right2 = add<T>(right2, mul<T>(right, right));
  }
  if (!squares) return;
  put<T>(at(squares, j), left2);
  put<T>(at(squares, j + WIDTH), right2);
}
