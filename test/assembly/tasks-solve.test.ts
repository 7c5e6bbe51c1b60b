import { expect, test } from "vitest";
import { describeBuilds, wordsOf } from "./builds.js";
import {
  LOGISTIC,
  SQUARED,
  dotOf,
  load,
  problem,
  read,
  taskLoss,
  withSpectrum,
  without,
  type Problem,
} from "./problem.js";
import { placeTaskData } from "../../src/learning/tasks/task-data.js";
import type { Core } from "../../src/core/core.js";

interface Prior {
  precision: Float64Array;
  center?: Float64Array;
}
interface Fit {
  failed: number;
  weights: Float64Array;
  intercepts: Float64Array;
  leaveOneOut: Float64Array;
}

function ridge(core: Core, p: Problem, prior: Prior, intercept: boolean): Fit {
  const { arena, kernels } = core;
  const at = load(core, p);
  const rows = p.offsets.at(-1)!;
  const leaveOneOut = arena.f64(rows);
  const failed = kernels.taskRidge(
    at.data,
    arena.copyOf(prior.precision),
    prior.center ? arena.copyOf(prior.center) : 0,
    at.weights,
    intercept ? at.intercepts : 0,
    leaveOneOut,
    arena.bytes(kernels.taskRidgeWorkspace(p.d)),
  );
  return {
    failed,
    weights: read(core, at.weights, p.m * p.d),
    intercepts: intercept ? read(core, at.intercepts, p.m) : new Float64Array(p.m),
    leaveOneOut: read(core, leaveOneOut, rows),
  };
}

interface NewtonOptions {
  tolerance?: number;
  maxIterations?: number;
  /** In the place of the prior's precision. */
  penalties?: number[];
}

function newton(
  core: Core,
  p: Problem,
  prior: Prior,
  intercept: boolean,
  loss: number,
  { tolerance = 1e-14, maxIterations = 60, penalties }: NewtonOptions = {},
): Omit<Fit, "leaveOneOut"> {
  const { arena, kernels } = core;
  const at = load(core, p, loss);
  const placed = wordsOf(core, [
    penalties ? 0 : arena.copyOf(prior.precision),
    penalties ? arena.copyOf(Float64Array.from(penalties)) : 0,
    prior.center ? arena.copyOf(prior.center) : 0,
  ]);
  const failed = kernels.taskNewton(
    at.data,
    placed,
    at.weights,
    intercept ? at.intercepts : 0,
    tolerance,
    maxIterations,
    arena.bytes(kernels.taskNewtonWorkspace(p.d)),
  );
  return {
    failed,
    weights: read(core, at.weights, p.m * p.d),
    intercepts: intercept ? read(core, at.intercepts, p.m) : new Float64Array(p.m),
  };
}

/** Norm of the gradient of L_i + prior at the fit, relative to 1 + the size of its parts. */
function residual(
  p: Problem,
  prior: Prior,
  loss: number,
  fit: Omit<Fit, "leaveOneOut">,
  i: number,
) {
  const { d } = p;
  const w = fit.weights.slice(i * d, (i + 1) * d);
  const { gradient, slope } = taskLoss(p, loss, i, w, fit.intercepts[i]!);
  const u = w.map((v, k) => v - (prior.center?.[k] ?? 0));
  const pull = new Float64Array(d);
  let size = 1;
  for (let k = 0; k < d; k++) {
    pull[k] = dotOf(prior.precision, k * d, u, 0, d);
    for (let l = 0; l < d; l++) size += Math.abs(prior.precision[k * d + l]! * u[l]!);
  }
  return {
    weights: Math.hypot(...gradient.map((g, k) => g + pull[k]!)) / size,
    intercept: Math.abs(slope),
  };
}

const cases = [
  { name: "n < d", sizes: [3, 7, 1], d: 12 },
  { name: "n > d", sizes: [40, 23], d: 5 },
  { name: "mixed, n = d among them", sizes: [2, 8, 20, 1, 9], d: 8 },
  { name: "d = 1", sizes: [1, 2, 5], d: 1 },
];

describeBuilds("exact solves", (core) => {
  const prior = (d: number, spread: number, centred: boolean): Prior => {
    const values = Array.from({ length: d }, (_, k) => 0.05 * spread ** (k / Math.max(1, d - 1)));
    const center = Float64Array.from({ length: d }, (_, k) => Math.sin(k + 1));
    return { precision: withSpectrum(core, values, 31), ...(centred && { center }) };
  };

  for (const intercept of [false, true]) {
    for (const centred of [false, true]) {
      const with_ = `${intercept ? "with" : "no"} intercept, ${centred ? "centre" : "no centre"}`;

      test.each(cases)(`ridge: gradient zero; $name; ${with_}`, ({ sizes, d }) => {
        const p = problem(core, { sizes, d, loss: SQUARED, seed: 41, shift: 2 });
        const q = prior(d, 1e3, centred);
        const fit = ridge(core, p, q, intercept);
        expect(fit.failed).toBe(0);
        for (let i = 0; i < p.m; i++) {
          const r = residual(p, q, SQUARED, fit, i);
          expect(r.weights).toBeLessThan(1e-12);
          if (intercept) expect(r.intercept).toBeLessThan(1e-12);
        }
      });

      test.each(cases)(`leave-one-out is the refit; $name; ${with_}`, ({ sizes, d }) => {
        const p = problem(core, { sizes, d, loss: SQUARED, seed: 42, shift: 1 });
        const q = prior(d, 1e2, centred);
        const { leaveOneOut } = ridge(core, p, q, intercept);
        for (let j = 0; j < leaveOneOut.length; j++) {
          const i = p.offsets.findIndex((from, k) => from <= j && j < p.offsets[k + 1]!);
          const refit = ridge(core, without(p, j), q, intercept);
          const want = dotOf(p.x, j * d, refit.weights, i * d, d) + refit.intercepts[i]!;
          expect(Math.abs(leaveOneOut[j]! - want)).toBeLessThan(1e-9 * (1 + Math.abs(want)));
        }
      });

      for (const loss of [SQUARED, LOGISTIC]) {
        test.each(cases)(`Newton, loss ${loss}: gradient zero; $name; ${with_}`, (shape) => {
          const p = problem(core, { ...shape, loss, seed: 43, shift: 0.5 });
          // Both classes in every task: an unpenalised intercept has no optimum otherwise.
          const both = shape.sizes.map((n) => n > 1);
          if (loss === LOGISTIC && intercept) {
            p.sizes.forEach((n, i) => {
              if (n > 1) p.y.set([1, -1], p.offsets[i]!);
            });
          }
          const q = prior(p.d, 1e2, centred);
          const fit = newton(core, p, q, intercept, loss);
          expect(fit.failed).toBe(0);
          for (let i = 0; i < p.m; i++) {
            if (loss === LOGISTIC && intercept && !both[i]) continue;
            const r = residual(p, q, loss, fit, i);
            expect(r.weights).toBeLessThan(1e-9);
            if (intercept) expect(r.intercept).toBeLessThan(1e-9);
          }
        });
      }
    }
  }

  test("Newton on the squared loss is ridge", () => {
    const p = problem(core, { sizes: [4, 30], d: 9, loss: SQUARED, seed: 44 });
    const q = prior(9, 1e3, true);
    const a = ridge(core, p, q, true);
    const b = newton(core, p, q, true, SQUARED);
    a.weights.forEach((w, k) => expect(Math.abs(w - b.weights[k]!)).toBeLessThan(1e-10));
  });

  test.each([true, false])("a penalty of every task's own, with intercept: %s", (intercept) => {
    // Fewer rows than features, more, and more than a block of them.
    const p = problem(core, { sizes: [3, 8, 9, 150], d: 8, loss: LOGISTIC, seed: 51 });
    const penalties = [0.1, 2, 0.03, 0.4];
    const fit = newton(core, p, prior(8, 10, false), intercept, LOGISTIC, { penalties });
    expect(fit.failed).toBe(0);
    penalties.forEach((penalty, i) => {
      const precision = Float64Array.from({ length: 64 }, (_, k) => (k % 9 === 0 ? penalty : 0));
      const r = residual(p, { precision }, LOGISTIC, fit, i);
      expect(r.weights).toBeLessThan(1e-9);
      if (intercept) expect(r.intercept).toBeLessThan(1e-9);
    });
  });

  test.each([6, 40])("Newton finds its way from saturated weights, %i rows", (n) => {
    const p = problem(core, { sizes: [n], d: 10, loss: LOGISTIC, seed: 45 });
    const q = prior(10, 10, false);
    const want = newton(core, p, q, false, LOGISTIC);
    const far = { ...p, weights: p.weights.map((w) => -1000 * w) };
    const fit = newton(core, far, q, false, LOGISTIC, { maxIterations: 200 });
    expect(fit.failed).toBe(0);
    fit.weights.forEach((w, k) => expect(Math.abs(w - want.weights[k]!)).toBeLessThan(1e-6));
  });

  test.each([4, 30])(
    "one class only and a free intercept: stops by its tolerance, %i rows",
    (n) => {
      const p = problem(core, { sizes: [n], d: 10, loss: LOGISTIC, seed: 46 });
      p.y.fill(1);
      const fit = newton(core, p, prior(10, 10, false), true, LOGISTIC, { tolerance: 1e-8 });
      expect(fit.failed).toBe(0);
      expect(fit.intercepts[0]).toBeGreaterThan(5);
    },
  );

  test.each([3, 25])("a precision of condition 1e12 is solved as well as its entries say", (n) => {
    const d = 12;
    const values = Array.from({ length: d }, (_, k) => 10 ** (k - 2));
    for (const rotated of [true, false]) {
      const precision = rotated
        ? withSpectrum(core, values, 47)
        : Float64Array.from({ length: d * d }, (_, k) =>
            k % (d + 1) === 0 ? values[k / (d + 1)]! : 0,
          );
      const p = problem(core, { sizes: [n], d, loss: SQUARED, seed: 48 });
      const fit = ridge(core, p, { precision }, true);
      expect(fit.failed).toBe(0);
      const r = residual(p, { precision }, SQUARED, fit, 0);
      expect(r.weights).toBeLessThan(1e-12);
    }
  });

  test("a precision that is not positive definite is reported with the task", () => {
    const p = problem(core, { sizes: [20, 2, 20], d: 4, loss: SQUARED, seed: 49 });
    const precision = Float64Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? -1e-9 : 0));
    expect(ridge(core, p, { precision }, false).failed).toBe(2);
    expect(newton(core, p, { precision }, false, SQUARED).failed).toBe(2);
  });

  test("too few iterations are reported", () => {
    const p = problem(core, { sizes: [20, 3], d: 8, loss: LOGISTIC, seed: 50 });
    expect(newton(core, p, prior(8, 10, false), false, LOGISTIC, { maxIterations: 1 }).failed).toBe(1);
  });
});

describeBuilds("curvatures", (core) => {
  const { kernels, arena } = core;
  /** lambda_max of Z^T Z by many power iterations on long double-free plain loops. */
  const powerIteration = (p: Problem, i: number, intercept: boolean) => {
    const width = p.d + (intercept ? 1 : 0);
    let v = Float64Array.from({ length: width }, (_, k) => 1 + Math.cos(3 * k));
    let value = 0;
    for (let step = 0; step < 3000; step++) {
      const next = new Float64Array(width);
      for (let j = p.offsets[i]!; j < p.offsets[i + 1]!; j++) {
        const s = dotOf(p.x, j * p.d, v, 0, p.d) + (intercept ? v[p.d]! : 0);
        for (let k = 0; k < p.d; k++) next[k]! += s * p.x[j * p.d + k]!;
        if (intercept) next[p.d]! += s;
      }
      value = Math.hypot(...next) / Math.hypot(...v);
      const size = Math.hypot(...next) || 1;
      v = next.map((t) => t / size);
    }
    return value * p.scales[i]!;
  };

  test.each([
    { sizes: [1, 2, 9, 30], d: 9 },
    { sizes: [1, 4], d: 1 },
    { sizes: [50, 13, 12], d: 12 },
  ])("bound from above, tight to 1e-6: $sizes rows, d = $d", ({ sizes, d }) => {
    for (const shift of [0, 3]) {
      const p = problem(core, { sizes, d, loss: SQUARED, seed: 61, shift });
      const at = load(core, p);
      const out = arena.f64(p.m);
      const work = arena.bytes(kernels.taskCurvaturesWorkspace(Math.max(...sizes), d));
      for (const intercept of [false, true]) {
        kernels.taskCurvatures(at.data, intercept ? 1 : 0, 0, out, work);
        const got = read(core, out, p.m);
        for (let i = 0; i < p.m; i++) {
          const want = powerIteration(p, i, intercept); // never above the eigenvalue
          expect(got[i]).toBeGreaterThanOrEqual(want);
          expect(got[i]).toBeLessThanOrEqual(want * (1 + 1e-6));
        }
      }
    }
  });

  test.each([
    { sizes: [7, 30, 2, 9, 30, 9, 0, 30], d: 9 },
    { sizes: [50, 13, 49, 51, 12], d: 12 },
  ])("the largest alone, in any order: $sizes rows, d = $d", ({ sizes, d }) => {
    const p = problem(core, { sizes, d, loss: SQUARED, seed: 61, shift: 0 });
    const at = load(core, p);
    const out = arena.f64(p.m);
    const work = arena.bytes(kernels.taskCurvaturesWorkspace(Math.max(...sizes), d));
    const curvatures = (largestOnly: number) => {
      kernels.taskCurvatures(at.data, 1, largestOnly, out, work);
      return [...read(core, out, p.m)];
    };
    const each = curvatures(0);
    const bounds = curvatures(1);
    expect(Math.max(...bounds)).toBe(Math.max(...each));
    each.forEach((value, i) => expect(bounds[i]).toBeGreaterThanOrEqual(value));
    expect(bounds).not.toEqual(each);
    const first = each.findIndex((value, i) => bounds[i] !== value);
    expect(bounds[first]).toBe(Math.max(...each.slice(0, first)));
  });

  test("equal eigenvalues, zero rows and rank one", () => {
    const d = 5;
    const identity = Float64Array.from({ length: 25 }, (_, k) => (k % 6 === 0 ? 2 : 0));
    const ones = new Float64Array(4 * d).fill(1);
    const x = arena.copyOf(Float64Array.of(...identity, ...new Float64Array(2 * d), ...ones));
    const offsets = wordsOf(core, [0, 5, 7, 11]);
    const scales = arena.copyOf(Float64Array.of(1, 1, 0.5));
    const out = arena.f64(3);
    const work = arena.bytes(kernels.taskCurvaturesWorkspace(5, d));
    const all = { x, y: 0, offsets, scales, m: 3, d, loss: SQUARED, outputs: 1 };
    kernels.taskCurvatures(placeTaskData(core, all), 0, 0, out, work);
    const [a, b, c] = read(core, out, 3);
    expect(a).toBeGreaterThanOrEqual(4);
    expect(a).toBeLessThan(4 * (1 + 1e-6));
    expect(b).toBe(0);
    expect(c).toBeGreaterThanOrEqual(10);
    expect(c).toBeLessThan(10 * (1 + 1e-6));
  });

  test("rows that repeat one another but for their sign, beside one that does not", () => {
    // What rounding leaves of their reduction is squared from step to step, until no number is as small.
    for (const [n, d] of [
      [34, 206],
      [40, 60],
      [64, 20],
    ] as const) {
      const dense = Float64Array.from({ length: d }, (_, j) => Math.sin(j * j + 1));
      const length = Math.hypot(...dense);
      const rows = new Float64Array(n * d);
      rows.set(dense.map((value) => value / length));
      for (let r = 1; r < n; r++) rows[r * d + 3] = r % 3 === 0 ? -1 : 1;
      const out = arena.f64(1);
      const at = placeTaskData(core, {
        x: arena.copyOf(rows), y: 0, offsets: wordsOf(core, [0, n]), m: 1, d,
        scales: arena.copyOf(Float64Array.of(1)), loss: SQUARED, outputs: 1,
      });
      kernels.taskCurvatures(at, 0, 0, out, arena.bytes(kernels.taskCurvaturesWorkspace(n, d)));
      // Of e e^T (n - 1) + u u^T, |u| = 1 and u.e = c: half of n + sqrt(n^2 - 4 (n - 1) (1 - c^2)).
      const c = dense[3]! / length;
      const want = (n + Math.sqrt(n * n - 4 * (n - 1) * (1 - c * c))) / 2;
      const [got] = read(core, out, 1);
      expect(got).toBeGreaterThanOrEqual(want * (1 - 1e-12));
      expect(got).toBeLessThanOrEqual(want * (1 + 1e-6));
    }
  });
});
