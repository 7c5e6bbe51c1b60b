/**
 * The mean of the logistic function under a normal distribution, and its derivatives in the distribution's mean: the scale mixture of
 * src/learning/models/logistic-link.ts, terms side by side. Sums are within 1e-11 of that file's, relative to themselves: a fit asks for them
 * for every row, turn and hypothesis, so one expression without branches takes the place of three, and exp needs no quotient.
 */
import { power } from "../blas/pair-exponential";
import { add, both, div, larger, mul, put, root, round, size, smaller, sub, take, takeOne } from "../blas/pairs";

const TERMS: i32 = 12;

const WEIGHTS: usize = memory.data<f64>(
  [
    3.4999407507078241e-5, 8.6975808143936815e-4, 8.4149367694176646e-3, 3.6476182106595978e-2,
    9.5919565748811081e-2, 0.16400194708246529, 0.2248781611899168, 0.20569972534309316,
    0.1725835620653309, 6.124122481752764e-2, 2.9662302969456721e-2, 2.1763441843833012e-4,
  ],
  16,
);
/** Squared scales' inverses. */
const SPREADS: usize = memory.data<f64>(
  [
    24.999999999999997, 17.681576830308596, 12.50552636824423, 8.8446970113424132,
    6.2555275898740705, 4.4243036677789411, 3.1291466088979788, 2.2131298411471685,
    1.5652650171070276, 1.1070541463908884, 0.78297851778888775, 0.27700831024930751,
  ],
  16,
);

/**
 * exp(x^2) erfc(x) = P(x) / Q(x) to 1.8e-12 of itself for all x >= 0, highest powers first: the rational function that has its values at sixteen
 * Chebyshev points of (x - 2) / (x + 2).
 */
const P: usize = memory.data<f64>([
  0.0011442854079815002, 0.01514589710184129, 0.097528638222288516, 0.38767651091552134,
  1.0190197830720829, 1.7712472423848535, 1.9021233613898537, 0.99999999999994105,
]);
const Q: usize = memory.data<f64>([
  0.0020281930779147334, 0.026845403640624213, 0.17387910739436212, 0.7005613987741051,
  1.8915847962258323, 3.4695850055583528, 4.1908031619173256, 3.0305025284705616, 1.0,
]);
/** Powers of larger numbers could overflow; the density is 0 long before. */
const FARTHEST: f64 = 1e30;
/** ln(2)^k / k!, highest first: 2^t for |t| <= 1/2 to 3e-13. */
const POWERS: usize = memory.data<f64>([
  7.0549116208011233e-9, 1.01780860092397e-7, 1.3215486790144309e-6, 1.525273380405984e-5,
  0.0001540353039338161, 0.0013333558146428443, 0.0096181291076284772, 0.05550410866482158,
  0.24022650695910071, 0.69314718055994531, 1.0,
]);
/** Exponents of 2 below this are taken for it, so that results are normal numbers. */
const LEAST: f64 = -1000.0;
const HALF_LOG2E: f64 = 0.72134752044448170368;
const INV_SQRT_2PI: f64 = 0.3989422804014327;

/** Sums over terms of even and odd numbers: f64[2] each of densities times erfcx, of densities times rates, and of those times t rate. */
const sums: usize = memory.data(48, 16);

@inline function entry<T>(table: usize, i: i32): T {
  return takeOne<T>(table + ((<usize>i) << 3));
}

/** sum x + table_i: a step of Horner's rule. */
@inline function step<T>(sum: T, x: T, table: usize, i: i32): T {
  return add<T>(mul<T>(sum, x), entry<T>(table, i));
}

/** exp(x^2) erfc(x), x >= 0. */
@inline function erfcx<T>(x0: T): T {
  const x = smaller<T>(x0, both<T>(FARTHEST));
  let top = step<T>(entry<T>(P, 0), x, P, 1), bottom = step<T>(entry<T>(Q, 0), x, Q, 1);
  top = step<T>(step<T>(top, x, P, 2), x, P, 3);
  bottom = step<T>(step<T>(bottom, x, Q, 2), x, Q, 3);
  top = step<T>(step<T>(top, x, P, 4), x, P, 5);
  bottom = step<T>(step<T>(bottom, x, Q, 4), x, Q, 5);
  top = step<T>(step<T>(top, x, P, 6), x, P, 7);
  bottom = step<T>(step<T>(bottom, x, Q, 6), x, Q, 7);
  return div<T>(top, step<T>(bottom, x, Q, 8));
}

/** 2^x, x <= 1. */
@inline function powerOf<T>(x0: T): T {
  const x = larger<T>(x0, both<T>(LEAST)), n = round<T>(x), t = sub<T>(x, n), t2 = mul<T>(t, t);
  // Pairs of powers, which do not wait for each other.
  const high = step<T>(step<T>(entry<T>(POWERS, 0), t2, POWERS, 2), t2, POWERS, 4);
  const odd = step<T>(step<T>(entry<T>(POWERS, 1), t2, POWERS, 3), t2, POWERS, 5);
  const even = step<T>(step<T>(step<T>(high, t2, POWERS, 6), t2, POWERS, 8), t2, POWERS, 10);
  const value = add<T>(even, mul<T>(t, step<T>(step<T>(odd, t2, POWERS, 7), t2, POWERS, 9)));
  return mul<T>(value, power<T>(n));
}

/** Sums over every other term from `first` on, or of both of a pair. @param square that t^2 are taken less of. */
@inline function sumTerms<T>(mean: f64, variance: f64, square: f64, first: i32): void {
  const center = both<T>(mean), spread = both<T>(variance), shifted = both<T>(square);
  let below = both<T>(0.0), slope = below, bend = below;
  for (let k = first; k < TERMS; k += 2) {
    const at = (<usize>k) << 3;
    const rate = root<T>(div<T>(both<T>(1.0), add<T>(take<T>(SPREADS + at), spread)));
    const t = mul<T>(rate, center);
    const height = mul<T>(sub<T>(shifted, mul<T>(t, t)), both<T>(HALF_LOG2E));
    const density = mul<T>(take<T>(WEIGHTS + at), powerOf<T>(height));
    below = add<T>(below, mul<T>(density, erfcx<T>(mul<T>(size<T>(t), both<T>(Math.SQRT1_2)))));
    const part = mul<T>(density, rate);
    slope = add<T>(slope, part);
    bend = add<T>(bend, mul<T>(mul<T>(part, t), rate));
  }
  const to = sums + ((<usize>first) << 3);
  put<T>(to, below);
  put<T>(to + 16, slope);
  put<T>(to + 32, bend);
}

@inline function sumAt(offset: usize): f64 {
  return load<f64>(sums + offset) + load<f64>(sums + offset + 8);
}

/**
 * f64[4] at out, of E sigma(x) over x ~ N(mean, variance): p and s with p exp(-s) the mean itself, the first derivative of its logarithm in `mean`,
 * and minus the second. @param variance >= 0.
 */
export function linkMoments(mean: f64, variance: f64, out: usize): void {
  const tail = mean < 0.0;
  // Below zero everything is a multiple of the slowest tail, which is taken out of the sum.
  const slowest = Math.sqrt(1.0 / (load<f64>(SPREADS) + variance)) * mean;
  const square = tail ? slowest * slowest : 0.0;
  if (ASC_FEATURE_SIMD) sumTerms<v128>(mean, variance, square, 0);
  else {
    sumTerms<f64>(mean, variance, square, 0);
    sumTerms<f64>(mean, variance, square, 1);
  }
  // Weights add up to 1.
  const below = 0.5 * sumAt(0), total = tail ? below : 1.0 - below;
  const slope = INV_SQRT_2PI * sumAt(16) / total;
  store<f64>(out, total);
  store<f64>(out, square / 2.0, 8);
  store<f64>(out, slope, 16);
  store<f64>(out, slope * slope + INV_SQRT_2PI * sumAt(32) / total, 24);
}
