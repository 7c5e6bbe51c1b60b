/**
 * Solving symmetric positive semidefinite systems whose null space carries only rounding.
 * @module
 */
import { addMultiple, dot } from "../../../linalg/dot.js";
import { eigh } from "../../../linalg/index.js";

/** Eigenvalues below this times the largest count as zero. */
const NEGLIGIBLE = 1e-13;

/**
 * x of least norm with A x = b up to the negligible part of A[d,d]; b in the range of A. What is negligible is judged where A has a
 * diagonal of ones: that a feature is small beside others is no reason to leave it out.
 */
export function leastNormSolver(a: Float64Array, d: number): (b: Float64Array) => Float64Array {
  const units = Float64Array.from({ length: d }, (_, j) => {
    const square = a[j * (d + 1)]!;
    return square > 0 ? 1 / Math.sqrt(square) : 0;
  });
  const scaled = a.map((entry, at) => entry * units[Math.floor(at / d)]! * units[at % d]!);
  const { values, vectors } = eigh(scaled, d);
  const vector = (k: number) => units.map((unit, j) => unit * vectors[j * d + k]!);
  const known = Array.from(values.keys()).filter((k) => values[k]! > NEGLIGIBLE * values[0]!);
  const basis = known.map(vector);
  const none = orthonormal(Array.from({ length: d - known.length }, (_, k) => vector(known.length + k))); // prettier-ignore
  return (b) => {
    const x = new Float64Array(d);
    basis.forEach((own, k) => addMultiple(x, dot(own, b) / values[k]!, own));
    for (const own of none) addMultiple(x, -dot(own, x), own);
    return x;
  };
}

/** An orthonormal basis of what the vectors span, by Gram and Schmidt, twice. */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const out: Float64Array[] = [];
  for (const given of vectors) {
    const v = given.slice();
    const before = Math.sqrt(dot(v, v));
    for (let pass = 0; pass < 2; pass++) for (const own of out) addMultiple(v, -dot(own, v), own);
    const length = Math.sqrt(dot(v, v));
    if (length > 1e-8 * before) out.push(v.map((entry) => entry / length));
  }
  return out;
}

/** Sum over tasks of rows V[m,d]: [d]. */
export function sumOfRows(v: Float64Array, m: number, d: number): Float64Array {
  const sum = new Float64Array(d);
  for (let i = 0; i < m; i++) for (let j = 0; j < d; j++) sum[j]! += v[i * d + j]!;
  return sum;
}
