/**
 * Symmetric products: only tiles on or above the diagonal are computed, then mirrored, so the
 * result is symmetric to the bit. Narrow matrices go straight from their rows: ./narrow-gram.
 */
import { product, productWorkspace } from "./gemm";
import { upperGram, upperGramWorkspace } from "./gram";
import { NARROW, narrowGram, narrowGramWorkspace } from "./narrow-gram";
import { OVERWRITE } from "./tile";
import { transposeBlock } from "./transpose";

/** Copies the upper triangle of A[n,n] to the lower one, in blocks of 8 x 8. */
export function mirrorUpper(a: usize, n: i32): void {
  const step = (<usize>n) << 3;
  for (let i = 0; i < n; i += 8) {
    const rows = min(8, n - i);
    const diagonal = a + <usize>i * (step + 8);
    mirrorSmall(diagonal, step, rows);
    for (let j = 8; j < n - i; j += 8) {
      const shift = (<usize>j) << 3;
      transposeBlock(diagonal + shift, step, diagonal + <usize>j * step, step, rows, min(8, n - i - j));
    }
  }
}

/** The same for one block on the diagonal. */
function mirrorSmall(a: usize, step: usize, n: i32): void {
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const value = load<f64>(a + <usize>j * step + ((<usize>i) << 3));
      store<f64>(a + <usize>i * step + ((<usize>j) << 3), value);
    }
  }
}

/**
 * C[n,n] = A^T A for row-major A[m,n]; both triangles written.
 * Cost: n(n+1)m flops. Rounding: as `product`.
 */
export function syrk(a: usize, c: usize, m: i32, n: i32, work: usize): void {
  if (ASC_FEATURE_SIMD) {
    if (n <= NARROW) {
      narrowGram(a, c, m, n, work);
      return;
    }
  }
  upperGram(a, n, 1, c, m, n, work);
  mirrorUpper(c, n);
}

export function syrkWorkspace(m: i32, n: i32): f64 {
  const most = upperGramWorkspace(m, n);
  return n <= NARROW ? max(most, narrowGramWorkspace(n)) : most;
}

/**
 * out[n,n] = sum_{j<r} scales[j] u_j u_j^T, u_j column j of row-major vectors[n,r].
 * Cost: n(n+1)r flops.
 */
export function spectralProduct(
  vectors: usize,
  scales: usize,
  out: usize,
  n: i32,
  r: i32,
  work: usize,
): void {
  const step = (<usize>r) << 3;
  for (let i = 0; i < n; i++) {
    multiplyRow(vectors + <usize>i * step, scales, work + <usize>i * step, r);
  }
  const rest = work + <usize>n * step;
  product(work, r, 1, vectors, 1, r, out, n, n, r, n, OVERWRITE, true, rest);
  mirrorUpper(out, n);
}

function multiplyRow(x: usize, y: usize, out: usize, n: i32): void {
  for (const end = x + ((<usize>n) << 3); x < end; x += 8) {
    store<f64>(out, load<f64>(x) * load<f64>(y));
    y += 8;
    out += 8;
  }
}

export function spectralProductWorkspace(n: i32, r: i32): f64 {
  return 8 * (<f64>n * <f64>r) + productWorkspace(n, r, n);
}
