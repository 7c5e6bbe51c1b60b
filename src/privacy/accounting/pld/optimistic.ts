/**
 * A privacy loss law on a grid, rounded for us: dominated by the true one, for lower bounds.
 *
 * **Statement.** Let h(a) = H_a(P|Q), a = e^loss >= 0, be a law's profile, and g <= h a convex polygon, constant
 * beyond the last grid point, whose kinks a > 0 lie on the grid. Then the law with Q-mass = change of slope and
 * P-mass = a times it at every kink, and h(infinity) at an infinite loss, is dominated, and composes so.
 *
 * **Proof.** For any two pairs, H_a(P1 x P2 | Q1 x Q2) = Int g1(a dQ2/dP2) dP2, which grows with the profile g1; so rounds
 * may be replaced one after another by measures of smaller profiles, whose totals need not be 1. The masses' profile
 * is the polygon: a convex function is the integral of its bends. QED
 *
 * The polygon: in every cell one tangent of h, at its middle; at every grid point the lower one of the two; then
 * the convex hull of these points. A line between two points below a tangent lies below it, so lowering
 * points never harms. The error is of second order in the step, and half of the pessimistic law's.
 *
 * Values are kept as the excess of h over max(0, 1 - a), whose terms are small where h is close to it, lowered
 * by more than their rounding.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { onGrid, type GridLaw } from "./discretize.js";
import type { LossLaw, Tails } from "./loss-law.js";

const UNIT = 2 ** -53;
/** Losses beyond are left out: e^loss, and Q's masses, leave the range of doubles. */
const REACH = 680;
/** More than what a mass of Q loses to gradual underflow. */
const UNDERFLOW = 64 * Number.MIN_VALUE;

/** A point of the polygon: `a` = e^loss, and its excess over 1 - a (below loss 0) or over 0. */
interface Point {
  index: number;
  a: number;
  excess: number;
  below: boolean;
}

/** A slope as base + extra, where base is that of 1 - a or of 0. */
interface Slope {
  base: -1 | 0;
  extra: number;
}

function slope(from: Point, to: Point, step: number): Slope {
  // From the indices: neighbouring a agree in most of their digits.
  const run = from.a === 0 ? to.a : from.a * math.expm1((to.index - from.index) * step);
  if (from.below === to.below || to.a === 1) {
    return { base: from.below ? -1 : 0, extra: (to.excess - from.excess) / run };
  }
  // Across loss 0: from the base that leaves less to cancel.
  const overLine = (to.excess + (to.a - 1) - from.excess) / run;
  const overZero = (to.excess - (from.excess + (1 - from.a))) / run;
  return Math.abs(overLine) < Math.abs(overZero)
    ? { base: -1, extra: overLine }
    : { base: 0, extra: overZero };
}

const FLAT: Slope = { base: 0, extra: 0 };

/** Slope `second` minus slope `first`. */
function bend(first: Slope, second: Slope): number {
  return second.extra - first.extra + (second.base - first.base);
}

/** Lower convex hull of points ascending in `a` (Andrew 1979), and of the horizontal ray from its last. */
function lowerHull(points: Iterable<Point>, step: number): Point[] {
  const hull: Point[] = [];
  const last = () => slope(hull.at(-2)!, hull.at(-1)!, step);
  for (const point of points) {
    while (hull.length >= 2 && !(bend(last(), slope(hull.at(-1)!, point, step)) > 0)) hull.pop();
    hull.push(point);
  }
  while (hull.length >= 2 && !(bend(last(), FLAT) >= 0)) hull.pop();
  return hull;
}

/** The excess at a loss, not above the true one. */
function excessOf({ pAbove, qAbove, pBelow, qBelow }: Tails, a: number, below: boolean): number {
  const [large, small] = below ? [a * qBelow, pBelow] : [pAbove, a * qAbove];
  return large - small - 16 * UNIT * (large + small) - a * UNDERFLOW;
}

/** What no profile lies below, as an excess: that of an infinite loss of probability `infinite`. */
function floorOf(infinite: number, loss: number): number {
  if (loss >= 0) return infinite;
  return infinite > 0 ? infinite + math.expm1(loss) - 4 * UNIT : -1;
}

/** Q's mass of an atom on a grid point up to rounding that {@link LossLaw.tails} counts to the other side. */
function atomBeside({ atoms }: LossLaw, point: number, below: boolean): number {
  let mass = 0;
  for (const { loss, q } of atoms) {
    if (onGrid(loss, point) && (below ? loss > point : loss <= point)) mass += q;
  }
  return mass;
}

/**
 * Values at a cell's two ends of a tangent of the profile, in the excess of the cell's side of loss 0. Where the
 * middle one leaves the region of profiles, as it does where the law ends, an end's stays inside, so that what
 * its computed values lack is rounding.
 */
function tangent(law: LossLaw, low: number, step: number): readonly [number, number] {
  const at: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  const below = low < 0;
  const floors = [floorOf(law.infinite, low), floorOf(law.infinite, low + step)] as const;
  const through = (loss: number, toLow: number, toHigh: number): readonly [number, number] => {
    law.tails(loss, at);
    const a = math.exp(loss);
    const value = excessOf(at, a, below);
    // At an end the tangent is that of the cell's own side: it has the atom there, if there is one.
    const atom = toLow < 0 && toHigh > 0 ? 0 : atomBeside(law, loss, below);
    const extra = (below ? at.qBelow + atom : -at.qAbove - atom) * a;
    return [value + extra * math.expm1(toLow), value + extra * math.expm1(toHigh)];
  };
  const middle = through(low + step / 2, -step / 2, step / 2);
  const base = below ? 0 : -1;
  if (middle.every((value, end) => value >= Math.max(base, floors[end]!))) return middle;
  if (below) {
    const [atLow, atHigh] = through(low, 0, step);
    if (atHigh >= floors[1]) return [Math.max(0, floors[0], atLow), Math.max(0, atHigh)];
  }
  const [atLow, atHigh] = through(low + step, -step, 0);
  return [Math.max(floors[0], atLow), Math.max(base, floors[1], atHigh)];
}

/** Rounds down: the grid law is dominated. Covers losses from `first` to `last` times `step`. */
export function optimistic(given: LossLaw, step: number, first: number, last: number): GridLaw {
  // A smaller eps0 is a post-processing, which shifts both atoms inwards and not both down.
  const law = given.weakened?.(step) ?? given;
  const mass = new Float64Array(last - first + 1);
  const from = Math.max(first, Math.ceil(-REACH / step));
  const to = Math.min(last, Math.floor(REACH / step));
  if (to <= from) return { start: first, mass, infinite: law.infinite };

  const lowest: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  law.tails(from * step, lowest);
  const points = function* (): Generator<Point> {
    // What lies below the grid is one outcome, whose P is dropped: a line from (0, 1 - P) to the grid.
    yield { index: -1, a: 0, excess: -lowest.pBelow * (1 + 16 * UNIT), below: true };
    let fromLeft = Infinity;
    for (let i = from; i <= to; i++) {
      const [a, below] = [math.exp(i * step), i < 0];
      const index = i - first;
      if (i === to) {
        yield { index, a, excess: below ? law.infinite - (1 - a) : law.infinite, below };
        return;
      }
      const [toRight, next] = tangent(law, i * step, step);
      yield { index, a, excess: Math.min(fromLeft, toRight), below };
      fromLeft = next;
    }
  };
  const hull = lowerHull(points(), step);
  for (let k = 1; k < hull.length; k++) {
    const next = k + 1 < hull.length ? slope(hull[k]!, hull[k + 1]!, step) : FLAT;
    const { index, a } = hull[k]!;
    mass[index] = Math.max(0, a * bend(slope(hull[k - 1]!, hull[k]!, step), next));
  }
  // A tail beyond the grid sank to its last point: dropped, it cannot crowd the window of the composition.
  const highest: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  law.tails(to * step, highest);
  if (highest.pAbove > law.infinite) mass[to - first] = 0;
  const { a, excess, below } = hull.at(-1)!;
  const beyond = below ? excess + (1 - a) : excess;
  return { start: first, mass, infinite: Math.min(law.infinite, Math.max(0, beyond)) };
}
