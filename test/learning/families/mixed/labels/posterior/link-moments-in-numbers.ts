/**
 * Moments of the logistic link as their kernel has them, written out in TypeScript: operation by operation the same numbers.
 * @see assembly/tasks/link-moments.ts
 */

const WEIGHTS = [
  3.499940750707824e-5, 0.0008697580814393682, 0.008414936769417665, 0.03647618210659598,
  0.09591956574881108, 0.1640019470824653, 0.2248781611899168, 0.20569972534309316,
  0.1725835620653309, 0.06124122481752764, 0.02966230296945672, 0.00021763441843833012,
] as const;
const SPREADS = [
  24.999999999999996, 17.681576830308597, 12.50552636824423, 8.844697011342413, 6.25552758987407,
  4.424303667778941, 3.1291466088979787, 2.2131298411471687, 1.5652650171070277, 1.1070541463908885,
  0.7829785177888877, 0.2770083102493075,
] as const;
const P = [
  0.0011442854079815002, 0.01514589710184129, 0.09752863822228852, 0.38767651091552136,
  1.0190197830720829, 1.7712472423848535, 1.9021233613898536, 0.999999999999941,
] as const;
const Q = [
  0.0020281930779147334, 0.026845403640624214, 0.17387910739436213, 0.7005613987741051,
  1.8915847962258323, 3.469585005558353, 4.190803161917326, 3.030502528470562, 1.0,
] as const;
const POWERS = [
  7.054911620801123e-9, 1.01780860092397e-7, 1.321548679014431e-6, 1.525273380405984e-5,
  0.0001540353039338161, 0.0013333558146428443, 0.009618129107628477, 0.05550410866482158,
  0.24022650695910072, 0.6931471805599453, 1.0,
] as const;
const HALF_LOG2E = 0.7213475204444817;
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
