/**
 * Tridiagonal forms of matrices of the same order side by side (`blas/lanes.ts`), one reflector at a time as
 * `unblocked.ts` has them. Matrices are of k4 rows of k4 entries, k4 = k rounded up to a multiple of four, the padding zero; only
 * entries right of the diagonal are read, and the 4 x 4 blocks on it, which are whole.
 */
import { add, div, dotLanes, entryOf, every, mul, root, sub, whereLess } from "../blas/lanes";

/** Of matrices with entries about 1: a vector of a smaller square is taken for zero. */
const SMALLEST_SQUARE: f64 = 1e-30;

/** A = Q T Q^T: a, d, e, tau as for `tridiagonalise`. @param p [k4] of scratch. Cost: 4 k^3 / 3 flops each. */
export function tridiagonaliseLanes<T>(
  a: usize, k: i32, k4: i32, d: usize, e: usize, tau: usize, p: usize,
): void {
  for (let j = 0; j < k - 1; j++) {
    const row = entryOf<T>(a, j * k4), own = entryOf<T>(row, j);
    store<T>(entryOf<T>(d, j), load<T>(own));
    store<T>(entryOf<T>(e, j), reflectorLanes<T>(own + sizeof<T>(), k - 1 - j, entryOf<T>(tau, j)));
    const group = (j + 1) & ~3;
    zeroLanes<T>(entryOf<T>(row, group), j + 1 - group);
    const rest = entryOf<T>(a, group * k4 + group);
    reflectBothLanes<T>(rest, k4, entryOf<T>(row, group), entryOf<T>(tau, j), p, k4 - group, j + 1 - group);
  }
  store<T>(entryOf<T>(d, k - 1), load<T>(entryOf<T>(a, (k - 1) * (k4 + 1))));
  store<T>(entryOf<T>(e, k - 1), every<T>(0.0));
}

/** A few zeros, for which a call of the host, which fills memory, would take longer. */
@inline function zeroLanes<T>(at: usize, n: i32): void {
  for (const end = entryOf<T>(at, n); at < end; at += sizeof<T>()) store<T>(at, every<T>(0.0));
}

/** As `reflector`. */
export function reflectorLanes<T>(x: usize, n: i32, tau: usize): T {
  const alpha = load<T>(x), tail = dotLanes<T>(x + sizeof<T>(), x + sizeof<T>(), n - 1);
  const zero = every<T>(0.0), least = every<T>(SMALLEST_SQUARE);
  const norm = root<T>(add<T>(mul<T>(alpha, alpha), tail));
  const beta = whereLess<T>(zero, alpha, sub<T>(zero, norm), norm);
  const rest = sub<T>(alpha, beta);
  const factor = whereLess<T>(tail, least, zero, div<T>(every<T>(1.0), rest));
  store<T>(x, every<T>(1.0));
  for (let i = 1; i < n; i++) {
    const at = entryOf<T>(x, i);
    store<T>(at, mul<T>(factor, load<T>(at)));
  }
  store<T>(tau, whereLess<T>(tail, least, zero, div<T>(sub<T>(zero, rest), beta)));
  return whereLess<T>(tail, least, alpha, beta);
}

/** As `reflectBoth`, of rows k4 entries apart, tau[1] in memory. */
export function reflectBothLanes<T>(
  a: usize, k4: i32, v: usize, tau: usize, p: usize, n: i32, done: i32,
): void {
  const t = load<T>(tau);
  zeroLanes<T>(p, n);
  for (let i = 0; i < n; i += 4) {
    bandTimes<T>(entryOf<T>(a, i * (k4 + 1)), k4, entryOf<T>(v, i), entryOf<T>(p, i), n - i);
  }
  const half = mul<T>(every<T>(-0.5), mul<T>(t, t));
  const beta = mul<T>(half, dotLanes<T>(p, v, n));
  for (let i = 0; i < n; i++) {
    const at = entryOf<T>(p, i);
    store<T>(at, add<T>(mul<T>(t, load<T>(at)), mul<T>(beta, load<T>(entryOf<T>(v, i)))));
  }
  zeroLanes<T>(p, done);
  for (let i = 0; i < n; i += 4) {
    correctBand<T>(entryOf<T>(a, i * (k4 + 1)), k4, entryOf<T>(v, i), entryOf<T>(p, i), n - i);
  }
}

/** y[n] += A x of four rows, whose first four columns are a whole block, and what lies right of it mirrored. */
function bandTimes<T>(a: usize, k4: i32, x: usize, y: usize, n: i32): void {
  const step = <usize>k4 * sizeof<T>(), first = y, end = entryOf<T>(x, n), block = entryOf<T>(x, 4);
  const x0 = load<T>(x), x1 = load<T>(x, sizeof<T>());
  const x2 = load<T>(x, 2 * sizeof<T>()), x3 = load<T>(x, 3 * sizeof<T>());
  let b = a + step, c = b + step, d = c + step;
  let s0 = every<T>(0.0), s1 = s0, s2 = s0, s3 = s0;
  for (; x < block; x += sizeof<T>()) {
    const v = load<T>(x);
    s0 = add<T>(s0, mul<T>(v, load<T>(a)));
    s1 = add<T>(s1, mul<T>(v, load<T>(b)));
    s2 = add<T>(s2, mul<T>(v, load<T>(c)));
    s3 = add<T>(s3, mul<T>(v, load<T>(d)));
    a += sizeof<T>();
    b += sizeof<T>();
    c += sizeof<T>();
    d += sizeof<T>();
  }
  y = entryOf<T>(y, 4);
  for (; x < end; x += sizeof<T>()) {
    const v = load<T>(x);
    let w = load<T>(y), m = load<T>(a);
    s0 = add<T>(s0, mul<T>(v, m));
    w = add<T>(w, mul<T>(x0, m));
    m = load<T>(b);
    s1 = add<T>(s1, mul<T>(v, m));
    w = add<T>(w, mul<T>(x1, m));
    m = load<T>(c);
    s2 = add<T>(s2, mul<T>(v, m));
    w = add<T>(w, mul<T>(x2, m));
    m = load<T>(d);
    s3 = add<T>(s3, mul<T>(v, m));
    w = add<T>(w, mul<T>(x3, m));
    store<T>(y, w);
    a += sizeof<T>();
    b += sizeof<T>();
    c += sizeof<T>();
    d += sizeof<T>();
    y += sizeof<T>();
  }
  store<T>(first, add<T>(load<T>(first), s0));
  store<T>(first, add<T>(load<T>(first, sizeof<T>()), s1), sizeof<T>());
  store<T>(first, add<T>(load<T>(first, 2 * sizeof<T>()), s2), 2 * sizeof<T>());
  store<T>(first, add<T>(load<T>(first, 3 * sizeof<T>()), s3), 3 * sizeof<T>());
}

/** Four rows of A -= v w^T + w v^T, n columns, n a multiple of four. */
function correctBand<T>(a: usize, k4: i32, v: usize, w: usize, n: i32): void {
  const step = <usize>k4 * sizeof<T>();
  const v0 = load<T>(v), v1 = load<T>(v, sizeof<T>());
  const v2 = load<T>(v, 2 * sizeof<T>()), v3 = load<T>(v, 3 * sizeof<T>());
  const w0 = load<T>(w), w1 = load<T>(w, sizeof<T>());
  const w2 = load<T>(w, 2 * sizeof<T>()), w3 = load<T>(w, 3 * sizeof<T>());
  let b = a + step, c = b + step, d = c + step;
  for (const end = entryOf<T>(v, n); v < end; v += sizeof<T>()) {
    const x = load<T>(v), y = load<T>(w);
    corrected<T>(a, v0, y, w0, x);
    corrected<T>(b, v1, y, w1, x);
    corrected<T>(c, v2, y, w2, x);
    corrected<T>(d, v3, y, w3, x);
    a += sizeof<T>();
    b += sizeof<T>();
    c += sizeof<T>();
    d += sizeof<T>();
    w += sizeof<T>();
  }
}

@inline function corrected<T>(at: usize, v: T, y: T, w: T, x: T): void {
  store<T>(at, sub<T>(sub<T>(load<T>(at), mul<T>(v, y)), mul<T>(w, x)));
}
