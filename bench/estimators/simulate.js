/** Simulated tasks for the benches of estimators: unit rows, models of rank 5. */
import { TaskSet } from "../../build/modules/index.js";
import { lehmer } from "../uniform-draws.js";

/** Fixed numbers, nearly normal: sums of six uniform ones. */
function source(seed) {
  const uniform = lehmer(seed);
  return () =>
    Math.sqrt(2) * (uniform() + uniform() + uniform() + uniform() + uniform() + uniform() - 3);
}

/** m tasks of n rows, d features: X[m n, d], y[m n] and the task set. */
export function simulate({ m, d, n }) {
  const normal = source(m + d);
  const basis = Float64Array.from({ length: 5 * d }, () => 5 * normal());
  const x = new Float64Array(m * n * d);
  const y = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const w = new Float64Array(d);
    for (let r = 0; r < 5; r++) {
      const weight = normal();
      for (let k = 0; k < d; k++) w[k] += weight * basis[r * d + k];
    }
    for (let j = i * n; j < (i + 1) * n; j++) {
      const row = x.subarray(j * d, (j + 1) * d).map(normal);
      const length = Math.hypot(...row);
      y[j] = normal();
      row.forEach((value, k) => {
        x[j * d + k] = value / length;
        y[j] += (value / length) * w[k];
      });
    }
  }
  const tasks = Array.from({ length: m }, (_, i) => ({
    name: String(i),
    x: x.subarray(i * n * d, (i + 1) * n * d),
    y: y.subarray(i * n, (i + 1) * n),
  }));
  return { x, y, tasks: TaskSet.from(tasks) };
}

/**
 * m tasks of n sparse rows with `entries` of d features each, chosen at random, models of one common part and one of their own.
 * @returns the task set.
 */
export function simulateSparse({ m, d, n, entries }) {
  const normal = source(m + d + entries);
  let state = 1;
  const below = (limit) =>
    Math.floor((limit * (state = (state * 48271) % 2147483647)) / 2147483647);
  const common = Float64Array.from({ length: d }, normal);
  const tasks = Array.from({ length: m }, (_, i) => {
    const own = Float64Array.from(common, (value) => value + 0.3 * normal());
    const x = { indptr: [0], indices: [], values: [], shape: [n, d] };
    const y = Array.from({ length: n }, () => {
      const columns = new Set();
      while (columns.size < entries) columns.add(below(d));
      let target = normal();
      for (const column of [...columns].sort((a, b) => a - b)) {
        const value = normal() / Math.sqrt(entries);
        x.indices.push(column);
        x.values.push(value);
        target += value * own[column];
      }
      x.indptr.push(x.indices.length);
      return target;
    });
    return { name: String(i), x, y };
  });
  return TaskSet.from(tasks);
}
