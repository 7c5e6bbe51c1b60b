/**
 * Inverting monotone costs. The end that is returned is always on the safe side.
 * @module
 */
import * as math from "../../core/elementary.js";

/** Where the bracket ended: the predicate holds at `inside`, fails at `outside`. */
export interface Bracket {
  inside: number;
  outside: number;
}

/**
 * Narrows a bracket of positive numbers in which `holds` is true at `inside` and false at
 * `outside`, to a relative width. Either may be the larger.
 */
export function bisect(
  holds: (x: number) => boolean,
  { inside, outside }: Bracket,
  relative: number,
): Bracket {
  for (let i = 0; i < 2200; i++) {
    const low = Math.min(inside, outside);
    const high = Math.max(inside, outside);
    if (high - low <= relative * high) break;
    // Geometric steps while the ends differ by orders of magnitude.
    const middle = high > 4 * low && low > 0 ? Math.sqrt(low) * Math.sqrt(high) : mean(low, high);
    if (middle <= low || middle >= high) break;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return { inside, outside };
}

/** Of numbers whose sum may be none. */
const mean = (low: number, high: number) =>
  low + high < Infinity ? (low + high) / 2 : low / 2 + high / 2;

/** Nothing is looked for beyond it, nor below its inverse. */
const MOST = 1e300;

/**
 * Largest x > 0 at which an initially true, then false predicate still holds.
 *
 * @returns 0 if it holds nowhere down to 1e-300, Infinity if it holds up to 1e300.
 */
export function largest(holds: (x: number) => boolean, start: number, relative = 1e-14): number {
  let step = 2;
  if (holds(start)) {
    let inside = start;
    for (let outside = start * step; inside < MOST; outside *= step, step = step * step) {
      outside = Math.min(outside, MOST);
      if (!holds(outside)) return bisect(holds, { inside, outside }, relative).inside;
      inside = outside;
    }
    return Infinity;
  }
  let outside = start;
  for (let inside = start / step; inside > 1e-300; inside /= step, step = step * step) {
    if (holds(inside)) return bisect(holds, { inside, outside }, relative).inside;
    outside = inside;
  }
  return 0;
}

/**
 * Smallest x > 0 at which an initially false, then true predicate holds; Infinity if none. Never 0, at which nobody asked: 1e-300
 * where it holds there.
 */
export function smallest(holds: (x: number) => boolean, start = 1, relative = 1e-14): number {
  const inverse = largest((x) => holds(1 / x), 1 / start, relative);
  return inverse === 0 ? Infinity : 1 / Math.min(inverse, MOST);
}

/** The search of {@link largestCostly}: yields where it wants the cost, returns the answer. */
function* searchCostly(
  limit: number,
  start: number,
  relative: number,
): Generator<number, number, number> {
  let inside = 0;
  let outside = Infinity;
  // ln(cost / limit) there; the weights of the Illinois rule are applied to copies.
  let [atInside, atOutside, below, above] = [-Infinity, Infinity, -Infinity, Infinity];
  let side = 0;
  let x = start;
  for (let i = 0; i < 80; i++) {
    const excess = math.log((yield x) / limit);
    if (excess <= 0) {
      [inside, atInside, below] = [x, excess, excess];
      if (excess > -relative) return x;
      if (side === -1) above /= 2;
      side = -1;
    } else {
      [outside, atOutside, above] = [x, excess, excess];
      if (side === 1) below /= 2;
      side = 1;
    }
    if (outside < 1e-300) return 0;
    if (inside > 0 && outside < Infinity && outside - inside <= relative * outside) {
      // A step, not a crossing.
      let beyond: number | undefined;
      for (const factor of atInside < -1e-3 ? [1.02, 1.2, 1.7] : []) {
        beyond ??= (yield outside * factor) <= limit ? factor : undefined;
      }
      if (!beyond) break;
      x = outside * beyond;
      [outside, atOutside, above, side] = [Infinity, Infinity, Infinity, 0];
    } else if (inside === 0) x /= 4;
    else if (outside === Infinity) x *= 4;
    else if (Number.isFinite(atInside) && Number.isFinite(atOutside)) {
      const share = Math.min(0.98, Math.max(0.02, below / (below - above)));
      x = inside * math.pow(outside / inside, share);
      if (x <= inside || x >= outside) x = (inside + outside) / 2;
    } else x = Math.sqrt(inside) * Math.sqrt(outside);
  }
  return inside;
}

/**
 * Largest x > 0 with cost(x) <= limit, for an increasing and costly cost: the secant of ln cost against
 * ln x, kept inside a bracket (Illinois). A handful of evaluations.
 *
 * A numerical cost is an upper bound that may for once be far too high; where the bracket closes on
 * such a step, points beyond it are tried.
 *
 * @returns a point at which the cost was found to be within the limit; 0 if none was.
 */
export function largestCostly(
  cost: (x: number) => number,
  limit: number,
  start: number,
  relative = 1e-7,
): number {
  const search = searchCostly(limit, start, relative);
  let step = search.next();
  while (!step.done) step = search.next(cost(step.value));
  return step.value;
}
