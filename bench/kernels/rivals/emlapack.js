/** `emlapack`: reference LAPACK in asm.js. Its heap of 16 MB has no room for the largest cases. @module */
import { createRequire } from "node:module";

export const name = "emlapack";

const before = process.listeners("uncaughtException");
const lapack = createRequire(import.meta.url)("emlapack");
// Its listener throws every error again out of its own megabyte-long line.
for (const listener of process.listeners("uncaughtException")) {
  if (!before.includes(listener)) process.off("uncaughtException", listener);
}

/** Of its 16 MB some belong to its stack. */
const ROOM = 9e6;

/** Arguments go by address, matrices by columns. */
class Frame {
  #taken = [];

  #bytes = 0;

  #take(bytes) {
    this.#bytes += bytes;
    // Asking for more than there is would abort the module for good.
    if (this.#bytes > ROOM) throw new RangeError("emlapack has no room for this case");
    const at = lapack._malloc(bytes);
    this.#taken.push(at);
    return at;
  }

  free() {
    this.#taken.splice(0).forEach((at) => lapack._free(at));
  }

  letter(text) {
    const at = this.#take(8);
    lapack.HEAPU8[at] = text.charCodeAt(0);
    return at;
  }

  whole(value) {
    const at = this.#take(8);
    lapack.HEAP32[at >> 2] = value;
    return at;
  }

  real(value) {
    const at = this.#take(8);
    lapack.HEAPF64[at >> 3] = value;
    return at;
  }

  array(length) {
    return this.#take(8 * length + 8);
  }

  view(at, length) {
    return lapack.HEAPF64.subarray(at >> 3, (at >> 3) + length);
  }
}

let frame = new Frame();

/** `prepare` puts the (row-major, hence transposed) input back, `run` is timed. */
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
    const run = () =>
      lapack._f2c_dgemm(no, no, pn, pm, pk, one, right, pn, left, pk, zero, out, pn);
    return { run, values: () => f.view(out, m * n) };
  },
  syrk(f, [a]) {
    const [m, n] = a.shape;
    const [at, out] = [f.array(m * n), f.array(n * n)];
    f.view(at, m * n).set(a.data);
    const [upper, no, one, zero] = [f.letter("U"), f.letter("N"), f.real(1), f.real(0)];
    const [pn, pm] = [f.whole(n), f.whole(m)];
    const run = () => lapack._f2c_dsyrk(upper, no, pn, pm, one, at, pn, zero, out, pn);
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
    const run = () => lapack._dpotrf_(upper, pn, at, pn, info);
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
      lapack._dsyevd_(vectors, upper, pn, at, pn, w, work, length, whole, wholes, info);
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
      lapack._dgesdd_(thin, pn, pm, at, pn, s, u, pn, vt, pr, work, length, whole, info);
    return { restore: () => f.view(at, m * n).set(a.data), run, values: () => f.view(s, r) };
  },
};

export function call({ kernel }, matrices) {
  const make = KERNELS[kernel];
  if (!make) return undefined;
  frame.free();
  frame = new Frame();
  try {
    return make(frame, matrices);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
