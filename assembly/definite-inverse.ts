/**
 * The inverse of a small symmetric positive definite matrix, and that of its Cholesky factor.
 *
 * Operation by operation what `invertLower(factor(a))` and `lowerGram` of src/linalg/small-matrices.ts do, but for the sign of a zero:
 * every entry is a sum in the order of its index, and neighbours lie side by side. So all builds give the same bits.
 */
import { at } from "./address";
import { div, mul, put, sub, take, takeOne, WIDTH } from "./blas/pairs";

/** Added to the diagonal, relative to its mean, against matrices that are semidefinite. */
const JITTER: f64 = 1e-10;
/** Columns at once. */
const BLOCK: i32 = 4 * WIDTH;

/** Numbers of a row, in whole blocks of either build. */
function strideOf(n: i32): i32 {
  return (n + 7) & ~7;
}

export function definiteInverseWorkspace(n: i32): f64 {
  return 16.0 * <f64>n * <f64>strideOf(n);
}

/**
 * root[n,n] <- L^-1, its upper triangle 0, and inverse[n,n] <- L^-T L^-1, symmetric, for L L^T = A[n,n] + jitter, of which the lower
 * triangle is read. Returns 0, or the 1-based index of the first pivot that is not positive.
 * Cost: n^3 flops.
 */
export function definiteInverse(a: usize, n: i32, root: usize, inverse: usize, work: usize): i32 {
  const stride = strideOf(n), step = (<usize>stride) << 3;
  const upper = work, lower = at(work, n * stride);
  memory.fill(work, 0, (<usize>(2 * n)) * step);
  const failed = factorOf(a, n, upper, stride);
  if (failed != 0) return failed;
  for (let i = 0; i < n; i++) {
    const row = at(lower, i * stride), pivot = at(upper, i * (stride + 1));
    for (let j = 0; j < i; j += BLOCK) {
      takeRows(at(upper, j * stride + i), at(lower, j * (stride + 1)), i - j, step, at(row, j));
      divide(at(row, j), pivot);
    }
    store<f64>(at(row, i), 1.0 / load<f64>(pivot));
    memory.copy(at(root, i * n), row, (<usize>n) << 3);
  }
  for (let i = 0; i < n; i++) {
    // The factor is done with.
    memory.fill(upper, 0, step);
    for (let j = 0; j <= i; j += BLOCK) {
      takeRows(at(lower, i * (stride + 1)), at(lower, i * stride + j), n - i, step, at(upper, j));
    }
    for (let j = 0; j <= i; j++) {
      const sum = 0.0 - load<f64>(at(upper, j));
      store<f64>(at(inverse, i * n + j), sum);
      store<f64>(at(inverse, j * n + i), sum);
    }
  }
  return 0;
}

/** upper <- L^T on and above the diagonal; what lies beneath it is nobody's. */
function factorOf(a: usize, n: i32, upper: usize, stride: i32): i32 {
  const step = (<usize>stride) << 3;
  let trace = 0.0;
  for (let i = 0; i < n; i++) trace += load<f64>(at(a, i * (n + 1)));
  const jitter = (JITTER * trace) / <f64>n;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = load<f64>(at(a, i * n + j)) + (i == j ? jitter : 0.0);
      store<f64>(at(upper, j * stride + i), value);
    }
  }
  for (let j = 0; j < n; j++) {
    const row = at(upper, j * stride), first = j - (j % BLOCK);
    for (let i = first; i < n; i += BLOCK) takeRows(at(upper, j), at(upper, i), j, step, at(row, i));
    const pivot = at(row, j), square = load<f64>(pivot);
    // Written so that NaN is refused too.
    if (!(square > 0.0)) return j + 1;
    const size = Math.sqrt(square);
    store<f64>(pivot, size);
    // The pivot's own block, in which it becomes 1, is the last.
    for (let i = (n - 1) - ((n - 1) % BLOCK); i >= first; i -= BLOCK) divide(at(row, i), pivot);
    store<f64>(pivot, size);
  }
  return 0;
}

/** One block at `to` less the sum of `count` blocks, those at `rows`, times the numbers at `weights`, both `step` bytes apart. */
function takeRows(weights: usize, rows: usize, count: i32, step: usize, to: usize): void {
  if (ASC_FEATURE_SIMD) takeRowsOf<v128>(weights, rows, count, step, to);
  else takeRowsOf<f64>(weights, rows, count, step, to);
}

@inline function takeRowsOf<T>(weights: usize, rows: usize, count: i32, step: usize, to: usize): void {
  let x0 = take<T>(to), x1 = take<T>(at(to, WIDTH));
  let x2 = take<T>(at(to, 2 * WIDTH)), x3 = take<T>(at(to, 3 * WIDTH));
  for (; count > 0; count--) {
    const weight = takeOne<T>(weights);
    x0 = sub<T>(x0, mul<T>(weight, take<T>(rows)));
    x1 = sub<T>(x1, mul<T>(weight, take<T>(at(rows, WIDTH))));
    x2 = sub<T>(x2, mul<T>(weight, take<T>(at(rows, 2 * WIDTH))));
    x3 = sub<T>(x3, mul<T>(weight, take<T>(at(rows, 3 * WIDTH))));
    weights += step;
    rows += step;
  }
  put<T>(to, x0);
  put<T>(at(to, WIDTH), x1);
  put<T>(at(to, 2 * WIDTH), x2);
  put<T>(at(to, 3 * WIDTH), x3);
}

/** A block over the number at `by`, which may be in it. */
function divide(to: usize, by: usize): void {
  if (ASC_FEATURE_SIMD) divideOf<v128>(to, by);
  else divideOf<f64>(to, by);
}

@inline function divideOf<T>(to: usize, by: usize): void {
  const pivot = takeOne<T>(by);
  for (const end = at(to, BLOCK); to < end; to += (<usize>WIDTH) << 3) put<T>(to, div<T>(take<T>(to), pivot));
}
