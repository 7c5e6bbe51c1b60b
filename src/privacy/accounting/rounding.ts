/**
 * Rounding against ourselves: the reported figure is moved past the error of its arithmetic.
 * @module
 */

/** 2^-46: more than the accumulated rounding of the closed forms it guards. */
const SLACK = 2 ** -46;

/** A non-negative figure, raised by more than its rounding error; 0 stays 0. */
export function roundUp(x: number): number {
  // Below the normal range the product is lost; elsewhere the smallest number changes no bit.
  return x === 0 ? x : x + Math.abs(x) * SLACK + Number.MIN_VALUE;
}

/** A non-negative figure, lowered likewise. */
export function roundDown(x: number): number {
  return x - Math.abs(x) * SLACK;
}

/** Compensated sum (Neumaier 1974): long schedules lose nothing to rounding. */
export function sum(n: number, term: (i: number) => number): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < n; i++) {
    const x = term(i);
    const next = total + x;
    lost += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total;
    total = next;
  }
  return Number.isFinite(total) ? total + lost : total; // Infinity has no rounding to give back
}

/** A figure >= 0 and finite as a multiple of the smallest number: sums of such are exact. */
export function inSmallest(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const mantissa = bits & 0xfffffffffffffn;
  return exponent === 0n ? mantissa : (mantissa | (1n << 52n)) << (exponent - 1n);
}

/** numerator / denominator, both >= 0, that vanishes with the numerator only. */
export function quotient(numerator: number, denominator: number): number {
  return numerator === 0 ? 0 : Math.max(numerator / denominator, Number.MIN_VALUE);
}

/** numerator / denominator, both > 0, not above it: the quotient itself where a double holds it. */
export function quotientBelow(numerator: number, denominator: number): number {
  const near = Math.min(numerator / denominator, Number.MAX_VALUE);
  return beyond(near, denominator, numerator) <= 0n ? near : near * (1 - 2 ** -52);
}

/** numerator / denominator, both >= 0, not below it: the quotient itself where a double holds it, and 0 with the numerator only. */
export function quotientAbove(numerator: number, denominator: number): number {
  const near = quotient(numerator, denominator);
  return beyond(near, denominator, numerator) >= 0n
    ? near
    : near * (1 + 2 ** -52) + Number.MIN_VALUE;
}

/** Of the sign of x y - z, exactly; all >= 0. */
const beyond = (x: number, y: number, z: number) =>
  inSmallest(x) * inSmallest(y) - (inSmallest(z) << 1074n);

/** sqrt of sum count x^2, whose squares neither overflow nor vanish; rounded up. */
export function rootOfSquares(terms: readonly { x: number; count: number }[]): number {
  const top = terms.reduce((most, { x }) => Math.max(most, x), 0);
  if (top === 0 || !(top < Infinity)) return top;
  // In units of the largest only where a square would leave the range of doubles.
  const unit = top > 1e-140 && top < 1e140 ? 1 : top;
  const squares = sum(terms.length, (i) => terms[i]!.count * (terms[i]!.x / unit) ** 2);
  return roundUp(unit * Math.sqrt(squares));
}

/**
 * A figure for people, of so many significant digits: the nearest decimal that is not below x, because an
 * epsilon or delta that is printed is a promise too. Infinity and NaN stay what they are.
 */
export function decimalAbove(x: number, digits: number): number {
  const near = Number(x.toPrecision(digits));
  return near < x ? beside(x, digits, 1) : near;
}

/** The nearest decimal that is not above x: for what is proven to be lost at least. */
export function decimalBelow(x: number, digits: number): number {
  const near = Number(x.toPrecision(digits));
  return near > x ? beside(x, digits, -1) : near;
}

/** One unit of the last digit beside the decimal nearest to x. */
function beside(x: number, digits: number, units: number): number {
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e") as [string, string];
  const next = Number(mantissa.replace(".", "")) + units;
  return Number(`${next}e${Number(exponent) - digits + 1}`);
}
