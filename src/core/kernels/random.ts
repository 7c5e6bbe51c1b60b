/**
 * Kernels of the ChaCha20 stream and of draws: `assembly/random`, `wishart`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** ChaCha20 stream and draws: assembly/random, wishart. */
export interface RandomKernels {
  /** Bytes of a stream's state at `state` (key, counter, buffered words). */
  randomStateBytes(): number;
  /** Starts a stream from 32 key bytes at `key` and a 64-bit stream number (two u32 words). */
  randomInit(state: Pointer, key: Pointer, streamLow: number, streamHigh: number): void;
  /** Goes to the start of the stream of that number under the same key. */
  randomSelect(state: Pointer, streamLow: number, streamHigh: number): void;
  /** n raw 32-bit words of the ChaCha20 key stream (RFC 8439 block function), in order. */
  randomWords(state: Pointer, out: Pointer, n: number): void;
  /** n doubles, uniform on the open interval (0, 1), 53 bits. */
  randomUniform(state: Pointer, out: Pointer, n: number): void;
  /** n standard normal doubles. */
  randomNormal(state: Pointer, out: Pointer, n: number): void;
  /** One Gamma(shape, 1) draw, shape > 0. */
  randomGamma(state: Pointer, shape: number): number;
  /** One chi-square draw, degrees of freedom > 0 (real). */
  randomChiSquare(state: Pointer, degreesOfFreedom: number): number;
  /** v[i] += N(0, sigma^2), independent. */
  addNormal(state: Pointer, v: Pointer, n: number, sigma: number): void;
  /** v[i] += Laplace(scale), independent. */
  addLaplace(state: Pointer, v: Pointer, n: number, scale: number): void;
  /** v += b with density proportional to exp(-||b||_2 / scale) in n dimensions. */
  addSphericalLaplace(state: Pointer, v: Pointer, n: number, scale: number, work: Pointer): void;
  /** Bytes of scratch memory that `addSphericalLaplace` needs at `work`. */
  addSphericalLaplaceWorkspace(n: number): number;
  /** S[d,d] += sigma (G + G^T)/2, G independent standard normal: variance sigma^2, sigma^2/2 off. */
  addSymmetricNormal(state: Pointer, s: Pointer, d: number, sigma: number): void;
  /**
   * n exact draws of the discrete Gaussian N_Z(0, c s^2), P(x) ~ exp(-x^2 / (2 c s^2)) on the
   * integers: s an integer from 1 to 2^46, c 1 or 2. Integer arithmetic only.
   */
  discreteGaussian(state: Pointer, out: Pointer, n: number, s: number, c: number): void;
  /**
   * The comparison that `discreteGaussian` rests on where doubles cannot settle it: whether U is below
   * exp(-((k + u/s)^2 / 2c)) 2^shift / e, U in (0, 1) with these first 53 bits and the rest from the stream.
   */
  exponentialBelow(
    state: Pointer,
    bits: bigint,
    k: bigint,
    u: bigint,
    s: bigint,
    c: number,
    e: number,
    shift: number,
  ): number;
  /**
   * v[i] = step (round(v[i] / step) + N_Z(0, s^2)), step a power of two: immune to the attacks on
   * floating-point noise. Account as the Gaussian with sigma = s step and sensitivity
   * Delta_2 + step sqrt(n) in zCDP (Canonne, Kamath, Steinke 2020).
   */
  addDiscreteNormal(state: Pointer, v: Pointer, n: number, s: number, step: number): void;
  /**
   * S[d,d] = step (round(S / step) + E), E symmetric, E_ij ~ N_Z(0, s^2) off the diagonal and
   * N_Z(0, 2 s^2) on it: the discrete form of `addSymmetricNormal` at sigma = sqrt(2) s step. It is
   * Delta^2 / (2 sigma^2)-zCDP with Delta = Delta_F + d step, plus 2 d e where the entries of S
   * carry a rounding error up to e.
   */
  addDiscreteSymmetricNormal(
    state: Pointer,
    matrix: Pointer,
    d: number,
    s: number,
    step: number,
  ): void;
  /** n exact draws of P(x) ~ exp(-|x| / t) on the integers; t an integer from 1 to 2^46. */
  discreteLaplace(state: Pointer, out: Pointer, n: number, t: number): void;
  /** v[i] = step (round(v[i] / step) + X_i), X_i as in `discreteLaplace`; step a power of two. */
  addDiscreteLaplace(state: Pointer, v: Pointer, n: number, t: number, step: number): void;
  /**
   * out[n] = exact real numbers, standard normal (`normal` 1) or exponential of mean 1 (0): their first 46 bits after
   * the point, cut towards zero, with their sign. What follows is uniform and not drawn, but for those listed at
   * `records`: u32 position, u32[15] bits. Returns their number.
   */
  exactReals(state: Pointer, out: Pointer, n: number, normal: 0 | 1, records: Pointer): number;
  /** Bytes that `exactReals` needs at `records`. */
  exactRealsRecords(): number;
  /**
   * out[d,d] = a draw of W_d(nu, scale I), nu > d - 1 (real), by Bartlett; both triangles written.
   */
  wishart(state: Pointer, out: Pointer, d: number, nu: number, scale: number, work: Pointer): void;
  /** Bytes of scratch memory that `wishart` needs at `work`. */
  wishartWorkspace(d: number): number;
}
