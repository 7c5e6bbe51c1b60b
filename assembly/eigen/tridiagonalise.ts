/**
 * Householder reduction of a symmetric matrix to tridiagonal form.
 */
import { addScaled, addTwoScaled, dot } from "../blas/vector";
import { reflector } from "./householder";

/**
 * A = Q T Q^T, Q = H_0 H_1 .. H_{n-2}.
 *
 * a    f64[n,n], the upper triangle is read; row j right of the diagonal is replaced by the
 *      vector of H_j, its leading 1 written out
 * d    f64[n], diagonal of T; e f64[n], off-diagonal of T, e[n-1] unset
 * tau  f64[n], tau_j
 * work f64[n]
 * Cost: 4 n^3 / 3 flops. Golub and Van Loan (2013), Algorithm 8.3.1.
 */
export function tridiagonalise(
  a: usize,
  n: i32,
  d: usize,
  e: usize,
  tau: usize,
  work: usize,
): void {
  const step = (<usize>n) << 3;
  for (let j = 0; j < n - 1; j++) {
    const at = (<usize>j) << 3;
    const row = a + <usize>j * step + at;
    store<f64>(d + at, load<f64>(row));
    const v = row + 8;
    const size = n - 1 - j;
    store<f64>(e + at, reflector(v, size, tau + at));
    const t = load<f64>(tau + at);
    if (t == 0) continue;
    const rest = row + step + 8;
    symmetricTimes(rest, step, v, work, size);
    // w = tau p - (tau^2 p.v / 2) v, then A -= v w^T + w v^T.
    const half = -0.5 * t * t * dot(work, v, size);
    combine(t, work, half, v, size);
    rankTwo(rest, step, v, work, size);
  }
  store<f64>(d + ((<usize>(n - 1)) << 3), load<f64>(a + <usize>(n - 1) * (step + 8)));
}

/** x <- alpha x + beta y. */
function combine(alpha: f64, x: usize, beta: f64, y: usize, n: i32): void {
  for (const end = x + ((<usize>n) << 3); x < end; x += 8) {
    store<f64>(x, alpha * load<f64>(x) + beta * load<f64>(y));
    y += 8;
  }
}

/** out = A x for symmetric A given by its upper triangle, rows `step` bytes apart. */
function symmetricTimes(a: usize, step: usize, x: usize, out: usize, n: i32): void {
  memory.fill(out, 0, (<usize>n) << 3);
  for (let i = 0; i < n; i++) {
    const at = (<usize>i) << 3;
    const sum = load<f64>(out + at) + dot(a, x + at, n - i);
    store<f64>(out + at, sum);
    addScaled(load<f64>(x + at), a + 8, out + at + 8, n - i - 1);
    a += step + 8;
  }
}

/** Upper triangle of A -= v w^T + w v^T. */
function rankTwo(a: usize, step: usize, v: usize, w: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    addTwoScaled(-load<f64>(w), v, -load<f64>(v), w, a, n - i);
    a += step + 8;
    v += 8;
    w += 8;
  }
}

/** Z[n,n] <- Q^T from the vectors left by `tridiagonalise`. Cost: 4 n^3 / 3 flops. */
export function formTransposedQ(a: usize, tau: usize, n: i32, z: usize): void {
  const step = (<usize>n) << 3;
  memory.fill(z, 0, <usize>n * step);
  for (let j = n - 1; j >= 0; j--) {
    const diagonal = z + <usize>j * (step + 8);
    store<f64>(diagonal, 1);
    if (j == n - 1) continue;
    const t = load<f64>(tau + ((<usize>j) << 3));
    const v = a + <usize>j * (step + 8) + 8;
    if (t != 0) reflectRows(diagonal + step + 8, step, v, t, n - 1 - j);
  }
}

/** Every row r of Z[n,n] <- r - t (r.v) v. */
function reflectRows(z: usize, step: usize, v: usize, t: f64, n: i32): void {
  for (let i = 0; i < n; i++) {
    addScaled(-t * dot(z, v, n), v, z, n);
    z += step;
  }
}
