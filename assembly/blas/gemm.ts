/**
 * Matrix product on a packed 4 x 4 register tile.
 *
 * After Goto and van de Geijn (2008), "Anatomy of high-performance matrix multiplication": the
 * operands are copied block by block into panels that the innermost loop reads front to back.
 * A block of A (MC x KC) stays in the second-level cache, a sliver of B (KC x 4) in the first.
 *
 * Rounding: each entry is summed over k in order within blocks of KC, the blocks in order. Lanes
 * hold different entries, never parts of one sum, so the scalar build gives the same bits.
 * Test: within 2k 2^-53 sum_k |a_ik b_kj| of a plain loop, entry by entry.
 */

const KC: i32 = 256;
const MC: i32 = 128;
const NC: i32 = 1024;

/** C = A B. */
export const OVERWRITE: i32 = 0;
/** C += A B. */
export const ADD: i32 = 1;
/** C -= A B. */
export const SUBTRACT: i32 = 2;

function roundUp4(n: i32): i32 {
  return (n + 3) & ~3;
}

/** Bytes of workspace of `product`. */
export function productWorkspace(m: i32, k: i32, n: i32): f64 {
  const depth = <f64>min(k, KC);
  return 8 * (depth * <f64>(min(roundUp4(m), MC) + min(roundUp4(n), NC)) + 16);
}

/** Copies `rows` x `depth` of A (strides in bytes) into slivers of four rows, zero-padded. */
function packA(a: usize, rowStep: usize, kStep: usize, rows: i32, depth: i32, to: usize): void {
  for (let i = 0; i < rows; i += 4) {
    packSliver(a + <usize>i * rowStep, rowStep, kStep, min(4, rows - i), depth, to);
    to += (<usize>depth) << 5;
  }
}

/** One sliver: for every k, `width` (<= 4) entries `across` apart, then zeros up to four. */
function packSliver(
  from: usize,
  across: usize,
  along: usize,
  width: i32,
  depth: i32,
  to: usize,
): void {
  const end = to + ((<usize>depth) << 5);
  if (width == 4) {
    if (across == 8) {
      while (to < end) {
        if (ASC_FEATURE_SIMD) {
          v128.store(to, v128.load(from));
          v128.store(to, v128.load(from, 16), 16);
        } else {
          store<f64>(to, load<f64>(from));
          store<f64>(to, load<f64>(from, 8), 8);
          store<f64>(to, load<f64>(from, 16), 16);
          store<f64>(to, load<f64>(from, 24), 24);
        }
        from += along;
        to += 32;
      }
      return;
    }
    const across2 = across << 1;
    const across3 = across2 + across;
    while (to < end) {
      store<f64>(to, load<f64>(from));
      store<f64>(to, load<f64>(from + across), 8);
      store<f64>(to, load<f64>(from + across2), 16);
      store<f64>(to, load<f64>(from + across3), 24);
      from += along;
      to += 32;
    }
    return;
  }
  while (to < end) {
    for (let j = 0; j < 4; j++) {
      const value = j < width ? load<f64>(from + <usize>j * across) : 0;
      store<f64>(to + ((<usize>j) << 3), value);
    }
    from += along;
    to += 32;
  }
}

/** Writes, adds or subtracts two neighbouring entries of C. */
function put(c: usize, value: v128, mode: i32): void {
  if (mode == OVERWRITE) v128.store(c, value);
  else if (mode == ADD) v128.store(c, f64x2.add(v128.load(c), value));
  else v128.store(c, f64x2.sub(v128.load(c), value));
}

function putOne(c: usize, value: f64, mode: i32): void {
  if (mode == OVERWRITE) store<f64>(c, value);
  else if (mode == ADD) store<f64>(c, load<f64>(c) + value);
  else store<f64>(c, load<f64>(c) - value);
}

/** C[4,4] (rows `ldc` bytes apart) from slivers of A and B of the same depth. */
function tile(a: usize, b: usize, depth: i32, c: usize, ldc: usize, mode: i32): void {
  const end = b + ((<usize>depth) << 5);
  if (ASC_FEATURE_SIMD) {
    let c00 = f64x2.splat(0);
    let c01 = c00;
    let c10 = c00;
    let c11 = c00;
    let c20 = c00;
    let c21 = c00;
    let c30 = c00;
    let c31 = c00;
    while (b < end) {
      let b0 = v128.load(b);
      let b1 = v128.load(b, 16);
      let x = v128.load64_splat(a);
      c00 = f64x2.add(c00, f64x2.mul(x, b0));
      c01 = f64x2.add(c01, f64x2.mul(x, b1));
      x = v128.load64_splat(a, 8);
      c10 = f64x2.add(c10, f64x2.mul(x, b0));
      c11 = f64x2.add(c11, f64x2.mul(x, b1));
      x = v128.load64_splat(a, 16);
      c20 = f64x2.add(c20, f64x2.mul(x, b0));
      c21 = f64x2.add(c21, f64x2.mul(x, b1));
      x = v128.load64_splat(a, 24);
      c30 = f64x2.add(c30, f64x2.mul(x, b0));
      c31 = f64x2.add(c31, f64x2.mul(x, b1));
      b += 32;
      // Old V8 hoists all loads of an unrolled body to its top and spills; a way out stops that.
      if (b >= end) break;
      b0 = v128.load(b);
      b1 = v128.load(b, 16);
      x = v128.load64_splat(a, 32);
      c00 = f64x2.add(c00, f64x2.mul(x, b0));
      c01 = f64x2.add(c01, f64x2.mul(x, b1));
      x = v128.load64_splat(a, 40);
      c10 = f64x2.add(c10, f64x2.mul(x, b0));
      c11 = f64x2.add(c11, f64x2.mul(x, b1));
      x = v128.load64_splat(a, 48);
      c20 = f64x2.add(c20, f64x2.mul(x, b0));
      c21 = f64x2.add(c21, f64x2.mul(x, b1));
      x = v128.load64_splat(a, 56);
      c30 = f64x2.add(c30, f64x2.mul(x, b0));
      c31 = f64x2.add(c31, f64x2.mul(x, b1));
      a += 64;
      b += 32;
    }
    put(c, c00, mode);
    put(c + 16, c01, mode);
    c += ldc;
    put(c, c10, mode);
    put(c + 16, c11, mode);
    c += ldc;
    put(c, c20, mode);
    put(c + 16, c21, mode);
    c += ldc;
    put(c, c30, mode);
    put(c + 16, c31, mode);
  } else {
    // Two columns at a time: sixteen sums would not fit the registers.
    for (let half: usize = 0; half < 32; half += 16) {
      let s0: f64 = 0;
      let s1: f64 = 0;
      let s2: f64 = 0;
      let s3: f64 = 0;
      let s4: f64 = 0;
      let s5: f64 = 0;
      let s6: f64 = 0;
      let s7: f64 = 0;
      let p = a;
      let q = b + half;
      while (q < end) {
        const b0 = load<f64>(q);
        const b1 = load<f64>(q, 8);
        let x = load<f64>(p);
        s0 += x * b0;
        s1 += x * b1;
        x = load<f64>(p, 8);
        s2 += x * b0;
        s3 += x * b1;
        x = load<f64>(p, 16);
        s4 += x * b0;
        s5 += x * b1;
        x = load<f64>(p, 24);
        s6 += x * b0;
        s7 += x * b1;
        p += 32;
        q += 32;
      }
      let row = c + half;
      putOne(row, s0, mode);
      putOne(row + 8, s1, mode);
      row += ldc;
      putOne(row, s2, mode);
      putOne(row + 8, s3, mode);
      row += ldc;
      putOne(row, s4, mode);
      putOne(row + 8, s5, mode);
      row += ldc;
      putOne(row, s6, mode);
      putOne(row + 8, s7, mode);
    }
  }
}

/** Copies the part of a 4 x 4 tile that lies inside C. */
function putPart(tileAt: usize, c: usize, ldc: usize, rows: i32, cols: i32, mode: i32): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const at = (<usize>j) << 3;
      putOne(c + at, load<f64>(tileAt + at), mode);
    }
    tileAt += 32;
    c += ldc;
  }
}

/** All tiles of one block of C; with `upper` >= 0 only those with row <= column + upper. */
function tiles(
  packedA: usize,
  packedB: usize,
  c: usize,
  ldc: usize,
  rows: i32,
  cols: i32,
  depth: i32,
  mode: i32,
  upper: i32,
  edge: usize,
): void {
  const sliver = (<usize>depth) << 5;
  for (let j = 0; j < cols; j += 4) {
    let a = packedA;
    const last = upper == NO_TRIANGLE ? rows : min(rows, j + 4 + upper);
    for (let i = 0; i < last; i += 4) {
      const at = c + <usize>i * ldc + ((<usize>j) << 3);
      if (rows - i >= 4 && cols - j >= 4) {
        tile(a, packedB, depth, at, ldc, mode);
      } else {
        tile(a, packedB, depth, edge, 32, OVERWRITE);
        putPart(edge, at, ldc, min(4, rows - i), min(4, cols - j), mode);
      }
      a += sliver;
    }
    packedB += sliver;
  }
}

/** Marks "all tiles" in `tiles`. */
const NO_TRIANGLE: i32 = i32.MAX_VALUE;

/**
 * C[m,n] = / += / -= A[m,k] B[k,n] with any strides of A and B.
 *
 * a, b  entry (i, l) of A at a + 8 (i aRow + l aCol), of B at b + 8 (i bRow + l bCol)
 * c     row-major, rows ldc entries apart; must not overlap a or b
 * upper only entries on or above the diagonal are sure to be written (tiles wholly below are
 *       skipped): half the work when the product is symmetric
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
  const depthMax = min(k, KC);
  const edge = work;
  const packedA = work + 128;
  const packedB = packedA + ((<usize>min(roundUp4(m), MC) * <usize>depthMax) << 3);
  for (let j = 0; j < n; j += NC) {
    const cols = min(NC, n - j);
    let blockMode = mode;
    for (let l = 0; l < k; l += KC) {
      const depth = min(KC, k - l);
      packA(
        b + <usize>l * bRowStep + <usize>j * bColStep,
        bColStep,
        bRowStep,
        cols,
        depth,
        packedB,
      );
      const bottom = upper ? min(m, j + cols) : m;
      for (let i = 0; i < bottom; i += MC) {
        const rows = min(MC, m - i);
        packA(
          a + <usize>i * aRowStep + <usize>l * aColStep,
          aRowStep,
          aColStep,
          rows,
          depth,
          packedA,
        );
        tiles(
          packedA,
          packedB,
          c + <usize>i * cStep + ((<usize>j) << 3),
          cStep,
          rows,
          cols,
          depth,
          blockMode,
          upper ? j - i : NO_TRIANGLE,
          edge,
        );
      }
      if (mode == OVERWRITE) blockMode = ADD;
    }
  }
}

/** C[m,n] = A[m,k] B[k,n], all row-major; see `product`. */
export function gemm(a: usize, b: usize, c: usize, m: i32, k: i32, n: i32, work: usize): void {
  product(a, k, 1, b, n, 1, c, n, m, k, n, OVERWRITE, false, work);
}

export function gemmWorkspace(m: i32, k: i32, n: i32): f64 {
  return productWorkspace(m, k, n);
}
