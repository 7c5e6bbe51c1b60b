/**
 * Completing an orthonormal set.
 */
import { product } from "../blas/gemm";
import { mirrorUpper } from "../blas/symmetric";
import { OVERWRITE, SUBTRACT } from "../blas/tile";
import { scale } from "../blas/vector";
import { eigh } from "../eigen/eigh";

/**
 * Rows rank..r-1 of B[r,length] <- orthonormal rows orthogonal to the orthonormal rows 0..rank-1.
 *
 * Fixed pseudo-random directions are projected and made orthonormal by the inverse root of their
 * Gram matrix; the second and third round remove what the first left by rounding.
 * r <= length. inner, part, vectors f64[r,r] each; spare f64[r,length]; work for eigh and products.
 * Returns 0, or 1 if the eigendecomposition did not converge.
 */
export function completeRows(
  b: usize,
  rank: i32,
  r: i32,
  length: i32,
  inner: usize,
  part: usize,
  vectors: usize,
  spare: usize,
  work: usize,
): i32 {
  const n = r - rank;
  const bytes = (<usize>length) << 3;
  const x = b + <usize>rank * bytes;
  fill(x, n * length);
  for (let round = 0; round < 3; round++) {
    product(x, length, 1, b, 1, length, inner, rank, n, length, rank, OVERWRITE, false, work);
    product(inner, rank, 1, b, length, 1, x, length, n, rank, length, SUBTRACT, false, work);
    product(x, length, 1, x, 1, length, part, n, n, length, n, OVERWRITE, true, work);
    mirrorUpper(part, n);
    if (eigh(part, inner, vectors, n, work)) return 1;
    product(vectors, 1, n, x, length, 1, spare, length, n, n, length, OVERWRITE, false, work);
    for (let i = 0; i < n; i++) {
      const square = load<f64>(inner + ((<usize>i) << 3));
      if (!(square > 0)) return 1;
      scale(1 / sqrt(square), spare + <usize>i * bytes, length);
    }
    memory.copy(x, spare, <usize>n * bytes);
  }
  return 0;
}

/** Numbers in [-1, 1) from Knuth's linear congruential generator (MMIX), always the same. */
function fill(x: usize, n: i32): void {
  let state: u64 = 1;
  for (const end = x + ((<usize>n) << 3); x < end; x += 8) {
    state = state * 6364136223846793005 + 1442695040888963407;
    store<f64>(x, <f64>((<i64>state) >> 11) * (1.0 / 4503599627370496.0));
  }
}
