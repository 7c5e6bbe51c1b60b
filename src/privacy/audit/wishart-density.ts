/**
 * The density of one-sided Wishart noise, for attacks on releases that carry it.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { WishartEvent } from "../events/event-kinds.js";

/** ln det and trace of R - C if that is positive definite, undefined if not. */
function coneFigures(values: Float64Array, from: Float64Array, n: number) {
  const l = values.map((value, k) => value - from[k]!);
  let logDeterminant = 0;
  let trace = 0;
  for (let j = 0; j < n; j++) {
    trace += l[j * n + j]!;
    for (let i = j; i < n; i++) {
      let entry = l[i * n + j]!;
      for (let k = 0; k < j; k++) entry -= l[i * n + k]! * l[j * n + k]!;
      if (i === j) {
        if (!(entry > 0)) return undefined;
        logDeterminant += math.log(entry);
        l[j * n + j] = Math.sqrt(entry);
      } else l[i * n + j] = entry / l[j * n + j]!;
    }
  }
  return { logDeterminant, trace };
}

/** ln det and trace of the diagonal of R - C if all of it is positive, undefined if not. */
function diagonalFigures(values: Float64Array, from: Float64Array) {
  let logDeterminant = 0;
  let trace = 0;
  for (let j = 0; j < values.length; j++) {
    const entry = values[j]! - from[j]!;
    if (!(entry > 0)) return undefined;
    logDeterminant += math.log(entry);
    trace += entry;
  }
  return { logDeterminant, trace };
}

/**
 * ln of the density of W_d(nu, v I), or of its diagonal alone, at R - C, up to an additive constant; -Infinity where the density is 0.
 * @param values release R, [d, d] or its diagonal, [d].
 * @param from   C, the statistic without noise, of the same shape.
 */
export function wishartLogDensity(
  values: Float64Array,
  from: Float64Array,
  { dimension: d, degreesOfFreedom: nu, scale }: WishartEvent,
): number {
  const diagonal = values.length === d;
  const figures = diagonal ? diagonalFigures(values, from) : coneFigures(values, from, d);
  if (!figures) return -Infinity;
  const power = diagonal ? nu / 2 - 1 : (nu - d - 1) / 2;
  return power * figures.logDeterminant - figures.trace / (2 * scale);
}
