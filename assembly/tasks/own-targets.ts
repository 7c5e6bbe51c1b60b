/** A task's targets as its own model sees them: (y - level) / unit. */
import { at } from "../address";
import { dot } from "../blas/vector";
import { OwnRidge } from "./own-ridge-job";

@unmanaged
export class OwnTargets {
  level: f64;
  unit: f64;
  /** Rows, less one where the level is their mean. */
  freedom: i32;
}

/**
 * Level and unit of y f64[n], with weights f64[n] or 0 for none; false where they say that the model, at place `to`, is the level
 * alone, which it then is.
 */
export function takeOwnTargets(out: OwnTargets, job: OwnRidge, y: usize, weights: usize, n: i32, to: i32): bool {
  const d = job.data.d;
  let level = 0.0, squares = 0.0;
  if (job.flat) {
    level = (weights ? dot(weights, y, n) : sumOf(y, n)) / <f64>n;
  }
  for (let j = 0; j < n; j++) {
    const off = load<f64>(at(y, j)) - level;
    squares += (weights ? load<f64>(at(weights, j)) : 1.0) * off * off;
  }
  const freedom = job.flat ? n - 1 : n;
  const unit = job.unit > 0.0 ? job.unit : Math.sqrt(squares / <f64>max(freedom, 1));
  memory.fill(at(job.weights, to * d), 0, (<usize>d) << 3);
  if (job.intercepts) store<f64>(at(job.intercepts, to), level);
  out.level = level;
  out.unit = unit;
  out.freedom = freedom;
  return unit > 0.0 && freedom > 0;
}

function sumOf(x: usize, n: i32): f64 {
  let sum = 0.0;
  for (let j = 0; j < n; j++) sum += load<f64>(at(x, j));
  return sum;
}
