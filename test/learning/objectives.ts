/**
 * Objectives and gradients of the joint methods in plain loops: what the solvers are checked against.
 * @module
 */
import type { TaskSet } from "../../src/data/index.js";
import type { LossName } from "../../src/learning/index.js";
import { svd } from "../../src/linalg/index.js";

/** W [m, d] and b[m] or null, as in a fitted model. */
export interface Point {
  weights: Float64Array;
  intercepts: Float64Array | null;
}

/** sum_i of the mean loss, and its gradient in W, [m, d]; labels in {-1, +1} if logistic. */
export function losses(tasks: TaskSet, y: Float64Array, loss: LossName, at: Point) {
  const { m, d, x, offsets } = tasks;
  const gradient = new Float64Array(m * d);
  let value = 0;
  for (let i = 0; i < m; i++) {
    const c = 1 / (offsets[i + 1]! - offsets[i]!);
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      let p = at.intercepts?.[i] ?? 0;
      for (let k = 0; k < d; k++) p += x[row * d + k]! * at.weights[i * d + k]!;
      const t = y[row]!;
      value += c * (loss === "squared" ? (p - t) ** 2 / 2 : Math.log1p(Math.exp(-t * p)));
      const slope = loss === "squared" ? p - t : -t / (1 + Math.exp(t * p));
      for (let k = 0; k < d; k++) gradient[i * d + k]! += c * slope * x[row * d + k]!;
    }
  }
  return { value, gradient };
}

const norm = (values: ArrayLike<number>) => Math.hypot(...Array.from(values));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const columns = (v: Float64Array, d: number) =>
  Array.from({ length: d }, (_, k) => norm(v.filter((_value, at) => at % d === k)));
const rows = (v: Float64Array, d: number) =>
  Array.from({ length: v.length / d }, (_, i) => norm(v.subarray(i * d, (i + 1) * d)));

/** Norms of V[m,d] stored task by task, and their dual norms. */
export const norms = {
  trace: {
    value: (v: Float64Array, d: number) => sum(Array.from(svd(v, v.length / d, d).s)),
    dual: (v: Float64Array, d: number) => svd(v, v.length / d, d).s[0]!,
  },
  l21: {
    value: (v: Float64Array, d: number) => sum(columns(v, d)),
    dual: (v: Float64Array, d: number) => Math.max(...columns(v, d)),
  },
  l12: {
    value: (v: Float64Array, d: number) => sum(rows(v, d)),
    dual: (v: Float64Array, d: number) => Math.max(...rows(v, d)),
  },
  l1: {
    value: (v: Float64Array) => sum(Array.from(v, Math.abs)),
    dual: (v: Float64Array) => Math.max(...Array.from(v, Math.abs)),
  },
} as const;

/** ||V - v_bar 1^T||_F^2. */
export function spread(v: Float64Array, d: number): number {
  const m = v.length / d;
  const mean = Array.from(
    { length: d },
    (_, k) => sum(Array.from(v).filter((_x, at) => at % d === k)) / m,
  );
  return sum(Array.from(v, (value, at) => (value - mean[at % d]!) ** 2));
}
