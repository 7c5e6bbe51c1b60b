/**
 * The mean of the logistic function under a normal distribution, and its derivatives in the distribution's mean: the scale mixture of
 * src/learning/models/logistic-link.ts, terms side by side and summed in their order. A test holds the bits to those of that file.
 *
 * erfcx is Cody's (Math. Comp. 23, 1969), as src/privacy/accounting/special/erfc.ts has it, for numbers of 0 and more.
 */
import { expOf } from "../blas/pair-exponential";
import {
  add, allAbove, anyAbove, both, choose, div, mul, plusEach, root, size, sub, take, takeOne, WIDTH,
} from "../blas/pairs";
import { log } from "../logarithm";

const TERMS: i32 = 12;

const WEIGHTS: usize = memory.data<f64>(
  [
    3.4999407507078241e-5, 8.6975808143936815e-4, 8.4149367694176646e-3, 3.6476182106595978e-2,
    9.5919565748811081e-2, 0.16400194708246529, 0.2248781611899168, 0.20569972534309316,
    0.1725835620653309, 6.124122481752764e-2, 2.9662302969456721e-2, 2.1763441843833012e-4,
  ],
  16,
);
const SCALES: usize = memory.data<f64>(
  [
    0.2, 0.23781514227624634, 0.28278020947935645, 0.33624707875119952, 0.39982323436594353,
    0.47542009683042924, 0.56531048984357668, 0.67219697286202351, 0.79929309369422108,
    0.95042000398656135, 1.1301213423512735, 1.8999999999999999,
  ],
  16,
);

// |x| <= 0.46875: erf(x) = x A(x^2) / B(x^2).
const A: usize = memory.data<f64>([
  3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694, 0.18577770618460315,
]);
const B: usize = memory.data<f64>([
  23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171,
]);
// 0.46875 < x <= 4: erfcx(x) = C(x) / D(x).
const C: usize = memory.data<f64>([
  0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001, 881.952221241769,
  1712.0476126340707, 2051.0783778260716, 1230.3393547979972, 2.1531153547440383e-8,
]);
const D: usize = memory.data<f64>([
  15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597,
  4362.619090143247, 3439.3676741437216, 1230.3393548037495,
]);
// x > 4: erfcx(x) = (1/sqrt(pi) - P(1/x^2)/Q(1/x^2)/x^2) / x.
const P: usize = memory.data<f64>([
  0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
  0.0006587491615298378, 0.016315387137302097,
]);
const Q: usize = memory.data<f64>([
  2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132,
  0.0023352049762686918,
]);
const NEAR: f64 = 0.46875;
const FAR: f64 = 4.0;
/** From here on erfcx(x) is 1 / sqrt(pi) / x. */
const BEYOND: f64 = 6.7e7;
const INV_SQRT_PI: f64 = 0.5641895835477563;
const INV_SQRT_2PI: f64 = 0.3989422804014327;

@inline function entry<T>(table: usize, i: i32): T {
  return takeOne<T>(table + ((<usize>i) << 3));
}

/** (sum + table_i) y: a step of Horner's rule. */
@inline function step<T>(sum: T, y: T, table: usize, i: i32): T {
  return mul<T>(add<T>(sum, entry<T>(table, i)), y);
}

/** exp(x^2) erfc(x) for x <= NEAR. */
function nearErfcx<T>(x: T): T {
  const y = mul<T>(x, x);
  const top = step<T>(step<T>(step<T>(mul<T>(entry<T>(A, 4), y), y, A, 0), y, A, 1), y, A, 2);
  const bottom = step<T>(step<T>(step<T>(y, y, B, 0), y, B, 1), y, B, 2);
  const erf = div<T>(mul<T>(x, add<T>(top, entry<T>(A, 3))), add<T>(bottom, entry<T>(B, 3)));
  return mul<T>(expOf<T>(y), sub<T>(both<T>(1.0), erf));
}

/** The same for NEAR < x <= FAR. */
function middleErfcx<T>(x: T): T {
  let top = step<T>(step<T>(mul<T>(entry<T>(C, 8), x), x, C, 0), x, C, 1);
  let bottom = step<T>(step<T>(x, x, D, 0), x, D, 1);
  top = step<T>(step<T>(step<T>(top, x, C, 2), x, C, 3), x, C, 4);
  bottom = step<T>(step<T>(step<T>(bottom, x, D, 2), x, D, 3), x, D, 4);
  top = add<T>(step<T>(step<T>(top, x, C, 5), x, C, 6), entry<T>(C, 7));
  return div<T>(top, add<T>(step<T>(step<T>(bottom, x, D, 5), x, D, 6), entry<T>(D, 7)));
}

/** The same for x > FAR. */
function farErfcx<T>(x: T): T {
  const y = div<T>(both<T>(1.0), mul<T>(x, x));
  let top = step<T>(step<T>(mul<T>(entry<T>(P, 5), y), y, P, 0), y, P, 1);
  let bottom = step<T>(step<T>(y, y, Q, 0), y, Q, 1);
  top = add<T>(step<T>(step<T>(top, y, P, 2), y, P, 3), entry<T>(P, 4));
  bottom = add<T>(step<T>(step<T>(bottom, y, Q, 2), y, Q, 3), entry<T>(Q, 4));
  const value = div<T>(sub<T>(both<T>(INV_SQRT_PI), div<T>(mul<T>(y, top), bottom)), x);
  const beyond = both<T>(BEYOND);
  if (!anyAbove<T>(x, beyond)) return value;
  return choose<T>(x, beyond, div<T>(both<T>(INV_SQRT_PI), x), value);
}

/** exp(x^2) erfc(x), x >= 0. Neighbours seldom lie on two sides of a cut. */
@inline function erfcx<T>(x: T): T {
  const near = both<T>(NEAR), far = both<T>(FAR);
  if (!anyAbove<T>(x, near)) return nearErfcx<T>(x);
  let value: T;
  if (!anyAbove<T>(x, far)) value = middleErfcx<T>(x);
  else {
    value = farErfcx<T>(x);
    if (!allAbove<T>(x, far)) value = choose<T>(x, far, value, middleErfcx<T>(x));
  }
  return allAbove<T>(x, near) ? value : choose<T>(x, near, value, nearErfcx<T>(x));
}

/** At out: ln E sigma(x) over x ~ N(mean, variance), its first derivative in the mean, and minus its second. */
@inline function momentsOf<T>(mean: f64, variance: f64, out: usize): void {
  const tail = mean < 0.0;
  const slowest = load<f64>(SCALES), first = slowest / Math.sqrt(1.0 + slowest * slowest * variance);
  // Below zero everything is a multiple of the slowest tail, which is taken out of the sum.
  const shift = tail ? (first * mean) * (first * mean) / 2.0 : 0.0;
  const one = both<T>(1.0), half = both<T>(0.5);
  const spread = both<T>(variance), center = both<T>(mean), shifted = both<T>(shift);
  let total = 0.0, slope = 0.0, bend = 0.0;
  for (let k = 0; k < TERMS; k += WIDTH) {
    const weight = take<T>(WEIGHTS + ((<usize>k) << 3)), scale = take<T>(SCALES + ((<usize>k) << 3));
    const rate = div<T>(scale, root<T>(add<T>(one, mul<T>(mul<T>(scale, scale), spread))));
    const t = mul<T>(rate, center);
    const density = mul<T>(weight, expOf<T>(sub<T>(shifted, mul<T>(mul<T>(t, t), half))));
    const lower = mul<T>(mul<T>(half, density), erfcx<T>(mul<T>(size<T>(t), both<T>(Math.SQRT1_2))));
    total = plusEach<T>(total, tail ? lower : sub<T>(weight, lower));
    const part = mul<T>(mul<T>(both<T>(INV_SQRT_2PI), density), rate);
    slope = plusEach<T>(slope, part);
    bend = plusEach<T>(bend, mul<T>(mul<T>(part, t), rate));
  }
  slope = slope / total;
  store<f64>(out, log(total) - shift);
  store<f64>(out, slope, 8);
  store<f64>(out, slope * slope + bend / total, 16);
}

/** f64[3] at out. @param variance >= 0. */
export function linkMoments(mean: f64, variance: f64, out: usize): void {
  if (ASC_FEATURE_SIMD) momentsOf<v128>(mean, variance, out);
  else momentsOf<f64>(mean, variance, out);
}
