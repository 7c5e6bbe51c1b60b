/**
 * BLAS and LAPACK of Fortran, compiled by Emscripten: how a bench calls them, whichever library they are of.
 *
 * Arguments go by address, matrices by columns, so a row-major matrix is its transpose.
 * @module
 */

/** What is on the module's heap for one case. */
class Frame {
  #library;
  #room;
  #taken = [];
  #bytes = 0;

  constructor(library, room) {
    this.#library = library;
    this.#room = room;
  }

  #take(bytes) {
    this.#bytes += bytes;
    const at = this.#bytes > this.#room ? 0 : this.#library._malloc(bytes);
    if (at === 0) throw new RangeError("no room for this case");
    this.#taken.push(at);
    return at;
  }

  free() {
    this.#taken.splice(0).forEach((at) => this.#library._free(at));
  }

  letter(text) {
    const at = this.#take(8);
    this.#library.HEAPU8[at] = text.charCodeAt(0);
    return at;
  }

  whole(value) {
    const at = this.#take(8);
    this.#library.HEAP32[at >> 2] = value;
    return at;
  }

  real(value) {
    const at = this.#take(8);
    this.#library.HEAPF64[at >> 3] = value;
    return at;
  }

  array(length) {
    return this.#take(8 * length + 8);
  }

  /** Made where it is used: the memory may have grown. */
  view(at, length) {
    return this.#library.HEAPF64.subarray(at >> 3, (at >> 3) + length);
  }
}

/** By kernel: `restore` puts the input back, `run` is timed. Functions are called through `lapack`, by their Fortran names. */
const KERNELS = {
  gemm(lapack, f, [a, b]) {
    const [m, k] = a.shape;
    const n = b.shape[1];
    const [left, right, out] = [f.array(m * k), f.array(k * n), f.array(m * n)];
    f.view(left, m * k).set(a.data);
    f.view(right, k * n).set(b.data);
    const [no, one, zero] = [f.letter("N"), f.real(1), f.real(0)];
    const [pm, pk, pn] = [f.whole(m), f.whole(k), f.whole(n)];
    // C^T = B^T A^T
    const run = () => lapack.dgemm(no, no, pn, pm, pk, one, right, pn, left, pk, zero, out, pn);
    return { run, values: () => f.view(out, m * n) };
  },
  syrk(lapack, f, [a]) {
    const [m, n] = a.shape;
    const [at, out] = [f.array(m * n), f.array(n * n)];
    f.view(at, m * n).set(a.data);
    const [upper, no, one, zero] = [f.letter("U"), f.letter("N"), f.real(1), f.real(0)];
    const [pn, pm] = [f.whole(n), f.whole(m)];
    const run = () => lapack.dsyrk(upper, no, pn, pm, one, at, pn, zero, out, pn);
    const values = () => {
      const c = f.view(out, n * n);
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) c[j * n + i] = c[i * n + j];
      return c;
    };
    return { run, values };
  },
  cholesky(lapack, f, [a]) {
    const n = a.shape[0];
    const at = f.array(n * n);
    const [upper, pn, info] = [f.letter("U"), f.whole(n), f.whole(0)];
    const run = () => lapack.dpotrf(upper, pn, at, pn, info);
    return { restore: () => f.view(at, n * n).set(a.data), run };
  },
  eigh(lapack, f, [a]) {
    const n = a.shape[0];
    const [at, w] = [f.array(n * n), f.array(n)];
    const words = 1 + 6 * n + 2 * n * n;
    const [work, whole] = [f.array(words), f.array(3 + 5 * n)];
    const [vectors, upper, pn, info] = [f.letter("V"), f.letter("U"), f.whole(n), f.whole(0)];
    const [length, wholes] = [f.whole(words), f.whole(3 + 5 * n)];
    const run = () =>
      lapack.dsyevd(vectors, upper, pn, at, pn, w, work, length, whole, wholes, info);
    return { restore: () => f.view(at, n * n).set(a.data), run, values: () => f.view(w, n) };
  },
  svd(lapack, f, [a]) {
    const [m, n] = a.shape;
    const r = Math.min(m, n);
    const [at, s, u, vt] = [f.array(m * n), f.array(r), f.array(n * r), f.array(r * m)];
    const words = 3 * r * r + Math.max(m, n, 5 * r * r + 4 * r) + 64 * (m + n);
    const [work, whole] = [f.array(words), f.array(8 * r)];
    const [thin, pm, pn, pr] = [f.letter("S"), f.whole(m), f.whole(n), f.whole(r)];
    const [length, info] = [f.whole(words), f.whole(0)];
    const run = () =>
      lapack.dgesdd(thin, pn, pm, at, pn, s, u, pn, vt, pr, work, length, whole, info);
    return { restore: () => f.view(at, m * n).set(a.data), run, values: () => f.view(s, r) };
  },
};

const FUNCTIONS = ["dgemm", "dsyrk", "dpotrf", "dsyevd", "dgesdd"];

/**
 * A rival's `call`.
 *
 * @param library Emscripten's module, with `_malloc`, `_free` and the heaps.
 * @param symbolOf what the module calls a Fortran function, with Emscripten's underscore in front.
 * @param room bytes that one case may take; asking some modules for more than they have aborts them for good.
 * @throws Error naming the functions that the module does not export.
 */
export function lapackCalls(library, symbolOf, room = Infinity) {
  const symbols = new Map(FUNCTIONS.map((name) => [name, symbolOf(name)]));
  const absent = ["_malloc", "_free", ...symbols.values()].filter(
    (symbol) => typeof library[symbol] !== "function",
  );
  if (absent.length > 0) throw new Error(`the module does not export ${absent.join(", ")}`);
  const lapack = Object.fromEntries([...symbols].map(([name, symbol]) => [name, library[symbol]]));
  let frame = new Frame(library, room);
  return ({ kernel }, matrices) => {
    // "svd 1e-8" is an svd of other data.
    const make = KERNELS[kernel.split(" ", 1)[0]];
    if (!make) return undefined;
    frame.free();
    frame = new Frame(library, room);
    try {
      return make(lapack, frame, matrices);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  };
}
