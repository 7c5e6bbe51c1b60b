/**
 * The product of a matrix with its own transpose, packed once for both operands.
 *
 * A block of KC rows is copied into slivers of four columns as `tile` wants its right-hand side. Of the
 * left-hand side, which wants every entry twice, one sliver at a time is made from them, in a place
 * that stays in the first-level cache: a packed left-hand side would cost a second pass over A and
 * two thirds of the memory.
 */
import { EDGE_BYTES, KC, NC, NO_TRIANGLE, roundUp4, tiles } from "./gemm";
import { packOnce, packTwice } from "./pack";
import { ADD, OVERWRITE } from "./tile";

/** Bytes of workspace of `gram`. */
export function upperGramWorkspace(m: i32, n: i32): f64 {
  return <f64>EDGE_BYTES + <f64>min(m, KC) * <f64>(64 + 8 * roundUp4(n));
}

/**
 * C[n,n] = A^T A for A[m,n] with any strides; only entries on or above the diagonal are sure to be
 * written.
 *
 * a     entry (k, i) at a + 8 (k row + i col)
 * work  `upperGramWorkspace` bytes
 * Cost: n(n+1)m flops plus the copies. Rounding: as `product` to the bit.
 */
export function upperGram(a: usize, row: i32, col: i32, c: usize, m: i32, n: i32, work: usize): void {
  const rowStep = (<usize>row) << 3;
  const colStep = (<usize>col) << 3;
  const cStep = (<usize>n) << 3;
  if (m == 0) memory.fill(c, 0, <usize>n * cStep);
  const twice = work + EDGE_BYTES;
  const packed = twice + ((<usize>min(m, KC)) << 6);
  for (let k = 0; k < m; k += KC) {
    const depth = min(KC, m - k);
    const mode = k == 0 ? OVERWRITE : ADD;
    packOnce(a + <usize>k * rowStep, rowStep, colStep, n, depth, packed);
    const columnBytes = (<usize>depth) << 3;
    for (let j = 0; j < n; j += NC) {
      const cols = min(NC, n - j);
      for (let i = 0; i < j + cols; i += 4) {
        packTwice(packed + <usize>i * columnBytes, 8, 32, 4, depth, twice);
        const right = packed + <usize>j * columnBytes;
        const to = c + <usize>i * cStep + ((<usize>j) << 3);
        const rows = min(4, n - i);
        const shift = i > j ? i - j : NO_TRIANGLE;
        tiles(twice, right, to, cStep, rows, cols, depth, mode, shift, work);
      }
    }
  }
}
