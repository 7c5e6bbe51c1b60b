/**
 * Times the linear-algebra kernels against one-thread NumPy (where python3 has it) and against
 * other JavaScript libraries, each case next to its rivals in the same run.
 *
 *   npm run bench -- [--quick] [--build simd|scalar|relaxed] [--out FILE]
 *
 * Prints best times and ratios; writes all of it as JSON (build/bench-kernels.json by default).
 * Best times are compared because on a shared machine everything else measures the neighbours.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CholeskyDecomposition, EigenvalueDecomposition, Matrix, SVD } from "ml-matrix";
import * as np from "numpy-ts";
import { Bench } from "tinybench";
import { initialize, kernelBuild, openCore } from "../dist/core/index.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    build: { type: "string", default: "simd" },
    out: { type: "string", default: `${root}build/bench-kernels.json` },
  },
});
initialize({ build: options.build });
// Its default memory fills up in a long run, after which it is much slower.
np.configureWasm({ maxMemory: 2 ** 31 });
const milliseconds = options.quick ? 100 : 500;

/** A library is dropped from a kernel's larger sizes once a call took this long. */
const PATIENCE = 1500;

const cases = [
  ...[10, 30, 100, 300, 1000].map((n) => ({ kernel: "eigh", shape: [n] })),
  ...[
    [30, 320],
    [320, 30],
    [300, 1000],
    [1000, 1000],
  ].map((shape) => ({ kernel: "svd", shape })),
  ...[
    [30, 30, 320],
    [100, 100, 300],
    [300, 300, 1000],
    [1000, 1000, 1000],
  ].map((shape) => ({ kernel: "gemm", shape })),
  ...[
    [320, 30],
    [300, 100],
    [1000, 300],
    [1000, 1000],
  ].map((shape) => ({ kernel: "syrk", shape })),
  ...[30, 100, 300, 1000].map((n) => ({ kernel: "cholesky", shape: [n] })),
  ...[30, 100, 300, 1000].map((n) => ({ kernel: "wishart", shape: [n] })),
  ...["squared", "logistic"].flatMap((loss) => [
    { kernel: `gradients ${loss}`, shape: [320, 30, 30] },
    { kernel: `gradients ${loss}`, shape: [1000, 50, 300] },
  ]),
].filter(({ shape }) => !options.quick || Math.max(...shape) <= 320);

/** Fixed numbers in [-1, 1): a Weyl sequence scrambled by its own square. */
function numbers(n) {
  return Float64Array.from({ length: n }, (_, i) => {
    const x = (i + 1) * 0.6180339887498949;
    const y = (x - Math.floor(x)) * 1e4;
    return 2 * (y * y - Math.floor(y * y)) - 1;
  });
}

function symmetric(n) {
  const a = numbers(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
  return a;
}

function positiveDefinite(n) {
  const a = symmetric(n);
  for (let i = 0; i < n; i++) a[i * n + i] += n;
  return a;
}

/** Input data of a case: matrices with their shapes. For gradients m tasks of k rows, n features. */
function inputs({ kernel, shape: [m, k, n] }) {
  if (kernel === "wishart") return [];
  if (kernel.startsWith("gradients")) {
    return [
      { data: numbers(m * k * n), shape: [m * k, n] },
      { data: numbers(m * n), shape: [m, n] },
    ];
  }
  if (kernel === "eigh") return [{ data: symmetric(m), shape: [m, m] }];
  if (kernel === "cholesky") return [{ data: positiveDefinite(m), shape: [m, m] }];
  if (kernel !== "gemm") return [{ data: numbers(m * k), shape: [m, k] }];
  return [
    { data: numbers(m * k), shape: [m, k] },
    { data: numbers(k * n), shape: [k, n] },
  ];
}

/** Floating-point operations of the products, where the count is a matter of definition. */
function flops({ kernel, shape: [m, k, n] }) {
  if (kernel === "gemm") return 2 * m * k * n;
  if (kernel === "syrk") return m * k * (k + 1);
  if (kernel === "gradients squared") return 4 * m * k * n;
  return kernel === "cholesky" ? m ** 3 / 3 : undefined;
}

/** Our kernel on data that already lies in its memory, destroyed input put back each time. */
function ours({ kernel, shape: [m, k, n] }, [first, second]) {
  const { kernels, arena } = openCore();
  if (kernel === "wishart") {
    const state = arena.bytes(kernels.randomStateBytes());
    kernels.randomInit(state, arena.zeros(4), 0, 0);
    const out = arena.f64(m * m);
    const work = arena.bytes(kernels.wishartWorkspace(m));
    return { run: () => kernels.wishart(state, out, m, m + 1, 1, work) };
  }
  const a = arena.copyOf(first.data);
  if (kernel.startsWith("gradients")) {
    const loss = kernel === "gradients squared" ? 0 : 1;
    const weights = arena.copyOf(second.data);
    const y = arena.copyOf(numbers(m * k).map((value) => (value < 0 ? -1 : 1)));
    const offsets = arena.bytes(4 * (m + 1));
    arena.words(offsets, m + 1).set(Uint32Array.from({ length: m + 1 }, (_, i) => i * k));
    const scales = arena.copyOf(new Float64Array(m).fill(1));
    const [gradients, losses] = [arena.f64(m * n), arena.f64(m)];
    return {
      run: () =>
        kernels.taskGradients(loss, a, y, offsets, scales, weights, 0, gradients, 0, losses, m, n),
    };
  }
  if (kernel === "gemm") {
    const b = arena.copyOf(second.data);
    const c = arena.f64(m * n);
    const work = arena.bytes(kernels.gemmWorkspace(m, k, n));
    return { run: () => kernels.gemm(a, b, c, m, k, n, work) };
  }
  if (kernel === "syrk") {
    const c = arena.f64(k * k);
    const work = arena.bytes(kernels.syrkWorkspace(m, k));
    return { run: () => kernels.syrk(a, c, m, k, work) };
  }
  const restore = () => arena.view(a, first.data.length).set(first.data);
  if (kernel === "cholesky") return { run: () => kernels.cholesky(a, m), restore };
  if (kernel === "eigh") {
    const values = arena.f64(m);
    const vectors = arena.f64(m * m);
    const work = arena.bytes(kernels.eighWorkspace(m));
    return { run: () => kernels.eigh(a, values, vectors, m, work), restore };
  }
  const r = Math.min(m, k);
  const u = arena.f64(m * r);
  const s = arena.f64(r);
  const v = arena.f64(k * r);
  const work = arena.bytes(kernels.svdWorkspace(m, k));
  return { run: () => kernels.svd(a, u, s, v, m, k, work), restore };
}

function mlMatrix({ kernel }, matrices) {
  const [a, b] = matrices.map(({ data, shape }) => Matrix.from1DArray(...shape, data));
  return {
    gemm: () => a.mmul(b),
    syrk: () => a.transpose().mmul(a),
    eigh: () => new EigenvalueDecomposition(a, { assumeSymmetric: true }),
    svd: () => new SVD(a, { autoTranspose: true }),
    cholesky: () => new CholeskyDecomposition(a),
  }[kernel];
}

function numpyTs({ kernel }, matrices) {
  const [a, b] = matrices.map(({ data, shape }) => np.array(data).reshape(shape));
  return {
    gemm: () => np.matmul(a, b),
    syrk: () => np.matmul(np.transpose(a), a),
    eigh: () => np.linalg.eigh(a),
    svd: () => np.linalg.svd(a, false),
    cholesky: () => np.linalg.cholesky(a),
  }[kernel];
}

/** Best and median time of a call in milliseconds. */
async function time(run, restore) {
  const start = performance.now();
  restore?.();
  run();
  const once = performance.now() - start;
  if (once > PATIENCE) return { best: once, median: once };
  const bench = new Bench({
    time: milliseconds,
    iterations: 5,
    warmupTime: milliseconds / 2,
    warmupIterations: 3,
  });
  bench.add("run", run, restore && { beforeEach: restore });
  await bench.run();
  const { result } = bench.tasks[0];
  if (result.state !== "completed") throw new Error(`benchmark ${result.state}`, { cause: result });
  return { best: result.latency.min, median: result.latency.p50 };
}

function numpyTime(testCase) {
  const { status, stdout } = spawnSync(
    "python3",
    [`${root}bench/numpy_time.py`, JSON.stringify({ ...testCase, seconds: milliseconds / 1000 })],
    { env: { ...process.env, OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" }, encoding: "utf8" },
  );
  return status === 0 ? JSON.parse(stdout) : undefined;
}

const column = (text, width) => String(text ?? "-").padStart(width);
const figure = (x, digits) => (x === undefined ? undefined : x.toFixed(digits));

console.log(
  `${cpus()[0].model}, Node ${process.versions.node}, ${kernelBuild()} build; best times in ms`,
);
console.log(
  "kernel".padEnd(24) +
    ["ours", "GFLOP/s", "numpy", "ratio", "ml-matrix", "numpy-ts"]
      .map((title) => column(title, 11))
      .join(""),
);

const tooSlow = new Set();
async function rival(name, testCase, run) {
  const key = `${name} ${testCase.kernel}`;
  if (!run || tooSlow.has(key)) return undefined;
  const result = await time(run);
  if (result.best > PATIENCE / 10) tooSlow.add(key);
  return result;
}

const results = [];
for (const testCase of cases) {
  const matrices = inputs(testCase);
  const { run, restore } = ours(testCase, matrices);
  const own = await time(run, restore);
  const numpy = numpyTime(testCase);
  const rivals = {
    "ml-matrix": await rival("ml-matrix", testCase, mlMatrix(testCase, matrices)),
    "numpy-ts": await rival("numpy-ts", testCase, numpyTs(testCase, matrices)),
  };
  const ratio = numpy && own.best / numpy.milliseconds;
  results.push({ ...testCase, ours: own, numpy, ratio, ...rivals });
  const rate = flops(testCase) && flops(testCase) / own.best / 1e6;
  console.log(
    `${testCase.kernel} ${testCase.shape.join(" x ")}`.padEnd(24) +
      column(figure(own.best, 4), 11) +
      column(figure(rate, 1), 11) +
      column(figure(numpy?.milliseconds, 4), 11) +
      column(figure(ratio, 2), 11) +
      column(figure(rivals["ml-matrix"]?.best, 3), 11) +
      column(figure(rivals["numpy-ts"]?.best, 3), 11),
  );
}
if (!results.some(({ numpy }) => numpy)) console.log("(no python3 with numpy was found)");

mkdirSync(dirname(options.out), { recursive: true });
writeFileSync(
  options.out,
  JSON.stringify(
    {
      node: process.versions.node,
      cpu: cpus()[0].model,
      build: kernelBuild(),
      numpy: results.find(({ numpy }) => numpy)?.numpy.version,
      results,
    },
    null,
    1,
  ) + "\n",
);
console.log(`wrote ${options.out}`);
