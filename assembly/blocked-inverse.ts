/**
 * The inverse of a symmetric positive definite matrix from its Cholesky factor, by blocks of 4 x 4 inner products of rows.
 */
import { at } from "./address";
import { blockProducts, eliminateBlock, sums } from "./cholesky";

/**
 * out f64[n, n] <- factor A^-1, both triangles, A = L L^T.
 *
 * l    f64[ld, ld], ld a multiple of 4 from n on: beyond n the identity
 * rows f64[ld, ld] scratch
 * Cost: 2 n^3 / 3 flops.
 */
export function scaledInverse(l: usize, factor: f64, out: usize, n: i32, ld: i32, rows: usize): void {
  const step = (<usize>ld) << 3;
  memory.fill(rows, 0, <usize>ld * step);
  // Row j of X, X L^T = I, is column j of L^-1, which is zero before its entry j; and A^-1 = X X^T.
  for (let i = 0; i < ld; i += 4) {
    const corner = at(rows, i * (ld + 1));
    for (let r = 0; r < 4; r++) store<f64>(at(corner, r * (ld + 1)), 1);
    for (let j = i; j < ld; j += 4) eliminateBlock(corner, at(l, j * ld + i), step, j - i, 4);
  }
  for (let i = 0; i < ld; i += 4) {
    const corner = at(rows, i * (ld + 1));
    for (let j = 0; j <= i; j += 4) {
      blockProducts(corner, at(rows, j * ld + i), step, ld - i, 4);
      const side = min(4, n - i);
      for (let r = 0; r < side; r++) {
        for (let c = 0; c < (j < i ? 4 : r + 1); c++) {
          const value = factor * load<f64>(at(sums, 4 * r + c));
          store<f64>(at(out, (i + r) * n + j + c), value);
          store<f64>(at(out, (j + c) * n + i + r), value);
        }
      }
    }
  }
}
