import { expect, test } from "vitest";
import { placeTaskData } from "../../src/learning/tasks/task-data.js";
import { describeBuilds, wordsOf } from "./builds.js";
import { load, lossOf, problem, read, SQUARED, LOGISTIC, taskLoss, dotOf } from "./problem.js";

const shapes = [
  { sizes: [1], d: 1 },
  { sizes: [3, 1, 7], d: 3 },
  { sizes: [30, 2, 65, 1], d: 30 },
  { sizes: [5, 9], d: 301 },
  { sizes: [3, 2], d: 2500 },
  { sizes: [200, 129], d: 7 },
  // More than 4 MiB, which are streamed; of up to 64 features four rows at a time.
  { sizes: [4100, 4093, 9], d: 64 },
  { sizes: [900, 854, 5, 1], d: 300 },
];

/** Largest difference relative to the largest entry. */
function apart(got: Float64Array, want: ArrayLike<number>): number {
  let scale = 0;
  let worst = 0;
  for (let i = 0; i < got.length; i++) {
    scale = Math.max(scale, Math.abs(want[i]!));
    worst = Math.max(worst, Math.abs(got[i]! - want[i]!));
  }
  return worst / (scale || 1);
}

describeBuilds("task losses and gradients", (core) => {
  const { kernels, arena } = core;

  for (const [name, loss] of [
    ["squared", SQUARED],
    ["logistic", LOGISTIC],
  ] as const) {
    test.each(shapes)(`${name} agree with plain loops, $sizes rows, d = $d`, ({ sizes, d }) => {
      const p = problem(core, { sizes, d, loss });
      const at = load(core, p, loss);
      for (const intercept of [true, false]) {
        const b = intercept ? at.intercepts : 0;
        const g = arena.f64(p.m * d);
        const gb = intercept ? arena.f64(p.m) : 0;
        const losses = arena.f64(p.m);
        const only = arena.f64(p.m);
        kernels.taskGradients(at.data, at.weights, b, g, gb, losses);
        kernels.taskLosses(at.data, at.weights, b, only);
        // Without the losses, the same bits.
        const [g0, gb0] = [arena.f64(p.m * d), intercept ? arena.f64(p.m) : 0];
        kernels.taskGradients(at.data, at.weights, b, g0, gb0, 0);
        expect(read(core, g0, p.m * d)).toEqual(read(core, g, p.m * d));
        if (intercept) expect(read(core, gb0, p.m)).toEqual(read(core, gb, p.m));
        // From margins without intercepts, and then without the gradients, too.
        const rows = p.y.length;
        const [margins, g1, l1] = [arena.f64(rows), arena.f64(p.m * d), arena.f64(p.m)];
        kernels.taskPredict(at.data, at.weights, 0, margins);
        kernels.taskGradientsOfMargins(at.data, margins, b, g1, gb0, l1);
        expect(read(core, g1, p.m * d)).toEqual(read(core, g, p.m * d));
        expect(read(core, l1, p.m)).toEqual(read(core, losses, p.m));
        if (intercept) {
          expect(read(core, gb0, p.m)).toEqual(read(core, gb, p.m));
          arena.view(gb0, p.m).fill(NaN);
          kernels.taskGradientsOfMargins(at.data, margins, b, 0, gb0, 0);
          expect(read(core, gb0, p.m)).toEqual(read(core, gb, p.m));
        }
        for (let i = 0; i < p.m; i++) {
          const want = taskLoss(
            p,
            loss,
            i,
            p.weights.slice(i * d, (i + 1) * d),
            intercept ? p.intercepts[i]! : 0,
          );
          expect(apart(read(core, g + 8 * i * d, d), want.gradient)).toBeLessThan(1e-12);
          expect(apart(read(core, losses + 8 * i, 1), [want.value])).toBeLessThan(1e-12);
          expect(apart(read(core, only + 8 * i, 1), [want.value])).toBeLessThan(1e-12);
          if (intercept)
            expect(Math.abs(read(core, gb + 8 * i, 1)[0]! - want.slope)).toBeLessThan(1e-12);
        }
      }
    });

    test(`${name}: the gradient is the derivative of the loss`, () => {
      const p = problem(core, { sizes: [6], d: 5, loss, seed: 3 });
      const at = load(core, p, loss);
      const g = arena.f64(5);
      const losses = arena.f64(1);
      kernels.taskGradients(at.data, at.weights, 0, g, 0, losses);
      const gradient = read(core, g, 5);
      const lossAt = (k: number, h: number) => {
        arena.view(at.weights, 5).set(p.weights);
        arena.view(at.weights, 5)[k]! += h;
        kernels.taskLosses(at.data, at.weights, 0, losses);
        return read(core, losses, 1)[0]!;
      };
      for (let k = 0; k < 5; k++) {
        const numeric = (lossAt(k, 1e-5) - lossAt(k, -1e-5)) / 2e-5;
        expect(Math.abs(numeric - gradient[k]!)).toBeLessThan(1e-8);
      }
    });
  }

  test("logistic loss and slope within 4 ulp over 40 decades of margin, and at +-1000", () => {
    const margins = [1000, -1000, 0];
    for (let e = -20; e <= 2.86; e += 0.01) margins.push(10 ** e, -(10 ** e));
    const n = margins.length;
    // One task per margin: the gradient of a single unit feature is the slope itself.
    const x = arena.copyOf(new Float64Array(n).fill(1));
    const weights = arena.copyOf(Float64Array.from(margins));
    const ones = arena.copyOf(new Float64Array(n).fill(1));
    const offsets = wordsOf(
      core,
      Array.from({ length: n + 1 }, (_, i) => i),
    );
    const g = arena.f64(n);
    const losses = arena.f64(n);
    const all = { x, y: ones, offsets, scales: ones, m: n, d: 1, loss: LOGISTIC, outputs: 1 };
    kernels.taskGradients(placeTaskData(core, all), weights, 0, g, 0, losses);
    const slopes = read(core, g, n);
    const values = read(core, losses, n);
    margins.forEach((t, i) => {
      const e = Math.exp(-Math.abs(t));
      const slope = -(t >= 0 ? e : 1) / (1 + e);
      const [value] = lossOf(LOGISTIC, t, 1);
      expect(Math.abs(slopes[i]! - slope)).toBeLessThanOrEqual(4 * 2 ** -52 * Math.abs(slope));
      expect(Math.abs(values[i]! - value)).toBeLessThanOrEqual(4 * 2 ** -52 * value);
    });
    expect(values[1]).toBe(1000);
    expect(slopes[1]).toBe(-1);
    expect(values[0]).toBeGreaterThanOrEqual(0);
  });

  test("predictions agree with plain loops", () => {
    const p = problem(core, { sizes: [4, 1, 9], d: 11, loss: SQUARED });
    const at = load(core, p);
    const out = arena.f64(14);
    kernels.taskPredict(at.data, at.weights, at.intercepts, out);
    const got = read(core, out, 14);
    for (let i = 0; i < 3; i++) {
      for (let j = p.offsets[i]!; j < p.offsets[i + 1]!; j++) {
        const want = dotOf(p.x, j * 11, p.weights, i * 11, 11) + p.intercepts[i]!;
        expect(Math.abs(got[j]! - want)).toBeLessThan(1e-12);
      }
    }
  });

  test("a mini-batch of rows is the sum of the rows, repeats included", () => {
    for (const loss of [SQUARED, LOGISTIC]) {
      const p = problem(core, { sizes: [9], d: 6, loss, seed: 8 });
      const at = load(core, p, loss);
      const rows = [3, 8, 3, 0];
      const g = arena.f64(6);
      const value = kernels.taskBatchGradient(at.data, wordsOf(core, rows), 4, 0.25, at.weights, g);
      const want = new Float64Array(6);
      let total = 0;
      for (const j of rows) {
        const [l, s] = lossOf(loss, dotOf(p.x, j * 6, p.weights, 0, 6), p.y[j]!);
        total += 0.25 * l;
        for (let k = 0; k < 6; k++) want[k]! += 0.25 * s * p.x[j * 6 + k]!;
      }
      expect(Math.abs(value - total)).toBeLessThan(1e-12);
      expect(apart(read(core, g, 6), want)).toBeLessThan(1e-12);
    }
  });
});

describeBuilds("softmax", (core) => {
  const { kernels, arena } = core;

  test.each([
    { sizes: [4, 1], d: 3, classes: 2 },
    { sizes: [7, 12, 1], d: 9, classes: 5 },
    { sizes: [33], d: 40, classes: 10 },
  ])("loss, gradient, probabilities: $sizes rows, d = $d, $classes classes", (shape) => {
    const { sizes, d, classes } = shape;
    const p = problem(core, { sizes, d, loss: SQUARED, seed: 21 });
    const y = p.y.map((v) => Math.abs(Math.round(7 * v)) % classes);
    const { weights } = problem(core, { sizes, d: d * classes, loss: SQUARED, seed: 22 });
    const at = load(core, { ...p, y, weights }, SQUARED, classes);
    const size = d * classes;
    const total = p.offsets.at(-1)!;
    const g = arena.f64(p.m * size);
    const losses = arena.f64(p.m);
    const only = arena.f64(p.m);
    const out = arena.f64(total * classes);
    const work = arena.bytes(kernels.softmaxGradientsWorkspace(d, classes));
    kernels.softmaxGradients(at.data, at.weights, g, losses, work);
    kernels.softmaxLosses(at.data, at.weights, only, work);
    kernels.softmaxPredict(at.data, at.weights, out);
    const probabilities = read(core, out, total * classes);
    for (let i = 0; i < p.m; i++) {
      const want = new Float64Array(size);
      let value = 0;
      for (let j = p.offsets[i]!; j < p.offsets[i + 1]!; j++) {
        const z = Array.from({ length: classes }, (_, c) => {
          let sum = 0;
          for (let k = 0; k < d; k++) sum += p.x[j * d + k]! * weights[i * size + k * classes + c]!;
          return sum;
        });
        const normaliser = z.reduce((s, zc) => s + Math.exp(zc), 0);
        value += p.scales[i]! * (Math.log(normaliser) - z[y[j]!]!);
        z.forEach((zc, c) => {
          const q = Math.exp(zc) / normaliser;
          expect(Math.abs(probabilities[j * classes + c]! - q)).toBeLessThan(1e-12);
          const slope = p.scales[i]! * (q - (c === y[j] ? 1 : 0));
          for (let k = 0; k < d; k++) want[k * classes + c]! += slope * p.x[j * d + k]!;
        });
      }
      expect(apart(read(core, g + 8 * i * size, size), want)).toBeLessThan(1e-12);
      expect(apart(read(core, losses + 8 * i, 1), [value])).toBeLessThan(1e-12);
      expect(read(core, only + 8 * i, 1)[0]).toBe(read(core, losses + 8 * i, 1)[0]);
    }
  });

  test("logits of 1000 neither overflow nor lose the loss", () => {
    const x = arena.copyOf(Float64Array.of(1));
    const y = arena.copyOf(Float64Array.of(1));
    const weights = arena.copyOf(Float64Array.of(1000, -1000, 0));
    const one = arena.copyOf(Float64Array.of(1));
    const g = arena.f64(3);
    const losses = arena.f64(1);
    const work = arena.bytes(kernels.softmaxGradientsWorkspace(1, 3));
    const offsets = wordsOf(core, [0, 1]);
    const all = { x, y, offsets, scales: one, m: 1, d: 1, loss: SQUARED, outputs: 3 };
    kernels.softmaxGradients(placeTaskData(core, all), weights, g, losses, work);
    expect(Array.from(read(core, g, 3))).toEqual([1, -1, 0]);
    expect(read(core, losses, 1)[0]).toBe(2000);
  });
});
