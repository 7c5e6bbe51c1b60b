/**
 * Matrix products.
 * @module
 */
import { withCore } from "../core/core.js";
import { copyMatrix, matrix, size } from "./matrix.js";

/**
 * C = A B.
 *
 * @param a      [rows, inner], row-major.
 * @param b      [inner, cols], row-major.
 * @returns      [rows, cols], row-major. Each entry is within `inner` 2^-53 sum |a_ik b_kj| of the
 *               exact one, and is the same on every host.
 * @throws TypeError, RangeError for a wrong type, size or a non-finite entry.
 * @throws HostError if the three matrices do not fit WebAssembly's 4 GiB.
 * @example gemm(new Float64Array([1, 2]), new Float64Array([3, 4]), 1, 2, 1) // [11]
 */
export function gemm(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  cols: number,
): Float64Array {
  size("rows", rows);
  size("inner", inner);
  size("cols", cols);
  matrix("a", a, rows, inner);
  matrix("b", b, inner, cols);
  return withCore((core) => {
    const { kernels, arena } = core;
    const workspace = kernels.gemmWorkspace(rows, inner, cols);
    arena.require(8 * (a.length + b.length + rows * cols) + workspace, "gemm");
    const left = copyMatrix(core, "a", a, inner);
    const right = copyMatrix(core, "b", b, cols);
    const out = arena.f64(rows * cols);
    const work = arena.bytes(workspace);
    kernels.gemm(left, right, out, rows, inner, cols, work);
    return arena.view(out, rows * cols).slice();
  });
}

/**
 * C = A^T A, symmetric to the bit.
 *
 * @param a  [rows, cols], row-major.
 * @returns  [cols, cols], row-major.
 * @throws TypeError, RangeError, HostError as {@link gemm}.
 * @example syrk(new Float64Array([1, 2]), 1, 2) // [1, 2, 2, 4]
 */
export function syrk(a: Float64Array, rows: number, cols: number): Float64Array {
  size("rows", rows);
  size("cols", cols);
  matrix("a", a, rows, cols);
  return withCore((core) => {
    const { kernels, arena } = core;
    const workspace = kernels.syrkWorkspace(rows, cols);
    arena.require(8 * (a.length + cols * cols) + workspace, "syrk");
    const at = copyMatrix(core, "a", a, cols);
    const out = arena.f64(cols * cols);
    const work = arena.bytes(workspace);
    kernels.syrk(at, out, rows, cols, work);
    return arena.view(out, cols * cols).slice();
  });
}
