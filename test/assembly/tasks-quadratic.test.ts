import { expect, test } from "vitest";
import { builds, coreOf, describeBuilds } from "./builds.js";
import { SQUARED, load, problem, read } from "./problem.js";
import type { Core } from "../../src/core/core.js";

const sizes = [5, 1, 9, 40];

/** Gradients at the problem's models by the quadratics of the tasks and by their rows. */
function both(core: Core, d: number, intercept: boolean) {
  const { kernels, arena } = core;
  const p = problem(core, { sizes, d, loss: SQUARED, shift: 0.4 });
  const at = load(core, p);
  const { m } = p;
  const levels = intercept ? 1 : 0;
  const b = intercept ? at.intercepts : 0;
  const forms = arena.bytes(kernels.quadraticFormBytes(m, d, levels));
  const work = arena.bytes(kernels.quadraticFormsWorkspace(40, d, 0));
  kernels.quadraticForms(at.data, levels, forms, work);
  const [g, gb, rows, rowsB] = [m * d, m, m * d, m].map((n) => arena.zeros(n)) as [
    number,
    number,
    number,
    number,
  ];
  kernels.quadraticGradients(forms, at.weights, b, g, intercept ? gb : 0, m, d);
  const losses = arena.f64(m);
  kernels.taskGradients(at.data, at.weights, b, rows, intercept ? rowsB : 0, losses);
  const all = (weights: number, intercepts: number) => [
    ...read(core, weights, m * d),
    ...read(core, intercepts, m),
  ];
  return { quadratic: all(g, gb), byRows: all(rows, rowsB) };
}

describeBuilds("gradients of quadratics", (core) => {
  // Strips of 2, 6 and 16 columns, whole and overlapping.
  test.each([1, 2, 3, 5, 6, 7, 12, 15, 16, 17, 30, 33])("are those of the rows, d = %i", (d) => {
    for (const intercept of [false, true]) {
      const { quadratic, byRows } = both(core, d, intercept);
      quadratic.forEach((value, k) => expect(value).toBeCloseTo(byRows[k]!, 11));
      expect(byRows.some((value) => Math.abs(value) > 0.01)).toBe(true);
    }
  });
});

describeBuilds("more forms than caches hold", ({ kernels, arena }) => {
  test.each([false, true])("give the gradients that they give in two parts, intercepts %s", (b) => {
    const [m, d] = [260, 64];
    const bytes = kernels.quadraticFormBytes(m, d, b ? 1 : 0);
    const forms = arena.bytes(bytes);
    arena.view(forms, bytes / 8).forEach((_, k, all) => (all[k] = Math.sin(k)));
    const models = arena.copyOf(Float64Array.from({ length: m * d + m }, (_, k) => Math.cos(k)));
    const gradients = (count: number) => {
      const out = arena.zeros(m * d + m);
      for (let i = 0; i < m; i += count) {
        const [ownForms, own] = [forms + (i / m) * bytes, 8 * i * d];
        const ofIntercepts = b ? [models, out].map((at) => at + 8 * (m * d + i)) : [0, 0];
        const [from, to] = ofIntercepts as [number, number];
        kernels.quadraticGradients(ownForms, models + own, from, out + own, to, count, d);
      }
      return arena.view(out, m * d + m).slice();
    };
    const whole = gradients(m);
    expect(whole).toEqual(gradients(m / 2));
    expect(whole.every(Number.isFinite)).toBe(true);
  });
});

test("both builds give the same bits", () => {
  const [simd, scalar] = builds.map((build) => both(coreOf(build), 17, true).quadratic);
  expect(scalar).toEqual(simd);
});
