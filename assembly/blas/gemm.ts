/**
 * The loops of the matrix product around `tile`: blocks, edges, triangles.
 */
import { ADD, OVERWRITE, put, tile } from "./tile";
import { packOnce, packTwice } from "./pack";

/** Depth of a block: 16 KB of A and 8 KB of B for one tile. */
export const KC: i32 = 256;
/** Rows of A packed at a time. */
const MC: i32 = 512;
/** Columns of B packed at a time: 256 KB. */
export const NC: i32 = 128;

/** Bytes for the one tile that does not fit into C. */
export const EDGE_BYTES: usize = 128;

/** Marks "all tiles" in `tiles`. */
export const NO_TRIANGLE: i32 = i32.MAX_VALUE;

export function roundUp4(n: i32): i32 {
  return (n + 3) & ~3;
}

/** Bytes of workspace of `product`. */
export function productWorkspace(m: i32, k: i32, n: i32): f64 {
  const depth = <f64>min(k, KC);
  return <f64>EDGE_BYTES + depth * <f64>(16 * min(roundUp4(m), MC) + 8 * min(roundUp4(n), NC));
}

/**
 * C[m,n] = / += / -= A[m,k] B[k,n] with any strides of A and B.
 *
 * a, b  entry (i, l) of A at a + 8 (i aRow + l aCol), of B at b + 8 (i bRow + l bCol)
 * c     row-major, rows ldc entries apart; must not overlap a or b
 * mode  OVERWRITE, ADD or SUBTRACT
 * upper only entries on or above the diagonal are sure to be written (tiles wholly below are
 *       skipped): half the work when the product is symmetric
 * work  `productWorkspace` bytes
 * Cost: 2mnk flops plus the copies.
 */
export function product(
  a: usize,
  aRow: i32,
  aCol: i32,
  b: usize,
  bRow: i32,
  bCol: i32,
  c: usize,
  ldc: i32,
  m: i32,
  k: i32,
  n: i32,
  mode: i32,
  upper: bool,
  work: usize,
): void {
  const aRowStep = (<usize>aRow) << 3;
  const aColStep = (<usize>aCol) << 3;
  const bRowStep = (<usize>bRow) << 3;
  const bColStep = (<usize>bCol) << 3;
  const cStep = (<usize>ldc) << 3;
  if (k == 0 && mode == OVERWRITE) {
    for (let i = 0; i < m; i++) memory.fill(c + <usize>i * cStep, 0, (<usize>n) << 3);
    return;
  }
  const packedA = work + EDGE_BYTES;
  const packedB = packedA + ((<usize>min(roundUp4(m), MC) * <usize>min(k, KC)) << 4);
  for (let i = 0; i < m; i += MC) {
    const rows = min(MC, m - i);
    let blockMode = mode;
    for (let l = 0; l < k; l += KC) {
      const depth = min(KC, k - l);
      packTwice(
        a + <usize>i * aRowStep + <usize>l * aColStep,
        aRowStep,
        aColStep,
        rows,
        depth,
        packedA,
      );
      // A block that ends left of the diagonal of its first row has nothing to do.
      for (let j = upper ? i & ~(NC - 1) : 0; j < n; j += NC) {
        const cols = min(NC, n - j);
        const from = b + <usize>l * bRowStep + <usize>j * bColStep;
        packOnce(from, bRowStep, bColStep, cols, depth, packedB);
        const to = c + <usize>i * cStep + ((<usize>j) << 3);
        const shift = upper ? i - j : NO_TRIANGLE;
        tiles(packedA, packedB, to, cStep, rows, cols, depth, blockMode, shift, work);
      }
      if (mode == OVERWRITE) blockMode = ADD;
    }
  }
}

/**
 * All tiles of one block of C; or, where its first row is row `shift` counted from its first
 * column, only those that touch the upper triangle.
 */
export function tiles(
  packedA: usize,
  packedB: usize,
  c: usize,
  ldc: usize,
  rows: i32,
  cols: i32,
  depth: i32,
  mode: i32,
  shift: i32,
  edge: usize,
): void {
  const sliver = (<usize>depth) << 5;
  for (let i = 0; i < rows; i += 4) {
    const first = shift == NO_TRIANGLE ? 0 : max(0, (shift + i) & ~3);
    if (first >= cols) return;
    let b = packedB + <usize>(first >> 2) * sliver;
    for (let j = first; j < cols; j += 4) {
      const to = c + ((<usize>j) << 3);
      if (rows - i >= 4 && cols - j >= 4) {
        tile(packedA, b, depth, to, ldc, mode);
      } else {
        tile(packedA, b, depth, edge, 32, OVERWRITE);
        putPart(edge, to, ldc, min(4, rows - i), min(4, cols - j), mode);
      }
      b += sliver;
    }
    packedA += sliver << 1;
    c += ldc << 2;
  }
}

/** The part of a 4 x 4 tile that lies inside C. */
function putPart(from: usize, c: usize, ldc: usize, rows: i32, cols: i32, mode: i32): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const at = (<usize>j) << 3;
      put(c + at, load<f64>(from + at), mode);
    }
    from += 32;
    c += ldc;
  }
}

/** C[m,n] = A[m,k] B[k,n], all row-major; see `product`. */
export function gemm(a: usize, b: usize, c: usize, m: i32, k: i32, n: i32, work: usize): void {
  product(a, k, 1, b, n, 1, c, n, m, k, n, OVERWRITE, false, work);
}

export function gemmWorkspace(m: i32, k: i32, n: i32): f64 {
  return productWorkspace(m, k, n);
}
