/**
 * `OpenBLAS`, with its LAPACK from C, built with Emscripten by whoever runs the bench: nothing of it is part of the project.
 * `MP_MTL_OPENBLAS` names the module, made with `-s MODULARIZE=1 -s ALLOW_MEMORY_GROWTH=1` and the functions of `EXPORTS`.
 * @module
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

export const name = "openblas";

const EXPORTS = ["malloc", "free", "dgemm_", "dsyrk_", "dpotrf_", "dsyevd_", "dgesdd_"];

const path = process.env["MP_MTL_OPENBLAS"];
if (path === undefined) throw new Error("MP_MTL_OPENBLAS names no module of OpenBLAS");
// Emscripten before 3.1.8 would fetch it by its path, which Node 18 and later refuse.
const wasmBinary = readFileSync(resolve(path).replace(/\.c?js$/, ".wasm"));
const blas = await createRequire(import.meta.url)(resolve(path))({ wasmBinary });
const absent = EXPORTS.filter((symbol) => typeof blas[`_${symbol}`] !== "function");
if (absent.length > 0) throw new Error(`${path} does not export ${absent.join(", ")}`);

/** Arguments go by address, matrices by columns. */
class Frame {
  #taken = [];

  #take(bytes) {
    const at = blas._malloc(bytes);
    if (at === 0) throw new RangeError("OpenBLAS has no room for this case");
    this.#taken.push(at);
    return at;
  }

  free() {
    this.#taken.splice(0).forEach((at) => blas._free(at));
  }

  letter(text) {
    const at = this.#take(8);
    blas.HEAPU8[at] = text.charCodeAt(0);
    return at;
  }

  whole(value) {
    const at = this.#take(8);
    blas.HEAP32[at >> 2] = value;
    return at;
  }

  real(value) {
    const at = this.#take(8);
    blas.HEAPF64[at >> 3] = value;
    return at;
  }

  array(length) {
    return this.#take(8 * length + 8);
  }

  /** Made where it is used: the memory may have grown. */
  view(at, length) {
    return blas.HEAPF64.subarray(at >> 3, (at >> 3) + length);
  }
}

let frame = new Frame();

/** `restore` puts the (row-major, hence transposed) input back, `run` is timed. */
const KERNELS = {
  gemm(f, [a, b]) {
    const [m, k] = a.shape;
    const n = b.shape[1];
    const [left, right, out] = [f.array(m * k), f.array(k * n), f.array(m * n)];
    f.view(left, m * k).set(a.data);
    f.view(right, k * n).set(b.data);
    const [no, one, zero] = [f.letter("N"), f.real(1), f.real(0)];
    const [pm, pk, pn] = [f.whole(m), f.whole(k), f.whole(n)];
    // C^T = B^T A^T
    const run = () => blas._dgemm_(no, no, pn, pm, pk, one, right, pn, left, pk, zero, out, pn);
    return { run, values: () => f.view(out, m * n) };
  },
  syrk(f, [a]) {
    const [m, n] = a.shape;
    const [at, out] = [f.array(m * n), f.array(n * n)];
    f.view(at, m * n).set(a.data);
    const [upper, no, one, zero] = [f.letter("U"), f.letter("N"), f.real(1), f.real(0)];
    const [pn, pm] = [f.whole(n), f.whole(m)];
    const run = () => blas._dsyrk_(upper, no, pn, pm, one, at, pn, zero, out, pn);
    const values = () => {
      const c = f.view(out, n * n);
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) c[j * n + i] = c[i * n + j];
      return c;
    };
    return { run, values };
  },
  cholesky(f, [a]) {
    const n = a.shape[0];
    const at = f.array(n * n);
    const [upper, pn, info] = [f.letter("U"), f.whole(n), f.whole(0)];
    const run = () => blas._dpotrf_(upper, pn, at, pn, info);
    return { restore: () => f.view(at, n * n).set(a.data), run };
  },
  eigh(f, [a]) {
    const n = a.shape[0];
    const [at, w] = [f.array(n * n), f.array(n)];
    const words = 1 + 6 * n + 2 * n * n;
    const [work, whole] = [f.array(words), f.array(3 + 5 * n)];
    const [vectors, upper, pn, info] = [f.letter("V"), f.letter("U"), f.whole(n), f.whole(0)];
    const [length, wholes] = [f.whole(words), f.whole(3 + 5 * n)];
    const run = () =>
      blas._dsyevd_(vectors, upper, pn, at, pn, w, work, length, whole, wholes, info);
    return { restore: () => f.view(at, n * n).set(a.data), run, values: () => f.view(w, n) };
  },
  svd(f, [a]) {
    const [m, n] = a.shape;
    const r = Math.min(m, n);
    const [at, s, u, vt] = [f.array(m * n), f.array(r), f.array(n * r), f.array(r * m)];
    const words = 3 * r * r + Math.max(m, n, 5 * r * r + 4 * r) + 64 * (m + n);
    const [work, whole] = [f.array(words), f.array(8 * r)];
    const [thin, pm, pn, pr] = [f.letter("S"), f.whole(m), f.whole(n), f.whole(r)];
    const [length, info] = [f.whole(words), f.whole(0)];
    const run = () =>
      blas._dgesdd_(thin, pn, pm, at, pn, s, u, pn, vt, pr, work, length, whole, info);
    return { restore: () => f.view(at, m * n).set(a.data), run, values: () => f.view(s, r) };
  },
};

export function call({ kernel }, matrices) {
  const make = KERNELS[kernel];
  if (!make) return undefined;
  frame.free();
  frame = new Frame();
  return make(frame, matrices);
}
