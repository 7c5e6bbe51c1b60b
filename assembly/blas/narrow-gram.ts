/**
 * A^T A of a narrow matrix, straight from its rows: for a few dozen columns the copies that `tile`
 * wants cost a quarter of the arithmetic (at 320 x 30 this takes two thirds of the time).
 *
 * Columns are taken in pairs. A pair of columns times a pair of columns is a 2 x 2 block, summed as
 *   even = (a0 b0, a1 b1)   odd = (a0 b1, a1 b0),
 * the second from the exchanged b: plain loads of both sides, no entry stored twice. A tile is two
 * pairs times two pairs; its sums (even and odd of blocks 00, 01, 10, 11: 128 bytes) lie side by
 * side in the workspace while rows pass by in blocks that fit the first-level cache.
 *
 * Rounding: as `product` to the bit: each entry summed over the rows in order within blocks of KC,
 * the blocks in order. The scalar build has no use for pairs and calls `product`.
 */
import { KC } from "./gemm";
import { addProduct } from "./tile";

/** Up to so many columns reading the rows beats copying them. */
export const NARROW: i32 = 104;

const TILE_BYTES: usize = 128;
/** Bytes of A that pass by all tiles before the next: half the first-level cache. */
const BLOCK_BYTES: i32 = 16384;

@inline function bytes(n: i32): usize {
  return (<usize>n) << 3;
}

/** Tiles on or above the diagonal. */
@inline function tileCount(n: i32): i32 {
  const strips = (n + 3) >> 2;
  return (strips * (strips + 1)) >> 1;
}

/** Two sets of sums and a padded row. */
export function narrowGramWorkspace(n: i32): f64 {
  return 2 * <f64>TILE_BYTES * <f64>tileCount(n) + 8 * <f64>(n + 4);
}

/** C[n,n] = A^T A for row-major A[m,n], n <= NARROW; both triangles. Cost: n(n+1)m flops. */
export function narrowGram(a: usize, c: usize, m: i32, n: i32, work: usize): void {
  const size = <usize>tileCount(n) * TILE_BYTES;
  const part = work + size;
  const last = part + size;
  // Strips of four columns read past the end of a row, into the next; the last row is padded.
  const whole = (n & 3) == 0 || m == 0 ? m : m - 1;
  memory.fill(last, 0, bytes(n + 4));
  memory.copy(last, a + <usize>whole * bytes(n), <usize>(m - whole) * bytes(n));
  memory.fill(work, 0, size);
  for (let from = 0; from < m; from += KC) {
    const to = min(m, from + KC);
    const sums = from == 0 ? work : part;
    if (from > 0) memory.fill(part, 0, size);
    addRowProducts(a + <usize>from * bytes(n), min(to, whole) - from, n, sums);
    if (to > whole) addTiles(last, 1, n, sums);
    if (from > 0) addSums(part, work, size);
  }
  writeTiles(work, c, n);
}

function addRowProducts(a: usize, rows: i32, n: i32, sums: usize): void {
  const most = max(8, BLOCK_BYTES / (8 * n));
  for (let i = 0; i < rows; i += most) {
    addTiles(a + <usize>i * bytes(n), min(most, rows - i), n, sums);
  }
}

function addSums(from: usize, to: usize, size: usize): void {
  for (const end = from + size; from < end; from += 16, to += 16) {
    v128.store(to, f64x2.add(v128.load(to), v128.load(from)));
  }
}

/** Adds the products of some rows to all tiles, row of tiles by row of tiles. */
function addTiles(a: usize, rows: i32, n: i32, sums: usize): void {
  const step = bytes(n);
  const end = a + <usize>rows * step;
  // One or two columns left over make half a tile.
  const half = (n - 1) & 2 ? n : n & ~3;
  for (let i = 0; i < n; i += 4) {
    const left = a + bytes(i);
    for (let j = i; j < n; j += 4) {
      const shift = bytes(j - i);
      if (j == half) addHalf(left, shift, end, step, sums);
      else if (j == i) addDiagonal(left, end, step, sums);
      else addWhole(left, shift, end, step, sums);
      sums += TILE_BYTES;
    }
  }
}

@inline function exchanged(x: v128): v128 {
  return v128.shuffle<f64>(x, x, 1, 0);
}

/** What a tile is made of; constant in each call, so that the tests of it are compiled away. */
const WHOLE: i32 = 0;
/** On the diagonal: block 10 is that below it. */
const DIAGONAL: i32 = 1;
/** The right-hand strip has one or two columns: blocks 00 and 10. */
const HALF: i32 = 2;

function addWhole(a: usize, shift: usize, end: usize, step: usize, sums: usize): void {
  addTile(a, shift, end, step, sums, WHOLE);
}

function addDiagonal(a: usize, end: usize, step: usize, sums: usize): void {
  addTile(a, 0, end, step, sums, DIAGONAL);
}

function addHalf(a: usize, shift: usize, end: usize, step: usize, sums: usize): void {
  addTile(a, shift, end, step, sums, HALF);
}

/** Columns a .. a + 3 times columns a + shift .. a + shift + 3 of all rows up to `end`. */
@inline function addTile(
  a: usize, shift: usize, end: usize, step: usize, sums: usize, made: i32,
): void {
  let e00 = v128.load(sums);
  let o00 = v128.load(sums, 16);
  let e01 = v128.load(sums, 32);
  let o01 = v128.load(sums, 48);
  let e10 = v128.load(sums, 64);
  let o10 = v128.load(sums, 80);
  let e11 = v128.load(sums, 96);
  let o11 = v128.load(sums, 112);
  while (a < end) {
    const b = a + shift;
    const a0 = v128.load(a);
    const a1 = v128.load(a, 16);
    let x = v128.load(b);
    e00 = addProduct(e00, a0, x);
    if (made != DIAGONAL) e10 = addProduct(e10, a1, x);
    x = exchanged(x);
    o00 = addProduct(o00, a0, x);
    if (made != DIAGONAL) o10 = addProduct(o10, a1, x);
    if (made != HALF) {
      x = v128.load(b, 16);
      e01 = addProduct(e01, a0, x);
      e11 = addProduct(e11, a1, x);
      x = exchanged(x);
      o01 = addProduct(o01, a0, x);
      o11 = addProduct(o11, a1, x);
    }
    a += step;
  }
  v128.store(sums, e00);
  v128.store(sums, o00, 16);
  v128.store(sums, e01, 32);
  v128.store(sums, o01, 48);
  v128.store(sums, e10, 64);
  v128.store(sums, o10, 80);
  v128.store(sums, e11, 96);
  v128.store(sums, o11, 112);
}

/** Both triangles of C from the tiles. */
function writeTiles(sums: usize, c: usize, n: i32): void {
  const step = bytes(n);
  for (let i = 0; i < n; i += 4) {
    for (let j = i; j < n; j += 4) {
      const upper = c + <usize>i * step + bytes(j);
      const lower = c + <usize>j * step + bytes(i);
      if (i < j && j + 4 <= n) {
        writeBlock(sums, upper, lower, step);
        writeBlock(sums + 32, upper + 16, lower + (step << 1), step);
        writeBlock(sums + 64, upper + (step << 1), lower + 16, step);
        writeBlock(sums + 96, upper + (step << 1) + 16, lower + (step << 1) + 16, step);
      } else {
        writePart(sums, upper, lower, step, min(4, n - i), min(4, n - j), i == j);
      }
      sums += TILE_BYTES;
    }
  }
}

@inline function writeBlock(sums: usize, upper: usize, lower: usize, step: usize): void {
  const even = v128.load(sums);
  const odd = v128.load(sums, 16);
  v128.store(upper, v128.shuffle<f64>(even, odd, 0, 2));
  v128.store(upper + step, v128.shuffle<f64>(odd, even, 1, 3));
  v128.store(lower, v128.shuffle<f64>(even, odd, 0, 3));
  v128.store(lower + step, v128.shuffle<f64>(odd, even, 0, 3));
}

/** Entry by entry; of a tile on the diagonal what lies on or above it. */
function writePart(
  sums: usize, upper: usize, lower: usize, step: usize, rows: i32, cols: i32, diagonal: bool,
): void {
  for (let r = 0; r < rows; r++) {
    for (let s = diagonal ? r : 0; s < cols; s++) {
      const block = ((r >> 1) << 6) + ((s >> 1) << 5);
      const lane = (((r ^ s) & 1) << 4) + ((r & 1) << 3);
      const value = load<f64>(sums + <usize>(block + lane));
      store<f64>(upper + <usize>r * step + bytes(s), value);
      store<f64>(lower + <usize>s * step + bytes(r), value);
    }
  }
}
