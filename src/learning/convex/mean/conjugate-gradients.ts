/**
 * Conjugate gradients for symmetric positive semidefinite matrices that are known by their products with vectors.
 * @see Hestenes and Stiefel (1952), "Methods of conjugate gradients for solving linear systems".
 * @module
 */
import { dot } from "../../../linalg/dot.js";
import { norm } from "../../../linalg/norm.js";

/** A x = b. */
export interface System {
  /** A v, [d], for v[d]. */
  readonly times: (v: Float64Array) => Promise<Float64Array>;
  /** In the range of A, [d]. */
  readonly b: Float64Array;
  /** What ||b - A x|| may be at the end. */
  readonly distance: number;
  /** Iterations. */
  readonly most: number;
  /**
   * Positive numbers about as large as A's diagonal, [d], which make up for columns of different sizes. Absent: none; then
   * every iterate is in the range of A, and of several solutions the one of least norm is approached.
   */
  readonly diagonal?: Float64Array | undefined;
}

/** A solution, and ||b - A x|| as computed from it. */
export interface Solution {
  readonly x: Float64Array;
  readonly residual: number;
}

/** x with ||b - A x|| <= distance, or where the iterations ended. */
export async function conjugateGradients({
  times,
  b,
  distance,
  most,
  diagonal,
}: System): Promise<Solution> {
  const d = b.length;
  const x = new Float64Array(d);
  const r = b.slice();
  const scaled = (v: Float64Array) => diagonal?.map((size, j) => v[j]! / size) ?? v.slice();
  const measured = async () => {
    const image = await times(x);
    for (let j = 0; j < d; j++) r[j] = b[j]! - image[j]!;
    return norm(r);
  };
  let residual = norm(b);
  let known = residual;
  let z = scaled(r);
  const p = z.slice();
  let product = dot(r, z);
  for (let k = 0; k < most && residual > distance; k++) {
    const image = await times(p);
    const curvature = dot(p, image);
    // What is left of b is rounding, outside the range.
    if (!(curvature > 0)) break;
    const step = product / curvature;
    for (let j = 0; j < d; j++) {
      x[j]! += step * p[j]!;
      r[j]! -= step * image[j]!;
    }
    residual = norm(r);
    // The recurrence drifts from what is left in truth: it ends there, or starts again, while that helps.
    if (residual <= distance) {
      residual = await measured();
      if (residual > distance && !(residual < known / 2)) break;
      known = residual;
      p.fill(0);
      product = 1;
    }
    z = scaled(r);
    const next = dot(r, z);
    const factor = next / product;
    for (let j = 0; j < d; j++) p[j] = z[j]! + factor * p[j]!;
    product = next;
  }
  return { x, residual: await measured() };
}
