/** The grid that values are rounded to before exact noise is added to them. */
const MOST: f64 = 4611686018427387904.0; // 2^62

/** Nearest multiple of step = 2^e, in steps, ties to even, held within +-2^62; NaN is 0. */
@inline export function toGrid(x: f64, step: f64): i64 {
  const cells = nearest(x / step);
  return cells == cells ? <i64>max(-MOST, min(MOST, cells)) : 0;
}
