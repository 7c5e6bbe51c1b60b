/**
 * Small task sets for the tests of methods, the same on every host.
 * @module
 */
import { TaskSet } from "../../src/data/index.js";
import { openCore } from "../../src/core/index.js";
import { normals, openStream } from "../../src/random/index.js";

/** Sizes of a test problem. */
export interface Sizes {
  m: number;
  d: number;
  /** Rows of task i. */
  rows: (task: number) => number;
  rank?: number;
  noise?: number;
  seed?: string;
}

/** Unit-norm rows, models of low rank, y = x . w + noise. */
export function makeTasks({ m, d, rows, rank = 2, noise = 0.1, seed = "tasks" }: Sizes): TaskSet {
  const stream = openStream(openCore(), { mode: "seeded", seed });
  const basis = normals(stream, rank * d);
  const list = Array.from({ length: m }, (_, i) => {
    const mix = normals(stream, rank);
    const w = Array.from({ length: d }, (_, j) =>
      mix.reduce((sum, weight, r) => sum + weight * basis[r * d + j]!, 0),
    );
    const x = Array.from({ length: rows(i) }, () => {
      const row = Array.from(normals(stream, d));
      const length = Math.hypot(...row);
      return row.map((value) => value / length);
    });
    const errors = normals(stream, rows(i));
    const y = x.map((row, j) => row.reduce((sum, v, k) => sum + v * w[k]!, noise * errors[j]!));
    return { name: `task-${i}`, x, y };
  });
  return TaskSet.from(list);
}

/** The same tasks with the sign of the target as label. */
export function makeLabelled(sizes: Sizes): TaskSet {
  const tasks = makeTasks(sizes);
  return TaskSet.from(
    [...tasks].map(({ name, x, y }) => ({
      name,
      x: Float64Array.from(x),
      y: Array.from(y, (value) => (value > 0 ? "yes" : "no")),
    })),
    { featureNames: tasks.featureNames },
  );
}

/** The same tasks with the target's quantile as label: "a", "b", "c", … */
export function makeClasses({ classes, ...sizes }: Sizes & { classes: number }): TaskSet {
  const tasks = makeTasks(sizes);
  const sorted = Float64Array.from(tasks.y).sort();
  const cuts = Array.from({ length: classes - 1 }, (_, c) =>
    sorted.at(Math.floor(((c + 1) * sorted.length) / classes)),
  );
  return TaskSet.from(
    [...tasks].map(({ name, x, y }) => ({
      name,
      x: Float64Array.from(x),
      y: Array.from(y, (value) => "abcdefgh"[cuts.filter((cut) => value >= cut!).length]!),
    })),
    { featureNames: tasks.featureNames },
  );
}
