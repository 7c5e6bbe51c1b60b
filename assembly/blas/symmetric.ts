/**
 * Symmetric products: only tiles on or above the diagonal are computed, then mirrored, so the
 * result is symmetric to the bit.
 */
import { product, productWorkspace } from "./gemm";
import { OVERWRITE } from "./tile";

/** Copies the upper triangle of A[n,n] to the lower one. */
export function mirrorUpper(a: usize, n: i32): void {
  const step = (<usize>n) << 3;
  // Blocks of 16 columns keep the strided side within the first-level cache.
  for (let block = 0; block < n; block += 16) {
    const end = min(block + 16, n);
    for (let i = block + 1; i < n; i++) mirrorRow(a, step, i, block, min(end, i));
  }
}

function mirrorRow(a: usize, step: usize, i: i32, from: i32, to: i32): void {
  let source = a + <usize>from * step + ((<usize>i) << 3);
  const row = a + <usize>i * step;
  const end = row + ((<usize>to) << 3);
  for (let at = row + ((<usize>from) << 3); at < end; at += 8) {
    store<f64>(at, load<f64>(source));
    source += step;
  }
}

/**
 * C[n,n] = A^T A for row-major A[m,n]; both triangles written.
 * Cost: n(n+1)m flops. Rounding: as `product`.
 */
export function syrk(a: usize, c: usize, m: i32, n: i32, work: usize): void {
  product(a, 1, n, a, n, 1, c, n, n, m, n, OVERWRITE, true, work);
  mirrorUpper(c, n);
}

export function syrkWorkspace(m: i32, n: i32): f64 {
  return productWorkspace(n, m, n);
}

/**
 * out[n,n] = sum_{j<r} scales[j] u_j u_j^T, u_j column j of row-major vectors[n,n].
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
  const step = (<usize>n) << 3;
  const scaledStep = (<usize>r) << 3;
  for (let i = 0; i < n; i++) {
    multiplyRow(vectors + <usize>i * step, scales, work + <usize>i * scaledStep, r);
  }
  const rest = work + <usize>n * scaledStep;
  product(work, r, 1, vectors, 1, n, out, n, n, r, n, OVERWRITE, true, rest);
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
