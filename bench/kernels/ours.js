/**
 * Our kernels on data that already lies in their memory.
 *
 * @module
 */
import { openCore } from "../../build/modules/core/index.js";
import { placeTaskData } from "../../build/modules/learning/tasks/task-data.js";
import { numbers } from "./cases.js";

/** Losses and gradients of m tasks of k rows, n features each. */
function gradients(core, { kernel, shape: [m, k, n, classes = 1] }, a, second) {
  const { kernels, arena } = core;
  const weights = arena.copyOf(second.data);
  const offsets = arena.bytes(4 * (m + 1));
  arena.words(offsets, m + 1).set(Uint32Array.from({ length: m + 1 }, (_, i) => i * k));
  const scales = arena.copyOf(new Float64Array(m).fill(1));
  const [out, losses] = [arena.f64(m * n * classes), arena.f64(m)];
  const values = () => arena.view(out, m * n * classes);
  const all = { x: a, offsets, scales, m, d: n };
  if (kernel === "gradients softmax") {
    const y = arena.copyOf(numbers(m * k).map((value) => Math.floor(((value + 1) / 2) * classes)));
    const work = arena.bytes(kernels.softmaxGradientsWorkspace(n, classes));
    const data = placeTaskData(core, { ...all, y, loss: 0, outputs: classes });
    return { values, run: () => kernels.softmaxGradients(data, weights, out, losses, work) };
  }
  const loss = kernel === "gradients squared" ? 0 : 1;
  const y = arena.copyOf(numbers(m * k).map((value) => (value < 0 ? -1 : 1)));
  const data = placeTaskData(core, { ...all, y, loss, outputs: 1 });
  return { values, run: () => kernels.taskGradients(data, weights, 0, out, 0, losses) };
}

/**
 * `run` times the kernel, `restore` puts back what it destroys, `values` is what the answers of other
 * libraries are compared with: products and factors whole, of decompositions the values.
 */
export function ours(testCase, [first, second]) {
  const core = openCore();
  const { kernels, arena } = core;
  const { kernel, shape } = testCase;
  const [m, k, n] = shape;
  if (kernel === "wishart") {
    const state = arena.bytes(kernels.randomStateBytes());
    kernels.randomInit(state, arena.zeros(4), 0, 0);
    const out = arena.f64(m * m);
    const work = arena.bytes(kernels.wishartWorkspace(m));
    return { run: () => kernels.wishart(state, out, m, m + 1, 1, work) };
  }
  const a = arena.copyOf(first.data);
  if (kernel.startsWith("gradients")) return gradients(core, testCase, a, second);
  if (kernel === "gemm") {
    const b = arena.copyOf(second.data);
    const c = arena.f64(m * n);
    const work = arena.bytes(kernels.gemmWorkspace(m, k, n));
    return { run: () => kernels.gemm(a, b, c, m, k, n, work), values: () => arena.view(c, m * n) };
  }
  if (kernel === "syrk") {
    const c = arena.f64(k * k);
    const work = arena.bytes(kernels.syrkWorkspace(m, k));
    return { run: () => kernels.syrk(a, c, m, k, work), values: () => arena.view(c, k * k) };
  }
  const restore = () => arena.view(a, first.data.length).set(first.data);
  if (kernel === "cholesky") {
    return { run: () => kernels.cholesky(a, m), restore, values: () => arena.view(a, m * m) };
  }
  const r = Math.min(...shape);
  const s = arena.f64(r);
  const values = () => arena.view(s, r);
  if (kernel === "eigh") {
    const vectors = arena.f64(m * m);
    const work = arena.bytes(kernels.eighWorkspace(m));
    return { run: () => kernels.eigh(a, s, vectors, m, work), restore, values };
  }
  const u = arena.f64(m * r);
  const v = arena.f64(k * r);
  const work = arena.bytes(kernels.svdWorkspace(m, k));
  return { run: () => kernels.svd(a, u, s, v, m, k, work), restore, values };
}
