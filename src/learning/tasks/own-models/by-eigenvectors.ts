/**
 * A task's rows by the eigenvectors of their Gram matrix.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { eigh } from "../../../linalg/index.js";
import type { Belief, Decomposition } from "./decomposition.js";
import { logBelief, SQUARED } from "./settings.js";

/** Rows A[n, q], decomposed: A A^T = U diag(squares) U^T. */
interface Spectrum {
  readonly squares: Float64Array;
  /** U^T r, [k]. */
  readonly observed: Float64Array;
  /** The directions of the coefficients as rows, [k, q]. */
  readonly directions: Float64Array;
  /** Sum of the squares that no direction explains. */
  readonly rest: number;
}

/** Squared singular values below this part of the largest are taken for zero. */
const NEGLIGIBLE = 1e-13;

/** By the eigenvectors of A A^T or A^T A, whichever is smaller. Cost: about 9 min(n, q)^3 flops. */
export const byEigenvectors: Decomposition = (a, r, n, q) => {
  const spectrum = decompose(a, r, n, q);
  return {
    evidence: (ratio, freedom, belief) => evidence(spectrum, ratio, freedom, belief),
    mean: (weights) => posteriorMean(spectrum, q, weights),
  };
};

function decompose(a: Float64Array, r: Float64Array, n: number, q: number): Spectrum {
  const wide = n < q;
  const k = Math.min(n, q);
  const gram = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      if (wide) for (let c = 0; c < q; c++) sum += a[i * q + c]! * a[j * q + c]!;
      else for (let row = 0; row < n; row++) sum += a[row * q + i]! * a[row * q + j]!;
      gram[i * k + j] = gram[j * k + i] = sum;
    }
  }
  const { values, vectors } = eigh(gram, k);
  const least = NEGLIGIBLE * Math.max(values[0] ?? 0, 0);
  const [squares, observed] = [new Float64Array(k), new Float64Array(k)];
  const directions = new Float64Array(k * q);
  let rest = r.reduce((sum, value) => sum + value * value, 0);
  for (let t = 0; t < k; t++) {
    if (!(values[t]! > least)) continue;
    squares[t] = values[t]!;
    const root = Math.sqrt(values[t]!);
    for (let row = 0; row < n; row++) {
      let along = 0;
      if (wide) along = vectors[row * k + t]!;
      else for (let c = 0; c < q; c++) along += (a[row * q + c]! * vectors[c * k + t]!) / root;
      observed[t]! += along * r[row]!;
      if (wide) {
        for (let c = 0; c < q; c++) directions[t * q + c]! += (along * a[row * q + c]!) / root;
      }
    }
    if (!wide) for (let c = 0; c < q; c++) directions[t * q + c] = vectors[c * k + t]!;
    rest -= observed[t]! ** 2;
  }
  return { squares, observed, directions, rest: Math.max(rest, 0) };
}

/** Log evidence times prior of every slope variance and noise, in the grid's order. */
function evidence(
  { squares, observed, rest }: Spectrum,
  ratio: number,
  freedom: number,
  belief: Belief,
): number[] {
  const k = squares.length;
  return SQUARED.slopes.flatMap((slopes) => {
    const prior =
      logBelief(slopes, belief.slopes) +
      (ratio > 0 ? logBelief(slopes * ratio, SQUARED.intercept) : 0);
    return SQUARED.noise.map((noise) => {
      let sum = (freedom - k) * log(noise) + rest / noise;
      for (let t = 0; t < k; t++) {
        const variance = noise + slopes * squares[t]!;
        sum += log(variance) + observed[t]! ** 2 / variance;
      }
      return prior + logBelief(noise, belief.noise) - sum / 2;
    });
  });
}

/** Sum over the grid of weight times posterior mean, [q]. */
function posteriorMean(
  { squares, observed, directions }: Spectrum,
  q: number,
  weights: readonly number[],
): Float64Array {
  const out = new Float64Array(q);
  const { length } = SQUARED.noise;
  squares.forEach((square, t) => {
    let factor = 0;
    weights.forEach((weight, at) => {
      const slopes = SQUARED.slopes[Math.floor(at / length)]!;
      factor += (weight * slopes) / (SQUARED.noise[at % length]! + slopes * square);
    });
    const along = factor * Math.sqrt(square) * observed[t]!;
    for (let c = 0; c < q; c++) out[c]! += along * directions[t * q + c]!;
  });
  return out;
}
