/**
 * The integer parameters of exactly sampled, discrete Gaussian noise.
 * @module
 */
import { binaryExponent } from "../core/elementary.js";
import { integer, positive } from "../core/checks.js";
import type { RandomStream } from "./stream.js";

/** Largest scale the kernels sample exactly. */
const MOST = 2 ** 46;

/** A grid and the discrete Gaussian on it, as the kernels `addDiscrete…` take them. */
export interface DiscreteScale {
  /** s, an integer: the noise is N_Z(0, s^2) steps (off the diagonal; N_Z(0, 2 s^2) on it). */
  scale: number;
  /** The grid's step, a power of two. */
  step: number;
  /** The Gaussian sigma this is at least as private as, >= the one asked for: account with it. */
  sigma: number;
}

/**
 * The smallest integer scale whose noise is not below that of `addSymmetricNormal` at `sigma`:
 * sqrt(2) scale step >= sigma.
 *
 * Rounding to the grid raises the sensitivity by d step (`addDiscreteSymmetricNormal`), so take the
 * step well below Delta / d; and keep scale large (a thousand or more), or rounding it up wastes noise.
 *
 * @param sigma standard deviation on the diagonal, > 0.
 * @param step  a power of two > 0.
 * @throws RangeError if step is no power of two, or sigma / step is beyond 2^46.
 */
export function discreteSymmetricScale(sigma: number, step: number): DiscreteScale {
  positive("sigma", sigma);
  positive("step", step);
  if (2 ** binaryExponent(step) !== step) {
    throw new RangeError(`step: expected a power of two, got ${step}`);
  }
  // One part in 2^50 covers the rounding of the quotient and of sqrt(2), against ourselves.
  const scale = Math.ceil((sigma / (Math.SQRT2 * step)) * (1 + 2 ** -50));
  if (!(scale <= MOST)) {
    throw new RangeError(`step: expected at least sigma / 2^46, got ${step} for sigma ${sigma}`);
  }
  return { scale, step, sigma: Math.SQRT2 * scale * step * (1 - 2 ** -51) };
}

/**
 * n exact draws of the discrete Gaussian N_Z(0, scale^2): P(x) proportional to
 * exp(-x^2 / (2 scale^2)) on the integers.
 * @see Canonne, Kamath, Steinke (2020); Karney (2016).
 */
export function discreteNormals(stream: RandomStream, n: number, scale: number): Float64Array {
  integer("n", n, 0, 2 ** 29);
  integer("scale", scale, 1, MOST);
  const { arena, kernels } = stream.core;
  const mark = arena.mark();
  const at = arena.f64(n, "discrete draws");
  kernels.discreteGaussian(stream.state, at, n, scale, 1);
  const draws = arena.view(at, n).slice();
  arena.wipe(at, 8 * n);
  arena.release(mark);
  return draws;
}
