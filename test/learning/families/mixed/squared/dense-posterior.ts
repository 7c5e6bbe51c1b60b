/** A task's average over priors by dense normal laws, which the spectra have to agree with. */
import type { Root } from "../../../../../src/learning/families/mixed/squared/solve/hypotheses.js";
import {
  apply,
  factor,
  invertDefinite,
  multiply,
  transpose,
} from "../../../../../src/linalg/small-matrices.js";

/** Posterior mean of w and log density of y under a root's hypotheses, by the dense normal law of y. */
export function dense({ center, l, hypotheses }: Root, x: Float64Array, y: Float64Array) {
  const [n, d] = [y.length, center.length];
  const xl = multiply(x, l, n, d, d);
  const gram = multiply(xl, transpose(xl, n, d), n, d, n);
  const off = y.map((value, row) => value - apply(x, center, n, d)[row]!);
  return hypotheses.map(({ spread, noise, weight }) => {
    const v = gram.map((value, at) => spread * value + (at % (n + 1) === 0 ? noise : 0));
    const root = factor(v, n);
    let logRoot = 0;
    for (let row = 0; row < n; row++) logRoot += Math.log(root[row * (n + 1)]!);
    const solved = apply(invertDefinite(v, n), off, n, n);
    const square = off.reduce((sum, value, row) => sum + value * solved[row]!, 0);
    const moved = apply(l, apply(transpose(xl, n, d), solved, d, n), d, d);
    return {
      log: weight - logRoot - square / 2,
      mean: moved.map((value, c) => center[c]! + spread * value),
    };
  });
}

/** Averages by evidence. */
export function average(found: readonly { log: number; mean: Float64Array }[]): Float64Array {
  const top = Math.max(...found.map(({ log }) => log));
  const total = found.reduce((sum, { log }) => sum + Math.exp(log - top), 0);
  const out = new Float64Array(found[0]!.mean.length);
  for (const { log, mean } of found) {
    mean.forEach((value, c) => (out[c] = out[c]! + (Math.exp(log - top) / total) * value));
  }
  return out;
}
