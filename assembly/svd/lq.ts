/**
 * Householder reduction of a wide matrix to a lower triangle, in panels.
 */
import { product, productWorkspace } from "../blas/gemm";
import { rowsTimes } from "../blas/rows";
import { OVERWRITE, SUBTRACT } from "../blas/tile";
import { addScaled } from "../blas/vector";
import { formT } from "../eigen/back-transform";
import { reflector } from "../eigen/householder";

/** Reflectors of one panel. */
const PANEL: i32 = 32;

/** Entries from row to row: four zeros at least behind each, so that whole groups can be read. */
export function lqStride(n: i32): i32 {
  return (n + 7) & ~3;
}

/**
 * A = L Q with L lower triangular and Q^T = H_0 .. H_{r-1}.
 *
 * a     f64[r,n], r <= n, rows lqStride(n) entries apart, zero behind column n - 1; row j from
 *       column j on is replaced by the vector of H_j, left of that by L
 * l     rows `ld` entries apart <- L; what lies above its diagonal is left as it is
 * tau   f64[r]
 * work  `lqWorkspace(r, n)` bytes
 * Cost: 2 r^2 n - 2 r^3 / 3 flops. Golub and Van Loan (2013), Section 5.2.3.
 */
export function lq(a: usize, r: i32, n: i32, l: usize, ld: i32, tau: usize, work: usize): void {
  const stride = lqStride(n);
  const step = (<usize>stride) << 3;
  for (let first = 0; first < r; first += PANEL) {
    const end = min(first + PANEL, r);
    for (let j = first; j < end; j++) {
      const at = (<usize>j) << 3;
      const row = a + <usize>j * step;
      const to = l + <usize>j * ((<usize>ld) << 3);
      memory.copy(to, row, at);
      store<f64>(to + at, reflector(row + at, n - j, tau + at));
      const below = row + step + at;
      reflectRows(below, step, end - 1 - j, row + at, n - j, load<f64>(tau + at), work);
    }
    if (end < r) reflectBelow(a, stride, r, n, first, tau, work);
  }
}

export function lqWorkspace(r: i32, n: i32): f64 {
  const p = <f64>PANEL;
  return 8 * p * (<f64>n + 2 * p + 2 * <f64>r) + productWorkspace(r, n, max(n, PANEL));
}

/** Rows <- rows - tau (rows . v) v, `count` of them up to PANEL, n entries of each. */
function reflectRows(
  rows: usize,
  step: usize,
  count: i32,
  v: usize,
  n: i32,
  tau: f64,
  products: usize,
): void {
  if (count == 0 || tau == 0) return;
  rowsTimes(rows, step, count, v, (n + 3) & ~3, -tau, products);
  for (let i = 0; i < count; i++) {
    addScaled(load<f64>(products + ((<usize>i) << 3)), v, rows + <usize>i * step, n);
  }
}

/** The rows behind a whole panel times H_first .. H_{first+PANEL-1} = I - V^T T V. */
function reflectBelow(
  a: usize,
  stride: i32,
  r: i32,
  n: i32,
  first: i32,
  tau: usize,
  work: usize,
): void {
  const step = (<usize>stride) << 3;
  const length = n - first;
  const bytes = (<usize>length) << 3;
  const count = r - first - PANEL;
  const v = work; // f64[PANEL,length]
  const gram = v + <usize>PANEL * bytes;
  const t = gram + ((<usize>PANEL * PANEL) << 3);
  const av = t + ((<usize>PANEL * PANEL) << 3); // f64[count,PANEL], as the next
  const avt = av + ((<usize>count * PANEL) << 3);
  const rest = avt + ((<usize>count * PANEL) << 3);
  const corner = a + <usize>first * (step + 8);
  const below = corner + <usize>PANEL * step;
  for (let i = 0; i < PANEL; i++) {
    const before = (<usize>i) << 3;
    memory.fill(v + <usize>i * bytes, 0, before);
    memory.copy(v + <usize>i * bytes + before, corner + <usize>i * step + before, bytes - before);
  }
  product(v, length, 1, v, 1, length, gram, PANEL, PANEL, length, PANEL, OVERWRITE, true, rest);
  formT(gram, tau + ((<usize>first) << 3), PANEL, t);
  product(below, stride, 1, v, 1, length, av, PANEL, count, length, PANEL, OVERWRITE, false, rest);
  product(av, PANEL, 1, t, PANEL, 1, avt, PANEL, count, PANEL, PANEL, OVERWRITE, false, rest);
  product(avt, PANEL, 1, v, length, 1, below, stride, count, PANEL, length, SUBTRACT, false, rest);
}
