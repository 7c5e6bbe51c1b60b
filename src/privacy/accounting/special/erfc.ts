/**
 * The complementary error function and the normal distribution's tails, to a few units in the last
 * place, with logarithms for the far tails.
 *
 * Rational approximations of W. J. Cody, "Rational Chebyshev approximations for the error function",
 * Math. Comp. 23 (1969), in the arrangement of his CALERF (1990).
 * @module
 */
import * as math from "../../../core/elementary.js";

// |x| <= 0.46875: erf(x) = x A(x^2) / B(x^2).
const A = [
  3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694, 0.18577770618460315,
];
const B = [23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171];
// 0.46875 < x <= 4: erfcx(x) = C(x) / D(x).
const C = [
  0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001, 881.952221241769,
  1712.0476126340707, 2051.0783778260716, 1230.3393547979972, 2.1531153547440383e-8,
];
const D = [
  15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597,
  4362.619090143247, 3439.3676741437216, 1230.3393548037495,
];
// x > 4: erfcx(x) = (1/sqrt(pi) - P(1/x^2)/Q(1/x^2)/x^2) / x.
const P = [
  0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
  0.0006587491615298378, 0.016315387137302097,
];
const Q = [
  2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132,
  0.0023352049762686918,
];
const INV_SQRT_PI = 0.5641895835477563; // 1/sqrt(pi)

function erfSmall(x: number): number {
  const y = x * x;
  let top = A[4]! * y;
  let bottom = y;
  for (let i = 0; i < 3; i++) {
    top = (top + A[i]!) * y;
    bottom = (bottom + B[i]!) * y;
  }
  return (x * (top + A[3]!)) / (bottom + B[3]!);
}

/** exp(x^2) erfc(x) for x > 0.46875. */
function erfcxLarge(x: number): number {
  if (x <= 4) {
    let top = C[8]! * x;
    let bottom = x;
    for (let i = 0; i < 7; i++) {
      top = (top + C[i]!) * x;
      bottom = (bottom + D[i]!) * x;
    }
    return (top + C[7]!) / (bottom + D[7]!);
  }
  if (x > 6.7e7) return INV_SQRT_PI / x;
  const y = 1 / (x * x);
  let top = P[5]! * y;
  let bottom = y;
  for (let i = 0; i < 4; i++) {
    top = (top + P[i]!) * y;
    bottom = (bottom + Q[i]!) * y;
  }
  return (INV_SQRT_PI - (y * (top + P[4]!)) / (bottom + Q[4]!)) / x;
}

/** exp(-x^2) without the rounding of x^2: x is split so that one square is exact. */
function expMinusSquare(x: number): number {
  const head = Math.trunc(x * 16) / 16;
  return math.exp(-head * head) * math.exp(-(x - head) * (x + head));
}

/** Scaled complementary error function exp(x^2) erfc(x); overflows below about -26.6. */
export function erfcx(x: number): number {
  if (Math.abs(x) <= 0.46875) return math.exp(x * x) * (1 - erfSmall(x));
  return x > 0 ? erfcxLarge(x) : 2 / expMinusSquare(x) - erfcxLarge(-x);
}

/** Complementary error function. */
export function erfc(x: number): number {
  if (Math.abs(x) <= 0.46875) return 1 - erfSmall(x);
  if (x > 27.3) return 0;
  if (x < -6) return 2;
  return x > 0 ? expMinusSquare(x) * erfcxLarge(x) : 2 - expMinusSquare(x) * erfcxLarge(-x);
}

/** Phi(x), the standard normal distribution function; relative accuracy in the lower tail. */
export function normalCdf(x: number): number {
  return 0.5 * erfc(-x * Math.SQRT1_2);
}

/** ln Phi(x), finite for every finite x. */
export function logNormalCdf(x: number): number {
  if (x > -1) return math.log1p(-0.5 * erfc(x * Math.SQRT1_2));
  return math.log(0.5 * erfcx(-x * Math.SQRT1_2)) - 0.5 * x * x;
}
