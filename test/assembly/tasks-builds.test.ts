import { describe, expect, test } from "vitest";
import { placeTaskData } from "../../src/learning/tasks/task-data.js";
import { builds, coreOf, wordsOf } from "./builds.js";
import { LOGISTIC, SQUARED, load, problem, read, withSpectrum } from "./problem.js";

describe("both builds", () => {
  test("give the same bits in every task kernel", () => {
    const [simd, scalar] = builds.map((build) => {
      const core = coreOf(build);
      const { kernels, arena } = core;
      const bits: number[] = [];
      const [d, classes] = [11, 3];
      const sizes = [3, 30, 1, 8];
      const spectrum = Array.from({ length: d }, (_, i) => 0.1 + i);
      const prior = arena.copyOf(withSpectrum(core, spectrum, 7));
      for (const loss of [SQUARED, LOGISTIC]) {
        const p = problem(core, { sizes, d, loss, seed: 5, shift: 0.3 });
        const at = load(core, p, loss);
        const { data, x, offsets, scales, weights, intercepts } = at;
        const m = p.m;
        const g = arena.f64(m * d);
        const gb = arena.f64(m);
        const out = arena.f64(m);
        kernels.taskGradients(data, weights, intercepts, g, gb, out);
        bits.push(...read(core, g, m * d), ...read(core, gb, m), ...read(core, out, m));
        const curvatures = arena.bytes(kernels.taskCurvaturesWorkspace(p.offsets.at(-1)!, d));
        kernels.taskCurvatures(data, 1, 0, out, curvatures);
        bits.push(...read(core, out, m));
        kernels.taskCurvatures(data, 1, 1, out, curvatures);
        bits.push(...read(core, out, m));
        const newton = arena.bytes(kernels.taskNewtonWorkspace(d));
        kernels.taskNewton(data, wordsOf(core, [prior, 0, 0]), weights, 0, 1e-12, 50, newton);
        bits.push(...read(core, weights, m * d));
        const total = p.offsets.at(-1)!;
        const loo = arena.f64(total);
        const ridge = arena.bytes(kernels.taskRidgeWorkspace(d));
        kernels.taskRidge(data, prior, 0, weights, intercepts, loo, ridge);
        bits.push(...read(core, weights, m * d), ...read(core, loo, total));
        const labels = arena.copyOf(p.y.map((_, j) => j % classes));
        const many = arena.f64(m * d * classes);
        const start = arena.copyOf(Float64Array.from({ length: m * d * classes }, (_, i) => Math.sin(i)));
        const work = arena.bytes(kernels.softmaxGradientsWorkspace(d, classes));
        const labelled = { x, y: labels, offsets, scales, m, d, loss, outputs: classes };
        kernels.softmaxGradients(placeTaskData(core, labelled), start, many, out, work);
        bits.push(...read(core, many, m * d * classes), ...read(core, out, m));
      }
      return Float64Array.from(bits);
    });
    expect(simd!.every(Number.isFinite)).toBe(true);
    expect(new BigUint64Array(simd!.buffer)).toEqual(new BigUint64Array(scalar!.buffer));
  });
});
