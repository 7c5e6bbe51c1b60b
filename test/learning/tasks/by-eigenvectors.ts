/**
 * A task's rows by the eigenvectors of their Gram matrix: what the tridiagonal form is held to.
 * @module
 */
import { log } from "../../../src/core/elementary.js";
import { eigh } from "../../../src/linalg/index.js";
import type {
  Belief,
  Decomposition,
} from "../../../src/learning/tasks/own-models/decomposition.js";
import { logBelief, SQUARED } from "../../../src/learning/tasks/own-models/settings.js";
import { rowProducts } from "../../../src/linalg/row-products.js";

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

const LOG_NOISE = SQUARED.noise.map(log);

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
  const { values, vectors } = eigh(wide ? rowProducts(a, n, q) : productsOfColumns(a, n, q), k);
  const least = NEGLIGIBLE * Math.max(values[0] ?? 0, 0);
  const [squares, observed] = [new Float64Array(k), new Float64Array(k)];
  const directions = new Float64Array(k * q);
  const vector = new Float64Array(k);
  let rest = r.reduce((sum, value) => sum + value * value, 0);
  for (let t = 0; t < k; t++) {
    if (!(values[t]! > least)) continue;
    squares[t] = values[t]!;
    const root = Math.sqrt(values[t]!);
    for (let i = 0; i < k; i++) vector[i] = vectors[i * k + t]!;
    const direction = directions.subarray(t * q, (t + 1) * q);
    let seen = 0;
    for (let row = 0, at = 0; row < n; row++, at += q) {
      let along = 0;
      if (wide) {
        along = vector[row]!;
        for (let c = 0; c < q; c++) direction[c] = direction[c]! + (along * a[at + c]!) / root;
      } else for (let c = 0; c < q; c++) along += (a[at + c]! * vector[c]!) / root;
      seen += along * r[row]!;
    }
    if (!wide) direction.set(vector);
    observed[t] = seen;
    rest -= seen ** 2;
  }
  return { squares, observed, directions, rest: Math.max(rest, 0) };
}

/** A^T A of A[n, q], row by row as A lies in memory. */
function productsOfColumns(a: Float64Array, n: number, q: number): Float64Array {
  const products = new Float64Array(q * q);
  for (let at = 0; at < n * q; at += q) {
    for (let i = 0; i < q; i++) {
      const value = a[at + i]!;
      for (let j = 0; j <= i; j++) products[i * q + j] = products[i * q + j]! + value * a[at + j]!;
    }
  }
  for (let i = 0; i < q; i++)
    for (let j = 0; j < i; j++) products[j * q + i] = products[i * q + j]!;
  return products;
}

/** Log evidence times prior of every slope variance and noise, in the grid's order. */
function evidence(
  { squares, observed, rest }: Spectrum,
  ratio: number,
  freedom: number,
  belief: Belief,
): number[] {
  const k = squares.length;
  const power = observed.map((value) => value ** 2);
  const believed = SQUARED.noise.map((noise) => logBelief(noise, belief.noise));
  const out: number[] = [];
  for (const slopes of SQUARED.slopes) {
    const prior =
      logBelief(slopes, belief.slopes) +
      (ratio > 0 ? logBelief(slopes * ratio, SQUARED.intercept) : 0);
    for (const [at, noise] of SQUARED.noise.entries()) {
      let sum = (freedom - k) * LOG_NOISE[at]! + rest / noise;
      for (let t = 0; t < k; t++) {
        const variance = noise + slopes * squares[t]!;
        sum += log(variance) + power[t]! / variance;
      }
      out.push(prior + believed[at]! - sum / 2);
    }
  }
  return out;
}

/** Sum over the grid of weight times posterior mean, [q]. */
function posteriorMean(
  { squares, observed, directions }: Spectrum,
  q: number,
  weights: readonly number[],
): Float64Array {
  const out = new Float64Array(q);
  for (let t = 0; t < squares.length; t++) {
    const square = squares[t]!;
    let factor = 0;
    let at = 0;
    for (const slopes of SQUARED.slopes) {
      for (const noise of SQUARED.noise) {
        factor += (weights[at++]! * slopes) / (noise + slopes * square);
      }
    }
    const along = factor * Math.sqrt(square) * observed[t]!;
    for (let c = 0; c < q; c++) out[c] = out[c]! + along * directions[t * q + c]!;
  }
  return out;
}
