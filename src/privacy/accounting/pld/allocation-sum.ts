/**
 * Several Gaussian rounds among t, drawn in secret: pairs that theirs dominates, for lower bounds.
 *
 * **Statement.** Let u_i = e^((2 z_i - 1) / (2 sigma^2)) be the likelihood ratio of round i had it been drawn, and T the
 * sum over rounds of ln(1 + lambda (u_i - 1)), each rounded to a grid, modulo the grid's length. For every set S of values of
 * T, p(S) - a q(S) is at most the divergence H_a of k of t rounds; where p is at most P's mass and q at least Q's.
 *
 * **Proof.** S is a test. Whichever k rounds were drawn, T is the sum of k independent cells of N(1, sigma^2) and t - k of
 * N(0, sigma^2), so its law under P is their convolution on a circle, and under Q that of t of the latter. QED
 *
 * **Computation.** With lambda = k / t, T would be the loss of Poisson sampling at that rate; the sums that decide are met
 * by a smaller one. Cells' masses are rounded down for p and up for q where P is the likelier, and the other way
 * elsewhere; transforms' errors likewise. Values of T are taken together by the dozen, which is a test too, and
 * lessens what is lost to these errors.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { normalCdf } from "../special/erfc.js";
import { RealFft, type Spectrum } from "./fft.js";
import { multiplyPower } from "./power.js";

const UNIT = 2 ** -53;
const LENGTH = 2 ** 17;
const TOGETHER = 64;
/** Normal quantile beyond which the cells of one round are not told apart. */
const TAIL = 8.5;
/** lambda t / k: found by trying, over allocations of 2 of 100 to 100 of 1,000. */
const SHARE = 0.6;

/** Bounds on the probabilities of some outcomes under both laws. */
export interface BoundedLaws {
  readonly p: Bounded;
  readonly q: Bounded;
}

interface Bounded {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** ln(1 + lambda (u - 1)) of a drawn round's z. */
const valueOf = (z: number, sigma: number, lambda: number) =>
  math.log1p(lambda * math.expm1((2 * z - 1) / (2 * sigma * sigma)));

/** Mean and variance of a function of N(mean, sigma^2). */
function moments(mean: number, sigma: number, value: (z: number) => number): [number, number] {
  let [total, first, second] = [0, 0, 0];
  for (let x = -TAIL; x <= TAIL; x += 1 / 16) {
    const weight = math.exp((-x * x) / 2);
    const y = value(mean + sigma * x);
    total += weight;
    first += weight * y;
    second += weight * y * y;
  }
  const average = first / total;
  return [average, Math.max(0, second / total - average * average)];
}

/** Masses of N(mean, sigma^2) between edges, wrapped around the grid, with their rounding. */
function cells(edges: Float64Array, first: number, mean: number, sigma: number): Bounded {
  const [low, high] = [new Float64Array(LENGTH), new Float64Array(LENGTH)];
  let [below, above, error] = [0, 1, 0];
  for (let i = 0; i <= edges.length; i++) {
    const x = i < edges.length ? (edges[i]! - mean) / sigma : Infinity;
    const [nextBelow, nextAbove] = [normalCdf(x), normalCdf(-x)];
    // Of the function, and of its argument.
    const nextError = Number.isFinite(x)
      ? (16 + 5 * x * x) * UNIT * Math.min(nextBelow, nextAbove)
      : 0;
    // The smaller tails' difference; around the middle one of them is not small.
    const mass = nextBelow < 0.5 ? nextBelow - below : above - nextAbove;
    if (below < 0.5 && nextBelow >= 0.5) error += 4 * UNIT;
    const at = (((first + i) % LENGTH) + LENGTH) % LENGTH;
    low[at] = low[at]! + Math.max(0, mass - error - nextError) * (1 - UNIT);
    high[at] = high[at]! + (mass + error + nextError) * (1 + 2 * UNIT);
    [below, above, error] = [nextBelow, nextAbove, nextError];
  }
  return { low, high };
}

const transforms: RealFft[] = [];
const norm = (x: Float64Array) => Math.sqrt(x.reduce((squares, y) => squares + y * y, 0));

/** Sums of neighbouring entries of drawn^k * other^n, and a bound on the error of each. */
function convolved(drawn: Float64Array, k: number, other: Float64Array, n: number) {
  const transform = (transforms[0] ??= new RealFft(LENGTH));
  const [drawnSpectrum, otherSpectrum] = [transform.forward(drawn), transform.forward(other)];
  const half = LENGTH / 2;
  const product: Spectrum = {
    re: new Float64Array(half + 1).fill(1),
    im: new Float64Array(half + 1),
  };
  if (k > 0) multiplyPower(product, drawnSpectrum, k - 1);
  multiplyPower(product, otherSpectrum, n - 1);
  // What the spectra's errors are multiplied by; of a real sequence's spectrum half is given.
  const left = Math.SQRT2 * Math.sqrt((norm(product.re) ** 2 + norm(product.im) ** 2) / LENGTH);
  if (k > 0) multiplyPower(product, drawnSpectrum, 1);
  multiplyPower(product, otherSpectrum, 1);
  const depth = math.binaryExponent(LENGTH);
  const spectra = depth * (k * norm(drawn) + n * norm(other) + 4);
  const sums = new Float64Array(LENGTH / TOGETHER);
  transform.inverse(product).forEach((value, i) => {
    const at = Math.floor(i / TOGETHER);
    sums[at] = sums[at]! + value;
  });
  return { sums, error: 4 * UNIT * (k + n + spectra) * left * Math.sqrt(TOGETHER) };
}

let latest: { key: string; laws: BoundedLaws } | undefined;

/** Bounds on the probabilities of the values of T, taken together. */
export function sumLaws(t: number, k: number, sigma: number): BoundedLaws {
  const key = `${t} ${k} ${sigma}`;
  // Both directions are asked for in turn.
  if (latest?.key !== key) latest = { key, laws: computeLaws(t, k, sigma) };
  return latest.laws;
}

function computeLaws(t: number, k: number, sigma: number): BoundedLaws {
  const lambda = (SHARE * k) / t;
  const value = (z: number) => valueOf(z, sigma, lambda);
  const [absent, spread] = moments(0, sigma, value);
  const [present, drawnSpread] = moments(1, sigma, value);
  const [bottom, top] = [value(-TAIL * sigma), value(1 + TAIL * sigma)];
  const deviation = Math.sqrt((t - k) * spread + k * drawnSpread);
  const step = (k * (present - absent) + 24 * deviation + 2 * (top - bottom)) / LENGTH;

  const first = Math.floor(bottom / step);
  const edges = Float64Array.from({ length: Math.ceil(top / step) - first }, (_, i) => {
    const ratio = math.expm1((first + i + 0.5) * step) / lambda;
    return ratio > -1 ? sigma * sigma * math.log1p(ratio) + 0.5 : -Infinity;
  });
  const [drawn, other] = [cells(edges, first, 1, sigma), cells(edges, first, 0, sigma)];
  const bound = (picks: number): Bounded => {
    const low = convolved(drawn.low, picks, other.low, t - picks);
    const high = convolved(drawn.high, picks, other.high, t - picks);
    return {
      low: low.sums.map((mass) => Math.max(0, mass - low.error)),
      high: high.sums.map((mass) => Math.max(0, mass) + high.error),
    };
  };
  return { p: bound(k), q: bound(0) };
}
