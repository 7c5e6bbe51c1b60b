/**
 * Singular value decomposition of any matrix by reduction to bidiagonal form.
 */
import { at } from "../address";
import { roundUp4 } from "../blas/gemm";
import { transpose, transposeApart } from "../blas/transpose";
import { applyReflectors, applyReflectorsWorkspace } from "../eigen/back-transform";
import { bidiagonalise, bidiagonaliseWorkspace } from "./bidiagonalise";
import { bidiagonalSvd, bidiagonalSvdWorkspace } from "./divide";
import { lq, lqStride, lqWorkspace } from "./lq";

/**
 * G[r,length] = left diag(s) right^T, r <= length, G = A, or A^T where `wide` is false.
 *
 * a     row-major, scaled to largest entry about 1; s f64[r] descending
 * left  f64[r,r], right f64[length,r], row-major, orthonormal columns also where s is zero
 * work  `generalWorkspace(r, length)` bytes
 * Cost: 2 r^2 length for G = L Q where it is not square, 8 r^3 / 3 for the bidiagonal form, up to
 * 8 r^3 / 3 for its vectors, then 4 r^3 + 4 r^2 length for those of G.
 */
export function generalSvd(
  a: usize,
  wide: bool,
  r: i32,
  length: i32,
  left: usize,
  s: usize,
  right: usize,
  work: usize,
): void {
  const ld = roundUp4(r);
  const square = length == r;
  const padded = <usize>ld * ((<usize>ld) << 3);
  const core = work; // f64[ld,ld]: L, later the vectors of P
  const reflected = core + padded; // those of Q
  const first = reflected + padded; // left vectors of the bidiagonal matrix's transpose
  const second = first + padded; // right ones
  const tauLeft = second + padded;
  const tauRight = at(tauLeft, ld);
  const tauOuter = at(tauRight, ld);
  const e = at(tauOuter, ld);
  const order = at(e, ld);
  const outer = at(order, ld); // f64[r,lqStride(length)]
  const stride = square ? ld : lqStride(length);
  const g = square ? core : outer;
  const rest = square ? outer : at(outer, r * stride);
  memory.fill(core, 0, padded);
  if (!square) memory.fill(outer, 0, (<usize>r * <usize>stride) << 3);
  if (wide) copyApart(a, g, stride, r, length);
  else transposeApart(a, g, stride, length, r);

  if (!square) lq(outer, r, length, core, ld, tauOuter, rest);
  bidiagonalise(core, r, ld, reflected, s, e, tauRight, tauLeft, rest);
  // The transpose of the lower bidiagonal matrix is upper bidiagonal: left and right change places.
  bidiagonalSvd(s, e, r, ld, first, second, order, right, left, rest);
  gatherDescending(first, ld, order, r, left);
  memory.fill(right, 0, (<usize>length * <usize>r) << 3);
  transpose(left, right, r, r);
  gatherDescending(second, ld, order, r, first);
  transpose(first, left, r, r);
  applyReflectors(reflected, ld, tauLeft, r - 1, 1, left, r, r, r, rest);
  applyReflectors(core, ld, tauRight, r, 0, right, r, r, r, rest);
  if (!square) applyReflectors(outer, stride, tauOuter, r, 0, right, length, r, r, rest);
  memory.copy(e, s, (<usize>r) << 3);
  for (let i = 0; i < r; i++) {
    const from = load<u32>(order + ((<usize>(r - 1 - i)) << 2));
    store<f64>(at(s, i), load<f64>(at(e, from)));
  }
}

export function generalWorkspace(r: i32, length: i32): f64 {
  const ld = <f64>roundUp4(r);
  const stages = max(
    max(lqWorkspace(r, length), bidiagonaliseWorkspace(r)),
    max(bidiagonalSvdWorkspace(r), applyReflectorsWorkspace(length, r)),
  );
  const outer = length == r ? 0 : <f64>r * <f64>lqStride(length);
  return 8 * (4 * ld * ld + 5 * ld + outer) + stages;
}

/** B[rows,cols] <- A, rows of B `ld` entries apart. */
function copyApart(a: usize, b: usize, ld: i32, rows: i32, cols: i32): void {
  const bytes = (<usize>cols) << 3;
  for (let i = 0; i < rows; i++) {
    memory.copy(b, a, bytes);
    a += bytes;
    b += (<usize>ld) << 3;
  }
}

/** to[r,r] <- rows of `from` by descending value. */
function gatherDescending(from: usize, ld: i32, order: usize, r: i32, to: usize): void {
  const bytes = (<usize>r) << 3;
  for (let i = 0; i < r; i++) {
    const row = load<u32>(order + ((<usize>(r - 1 - i)) << 2));
    memory.copy(to, at(from, row * ld), bytes);
    to += bytes;
  }
}
