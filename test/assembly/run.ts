/** Runs kernels on typed arrays, for tests: copies in, copies out. */
import { openCore } from "../../src/core/core.js";

export const core = openCore();
const { kernels, arena } = core;

/** Runs `work` and takes back what it allocated. */
export function scoped<T>(work: () => T): T {
  const mark = arena.mark();
  try {
    return work();
  } finally {
    arena.release(mark);
  }
}

/** A work area filled with NaN, so that reading it unwritten shows. */
export function workArea(bytes: number): number {
  const words = Math.ceil(bytes / 8);
  const at = arena.f64(words + 2);
  arena.view(at, words + 2).fill(NaN);
  arena.view(at, words + 2)[words] = 12345.5;
  guards.push(at + 8 * words);
  return at;
}
const guards: number[] = [];

/** Throws if a kernel wrote past the end of a work area. */
export function checkGuards(): void {
  for (const at of guards.splice(0)) {
    if (arena.view(at, 1)[0] !== 12345.5) throw new Error("a kernel wrote past its workspace");
  }
}

export function runGemm(a: Float64Array, b: Float64Array, m: number, k: number, n: number) {
  return scoped(() => {
    const left = arena.copyOf(a);
    const right = arena.copyOf(b);
    const out = arena.f64(m * n);
    const work = workArea(kernels.gemmWorkspace(m, k, n));
    arena.view(out, m * n).fill(NaN);
    kernels.gemm(left, right, out, m, k, n, work);
    checkGuards();
    return arena.view(out, m * n).slice();
  });
}

/** The last bytes of the memory, where reading on traps. */
function copyAtEndOfMemory(values: Float64Array): number {
  const at = kernels.memory.buffer.byteLength - values.byteLength;
  arena.view(at, values.length).set(values);
  return at;
}

export function runSyrk(
  a: Float64Array,
  m: number,
  n: number,
  { atEndOfMemory = false }: { atEndOfMemory?: boolean } = {},
) {
  return scoped(() => {
    const at = atEndOfMemory ? copyAtEndOfMemory(a) : arena.copyOf(a);
    const out = arena.f64(n * n);
    const work = workArea(kernels.syrkWorkspace(m, n));
    arena.view(out, n * n).fill(NaN);
    kernels.syrk(at, out, m, n, work);
    checkGuards();
    return arena.view(out, n * n).slice();
  });
}

export function runSpectralProduct(
  vectors: Float64Array,
  scales: Float64Array,
  n: number,
  r: number,
) {
  return scoped(() => {
    const v = arena.copyOf(vectors);
    const s = arena.copyOf(scales);
    const out = arena.f64(n * n);
    const work = workArea(kernels.spectralProductWorkspace(n, r));
    arena.view(out, n * n).fill(NaN);
    kernels.spectralProduct(v, s, out, n, r, work);
    checkGuards();
    return arena.view(out, n * n).slice();
  });
}

/** X A by the panels of A - I; `triangle` the lower triangle of A, row by row. */
export function runSingleProduct(x: Float64Array, triangle: Float32Array, m: number, d: number) {
  return scoped(() => {
    const from = arena.copyOf(x);
    const half = arena.bytes(4 * triangle.length);
    arena.words(half, triangle.length).set(new Uint32Array(triangle.buffer));
    const panels = arena.bytes(kernels.singlePanelsBytes(d));
    kernels.singlePanels(half, panels, d);
    const out = arena.f64(m * d);
    arena.view(out, m * d).fill(NaN);
    const work = workArea(kernels.singleProductWorkspace(m, d));
    kernels.singleProduct(from, panels, out, m, d, work);
    checkGuards();
    return arena.view(out, m * d).slice();
  });
}

export function runTranspose(a: Float64Array, rows: number, cols: number) {
  return scoped(() => {
    const at = arena.copyOf(a);
    const out = arena.f64(a.length);
    kernels.transpose(at, out, rows, cols);
    return arena.view(out, a.length).slice();
  });
}

export function runColumnSquares(a: Float64Array, m: number, n: number) {
  return scoped(() => {
    const at = arena.copyOf(a);
    const out = arena.f64(n);
    kernels.columnSquares(at, out, m, n);
    return arena.view(out, n).slice();
  });
}

export function runEigh(
  a: Float64Array,
  n: number,
  kernel: "eigh" | "rationalEigh" = "eigh",
) {
  return scoped(() => {
    const at = arena.copyOf(a);
    const values = arena.f64(n);
    const vectors = arena.f64(n * n);
    const work = workArea(kernels.eighWorkspace(n));
    const code = kernels[kernel](at, values, vectors, n, work);
    const again = arena.copyOf(a);
    const alone = arena.f64(n);
    const codeAlone = kernels.eigh(again, alone, 0, n, work);
    checkGuards();
    return {
      code: code || codeAlone,
      values: arena.view(values, n).slice(),
      /** As found without the vectors. */
      alone: arena.view(alone, n).slice(),
      vectors: arena.view(vectors, n * n).slice(),
    };
  });
}

/** `out` starts as NaN. @param count of vectors, default n. */
export function runShrinkOrVectors(a: Float64Array, n: number, threshold: number, count = n) {
  return scoped(() => {
    const at = arena.copyOf(a);
    const values = arena.f64(n);
    const vectors = arena.f64(n * count);
    const out = arena.copyOf(new Float64Array(n * n).fill(NaN));
    const work = workArea(kernels.eighWorkspace(n));
    const code = kernels.shrinkOrValues(at, values, n, threshold, out, work);
    if (code === 0) kernels.largestVectors(vectors, n, count);
    checkGuards();
    const [found, columns] = [arena.view(values, n).slice(), arena.view(vectors, n * count).slice()];
    return { code, values: found, vectors: columns, out: arena.view(out, n * n).slice() };
  });
}

export function runSvd(a: Float64Array, rows: number, cols: number) {
  const r = Math.min(rows, cols);
  return scoped(() => {
    const at = arena.copyOf(a);
    const u = arena.f64(rows * r);
    const s = arena.f64(r);
    const v = arena.f64(cols * r);
    const work = workArea(kernels.svdWorkspace(rows, cols));
    const code = kernels.svd(at, u, s, v, rows, cols, work);
    checkGuards();
    return {
      code,
      u: arena.view(u, rows * r).slice(),
      s: arena.view(s, r).slice(),
      v: arena.view(v, cols * r).slice(),
    };
  });
}

export function runCholesky(
  a: Float64Array,
  n: number,
  { atEndOfMemory = false }: { atEndOfMemory?: boolean } = {},
) {
  return scoped(() => {
    const at = atEndOfMemory ? copyAtEndOfMemory(a) : arena.copyOf(a);
    const code = kernels.cholesky(at, n);
    return { code, l: arena.view(at, n * n).slice() };
  });
}

export function runCholeskySolve(l: Float64Array, b: Float64Array, n: number, nrhs: number) {
  return scoped(() => {
    const lower = arena.copyOf(l);
    const right = arena.copyOf(b);
    kernels.choleskySolve(lower, right, n, nrhs);
    return arena.view(right, n * nrhs).slice();
  });
}
