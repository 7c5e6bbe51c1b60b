/**
 * Moments of the logistic link as their kernel has them, written out in TypeScript: operation by operation the same numbers.
 * @see assembly/tasks/link-moments.ts
 */

const WEIGHTS = [
  3.4999407507078241e-5, 8.6975808143936815e-4, 8.4149367694176646e-3, 3.6476182106595978e-2,
  9.5919565748811081e-2, 0.16400194708246529, 0.2248781611899168, 0.20569972534309316,
  0.1725835620653309, 6.124122481752764e-2, 2.9662302969456721e-2, 2.1763441843833012e-4,
] as const;
const SPREADS = [
  24.999999999999997, 17.681576830308596, 12.50552636824423, 8.8446970113424132, 6.2555275898740705,
  4.4243036677789411, 3.1291466088979788, 2.2131298411471685, 1.5652650171070276,
  1.1070541463908884, 0.78297851778888775, 0.27700831024930751,
] as const;
const P = [
  0.0011442854079815002, 0.01514589710184129, 0.097528638222288516, 0.38767651091552134,
  1.0190197830720829, 1.7712472423848535, 1.9021233613898537, 0.99999999999994105,
] as const;
const Q = [
  0.0020281930779147334, 0.026845403640624213, 0.17387910739436212, 0.7005613987741051,
  1.8915847962258323, 3.4695850055583528, 4.1908031619173256, 3.0305025284705616, 1.0,
] as const;
const POWERS = [
  7.0549116208011233e-9, 1.01780860092397e-7, 1.3215486790144309e-6, 1.525273380405984e-5,
  0.0001540353039338161, 0.0013333558146428443, 0.0096181291076284772, 0.05550410866482158,
  0.24022650695910071, 0.69314718055994531, 1.0,
] as const;
const HALF_LOG2E = 0.72134752044448170368;
const INV_SQRT_2PI = 0.3989422804014327;

/** exp(x^2) erfc(x), x >= 0. */
export function erfcxInNumbers(x0: number): number {
  const x = Math.min(x0, 1e30);
  const horner = (table: readonly number[]) =>
    table.slice(1).reduce((sum, c) => sum * x + c, table[0]!);
  return horner(P) / horner(Q);
}

/** The whole number next to x, of two the even one. */
function nearest(x: number): number {
  const floor = Math.floor(x);
  const half = x - floor;
  if (half !== 0.5) return half < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** 2^x, x <= 1. */
function powerOf(x0: number): number {
  const x = Math.max(x0, -1000);
  const n = nearest(x);
  const t = x - n;
  const t2 = t * t;
  const at = (...ks: number[]) =>
    ks.slice(1).reduce((sum, k) => sum * t2 + POWERS[k]!, POWERS[ks[0]!]!);
  return (at(0, 2, 4, 6, 8, 10) + t * at(1, 3, 5, 7, 9)) * 2 ** n;
}

export interface MomentsInNumbers {
  readonly total: number;
  readonly square: number;
  readonly slope: number;
  readonly curvature: number;
}

/** Of E sigma(x) over x ~ N(mean, variance): total exp(-square / 2) is the mean itself; derivatives of its logarithm. */
export function linkMomentsInNumbers(mean: number, variance: number): MomentsInNumbers {
  const slowest = Math.sqrt(1 / (SPREADS[0] + variance)) * mean;
  const square = mean < 0 ? slowest * slowest : 0;
  // Terms of even and of odd numbers.
  const below = [0, 0];
  const slopes = [0, 0];
  const bends = [0, 0];
  WEIGHTS.forEach((weight, k) => {
    const rate = Math.sqrt(1 / (SPREADS[k]! + variance));
    const t = rate * mean;
    const density = weight * powerOf((square - t * t) * HALF_LOG2E);
    below[k % 2]! += density * erfcxInNumbers(Math.abs(t) * Math.SQRT1_2);
    const part = density * rate;
    slopes[k % 2]! += part;
    bends[k % 2]! += part * t * rate;
  });
  const half = 0.5 * (below[0]! + below[1]!);
  const total = mean < 0 ? half : 1 - half;
  const slope = (INV_SQRT_2PI * (slopes[0]! + slopes[1]!)) / total;
  const curvature = slope * slope + (INV_SQRT_2PI * (bends[0]! + bends[1]!)) / total;
  return { total, square, slope, curvature };
}
