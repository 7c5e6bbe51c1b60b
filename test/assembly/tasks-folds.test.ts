import { expect, test } from "vitest";
import { placeEntries } from "../../src/learning/tasks/fold-entries.js";
import { builds, coreOf, describeBuilds } from "./builds.js";
import { SQUARED, dotOf, load, problem, read, taskLoss, type Problem } from "./problem.js";
import type { Core } from "../../src/core/core.js";

const sizes = [5, 2, 9, 1, 23];
const PARTS = 4;

/** All folds of all tasks, and some again apart from their kin; a task of one row has an empty rest. */
const entries = [
  ...sizes.flatMap((n, task) => Array.from({ length: Math.min(n, PARTS) }, (_, fold) => [task, fold])),
  [4, 2],
  [0, 1],
] as [number, number][];

/** Rows of an entry: those it holds out, or those that are left. */
function rowsOf(p: Problem, [task, fold]: [number, number], held: boolean): number[] {
  const rows: number[] = [];
  for (let j = p.offsets[task]!; j < p.offsets[task + 1]!; j++) {
    if (((j - p.offsets[task]!) % PARTS === fold) === held) rows.push(j);
  }
  return rows;
}

function place(core: Core, d: number) {
  const p = problem(core, { sizes, d, loss: SQUARED, shift: 0.4 });
  const at = load(core, p);
  // Every entry has a model of its own.
  const weights = Float64Array.from({ length: entries.length * d }, (_, k) => Math.sin(k));
  const intercepts = Float64Array.from(entries, (_, k) => Math.cos(k));
  return { p, at, weights, intercepts };
}

/** The kernels' record of all entries. */
function placed(core: Core, scales = 0) {
  const owners = Uint32Array.from(entries, ([task]) => task);
  const folds = Uint32Array.from(entries, ([, fold]) => fold);
  return placeEntries(core, { parts: PARTS, owners, folds }, scales);
}

/** Gradients of all entries from their forms. */
function gradients(core: Core, d: number, intercept: boolean) {
  const { kernels, arena } = core;
  const { p, at, weights, intercepts } = place(core, d);
  const count = entries.length;
  const scales = Float64Array.from(entries, (_, k) => 1 / (1 + k));
  const levels = intercept ? 1 : 0;
  const forms = arena.bytes(kernels.quadraticFormBytes(count, d, levels));
  const work = arena.bytes(kernels.foldFormsWorkspace(23, PARTS, d));
  kernels.foldForms(at.data, placed(core, arena.copyOf(scales)), levels, forms, work);
  const [g, gb] = [arena.f64(count * d), arena.zeros(count)];
  const b = intercept ? arena.copyOf(intercepts) : 0;
  kernels.quadraticGradients(forms, arena.copyOf(weights), b, g, intercept ? gb : 0, count, d);
  return { p, weights, intercepts, scales, g: read(core, g, count * d), gb: read(core, gb, count) };
}

describeBuilds("tasks without a fold", (core) => {
  test.each([1, 2, 5, 17, 30])("have the gradients of the rows left, d = %i", (d) => {
    for (const intercept of [false, true]) {
      const { p, weights, intercepts, scales, g, gb } = gradients(core, d, intercept);
      entries.forEach((entry, k) => {
        const left = rowsOf(p, entry, false);
        const x = Float64Array.from(left.flatMap((j) => [...p.x.subarray(j * d, (j + 1) * d)]));
        const y = Float64Array.from(left, (j) => p.y[j]!);
        const alone = { ...p, m: 1, offsets: [0, left.length], x, y, scales: scales.subarray(k, k + 1) };
        const w = weights.subarray(k * d, (k + 1) * d);
        const { gradient, slope } = taskLoss(alone, SQUARED, 0, w, intercept ? intercepts[k]! : 0);
        gradient.forEach((value, j) => expect(g[k * d + j]).toBeCloseTo(value, 11));
        if (intercept) expect(gb[k]).toBeCloseTo(slope, 11);
      });
    }
  });

  test.each([1, 3, 30, 65])("predict the rows held out, d = %i", (d) => {
    const { kernels, arena } = core;
    const { p, at, weights, intercepts } = place(core, d);
    const expected = entries.flatMap((entry, k) =>
      rowsOf(p, entry, true).map((j) => dotOf(p.x, j * d, weights, k * d, d) + intercepts[k]!),
    );
    const out = arena.f64(expected.length);
    const models = [arena.copyOf(weights), arena.copyOf(intercepts)] as const;
    kernels.foldPredictions(at.data, placed(core), ...models, out);
    read(core, out, expected.length).forEach((value, k) =>
      expect(value).toBeCloseTo(expected[k]!, 11),
    );
  });
});

test("both builds give the same bits of the forms of folds", () => {
  const [simd, scalar] = builds.map((build) => gradients(coreOf(build), 17, true));
  expect(scalar!.g).toEqual(simd!.g);
});
