/**
 * The likelihood ratio of one Gaussian round among s, drawn in secret, on a grid.
 *
 * **Statement.** The t rounds are divided in advance into k blocks of s_1, ..., s_k rounds. A task takes part in one round of
 * each, every choice as likely, in secret; each round adds N(0, sigma^2 I) to a sum that the task changes by a vector of norm
 * at most 1, chosen with what was released before in sight, and the rounds in which it was drawn before. Under zero-out the
 * rounds together are dominated by k independent pairs
 *   Q = N(0, sigma^2 I_s),   P = (1/s) sum_i N(e_i, sigma^2 I_s),  s = s_1, ..., s_k,
 * and by nothing less: with the same unit vector in every round these are what is released. Where instead every set of k of the
 * t rounds is as likely, they dominate too.
 *
 * **Proof.** *Adaptivity.* A round's pair is a post-processing of N(1, sigma^2) against N(0, sigma^2), by a kernel that
 * may depend on the past (Blackwell). Run on z_1, ..., z_t, each normal around 1 in the drawn rounds and 0 in the others,
 * the kernels one after another give what the rounds release; they do not know which rounds were drawn. So z
 * dominates. *Own draws.* A task's vector may also depend on the earlier rounds in which it was drawn, since its model moved in
 * these. From the last round to the first: given all else, P/Q is a sum over the sets of rounds of a_S, or a_S v_S where the
 * round is in S, v_S = exp((2 g_S . z - |g_S|^2) / (2 sigma^2)) for the vector g_S of S and a_S >= 0 not depending on the round.
 * Under Q every convex function of such a sum has the largest mean where the v_S are one and the same, of |g| = 1 (sums of
 * variables of given laws are largest in the convex order where these are comonotone); and both divergences are such
 * means. So what does not depend on own draws dominates. *Blocks.* Then P is the product of the blocks' averages over their
 * rounds. A set of k that is drawn from all rounds is one round of each block if the rounds are shuffled first, which plays no
 * part in their order; given the shuffle P is such a product, and hockey-stick divergences are convex. QED (Feldman and
 * Shenfeld 2025, "Privacy amplification by random allocation", sections 3 and 4.)
 *
 * **Computation.** P/Q = R = (u_1 + ... + u_s) / s, ln u_i normal under Q. H_a(P|Q) = E_Q (R - a)^+ and H_a(Q|P) =
 * E_Q (1 - a R)^+ are means of convex functions of the sum. So rounding each u to a geometric grid up in the convex order, and
 * sums of them likewise (geometric-sum.ts), bounds both from above, with an error of second order. From below R is replaced by an
 * outcome that the rounds decide, the value of a rounded sum, with the probabilities that both laws give it: that is a
 * post-processing. As E_Q[u_1 | R] = R, P has R times Q's mass. What exceeds the grid counts as infinite loss, in both directions;
 * errors of arithmetic count against us.
 * @module
 */
import * as math from "../../../../core/elementary.js";
import { normalCdf } from "../../special/erfc.js";
import type { BoundedLaws } from "./bounded-law.js";
import { grids, POINTS, type Grid } from "./geometric-grid.js";
import { sumAbove, sumBelow, type LawAbove, type LawBelow } from "./geometric-sum.js";

const UNIT = 2 ** -53;
/** What products of masses below the normal numbers may lose, in all. */
const UNDERFLOW = 1e-280;

/** A law of R that is larger in the convex order than the true one, but for `error` and `drift`. */
export interface RatioLaw {
  /** ln R at entry k: start + k step. */
  readonly start: number;
  readonly step: number;
  /** Masses under Q; under P each is R times it. */
  readonly q: Float64Array;
  /** Q's mass at R = 0. */
  readonly zero: number;
  /** Bounds on the mass of P, and of Q, that is nowhere above. */
  readonly lostP: number;
  readonly lostQ: number;
  /** Relative errors of the masses, and of R. */
  readonly error: number;
  readonly drift: number;
}

/** Probability under Q, and part of the mean, of u below e^y and above it, with the relative error of each. */
function tailsAt(y: number, sigma: number) {
  const z = sigma * y + 1 / (2 * sigma);
  // Of the function, and of its argument.
  const size = Math.abs(sigma * y) + 1.5 / sigma;
  const error = Number.isFinite(y) ? (16 + 5 * size * size) * UNIT : 0;
  const shifted = z - 1 / sigma;
  return {
    q: { below: normalCdf(z), above: normalCdf(-z) },
    p: { below: normalCdf(shifted), above: normalCdf(-shifted) },
    error,
  };
}

type Tails = ReturnType<typeof tailsAt>;

/** Mass between two edges, and a bound on its error. */
function between(low: Tails, high: Tails, of: "p" | "q") {
  const [a, b] = [low[of], high[of]];
  // The smaller tails' difference; around the middle one of them is not small.
  const left = b.below < 0.5;
  const mass = Math.max(0, left ? b.below - a.below : a.above - b.above);
  const tails = left
    ? low.error * a.below + high.error * b.below
    : low.error * Math.min(a.above, a.below) + high.error * b.above;
  return { mass, error: tails + (a.below < 0.5 && !left ? 4 * UNIT : 0) };
}

/** The largest relative error of masses that are above what is lost in underflow. */
const relative = ({ mass, error }: { mass: number; error: number }) =>
  mass > UNDERFLOW ? error / mass : 0;

/** u itself, both neighbours with the mean kept, and the relative errors of masses and means. */
function singleAbove(grid: Grid, sigma: number) {
  const { step, first, length } = grid;
  const mass = new Float64Array(length);
  let low = tailsAt(first * step, sigma);
  // Below the grid: to its first point and to 0.
  const bottom = math.exp(first * step);
  mass[0] = Math.min(low.q.below, low.p.below / bottom);
  const zero = low.q.below - mass[0];
  let [error, drift] = [low.error, 2 * low.error];
  for (let k = 0; k < length - 1; k++) {
    const high = tailsAt((first + k + 1) * step, sigma);
    const [q, p] = [between(low, high, "q"), between(low, high, "p")];
    const excess = p.mass / math.exp((first + k) * step) - q.mass;
    const part = Math.min(q.mass, Math.max(0, excess / math.expm1(step)));
    mass[k] = mass[k]! + (q.mass - part);
    mass[k + 1] = mass[k + 1]! + part;
    error = Math.max(error, relative(q));
    drift = Math.max(drift, relative(q) + relative(p) + 8 * UNIT);
    low = high;
  }
  const [lost, lostMean] = [low.q.above, low.p.above];
  return { law: { grid, mass, zero, lost, lostMean }, error, drift };
}

/** The cell of u around every point, those at the ends with all beyond. */
function singleBelow(grid: Grid, sigma: number) {
  const { step, first, length } = grid;
  const [mass, mean] = [new Float64Array(length), new Float64Array(length)];
  let low = tailsAt(-Infinity, sigma);
  let error = 0;
  for (let k = 0; k < length; k++) {
    const high = tailsAt(k < length - 1 ? (first + k + 0.5) * step : Infinity, sigma);
    const [q, p] = [between(low, high, "q"), between(low, high, "p")];
    [mass[k], mean[k]] = [q.mass, p.mass];
    error = Math.max(error, relative(q), relative(p));
    low = high;
  }
  return { law: { grid, mass, mean }, error };
}

/** The sum of s of them from halves: `depth` says how often was halved. */
function summed<Law>(
  s: number,
  all: readonly ReadonlyMap<number, Grid>[],
  single: (grid: Grid) => Law,
  add: (a: Law, b: Law, to: Grid) => Law,
): Law {
  const known = new Map<string, Law>();
  const of = (n: number, depth: number): Law => {
    const key = `${n} ${depth}`;
    const grid = all[depth]!.get(n)!;
    const half = (size: number) => of(size, depth + 1);
    const found =
      known.get(key) ??
      (n === 1 ? single(grid) : add(half(Math.floor(n / 2)), half(Math.ceil(n / 2)), grid));
    known.set(key, found);
    return found;
  };
  return of(s, 0);
}

/** Bound on the relative error of masses: every law's is in each sum that it is part of. */
const massError = (s: number, single: number) => s * (single + 16 * POINTS * UNIT);

/** The law of R for one round of s, s >= 2, at noise multiplier sigma, that dominates the true one. */
export function ratioLaw(s: number, sigma: number): RatioLaw {
  const all = grids(s, sigma);
  let [error, drift] = [0, 0];
  const single = (grid: Grid) => {
    const one = singleAbove(grid, sigma);
    [error, drift] = [Math.max(error, one.error), Math.max(drift, one.drift)];
    return one.law;
  };
  const { grid, mass, zero, lost, lostMean } = summed<LawAbove>(s, all, single, sumAbove);
  error = massError(s, error);
  const [{ step, first }, logS] = [grid, math.log(s)];
  const farthest = Math.max(Math.abs(first), Math.abs(first + mass.length)) * step;
  // Of every sum: its parts, and those of what is far below, which are sums over a grid.
  const [coarsest] = all.at(-1)!.values();
  const summing = all.length * (16 + 8 * POINTS * coarsest!.step) * UNIT;
  return {
    start: first * step - logS,
    step,
    q: mass,
    zero,
    lostP: (lostMean / s) * (1 + error + drift) + UNDERFLOW,
    lostQ: lost * (1 + error) + UNDERFLOW,
    error,
    drift: drift + summing + 8 * UNIT * (farthest + logS),
  };
}

/** Bounds on the probabilities of outcomes that the rounds decide: their law is dominated. */
export function outcomeLaws(s: number, sigma: number): BoundedLaws {
  const all = grids(s, sigma);
  let error = 0;
  const single = (grid: Grid) => {
    const one = singleBelow(grid, sigma);
    error = Math.max(error, one.error);
    return one.law;
  };
  const { mass, mean } = summed<LawBelow>(s, all, single, sumBelow);
  error = massError(s, error);
  const bounds = (x: Float64Array) => ({
    low: x.map((value) => Math.max(0, value * (1 - error) - UNDERFLOW)),
    high: x.map((value) => value * (1 + error) + UNDERFLOW),
  });
  return { p: bounds(mean.map((value) => value / s)), q: bounds(mass) };
}
