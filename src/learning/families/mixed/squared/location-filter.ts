/**
 * What noisy sums of scores and information say of the fixed effects: pure functions of releases.
 * @module
 */
import { norm } from "../../../../linalg/norm.js";
import { eigh } from "../../../../linalg/index.js";
import {
  apply,
  invertDefinite,
  over,
  quadratic,
  symmetric,
  trace,
} from "../../../../linalg/small-matrices.js";
import { INFORMATION } from "./squared-settings.js";
import type { InformationEstimate } from "../believed.js";
import { fromEigen } from "../spectra/from-eigen.js";

/**
 * The sum over tasks of their information matrices, drawn towards what is expected of it as far as it is noise: in scale, in
 * the differences on the diagonal, and off it.
 * @param sum [d, d], its diagonal with noise of standard deviation `noise`, its other entries of noise / sqrt(2).
 * @param expected positive definite, [d, d].
 */
export function estimateInformation(
  sum: Float64Array,
  expected: Float64Array,
  noise: number,
): InformationEstimate {
  const d = Math.sqrt(sum.length);
  const size = trace(expected, d) / d;
  const shape = new Float64Array(d * d);
  for (let at = 0; at < shape.length; at++) shape[at] = expected[at]! / size;
  const seen = trace(sum, d) / d;
  const drawn = (size / 2) ** 2 / ((size / 2) ** 2 + noise ** 2 / d);
  const scale = Math.max(size + (seen - size) * drawn, INFORMATION.least * size);
  const least = INFORMATION.least * scale * eigh(shape, d).values.at(-1)!;
  const off = new Float64Array(d * d);
  let [spread, beside] = [0, 0];
  for (let at = 0; at < off.length; at++) {
    const value = (off[at] = sum[at]! - seen * shape[at]!);
    if (at % (d + 1) === 0) spread += value ** 2;
    else beside += value ** 2;
  }
  const signal = Math.max(spread / d - noise ** 2, 0);
  const signalBeside = Math.max(beside / Math.max(d * (d - 1), 1) - noise ** 2 / 2, 0);
  const kept = signal / (signal + noise ** 2 + 1e-9);
  const keptBeside = signalBeside / (signalBeside + noise ** 2 / 2 + 1e-9);
  const matrix = off;
  for (let at = 0; at < matrix.length; at++) {
    const drawnTo = scale * shape[at]!;
    matrix[at] =
      at % (d + 1) === 0
        ? Math.max(drawnTo + kept * off[at]!, least)
        : drawnTo + keptBeside * off[at]!;
  }
  const { values, vectors } = eigh(symmetric(matrix, d), d);
  const lifted = values.map((value) => Math.max(value, least));
  return {
    matrix: symmetric(fromEigen(vectors, lifted, d), d),
    variance: Math.min(noise ** 2 / 2, (INFORMATION.error * scale) ** 2),
  };
}

/** The unit vector along G^-1 b. */
export function directionOf(information: Float64Array, score: Float64Array): Float64Array {
  const d = score.length;
  const step = apply(invertDefinite(information, d), score, d, d);
  const length = norm(step);
  return length > 0 ? over(step, length) : new Float64Array(d);
}

/** G + (c - v^T G v) v v^T for a curvature c released along v, as far as it is above and stands out of its noise. */
export function withCurvature(
  information: Float64Array,
  along: Float64Array,
  {
    curvature,
    noise,
    m,
  }: { readonly curvature: number; readonly noise: number; readonly m: number },
): Float64Array {
  const d = along.length;
  const known = quadratic(information, along);
  const more = Math.max(((curvature - known) * m ** 2) / (m ** 2 + noise ** 2), 0);
  const out = information.slice();
  for (let i = 0, at = 0; i < d; i++) {
    for (let j = 0; j < d; j++, at++) out[at]! += more * along[i]! * along[j]!;
  }
  return out;
}
