/**
 * Applying Q = H_0 H_1 .. H_{n-2}, the reflectors left by `tridiagonalise`.
 */
import { product, productWorkspace } from "../blas/gemm";
import { OVERWRITE, SUBTRACT } from "../blas/tile";

/** Reflectors applied at a time. */
const BLOCK: i32 = 32;

/**
 * S[n,n] <- Q S, blocks of reflectors in compact WY form I - V^T T V.
 *
 * v    vectors as rows, `ld` entries apart (see tridiagonalise); what lies left of them is zeroed
 * s    f64[n,n] row-major
 * work `backTransformWorkspace(n)` bytes
 * Cost: 2 n^3 flops. Schreiber and Van Loan (1989).
 */
export function backTransform(v: usize, ld: i32, tau: usize, n: i32, s: usize, work: usize): void {
  const step = (<usize>ld) << 3;
  const gram = work;
  const t = gram + ((<usize>BLOCK * BLOCK) << 3);
  const vs = t + ((<usize>BLOCK * BLOCK) << 3);
  const tvs = vs + ((<usize>BLOCK * <usize>n) << 3);
  const rest = tvs + ((<usize>BLOCK * <usize>n) << 3);
  for (let first = ((n - 2) / BLOCK) * BLOCK; first >= 0; first -= BLOCK) {
    const count = min(BLOCK, n - 1 - first);
    const length = n - first;
    const block = v + <usize>first * (step + 8);
    for (let l = 0; l < count; l++) memory.fill(block + <usize>l * step, 0, (<usize>(l + 1)) << 3);
    product(block, ld, 1, block, 1, ld, gram, count, count, length, count, OVERWRITE, true, rest);
    formT(gram, tau + ((<usize>first) << 3), count, t);
    const rows = s + ((<usize>first * <usize>n) << 3);
    product(block, ld, 1, rows, n, 1, vs, n, count, length, n, OVERWRITE, false, rest);
    product(t, count, 1, vs, n, 1, tvs, n, count, count, n, OVERWRITE, false, rest);
    product(block, 1, ld, tvs, n, 1, rows, n, length, count, n, SUBTRACT, false, rest);
  }
}

export function backTransformWorkspace(n: i32): f64 {
  return 16 * <f64>BLOCK * <f64>(BLOCK + n) + productWorkspace(n, max(n, BLOCK), n);
}

/**
 * T (upper triangular, the rest zero) of H_0 .. H_{count-1} = I - V^T T V from the upper triangle
 * of the Gram matrix V V^T: column i is -tau_i T (V v_i), its diagonal entry tau_i.
 */
function formT(gram: usize, tau: usize, count: i32, t: usize): void {
  const step = (<usize>count) << 3;
  memory.fill(t, 0, <usize>count * step);
  for (let i = 0; i < count; i++) {
    const at = (<usize>i) << 3;
    const scale = load<f64>(tau + at);
    for (let r = 0; r < i; r++) {
      const row = t + <usize>r * step;
      store<f64>(row + at, -scale * rowTimesColumn(row, gram + at, step, r, i));
    }
    store<f64>(t + <usize>i * step + at, scale);
  }
}

/** sum over from <= k < to of row[k] column[k], the column's entries `step` bytes apart. */
function rowTimesColumn(row: usize, column: usize, step: usize, from: i32, to: i32): f64 {
  let sum: f64 = 0;
  column += <usize>from * step;
  const end = row + ((<usize>to) << 3);
  for (let at = row + ((<usize>from) << 3); at < end; at += 8) {
    sum += load<f64>(at) * load<f64>(column);
    column += step;
  }
  return sum;
}
