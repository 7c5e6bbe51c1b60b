/**
 * Applying products of elementary reflectors.
 */
import { product, productWorkspace } from "../blas/gemm";
import { OVERWRITE, SUBTRACT } from "../blas/tile";

/** Reflectors applied at a time. */
const BLOCK: i32 = 32;

/**
 * S[n,cols] <- Q S, blocks of reflectors in compact WY form I - V^T T V.
 *
 * v    vectors as rows, `ld` entries apart (see tridiagonalise); what lies left of them is zeroed
 * s    f64[n,cols] row-major, cols <= n
 * work `backTransformWorkspace(n)` bytes
 * Cost: 2 n^2 cols flops. Schreiber and Van Loan (1989).
 */
export function backTransform(
  v: usize,
  ld: i32,
  tau: usize,
  n: i32,
  s: usize,
  cols: i32,
  work: usize,
): void {
  applyReflectors(v, ld, tau, n - 1, 1, s, n, cols, n, work);
}

export function backTransformWorkspace(n: i32): f64 {
  return applyReflectorsWorkspace(n, n);
}

/**
 * S[n,cols] <- H_0 H_1 .. H_{reflectors-1} S.
 *
 * v     vector of H_j in row j from column j + shift on, up to column n - 1; rows `ld` entries
 *       apart; what lies left of the vectors is zeroed back to its block's first column
 * tau   f64[reflectors]
 * filled rows of S from here on are zero
 * work  `applyReflectorsWorkspace(n, cols)` bytes
 */
export function applyReflectors(
  v: usize,
  ld: i32,
  tau: usize,
  reflectors: i32,
  shift: i32,
  s: usize,
  n: i32,
  cols: i32,
  filled: i32,
  work: usize,
): void {
  const step = (<usize>ld) << 3;
  const gram = work;
  const t = gram + ((<usize>BLOCK * <usize>BLOCK) << 3);
  const vs = t + ((<usize>BLOCK * <usize>BLOCK) << 3);
  const tvs = vs + ((<usize>BLOCK * <usize>cols) << 3);
  const rest = tvs + ((<usize>BLOCK * <usize>cols) << 3);
  for (let first = ((reflectors - 1) / BLOCK) * BLOCK; first >= 0; first -= BLOCK) {
    const count = min(BLOCK, reflectors - first);
    const length = n - first;
    const depth = min(length, filled - first);
    filled = n;
    const block = v + <usize>first * (step + 8);
    for (let l = 0; l < count; l++) {
      memory.fill(block + <usize>l * step, 0, (<usize>(l + shift)) << 3);
    }
    product(block, ld, 1, block, 1, ld, gram, count, count, length, count, OVERWRITE, true, rest);
    formT(gram, tau + ((<usize>first) << 3), count, t);
    const rows = s + ((<usize>first * <usize>cols) << 3);
    product(block, ld, 1, rows, cols, 1, vs, cols, count, depth, cols, OVERWRITE, false, rest);
    product(t, count, 1, vs, cols, 1, tvs, cols, count, count, cols, OVERWRITE, false, rest);
    product(block, 1, ld, tvs, cols, 1, rows, cols, length, count, cols, SUBTRACT, false, rest);
  }
}

export function applyReflectorsWorkspace(n: i32, cols: i32): f64 {
  return 16 * <f64>BLOCK * <f64>(BLOCK + cols) + productWorkspace(n, max(n, BLOCK), max(cols, BLOCK));
}

/**
 * T (upper triangular, the rest zero) of H_0 .. H_{count-1} = I - V^T T V from the upper triangle
 * of the Gram matrix V V^T: column i is -tau_i T (V v_i), its diagonal entry tau_i.
 */
export function formT(gram: usize, tau: usize, count: i32, t: usize): void {
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
