/**
 * Rows in Float32: every kernel gives the bits that it gives for Float64 rows of the same values, and what rounding changes of a
 * gradient stays within its bound.
 */
import { expect, test } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { Pointer } from "../../src/core/index.js";
import { placeEntries } from "../../src/learning/tasks/fold-entries.js";
import { ROWS_AT_ONCE } from "../../src/learning/tasks/row-precision.js";
import { placeTaskData, type TaskDataFields } from "../../src/learning/tasks/task-data.js";
import { describeBuilds, wordsOf } from "./builds.js";
import { dotOf, LOGISTIC, problem, read, SQUARED, withSpectrum, type Problem } from "./problem.js";

const CLASSES = 3;
/** Relative error of an entry that is rounded to Float32. */
const UNIT = 2 ** -24;

/** Float64 records and those of Float32, with room for so many rows. */
function records(core: Core, p: Problem, fields: Partial<TaskDataFields>, room: number) {
  const { arena } = core;
  const rounded = Float32Array.from(p.x);
  const narrow = arena.bytes(4 * rounded.length);
  arena.singles(narrow, rounded.length).set(rounded);
  const all = {
    y: arena.copyOf(p.y), offsets: wordsOf(core, p.offsets), scales: arena.copyOf(p.scales),
    m: p.m, d: p.d, loss: SQUARED, outputs: 1, ...fields,
  };
  return [
    placeTaskData(core, { ...all, x: arena.copyOf(Float64Array.from(rounded)) }),
    placeTaskData(core, { ...all, x: narrow, wide: arena.f64(room * p.d), room }),
  ];
}

describeBuilds("rows in Float32", (core) => {
  const { kernels, arena } = core;
  const sizes = [3, 70, 1, 9];
  const total = 83;
  const wanted = (n: number, of: (at: Pointer) => void) => {
    const at = arena.zeros(n);
    of(at);
    return read(core, at, n);
  };

  /** That each record gives the same, and not nothing. */
  function same(both: readonly Pointer[], n: number, run: (data: Pointer, out: Pointer) => void) {
    const [wide, narrow] = both.map((data) => wanted(n, (out) => run(data, out)));
    expect(wide!.some((value) => value !== 0)).toBe(true);
    expect(wide!.every(Number.isFinite)).toBe(true);
    expect(new BigUint64Array(narrow!.buffer)).toEqual(new BigUint64Array(wide!.buffer));
  }

  test("gradients of more rows than caches hold, in either precision", () => {
    const p = problem(core, { sizes: [12300, 7], d: 86, loss: SQUARED, seed: 5 });
    const w = arena.copyOf(p.weights);
    same(records(core, p, {}, ROWS_AT_ONCE), 2 * 86, (data, out) =>
      kernels.taskGradients(data, w, 0, out, 0, 0),
    );
  });

  // Short rows and long ones, which are summed in other orders; odd, so that vectors have ends.
  for (const d of [1, 7, 64, 85, 600]) {
    for (const loss of [SQUARED, LOGISTIC]) {
      for (const weighted of [false, true]) {
        test(`d ${d}, loss ${loss}${weighted ? ", weighted" : ""}: what reads them once a round`, () => {
          const p = problem(core, { sizes, d, loss, seed: 3, shift: 0.2 });
          const s = Float64Array.from({ length: total }, (_, j) => 0.5 + (j % 3) / 2);
          const weights = weighted ? arena.copyOf(s) : 0;
          const both = records(core, p, { loss, weights }, ROWS_AT_ONCE);
          const [w, b] = [arena.copyOf(p.weights), arena.copyOf(p.intercepts)];
          const { m } = p;
          same(both, m * d + 2 * m, (data, out) => {
            const slopes = out + 8 * m * d;
            kernels.taskGradients(data, w, b, out, slopes, slopes + 8 * m);
          });
          same(both, m, (data, out) => kernels.taskLosses(data, w, b, out));
          same(both, total, (data, out) => kernels.taskPredict(data, w, b, out));
          const rows = wordsOf(core, [4, 70, 4, 3, 12]);
          same(both, d, (data, out) => void kernels.taskBatchGradient(data, rows, 5, 0.3, w, out));
          const entries = { owners: Uint32Array.of(0, 1, 3), folds: Uint32Array.of(2, 0, 4), parts: 5 };
          const folds = placeEntries(core, entries);
          const models = arena.copyOf(p.weights.slice(0, 3 * d));
          same(both, 17, (data, out) => kernels.foldPredictions(data, folds, models, b, out));
        });
      }
    }

    test(`d ${d}: softmax`, () => {
      const p = problem(core, { sizes, d, loss: SQUARED, seed: 4 });
      const y = arena.copyOf(p.y.map((_, j) => j % CLASSES));
      const both = records(core, p, { y, outputs: CLASSES }, ROWS_AT_ONCE);
      const { m } = p;
      const size = m * d * CLASSES;
      const w = arena.copyOf(Float64Array.from({ length: size }, (_, k) => Math.sin(k)));
      const work = arena.bytes(kernels.softmaxGradientsWorkspace(d, CLASSES));
      same(both, size + m, (data, out) => kernels.softmaxGradients(data, w, out, out + 8 * size, work));
      same(both, m, (data, out) => kernels.softmaxLosses(data, w, out, work));
      same(both, total * CLASSES, (data, out) => kernels.softmaxPredict(data, w, out));
      const rows = wordsOf(core, [4, 70, 4]);
      same(both, d * CLASSES, (data, out) =>
        void kernels.softmaxBatchGradient(data, rows, 3, 0.3, w, out, work),
      );
    });
  }

  // Fewer features than rows, and more: other ways to solve.
  for (const d of [5, 20, 85]) {
    test(`d ${d}: what reads whole tasks`, () => {
      const p = problem(core, { sizes, d, loss: SQUARED, seed: 5, shift: 0.2 });
      const both = records(core, p, {}, 70);
      const { m } = p;
      const curvatures = arena.bytes(kernels.taskCurvaturesWorkspace(70, d));
      same(both, m, (data, out) => kernels.taskCurvatures(data, 1, 0, out, curvatures));
      const bytes = kernels.quadraticFormBytes(m, d, 1);
      const forms = arena.bytes(kernels.quadraticFormsWorkspace(70, d, 0));
      same(both, bytes / 8, (data, out) => kernels.quadraticForms(data, 1, out, forms));
      const spectrum = Array.from({ length: d }, (_, i) => 0.1 + i);
      const prior = arena.copyOf(withSpectrum(core, spectrum, 7));
      const ridge = arena.bytes(kernels.taskRidgeWorkspace(d));
      same(both, m * d + total, (data, out) => {
        kernels.taskRidge(data, prior, 0, out, 0, out + 8 * m * d, ridge);
      });
      const labels = arena.copyOf(p.y.map((value) => (value > 0 ? 1 : -1)));
      const newton = arena.bytes(kernels.taskNewtonWorkspace(d));
      same(records(core, p, { loss: LOGISTIC, y: labels }, 70), m * d, (data, out) => {
        kernels.taskNewton(data, wordsOf(core, [prior, 0, 0]), out, 0, 1e-12, 50, newton);
      });
    });
  }

  test("a kernel that wants more rows at once than there is room for stops", () => {
    const p = problem(core, { sizes, d: 5, loss: SQUARED });
    const [, narrow] = records(core, p, {}, ROWS_AT_ONCE);
    const forms = arena.bytes(kernels.quadraticFormBytes(p.m, 5, 0));
    const work = arena.bytes(kernels.quadraticFormsWorkspace(70, 5, 0));
    expect(() => kernels.quadraticForms(narrow!, 0, forms, work)).toThrow(WebAssembly.RuntimeError);
  });

  // With |x' - x| <= u |x|, prediction p' is within u a of p, a = sum |x_k w_k|, and so with r = p - y
  // |(p' - y) x' - r x| <= u a |x| + (|r| + u a) u |x|.
  test.each([3, 30, 300])("the squared loss's gradient, d %i: within the bound of the rounding", (d) => {
    const p = problem(core, { sizes, d, loss: SQUARED, seed: 9, shift: 1 });
    const exact = placeTaskData(core, {
      x: arena.copyOf(p.x), y: arena.copyOf(p.y), offsets: wordsOf(core, p.offsets),
      scales: arena.copyOf(p.scales), m: p.m, d, loss: SQUARED, outputs: 1,
    });
    const [, narrow] = records(core, p, {}, ROWS_AT_ONCE);
    const w = arena.copyOf(p.weights);
    const [before, after] = [exact, narrow!].map((data) =>
      wanted(p.m * d, (out) => kernels.taskGradients(data, w, 0, out, 0, 0)),
    );
    const sizeOf = (values: Float64Array) => values.map(Math.abs);
    const [x, absolute] = [sizeOf(p.x), sizeOf(p.weights)];
    let largest = 0;
    for (let i = 0; i < p.m; i++) {
      const bound = new Float64Array(d);
      for (let j = p.offsets[i]!; j < p.offsets[i + 1]!; j++) {
        const a = dotOf(x, j * d, absolute, i * d, d);
        const r = Math.abs(dotOf(p.x, j * d, p.weights, i * d, d) - p.y[j]!);
        // Float64 rounds both sides by less than a millionth of u.
        const factor = p.scales[i]! * (UNIT * a + (r + UNIT * a) * UNIT) * (1 + 1e-6);
        for (let k = 0; k < d; k++) bound[k]! += factor * x[j * d + k]!;
      }
      for (let k = 0; k < d; k++) {
        const moved = Math.abs(after![i * d + k]! - before![i * d + k]!);
        expect(moved).toBeLessThanOrEqual(bound[k]!);
        largest = Math.max(largest, moved / bound[k]!);
      }
    }
    // The bound is about rounding, and not so wide that anything would pass.
    expect(largest).toBeGreaterThan(0.01);
  });
});
