/**
 * Inverting monotone costs. The end that is returned is always on the safe side.
 * @module
 */

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
  relative = 1e-14,
): Bracket {
  for (let i = 0; i < 2200; i++) {
    const low = Math.min(inside, outside);
    const high = Math.max(inside, outside);
    if (high - low <= relative * high) break;
    // Geometric steps while the ends differ by orders of magnitude.
    const middle = high > 4 * low && low > 0 ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return { inside, outside };
}

/**
 * Largest x > 0 at which an initially true, then false predicate still holds.
 *
 * @returns 0 if it holds nowhere down to 1e-300, Infinity if it holds up to 1e300.
 */
export function largest(holds: (x: number) => boolean, start = 1, relative = 1e-14): number {
  let step = 2;
  if (holds(start)) {
    let inside = start;
    for (let outside = start * step; outside < 1e300; outside *= step, step = step * step) {
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

/** Smallest x > 0 at which an initially false, then true predicate holds; Infinity if none. */
export function smallest(holds: (x: number) => boolean, start = 1, relative = 1e-14): number {
  const inverse = largest((x) => holds(1 / x), 1 / start, relative);
  return inverse === 0 ? Infinity : 1 / inverse;
}
