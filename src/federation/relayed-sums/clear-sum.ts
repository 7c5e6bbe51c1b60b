/**
 * Vectors that arrive in the clear, as the integers that are added up: at a relay, and at the curator where they come to it straight.
 *
 * A vector longer than K is clipped by who reads it, whatever its owner did, with the kernel that owners clip with, so that one
 * that is clipped already stays as it is, to the bit. Then its term is rounded to the grid of `learning/round/statistic/any-order.ts`, on
 * which sums are exact: so relays, in whatever tree, and the curator come to the bits of a fit whose sums are in any order.
 *
 * WHAT A RELAY CAN PUT INTO A SUM is held to what its participants together might have put there: the bounds below hold of every sum
 * of c vectors of norm at most K, so no honest relay is refused, and what passes them is in no norm larger than c such vectors can make it.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { allFinite } from "../../core/all-finite.js";
import {
  AnyOrderSum,
  integersOf,
  stepOf,
  type SumShape,
} from "../../learning/round/statistic/any-order.js";
import { isLonger } from "../protocol/longer.js";
import { addIntegers, residues, signedValues } from "../secure-aggregation/integers/residues.js";
import { entriesOf } from "./clear-terms.js";

/** Bits of the modulus: of integers below 2^53 that are never near it. */
export const CLEAR_BITS = 64;

/** Reads vectors of one round. */
export class ClearVectors {
  readonly #core: Core;
  readonly #shape: SumShape;
  readonly #row: Pointer;

  /** @param core whose arena holds a vector until it is released. */
  constructor(core: Core, shape: SumShape) {
    this.#core = core;
    this.#shape = shape;
    this.#row = core.arena.f64(shape.d);
  }

  /**
   * The integers of a participant's vectors, and how many of them were clipped behind them.
   * @param values a row for each task.
   * @param tasks how many tasks the participant has.
   * @returns a sentence if they are no such vectors.
   */
  integersIn(values: Float64Array, tasks: number): Float64Array | string {
    const { d, clip } = this.#shape;
    if (tasks === 0 || values.length !== tasks * d) {
      return `expected a vector of ${d} numbers for each of ${tasks} tasks`;
    }
    if (!allFinite(values)) return "a vector is not finite";
    const sum = new AnyOrderSum(this.#shape);
    const row = this.#core.arena.view(this.#row, d);
    let clipped = 0;
    for (let i = 0; i < tasks; i++) {
      row.set(values.subarray(i * d, (i + 1) * d));
      if (isLonger(row, clip)) clipped++;
      this.#core.kernels.clipRows(this.#row, this.#row, 1, d, clip);
      sum.add(row);
    }
    row.fill(0);
    const integers = new Float64Array(sum.integers.length + 1);
    integers.set(sum.integers);
    integers[sum.integers.length] = clipped;
    return integers;
  }
}

/** Integers as a relay adds them. */
export function residuesOf(integers: Float64Array): Uint32Array<ArrayBuffer> {
  const words = residues(integers.length, CLEAR_BITS);
  addIntegers(words, integers, CLEAR_BITS);
  return words;
}

/** What the curator has of a round: sums of relays, and vectors that came straight. */
export class ClearSum {
  readonly #sum: AnyOrderSum;
  #clipped = 0;

  constructor(shape: SumShape) {
    this.#sum = new AnyOrderSum(shape);
  }

  /** How many of the vectors were longer than K. */
  get clipped(): number {
    return this.#clipped;
  }

  /** Adds integers as `ClearVectors` makes them, or relays add them. */
  add(integers: Float64Array): void {
    const own = this.#sum.integers;
    for (let k = 0; k < own.length; k++) own[k]! += integers[k]!;
    this.#clipped += integers[own.length]!;
  }

  /** The statistic as it is laid out. */
  write(out: Float64Array): void {
    this.#sum.write(out);
  }
}

/** Rounding in these checks, which are of bounds that are not near. */
const SLACK = 1 + 1e-9;

/**
 * A relay's sum as integers.
 * @param tasks how many tasks its participants have whose vectors are in it.
 * @returns a sentence if no vectors of norm at most K make such a sum.
 */
export function integersOfSum(
  words: Uint32Array,
  shape: SumShape,
  tasks: number,
): Float64Array | string {
  const integers = signedValues(words, CLEAR_BITS);
  if (integers.length !== entriesOf(shape)) return "its sum is malformed";
  const clipped = integers[integersOf(shape)]!;
  const fits = clipped >= 0 && clipped <= tasks && isSumOf(tasks, integers, shape);
  return fits ? integers : `its sum is longer than vectors of ${tasks} tasks can make it`;
}

/** Whether c terms may add up to these integers: each entry of a term is rounded by half a step at most. */
function isSumOf(c: number, integers: Float64Array, shape: SumShape): boolean {
  const { statistic, d, clip } = shape;
  const step = stepOf(shape);
  const rounding = c * step;
  const at = (k: number) => integers[k]! * step;
  if (statistic === "vector" || statistic === "moment") {
    let squares = 0;
    for (let j = 0; j < d; j++) squares += at(j) ** 2;
    return Math.sqrt(squares) <= (c * clip + rounding * Math.sqrt(d)) * SLACK;
  }
  const whole = (c * clip * clip + rounding * d) * SLACK;
  if (statistic === "diagonal") {
    let sum = 0;
    for (let j = 0; j < d; j++) {
      if (at(j) < 0) return false;
      sum += at(j);
    }
    return sum <= whole;
  }
  const side = statistic === "covariance" ? d : d + 1;
  const diagonal = new Float64Array(side).fill(c);
  let trace = 0;
  for (let i = 0, k = 0; i < d; k += side - i++) {
    diagonal[i] = at(k);
    trace += diagonal[i]!;
  }
  if (diagonal.some((x) => x < 0) || trace > whole) return false;
  // Inner products, by Cauchy and Schwarz; the last column of an augmented one is products with 1.
  for (let i = 0, k = 0; i < d; i++) {
    for (let j = i; j < side; j++, k++) {
      const product = (diagonal[i]! + rounding) * (diagonal[j]! + rounding) * SLACK;
      if (Math.max(0, Math.abs(at(k)) - rounding) ** 2 > product) return false;
    }
  }
  return true;
}
