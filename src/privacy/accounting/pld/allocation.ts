/**
 * The likelihood ratio of one Gaussian round among s, drawn in secret, on a grid.
 *
 * **Statement.** A task takes part in k of t rounds, every set of k as likely, in secret; each round adds N(0, sigma^2 I)
 * to a sum that the task changes by a vector of norm at most 1, chosen with what was released before in sight, and the rounds
 * in which it was drawn before. Under zero-out the rounds together are dominated by k independent pairs with s_1 + ... + s_k = t,
 *   Q = N(0, sigma^2 I_s),   P = (1/s) sum_i N(e_i, sigma^2 I_s);  for k = 1 that pair is attained.
 *
 * **Proof.** *Adaptivity.* A round's pair is a post-processing of N(1, sigma^2) against N(0, sigma^2), by a kernel that
 * may depend on the past (Blackwell). Run on z_1, ..., z_t, each normal around 1 in the drawn rounds and 0 in the others,
 * the kernels one after another give what the rounds release; they do not know which rounds were drawn. So z
 * dominates. *Own draws.* A task's vector may also depend on the earlier rounds in which it was drawn, since its model moved in
 * these. From the last round to the first: given all else, P/Q is a sum over the sets of rounds of a_S, or a_S v_S where the
 * round is in S, v_S = exp((2 g_S . z - |g_S|^2) / (2 sigma^2)) for the vector g_S of S and a_S >= 0 not depending on the round.
 * Under Q every convex function of such a sum has the largest mean where the v_S are one and the same, of |g| = 1 (sums of
 * variables of given laws are largest in the convex order where these are comonotone); and both divergences are such
 * means. So what does not depend on own draws dominates. *Blocks.* Divide the rounds into k blocks of these sizes at random, then
 * draw a round of each: every set of k is as likely, since the order of the rounds plays no part. Given the blocks, which do not depend on the task and leave Q alone, P is a product of k such pairs; a hockey-stick
 * divergence is convex, so their average is dominated by the product. QED (Feldman and Shenfeld 2025, "Privacy
 * amplification by random allocation", sections 3 and 4.)
 *
 * **Computation.** P/Q = R = sum_i v_i, v_i = u_i / s, ln u_i normal under Q. H_a(P|Q) = E_Q (R - a)^+ and H_a(Q|P) =
 * E_Q (1 - a R)^+ are expectations of convex functions of the sum. So moving each v to a grid in the convex order, up (both
 * neighbours, mean kept) or down (the polygon of tangents of E (v - x)^+), bounds both, from above or below, with an error
 * of second order; the sum's law is one Fourier transform. As E_Q[u_1 | R] = R, P has mass R times that of Q at R.
 * What exceeds the grid counts as infinite loss, in both directions, and so do the transform's errors.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { normalCdf } from "../special/erfc.js";
import { RealFft, type Spectrum } from "./fft.js";
import { multiplyPower } from "./power.js";

const UNIT = 2 ** -53;
const LENGTH = 2 ** 18;
/** Normal quantile beyond which a single round's ratio counts as infinite: probability 1.3e-12. */
const TAIL = 7;

/** Masses at R = k step, and what is not resolved. */
export interface RatioLaw {
  readonly step: number;
  /** Under P and Q; at every point P is R times Q. */
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** Bounds on the mass of P, and of Q, that is nowhere above. */
  readonly lostP: number;
  readonly lostQ: number;
}

/** Under Q: probability and mean, of v above x and up to x. */
interface Single {
  above(x: number): number;
  meanAbove(x: number): number;
  upTo(x: number): number;
  meanUpTo(x: number): number;
}

function single(s: number, sigma: number): Single {
  const threshold = (x: number) => sigma * math.log(s * x) + 1 / (2 * sigma);
  return {
    above: (x) => (x > 0 ? normalCdf(-threshold(x)) : 1),
    meanAbove: (x) => (x > 0 ? normalCdf(1 / sigma - threshold(x)) / s : 1 / s),
    upTo: (x) => (x > 0 ? normalCdf(threshold(x)) : 0),
    meanUpTo: (x) => (x > 0 ? normalCdf(threshold(x) - 1 / sigma) / s : 0),
  };
}

/** Both neighbours on the grid, total and mean kept; what lies above the last point is left out. */
function spread(v: Single, step: number, last: number): Float64Array {
  const mass = new Float64Array(LENGTH);
  let [above, mean] = [1, v.meanAbove(0)];
  for (let k = 0; k < last; k++) {
    const [nextAbove, nextMean] = [v.above((k + 1) * step), v.meanAbove((k + 1) * step)];
    const inside = Math.max(0, above - nextAbove);
    const excess = mean - nextMean - k * step * inside;
    const upper = Math.min(inside, Math.max(0, excess / step));
    mass[k] = mass[k]! + inside - upper;
    mass[k + 1] = mass[k + 1]! + upper;
    [above, mean] = [nextAbove, nextMean];
  }
  return mass;
}

/**
 * Bends of a convex polygon below c(x) = E (v - x)^+ with its value and slope at 0, and 0 at the last point: total and
 * mean are kept, nothing is left out. All zero where the grid is too coarse for such a polygon.
 *
 * Values are kept over max(0, mean - x), to which c comes close on both sides.
 */
function shrink(v: Single, step: number, last: number): Float64Array {
  const mean = v.meanAbove(0);
  const turn = Math.floor(mean / step); // points up to it are over mean - x
  // The first cell's line has to be the tangent at 0, slope -1: it must not reach the turn.
  if (turn < 2) return new Float64Array(LENGTH);
  const lineAt = (k: number) => (k <= turn ? mean - k * step : 0);
  const difference = (large: number, small: number) => large - small - 16 * UNIT * (large + small);
  /** Values over the left end's base, at both ends of cell k, of the tangent at x. */
  const tangentAt = (x: number, k: number): readonly [number, number] => {
    const below = k < turn;
    const value = below
      ? difference(x * v.upTo(x), v.meanUpTo(x))
      : difference(v.meanAbove(x), x * v.above(x));
    const rise = below ? v.upTo(x) : -v.above(x);
    return [value + rise * (k * step - x), value + rise * ((k + 1) * step - x)];
  };
  const excess = [0];
  let left = 0;
  for (let k = 0; k < last; k++) {
    const tolerance = 64 * UNIT * (k + 1) * step;
    const middle = tangentAt((k + 0.5) * step, k);
    const end = tangentAt((k < turn ? k : k + 1) * step, k);
    const line = Math.min(...middle) >= -tolerance ? middle : end;
    // What an end's tangent lacks is rounding, but for the cell in which the base turns.
    const here = Math.min(left, line[0] - (k === turn ? lineAt(k) : 0));
    if (k > 0) excess.push(k === turn ? here : Math.max(0, here));
    left = line[1];
  }
  excess.push(0);
  const slope = (i: number, k: number) => {
    const rise = (excess[k]! - excess[i]!) / ((k - i) * step);
    if (k <= turn) return rise - 1;
    return i > turn ? rise : rise - lineAt(i) / ((k - i) * step);
  };
  const hull: number[] = [];
  for (let k = 0; k < excess.length; k++) {
    while (hull.length >= 2 && slope(hull.at(-2)!, hull.at(-1)!) >= slope(hull.at(-1)!, k)) {
      hull.pop();
    }
    hull.push(k);
  }
  const mass = new Float64Array(LENGTH);
  for (let i = 0; i < hull.length; i++) {
    const before = i === 0 ? -1 : slope(hull[i - 1]!, hull[i]!);
    const after = i + 1 < hull.length ? slope(hull[i]!, hull[i + 1]!) : 0;
    if (!(after >= before)) return mass.fill(0);
    mass[hull[i]!] = after - before;
  }
  return mass;
}

/** Chernoff's bound on the mass of first * rest^n beyond x. */
function beyond(
  [first, rest]: readonly [Float64Array, Float64Array],
  n: number,
  step: number,
  { x, deviation }: { x: number; deviation: number },
): number {
  const last = rest.findLastIndex((value) => value > 0) * step;
  const logMoment = (mass: Float64Array, theta: number) => {
    let total = 0;
    for (let i = 0; i * step <= last; i++) {
      if (mass[i]! > 0) total += mass[i]! * math.exp(theta * (i * step - last));
    }
    return math.log(total) + theta * last;
  };
  // Large single ratios, or many usual ones.
  const tilts = [
    ...[4, 8, 12, 16, 20, 24, 30].map((reach) => reach / last),
    ...[5, 7, 9].map((reach) => reach / deviation).filter((theta) => theta * last < 30),
  ];
  return math.exp(
    tilts.reduce(
      (best, theta) =>
        Math.min(best, logMoment(first, theta) + n * logMoment(rest, theta) - theta * x),
      0,
    ),
  );
}

const fft = new Map<number, RealFft>();

/**
 * The law of R for one round of s, s >= 2, at noise multiplier sigma.
 *
 * @param upper whether it dominates the true one, or is dominated by it.
 */
export function ratioLaw(s: number, sigma: number, upper: boolean): RatioLaw {
  const v = single(s, sigma);
  const most = math.exp(TAIL / sigma + 1 / (2 * sigma * sigma)) / s;
  const deviation = Math.sqrt(math.expm1(Math.min(600, 1 / (sigma * sigma))) / s);
  // Two of the largest ratios at once, above the mean of the others.
  const top = 2 * most + 1 + 9 * Math.min(deviation, 2 * most + 1);
  const step = top / (LENGTH - 2);
  const last = Math.max(2, Math.ceil(most / step));
  const rest = upper ? spread(v, step, last) : shrink(v, step, last);
  const shifted = rest.map((mass, k) => mass * s * k * step);

  const transform = fft.get(LENGTH) ?? new RealFft(LENGTH);
  fft.set(LENGTH, transform);
  const restSpectrum = transform.forward(rest);
  const convolve = (first: Spectrum) => {
    multiplyPower(first, restSpectrum, s - 1);
    return transform.inverse(first);
  };
  const q = convolve(transform.forward(rest));
  const p = convolve(transform.forward(shifted));
  let squares = 0;
  for (let k = 0; k < LENGTH; k++) squares += Math.max(Math.abs(p[k]!), Math.abs(q[k]!)) ** 2;
  // l2 error of a transform, which a power multiplies: no entry's error is larger.
  const noise = 4 * UNIT * (s + 4 * math.binaryExponent(LENGTH)) * Math.sqrt(squares);
  const wide = (LENGTH - 1) * step;
  const [wrappedP, wrappedQ] = [shifted, rest].map((first) =>
    beyond([first, rest], s - 1, step, { x: wide, deviation }),
  );
  // Below, whatever may be error is left out, and with it what wrapped around.
  const error = upper ? 0 : noise + wrappedP! + wrappedQ!;
  for (let k = 0; k < LENGTH; k++) {
    const r = k * step;
    // The larger of the two is the accurate one; the other follows from it.
    if (r >= 1) q[k] = (p[k] = Math.max(0, p[k]! - error)) / r;
    else p[k] = (q[k] = Math.max(0, q[k]! - error)) * r;
  }
  if (!upper) return { step, p, q, lostP: 0, lostQ: 0 };
  const [cutP, cutQ] = [s * v.meanAbove(last * step), v.above(last * step)];
  const spreadNoise = noise * Math.sqrt(LENGTH);
  return {
    step,
    p,
    q,
    lostP: spreadNoise + wrappedP! + cutP + (s - 1) * cutQ,
    lostQ: spreadNoise + wrappedQ! + s * cutQ,
  };
}
