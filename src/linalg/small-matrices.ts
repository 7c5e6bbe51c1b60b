/**
 * Small dense matrices, [n, n] row-major, in plain TypeScript: for orders at which a call into the kernels
 * costs more than the work. Sizes are the caller's to check.
 * @module
 */

/** Every number of A times a factor. */
export function times(a: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(a.length);
  for (let at = 0; at < a.length; at++) out[at] = a[at]! * factor;
  return out;
}

/** Every number of A over a divisor. */
export function over(a: Float64Array, divisor: number): Float64Array {
  const out = new Float64Array(a.length);
  for (let at = 0; at < a.length; at++) out[at] = a[at]! / divisor;
  return out;
}

/** Adds B to A, in its place. */
export function add(a: Float64Array, b: Float64Array): void {
  for (let at = 0; at < a.length; at++) a[at]! += b[at]!;
}

/**
 * A B for A[rows, inner] and B[inner, cols]. Sums run over rows of B in their order, without those where A is zero; four at a time, since
 * each waits for its terms.
 * @param out where it goes, [rows, cols]: none of the factors.
 */
export function multiply(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  cols: number,
  out: Float64Array = new Float64Array(rows * cols),
): Float64Array {
  const whole = cols & ~3;
  for (let i = 0, row = 0, to = 0; i < rows; i++, row += inner, to += cols) {
    for (let j = 0; j < whole; j += 4) {
      let w = 0;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let k = 0, at = j; k < inner; k++, at += cols) {
        const factor = a[row + k]!;
        if (factor === 0) continue;
        w += factor * b[at]!;
        x += factor * b[at + 1]!;
        y += factor * b[at + 2]!;
        z += factor * b[at + 3]!;
      }
      out[to + j] = w;
      out[to + j + 1] = x;
      out[to + j + 2] = y;
      out[to + j + 3] = z;
    }
    for (let j = whole; j < cols; j++) {
      let sum = 0;
      for (let k = 0, at = j; k < inner; k++, at += cols) {
        const factor = a[row + k]!;
        if (factor !== 0) sum += factor * b[at]!;
      }
      out[to + j] = sum;
    }
  }
  return out;
}

/** The transpose of A[rows, cols]. @param out where it goes, [cols, rows]: another place. */
export function transpose(
  a: ArrayLike<number>,
  rows: number,
  cols: number,
  out: Float64Array = new Float64Array(a.length),
): Float64Array {
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) out[j * rows + i] = a[i * cols + j]!;
  return out;
}

/** A x for A[rows, cols], as `multiply`. @param out where it goes, [rows]: not x. */
export function apply(
  a: Float64Array,
  x: Float64Array,
  rows: number,
  cols: number,
  out: Float64Array = new Float64Array(rows),
): Float64Array {
  for (let i = 0, at = 0; i < rows; i++) {
    let sum = 0;
    for (let k = 0; k < cols; k++, at++) {
      const factor = a[at]!;
      if (factor !== 0) sum += factor * x[k]!;
    }
    out[i] = sum;
  }
  return out;
}

/** x^T A x for A[d, d]. @param moved where A x goes, [d]. */
export function quadratic(
  a: Float64Array,
  x: Float64Array,
  moved: Float64Array = new Float64Array(x.length),
): number {
  const d = x.length;
  apply(a, x, d, d, moved);
  let sum = 0;
  for (let i = 0; i < d; i++) sum += moved[i]! * x[i]!;
  return sum;
}

/** Copies what is below the diagonal above it, in place. */
export function mirrorLower(a: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[j * n + i] = a[i * n + j]!;
  return a;
}

/** (A + A^T) / 2, in place. */
export function symmetric(a: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const mean = (a[i * n + j]! + a[j * n + i]!) / 2;
      a[i * n + j] = mean;
      a[j * n + i] = mean;
    }
  }
  return a;
}

/** D A D for the diagonal matrix D of `factors`, [n]. @param out where it goes, [n, n]: A, too. */
export function scaledOnSides(
  a: Float64Array,
  factors: Float64Array,
  out: Float64Array = new Float64Array(a.length),
): Float64Array {
  const n = factors.length;
  for (let i = 0, at = 0; i < n; i++) {
    const own = factors[i]!;
    for (let j = 0; j < n; j++, at++) out[at] = own * a[at]! * factors[j]!;
  }
  return out;
}

/** A D for A[rows, n] and the diagonal matrix D of `factors`, [n]. */
export function scaledColumns(a: Float64Array, factors: ArrayLike<number>): Float64Array {
  const out = new Float64Array(a.length);
  const n = factors.length;
  for (let at = 0; at < a.length;) {
    for (let j = 0; j < n; j++, at++) out[at] = a[at]! * factors[j]!;
  }
  return out;
}

/** The trace. */
export function trace(a: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i * n + i]!;
  return sum;
}

/** I. */
export function identity(n: number): Float64Array {
  return diagonal(new Float64Array(n).fill(1));
}

/** A diagonal matrix. */
export function diagonal(values: ArrayLike<number>): Float64Array {
  const n = values.length;
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) out[i * n + i] = values[i]!;
  return out;
}

/** Jitter against semidefinite matrices, relative to the mean of the diagonal. */
const JITTER = 1e-10;

/**
 * L, lower triangular, with L L^T = A + jitter, for a symmetric positive semidefinite A.
 * @param l where it goes, [n, n]; its upper triangle stays.
 * @throws RangeError if A is not.
 */
export function factor(
  a: Float64Array,
  n: number,
  l: Float64Array = new Float64Array(n * n),
): Float64Array {
  const jitter = (JITTER * trace(a, n)) / n;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j]! + (i === j ? jitter : 0);
      for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!;
      if (i > j) l[i * n + j] = sum / l[j * n + j]!;
      else if (sum > 0) l[i * n + i] = Math.sqrt(sum);
      else throw new RangeError("factor: expected a positive definite matrix");
    }
  }
  return l;
}

/** The inverse of a lower triangular L. @param out where it goes, [n, n]; its upper triangle stays. */
export function invertLower(
  l: Float64Array,
  n: number,
  out: Float64Array = new Float64Array(n * n),
): Float64Array {
  for (let j = 0; j < n; j++) {
    out[j * n + j] = 1 / l[j * n + j]!;
    for (let i = j + 1; i < n; i++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum -= l[i * n + k]! * out[k * n + j]!;
      out[i * n + j] = sum / l[i * n + i]!;
    }
  }
  return out;
}

/**
 * L^T L for a lower triangular L, symmetric to the bit: a third of the products that `multiply` would take.
 * @param out where it goes, [n, n]: not L.
 */
export function lowerGram(
  l: Float64Array,
  n: number,
  out: Float64Array = new Float64Array(n * n),
): Float64Array {
  out.fill(0);
  for (let i = 0; i < n; i++) {
    for (let k = i; k < n; k++) {
      const factor = l[k * n + i]!;
      for (let j = 0; j <= i; j++) out[i * n + j]! += factor * l[k * n + j]!;
    }
  }
  return mirrorLower(out, n);
}

/** The inverse of a symmetric positive definite A, symmetric to the bit. */
export function invertDefinite(a: Float64Array, n: number): Float64Array {
  return lowerGram(invertLower(factor(a, n), n), n);
}
