/**
 * Sums over tasks whose bits do not depend on the order in which they are added, nor on who adds which part of them.
 *
 * Every task's term of an entry, v_j or v_i v_j in floating point, is rounded to a multiple of G, a power of two, and what is added are
 * the multiples: integers below 2^53, so every partial sum is exact. This is summation by rounding beforehand.
 *
 * **Statement.** Let B be K where vectors are summed, K^2 where their products are, K^2 + 1 where both are, and G the least power of two from
 * (m + 1) 2^-53 B on. The sum of m terms of vectors of norm at most K, clipped in floating point, is an integer multiple of G below 2^53 G, as is
 * the sum of any of them, and each entry is off by at most (m + 2) 2^-53 m B: no more than `privacy/mechanisms/exact/computed-statistic.ts` allows
 * for. So noise that is calibrated to that is calibrated to this sum, too. Noise in floating point is calibrated to real numbers, where B may not be
 * larger than the sensitivity: one task's term would be rounded up to twice what it is.
 *
 * **Proof.** G < 2 (m + 1) 2^-53 B, so rounding m terms moves their sum by at most m G / 2 < m (m + 1) 2^-53 B, and each product's own
 * rounding by at most 2^-53 B more. A term is at most B (1 + c) with c = (2 d + 9) 2^-52, so m of them are at most
 * m B (1 + c) + m G / 2 <= (m + 1) B <= 2^53 G as long as m c + m^2 2^-52 <= 1, that is for m and d up to 2^24. Integers up to 2^53 are
 * exact in a double, and so is their sum. QED
 *
 * @see Demmel, Nguyen (2013), "Fast reproducible floating-point summation", on rounding terms beforehand.
 * @module
 */
import { binaryExponent } from "../../../core/elementary.js";
import { OptionError } from "../../../core/index.js";
import { statistic, type Statistic, type StatisticName } from "./statistic.js";

/** Statistics that can be added up in any order. */
export type SummedName = "covariance" | "diagonal" | "augmented-covariance" | "vector" | "moment";

/** What is summed: m vectors of d numbers, of norm at most `clip`. */
export interface SumShape {
  readonly statistic: SummedName;
  readonly m: number;
  readonly d: number;
  /** K > 0 */
  readonly clip: number;
}

const SUMMED: readonly SummedName[] = [
  ...(["covariance", "diagonal", "augmented-covariance", "vector", "moment"] as const),
];

/** Whether a statistic is a sum over tasks of what each uploads. */
export const isSummed = (name: string): name is SummedName =>
  (SUMMED as readonly string[]).includes(name);

/** Integers of a sum: matrices by their upper triangle, row by row, without the corner of an augmented one, which is m. */
export function integersOf({ statistic: name, d }: Pick<SumShape, "statistic" | "d">): number {
  const triangle = (d * (d + 1)) / 2;
  if (name === "covariance") return triangle;
  return name === "augmented-covariance" ? triangle + d : d;
}

/** B: no entry of a task's term is larger, and none that is rounded to parts of it moves by more than a part of the sensitivity. */
function largestTerm({ statistic: name, clip }: SumShape): number {
  const largest =
    name === "vector" || name === "moment"
      ? clip
      : clip * clip + (name === "augmented-covariance" ? 1 : 0);
  return Math.max(largest, LEAST);
}

/** No plan has less (`sensitivity.ts`), but a relay may be told of it, and a grid has a step. */
const LEAST = 1e-280;

/** G. */
export function stepOf(shape: SumShape): number {
  const least = (shape.m + 1) * 2 ** -53 * largestTerm(shape);
  const below = 2 ** binaryExponent(least);
  return below === least ? below : 2 * below;
}

/** The sum as it grows. */
export class AnyOrderSum {
  readonly shape: SumShape;
  /** G: what one of the integers stands for. */
  readonly step: number;
  /** The sum in units of it. */
  readonly integers: Float64Array<ArrayBuffer>;

  constructor(shape: SumShape) {
    this.shape = shape;
    this.step = stepOf(shape);
    this.integers = new Float64Array(integersOf(shape));
  }

  /** Adds a task's term. @param v its vector, clipped, [d]. */
  add(v: Float64Array): void {
    const { integers, step } = this;
    const { statistic: name, d } = this.shape;
    const rounded = (term: number) => Math.round(term / step);
    if (name === "vector" || name === "moment") {
      for (let j = 0; j < d; j++) integers[j]! += rounded(v[j]!);
      return;
    }
    if (name === "diagonal") {
      for (let j = 0; j < d; j++) integers[j]! += rounded(v[j]! * v[j]!);
      return;
    }
    const augmented = name === "augmented-covariance";
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = i; j < d; j++) integers[at++]! += rounded(v[i]! * v[j]!);
      if (augmented) integers[at++]! += rounded(v[i]!);
    }
  }

  /** Writes the statistic as it is laid out: d numbers, or a square symmetric matrix. */
  write(out: Float64Array): void {
    const { integers, step } = this;
    const { statistic: name, m, d } = this.shape;
    if (name !== "covariance" && name !== "augmented-covariance") {
      for (let j = 0; j < d; j++) out[j] = integers[j]! * step;
      return;
    }
    const side = name === "covariance" ? d : d + 1;
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = i; j < side; j++) {
        out[i * side + j] = out[j * side + i] = integers[at++]! * step;
      }
    }
    if (side > d) out[side * side - 1] = m;
  }
}

/**
 * A statistic whose bits do not depend on the order of the tasks.
 * @param clip bound on the norm of every upload.
 * @throws OptionError for one that is no sum over tasks.
 */
export function inAnyOrder(name: StatisticName, clip: number): Statistic {
  if (!isSummed(name)) {
    throw new OptionError(
      `sums: expected "in-order" with the statistic "${name}": it is no sum over tasks of what each uploads`,
    );
  }
  return {
    ...statistic(name),
    workspace: () => 0,
    compute: ({ arena }, uploads, out, m, d) => {
      const sum = new AnyOrderSum({ statistic: name, m, d, clip });
      for (let i = 0; i < m; i++) sum.add(arena.view(uploads + 8 * i * d, d));
      sum.write(arena.view(out, statistic(name).length(m, d)));
    },
  };
}
