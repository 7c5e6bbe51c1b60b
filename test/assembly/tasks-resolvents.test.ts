import { describe, expect, test } from "vitest";
import { builds, coreOf, describeBuilds } from "./builds.js";
import { SQUARED, dotOf, load, problem, read, type Problem } from "./problem.js";
import type { Core } from "../../src/core/core.js";

function grams(core: Core, p: Problem, centred: number) {
  const { kernels, arena } = core;
  const at = load(core, p);
  const h = arena.f64(p.m * p.d * p.d);
  const g = arena.f64(p.m * p.d);
  const work = arena.bytes(kernels.taskGramsWorkspace(p.d));
  kernels.taskGrams(at.data, centred, h, g, work);
  return { h, g };
}

/** Column k of X_i and y_i (k = d), less their means if `centred`. */
function column(p: Problem, i: number, k: number, centred: number): number[] {
  const values: number[] = [];
  for (let j = p.offsets[i]!; j < p.offsets[i + 1]!; j++) {
    values.push(k === p.d ? p.y[j]! : p.x[j * p.d + k]!);
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - (centred ? mean : 0));
}

const inner = (a: number[], b: number[]) => a.reduce((sum, value, k) => sum + value * b[k]!, 0);

describeBuilds("quadratics of the tasks", (core) => {
  const { kernels, arena } = core;

  test.each([1, 2, 3, 7, 12])("are the Gram matrices, d = %i", (d) => {
    const p = problem(core, { sizes: [5, 1, 9, 4], d, loss: SQUARED, shift: 0.4 });
    for (const centred of [0, 1]) {
      const { h, g } = grams(core, p, centred);
      const [H, G] = [read(core, h, p.m * d * d), read(core, g, p.m * d)];
      for (let i = 0; i < p.m; i++) {
        const columns = Array.from({ length: d + 1 }, (_, k) => column(p, i, k, centred));
        for (let a = 0; a < d; a++) {
          expect(G[i * d + a]).toBeCloseTo(p.scales[i]! * inner(columns[a]!, columns[d]!), 12);
          for (let b = 0; b <= a; b++) {
            const exact = p.scales[i]! * inner(columns[a]!, columns[b]!);
            expect(H[(i * d + a) * d + b]).toBeCloseTo(exact, 12);
          }
        }
      }
    }
  });

  test("a reflected step is the proximal point: its gradient vanishes", () => {
    const d = 7;
    const p = problem(core, { sizes: [5, 1, 9, 30], d, loss: SQUARED });
    const n = p.m * d;
    const { h, g } = grams(core, p, 0);
    const exact = { H: read(core, h, n * d), G: read(core, g, n) };
    const rho = 0.37;
    const work = arena.bytes(kernels.taskResolventsWorkspace(d));
    expect(kernels.taskResolvents(h, g, rho, p.m, d, work)).toBe(0);
    const z = Float64Array.from({ length: n }, (_, k) => Math.sin(k));
    const v = Float64Array.from({ length: n }, (_, k) => Math.cos(3 * k));
    const [atZ, atV, atW] = [arena.copyOf(z), arena.copyOf(v), arena.f64(n)];
    kernels.reflectedSteps(h, g, atZ, atV, atW, 1.5, p.m, d, work);
    const [w, moved] = [read(core, atW, n), read(core, atV, n)];
    for (let i = 0; i < p.m; i++) {
      for (let a = 0; a < d; a++) {
        let gradient = -exact.G[i * d + a]!;
        for (let b = 0; b < d; b++) {
          gradient += exact.H[(i * d + Math.max(a, b)) * d + Math.min(a, b)]! * w[i * d + b]!;
        }
        const k = i * d + a;
        expect(gradient + rho * (w[k]! - (2 * z[k]! - v[k]!))).toBeCloseTo(0, 11);
        expect(moved[k]).toBeCloseTo(v[k]! + 1.5 * (w[k]! - z[k]!), 12);
      }
    }
    const residuals = arena.zeros(5);
    const before = arena.copyOf(z.map((value) => value + 0.1));
    kernels.addResiduals(atZ, before, atV, atW, 1.5, residuals, n);
    const apart = w.map((value, k) => value - z[k]!);
    const u = v.map((value, k) => value - z[k]!);
    const norm = (x: Float64Array) => dotOf(x, 0, x, 0, n);
    const expected = [norm(apart), 0.01 * n, norm(w), norm(z), norm(u)];
    read(core, residuals, 5).forEach((value, k) => expect(value).toBeCloseTo(expected[k]!, 10));
    kernels.addResiduals(atZ, before, atV, atW, 1.5, residuals, n);
    read(core, residuals, 5).forEach((value, k) => expect(value).toBeCloseTo(2 * expected[k]!, 10));
  });

  test("say which task has no finite inverse", () => {
    const p = problem(core, { sizes: [3, 3], d: 2, loss: SQUARED });
    p.x[3 * 2] = 1e200;
    const { h, g } = grams(core, p, 0);
    const work = arena.bytes(kernels.taskResolventsWorkspace(2));
    expect(kernels.taskResolvents(h, g, 1, 2, 2, work)).toBe(2);
  });
});

describe("both builds", () => {
  test("give the same bits", () => {
    const [simd, scalar] = builds.map((build) => {
      const core = coreOf(build);
      const { kernels, arena } = core;
      const d = 11;
      const p = problem(core, { sizes: [3, 30, 1, 8], d, loss: SQUARED, shift: 0.3 });
      const { h, g } = grams(core, p, 1);
      const work = arena.bytes(kernels.taskResolventsWorkspace(d));
      kernels.taskResolvents(h, g, 0.3, p.m, d, work);
      const n = p.m * d;
      const z = arena.copyOf(Float64Array.from({ length: n }, (_, k) => Math.sin(k)));
      const v = arena.copyOf(Float64Array.from({ length: n }, (_, k) => Math.cos(k)));
      const w = arena.f64(n);
      kernels.reflectedSteps(h, g, z, v, w, 1.8, p.m, d, work);
      return Float64Array.from([...read(core, w, n), ...read(core, v, n), ...read(core, h, n * d)]);
    });
    expect(simd!.every(Number.isFinite)).toBe(true);
    expect(new BigUint64Array(simd!.buffer)).toEqual(new BigUint64Array(scalar!.buffer));
  });
});
