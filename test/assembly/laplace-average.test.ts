/**
 * Averages of logistic modes by their evidence, all tasks in one call, against Laplace's formula task by task.
 */
import { describe, expect, test } from "vitest";
import type { Core } from "../../src/core/core.js";
import { TaskSet } from "../../src/data/index.js";
import { laplaceAverage } from "../../src/learning/tasks/own-models/laplace-average.js";
import { hypothesesOf } from "../../src/learning/tasks/own-models/logistic-grid.js";
import { ResidentTasks } from "../../src/learning/tasks/resident-tasks.js";
import { makeTasks } from "../learning/tasks.js";
import { builds, coreOf } from "./builds.js";

const SIZES = [1, 2, 4, 5, 6, 7, 40];

/** Rows of q columns, the last one 1 if asked, and labels. */
function rowsOf(q: number, intercept: boolean, weighted: boolean): TaskSet {
  const tasks = makeTasks({ m: SIZES.length, d: q, rows: (i) => SIZES[i]!, noise: 0.5 });
  return TaskSet.from(
    [...tasks].map(({ name, x, y, n }) => ({
      name,
      x: Float64Array.from(x, (value, k) => (intercept && k % q === q - 1 ? 1 : 3 * value)),
      y: Float64Array.from(y, (value) => (value > 0 ? 1 : -1)),
      ...(weighted ? { weights: Float64Array.from({ length: n }, (_, j) => 0.5 + (j % 3)) } : {}),
    })),
  );
}

/** log det A and tr A^-1 of A = I + X^T D X V, by elimination. */
function logVolume(x: Float64Array, curvatures: Float64Array, variances: Float64Array) {
  const q = variances.length;
  const a = Array.from({ length: q }, (_, r) => [
    ...Array.from(variances, (variance, c) => {
      const sum = curvatures.reduce((all, own, j) => all + own * x[j * q + r]! * x[j * q + c]!, 0);
      return (r === c ? 1 : 0) + sum * variance;
    }),
    ...Array.from({ length: q }, (_, c) => (r === c ? 1 : 0)),
  ]);
  let sum = 0;
  for (let k = 0; k < q; k++) {
    const pivot = a[k]![k]!;
    sum += Math.log(pivot);
    for (let j = k; j < 2 * q; j++) a[k]![j]! /= pivot;
    for (let i = 0; i < q; i++) {
      const factor = a[i]![k]!;
      if (i !== k) for (let j = k; j < 2 * q; j++) a[i]![j]! -= factor * a[k]![j]!;
    }
  }
  return { volume: sum, trace: a.reduce((all, row, k) => all + row[q + k]!, 0) };
}

/** Models of any kind: those of large margins too. */
const modesFor = (length: number) =>
  Float64Array.from({ length }, (_, k) => Math.sin(1 + 3 * k) * (k % 5 === 0 ? 6 : 0.7));

function averaged(
  tasks: TaskSet,
  intercept: boolean,
  { core = coreOf("simd"), moderation = 0.7 }: { core?: Core; moderation?: number } = {},
) {
  const placed = new ResidentTasks(core, tasks, tasks.y, {
    loss: "logistic", lossScale: "sum", intercept: false,
  });
  const hypotheses = hypothesesOf(intercept);
  const modes = modesFor(hypotheses.length * tasks.m * tasks.d);
  const { averages, evidence } = laplaceAverage(
    placed,
    { first: 0, count: tasks.m },
    hypotheses,
    core.arena.copyOf(modes),
    intercept,
    moderation,
  );
  return { averages, evidence, hypotheses, modes, s: placed.sampleWeights() };
}

/** The same by the formula. */
function reference(tasks: TaskSet, intercept: boolean, moderation: number): number[] {
  const { averages, evidence, hypotheses, modes, s } = averaged(tasks, intercept, { moderation });
  const { m, d: q } = tasks;
  expect(averages).toHaveLength(m * q);
  return tasks.names.flatMap((name, i) => {
    const { x, y, n } = tasks.task(name);
    const found = hypotheses.map((hypothesis, h) => {
      const mode = modes.subarray((h * m + i) * q, (h * m + i + 1) * q);
      const variances = new Float64Array(q).fill(hypothesis.slopes ** 2);
      if (intercept) variances[q - 1] = hypothesis.intercept ** 2;
      let log = hypothesis.prior;
      const curvatures = Float64Array.from({ length: n }, (_, j) => {
        const margin = mode.reduce((sum, w, c) => sum + w * x[j * q + c]!, 0);
        const weight = s?.[tasks.offsets[i]! + j] ?? 1;
        const e = Math.exp(-Math.abs(margin));
        log -= weight * (Math.log1p(e) + Math.max(0, -y[j]! * margin));
        return (weight * e) / (1 + e) ** 2;
      });
      mode.forEach((w, c) => (log -= w ** 2 / (2 * variances[c]!)));
      const { volume, trace } = logVolume(x, curvatures, variances);
      const free = q - trace;
      const all = curvatures.reduce((sum, own) => sum + own, 0);
      const factor = (1 + ((Math.PI / 8) * n * free) / ((n - free) * all)) ** (-moderation / 2);
      return { log: log - volume / 2, mode: mode.map((w) => w * factor) };
    });
    const most = Math.max(...found.map(({ log }) => log));
    const total = found.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
    expect(evidence[i]).toBeCloseTo(most + Math.log(total), 9);
    return Array.from({ length: q }, (_, c) =>
      found.reduce((sum, { log, mode }) => sum + (Math.exp(log - most) / total) * mode[c]!, 0),
    );
  });
}

describe.each([true, false])("laplaceAverage, a column for the intercept: %s", (intercept) => {
  test.each([
    [2, false],
    [5, true],
    [6, false],
    [20, true],
  ])("%d columns, weighted rows %s: as by the formula", (q, weighted) => {
    const tasks = rowsOf(q, intercept, weighted);
    for (const moderation of [0, 0.4, 1]) {
      const { averages } = averaged(tasks, intercept, { moderation });
      reference(tasks, intercept, moderation).forEach((value, k) => {
        expect(Math.abs(averages[k]! - value)).toBeLessThan(1e-11 * (1 + Math.abs(value)));
      });
    }
  });

  test("both builds give the same bits", () => {
    const tasks = rowsOf(6, intercept, true);
    const [simd, scalar] = builds.map(
      (build) => new BigUint64Array(averaged(tasks, intercept, { core: coreOf(build) }).averages.buffer),
    );
    expect(simd).toEqual(scalar);
  });
});

test("evidence that is not finite is refused by the task", () => {
  const tasks = TaskSet.from([
    { name: "fine", x: [[1, 2]], y: [1] },
    { name: "far", x: [[1e200, 1e200]], y: [-1] },
  ]);
  expect(() => averaged(tasks, false)).toThrow(/^task "far": .*common scale/);
});
