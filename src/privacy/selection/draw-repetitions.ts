/**
 * The number of runs of a private selection, drawn exactly.
 *
 * **Statement.** Given independent uniform bits, K has the law of `repetitions.ts` at the very numbers eta, gamma or mean that are
 * accounted, without rounding. **Proof.** K is the least k with U < F(k), for U uniform on [0, 1) and F the distribution function. Of U
 * the first bits are known: an interval; of F(k) whole numbers below and above, in units of 2^-precision. k is returned where all of
 * the one interval lies at or above F(k - 1) and below or at F(k). Otherwise more bits are drawn, and the units are smaller. The intervals'
 * widths go to 0, and U is almost surely none of the countably many F(k): so the bits decide. QED
 *
 * The first probability is (1 - gamma) eta / (e^u - 1) with u = eta L, L = -ln gamma, that is (1 - gamma) / (L phi(u)) with
 * phi(u) = (e^u - 1) / u, and 1 / phi(-v) = 1 / phi(v) + v. The others follow by rational factors. A Poisson number is the sum
 * of Poisson numbers of parts of its mean.
 * @module
 */
import { callable } from "../../core/checks.js";
import { checkRepetitions, type Repetitions } from "./repetitions.js";

/** Bits that are drawn at a time. */
const STEP = 64;
/** Bits of the bounds beyond those drawn, at first. */
const GUARD = 128;
/** The largest part of a Poisson mean that is drawn at once. */
const PART = 32;

/** A number >= 0 between two whole numbers of units. */
interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** numerator / 2^shift, exactly. */
interface Binary {
  readonly numerator: bigint;
  readonly shift: bigint;
}

function exactly(x: number): Binary {
  let shift = 0n;
  for (; !Number.isInteger(x); x *= 2) shift++;
  return { numerator: BigInt(x), shift };
}

/** a >= 0, b > 0; division of integers cuts towards 0. */
const ceilDivided = (a: bigint, b: bigint) => (a + b - 1n) / b;

/** x numerator / denominator, both > 0. */
const scaled = ({ low, high }: Bounds, numerator: bigint, denominator: bigint): Bounds => ({
  low: (low * numerator) / denominator,
  high: ceilDivided(high * numerator, denominator),
});

/** x / y in units of 1 / unit; y.low > 0. */
const quotient = (x: Bounds, y: Bounds, unit: bigint): Bounds => ({
  low: (x.low * unit) / y.high,
  high: ceilDivided(x.high * unit, y.low),
});

const plus = (x: Bounds, y: Bounds): Bounds => ({ low: x.low + y.low, high: x.high + y.high });

/** 2 atanh(z) = 2 (z + z^3 / 3 + …) for 0 <= z = p / q <= 1/3. */
function twiceAtanh(p: bigint, q: bigint, unit: bigint): Bounds {
  let power = scaled({ low: unit, high: unit }, 2n * p, q);
  let sum = power;
  for (let n = 3n; ; n += 2n) {
    power = scaled(power, p * p, q * q);
    // What is left is less than a geometric series of ratio 1/9 from here on.
    if (power.high <= 1n) return { low: sum.low, high: sum.high + 2n };
    sum = plus(sum, scaled(power, 1n, n));
  }
}

/** -ln x for 0 < x < 1. */
function minusLog({ numerator, shift }: Binary, unit: bigint): Bounds {
  // x = numerator / 2^shift = 2^-halvings times a number from 1/2 (not included) to 1.
  const length = BigInt(numerator.toString(2).length);
  const halvings = shift - length;
  const whole = 1n << length;
  const rest = twiceAtanh(whole - numerator, whole + numerator, unit);
  const two = scaled(twiceAtanh(1n, 3n, unit), halvings, 1n);
  return plus(rest, two);
}

/** (e^u - 1) / u = 1 + u / 2 + u^2 / 6 + …, u >= 0. */
function phi(u: Bounds, unit: bigint): Bounds {
  let term: Bounds = { low: unit, high: unit };
  let sum = term;
  for (let n = 2n; ; n++) {
    const divisor = n * unit;
    term = { low: (term.low * u.low) / divisor, high: ceilDivided(term.high * u.high, divisor) };
    sum = plus(sum, term);
    // From here on every term is at most half of the one before, so all of them are at most this one.
    if (term.high <= 1n && 2n * u.high <= divisor) return plus(sum, { low: 0n, high: term.high });
  }
}

/** Bounds of P[K = k], k = first, first + 1, …, in units of 2^-precision. */
type Probabilities = (precision: bigint) => Generator<Bounds, never>;

const negativeBinomial = (eta: number, gamma: number): Probabilities =>
  function* (precision) {
    const unit = 1n << precision;
    const [shape, ratio] = [exactly(Math.abs(eta)), exactly(gamma)];
    const [size, whole] = [1n << shape.shift, 1n << ratio.shift];
    const left = whole - ratio.numerator;
    const log = minusLog(ratio, unit);
    const u = shape.numerator === 0n ? { low: 0n, high: 0n } : scaled(log, shape.numerator, size);
    const inverse = quotient({ low: unit, high: unit }, phi(u, unit), unit);
    const first = quotient(eta < 0 ? plus(inverse, u) : inverse, log, unit);
    let probability = scaled(first, left, whole);
    const signed = eta < 0 ? -shape.numerator : shape.numerator;
    for (let k = 1n; ; k++) {
      yield probability;
      const [up, down] = [left * (k * size + signed), whole * size * (k + 1n)];
      probability = scaled(probability, up, down);
    }
  };

const poisson = (mean: number): Probabilities =>
  function* (precision) {
    const unit = 1n << precision;
    const { numerator, shift } = exactly(mean);
    const u = scaled({ low: unit, high: unit }, numerator, 1n << shift);
    const grown = phi(u, unit);
    const inverse = {
      low: unit + (u.low * grown.low) / unit,
      high: unit + ceilDivided(u.high * grown.high, unit),
    };
    let probability = quotient({ low: unit, high: unit }, inverse, unit);
    for (let k = 1n; ; k++) {
      yield probability;
      probability = scaled(probability, numerator, k << shift);
    }
  };

/** The least k with U < F(k), where the bits of U that are known decide it. */
function decided(
  first: number,
  terms: Iterable<Bounds>,
  known: bigint,
  more: bigint,
): number | undefined {
  const [from, to] = [known << more, (known + 1n) << more];
  let sum: Bounds = { low: 0n, high: 0n };
  let k = first;
  for (const term of terms) {
    sum = plus(sum, term);
    if (to <= sum.low) return k;
    if (from < sum.high) return undefined;
    k++;
  }
  return undefined;
}

function draw(first: number, probabilities: Probabilities, bits: () => bigint): number {
  let known = bits();
  for (let [n, guard] = [STEP, GUARD]; ; n += STEP, guard *= 2) {
    const k = decided(first, probabilities(BigInt(n + guard)), known, BigInt(guard));
    if (k !== undefined) return k;
    known = (known << BigInt(STEP)) | bits();
  }
}

/**
 * Draws K exactly.
 * @param bits 64 uniform bits, independent of all others.
 * @throws TypeError or RangeError naming what of the law is not one.
 */
export function drawRepetitions(given: Repetitions, bits: () => bigint): number {
  const repetitions = checkRepetitions(given);
  callable("bits", bits);
  if (repetitions.kind !== "poisson") {
    return draw(1, negativeBinomial(repetitions.eta, repetitions.gamma), bits);
  }
  let left = repetitions.mean;
  let runs = 0;
  // Of means that are not refused these differences are exact.
  for (; left > PART; left -= PART) runs += draw(0, poisson(PART), bits);
  return runs + draw(0, poisson(left), bits);
}
