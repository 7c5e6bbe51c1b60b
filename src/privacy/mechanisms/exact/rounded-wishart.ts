/**
 * Two-sided Wishart noise in exact arithmetic: the real matrix, rounded to a grid.
 *
 * **Statement.** With Delta' the nuclear-norm sensitivity of what is computed (`computed-statistic.ts`), side n and scale v,
 * the release is (Delta' + grid n^(3/2)) / (2 v)-DP: no delta, and nothing for rounding errors but the second term.
 *
 * **Proof.** What is released is grid (S + round(v E / grid)): S the statistic rounded to the grid, in cells,
 * E = A^T A - B^T B with A, B [n + 1, n] of independent standard normal numbers, which is the difference of two
 * W_n(n + 1, I). Since S holds integers, S + round(x) = round(S + x): the release is a function of grid S + v E, the
 * two-sided Wishart mechanism on grid S (`two-sided-wishart.ts`). Rounding moves every entry of a difference by at most a
 * cell, which in nuclear norm is at most grid n^(3/2). The normal numbers are exact (`assembly/random/exact-reals.ts`),
 * and an entry of E is rounded only when every number with the bits drawn so far rounds to the same cell: by floating
 * point with the bound of its error below, or by integers with ever more bits, which ends with probability 1. QED
 *
 * **Error in floating point.** Sums of n + 1 products, in any order, are off by at most (n + 3) 2^-53 |a_i| |a_j| (norms of
 * columns), and the bits cut off move an entry by at most 2^-46 sqrt(n + 1) (|a_i| + |a_j|) + (n + 1) 2^-92; the
 * same for B. The bound is taken a hundredth larger, for its own rounding. Of the 2 (n + 1) products in pairs of float64
 * (`precise-dot.ts`) the sums are off by four times the square of the first factor, their 64 further bits by four times
 * its product with the second term; sixteen is taken.
 *
 * **Shift.** As for the real noise, and n cells for rounding.
 * @module
 */
import type { Core } from "../../../core/core.js";
import { twoSidedWishartEvent } from "../../events/events.js";
import type { Mechanism, MechanismOptions } from "../mechanism.js";
import { twoSidedWishartMechanism } from "../two-sided-wishart.js";
import { computedStatistic } from "./computed-statistic.js";
import { ExactReals, exactRealsWorkspace, FIRST_BITS, isNegative } from "./exact-reals.js";
import { preciseDifference } from "./precise-dot.js";
import { cellOf, roundedScale } from "./range.js";
import { roundSum, type SignedProduct } from "./round-interval.js";

/** Entries of E above this many times n have probability below 2^-184. */
const REACH = 300;
const MOST_BITS = 40;

/** Byte offsets of the work area. */
function layout({ kernels }: Core, n: number) {
  const matrix = Math.ceil((8 * n * n) / 16) * 16;
  const factor = 8 * n * (n + 1);
  const a = 0;
  const b = matrix;
  const numbers = 2 * matrix; // both factors, one after the other
  const syrk = numbers + 2 * factor; // factor is a multiple of 16
  const reals = syrk + Math.ceil(kernels.syrkWorkspace(n + 1, n) / 16) * 16;
  return { a, b, numbers, factor, syrk, reals };
}

/** Exact form of the two-sided Wishart mechanism; a round's budget is its eps. */
export function roundedWishartMechanism(options: MechanismOptions): Mechanism {
  const { adjacency = "replace" } = options;
  const real = twoSidedWishartMechanism(options);
  const statistic = computedStatistic({ ...options, adjacency }, "nuclear");
  const n = statistic.side;
  // v = (Delta' + grid n^1.5) / (2 eps): `roundedScale` at twice the budget.
  const scaled = (budget: number) =>
    roundedScale(2 * budget, statistic, { reach: REACH * n, most: MOST_BITS });
  return {
    ...real,
    exact: true,
    why: "the difference of two Wishart matrices, from exact normal numbers and rounded to a grid by integer arithmetic, has full support and a density ratio bounded by the nuclear-norm sensitivity: pure DP",
    noiseScale: (budget) => scaled(budget).scale,
    event(budget) {
      const { scale, grid } = scaled(budget);
      const sensitivity = statistic.sensitivity + grid * statistic.spread;
      return twoSidedWishartEvent({ scale, sensitivity, adjacency });
    },
    perturb(core, random, at, budget, work) {
      const { kernels, arena } = core;
      const { grid, bits } = scaled(budget);
      const offsets = layout(core, n);
      const [a, b] = [work + offsets.a, work + offsets.b];
      const from = work + offsets.numbers;
      const reals = new ExactReals(
        core,
        random,
        "normal",
        from,
        2 * n * (n + 1),
        work + offsets.reals,
      );
      kernels.syrk(from, a, n + 1, n, work + offsets.syrk);
      kernels.syrk(from + offsets.factor, b, n + 1, n, work + offsets.syrk);
      const cells = roundedEntries(reals, n, bits, arena.view(a, n * n), arena.view(b, n * n));
      const values = arena.view(at, n * n);
      for (let i = 0; i < n; i++) {
        for (let j = i; j < n; j++) {
          const value = (cellOf(values[i * n + j]!, grid) + cells(i, j)) * grid;
          values[i * n + j] = value;
          values[j * n + i] = value;
        }
      }
      reals.wipe();
      arena.wipe(work, offsets.reals);
    },
    workspace: (core) => layout(core, n).reals + exactRealsWorkspace(core),
    shift: (budget) => {
      const { scale, grid } = scaled(budget);
      return (real.shift(budget) / real.noiseScale(budget)) * scale + n * grid;
    },
  };
}

/** round(2^bits E_ij), given A^T A and B^T B in floating point. */
function roundedEntries(
  reals: ExactReals,
  n: number,
  bits: number,
  a: Float64Array,
  b: Float64Array,
): (i: number, j: number) => number {
  const unit = 2 ** bits;
  const cut = 2 ** -FIRST_BITS;
  const norms = (matrix: Float64Array) =>
    Float64Array.from({ length: n }, (_, i) => Math.sqrt(matrix[i * n + i]!));
  const [ofA, ofB] = [norms(a), norms(b)];
  return (i, j) => {
    const products = ofA[i]! * ofA[j]! + ofB[i]! * ofB[j]!;
    const tails = cut * Math.sqrt(n + 1) * (ofA[i]! + ofA[j]! + ofB[i]! + ofB[j]!);
    const rounding = (n + 3) * 2 ** -53;
    const error = 1.01 * (rounding * products + tails + 2 * (n + 1) * cut * cut);
    const value = (a[i * n + j]! - b[i * n + j]!) * unit + 0.5;
    const width = error * unit + Math.abs(value) * 2 ** -51;
    const cell = Math.floor(value);
    if (value - width > cell && value + width < cell + 1) return cell;
    return (
      preciselyRounded(reals, n, i, j, unit, 16 * rounding * (rounding * products + tails)) ??
      roundSum(bits, (precision) => signedProducts(reals, n, i, j, precision))
    );
  };
}

/** The cell by sums of pairs off by at most `error`, if that decides it. */
function preciselyRounded(
  reals: ExactReals,
  n: number,
  i: number,
  j: number,
  unit: number,
  error: number,
): number | undefined {
  const { high, low } = preciseDifference(reals, { columns: n, half: n + 1 }, i, j);
  const sum = high + low;
  const whole = Math.floor(sum * unit);
  // Exact but for the last additions of numbers below 2.
  const part = sum * unit - whole + (high - sum + low) * unit + 0.5;
  const width = error * unit + 2 ** -48;
  const cell = Math.floor(part);
  if (!(Math.abs(sum) * unit < 2 ** 51)) return undefined;
  return part - width > cell && part + width < cell + 1 ? whole + cell : undefined;
}

/** The products whose sum is E_ij. */
export function* signedProducts(
  reals: ExactReals,
  n: number,
  i: number,
  j: number,
  precision: number,
): Generator<SignedProduct> {
  const { values } = reals;
  for (let k = 0; k < 2 * (n + 1); k++) {
    const [p, q] = [k * n + i, k * n + j];
    yield {
      left: reals.size(p, precision),
      right: reals.size(q, precision),
      negative: (isNegative(values[p]!) !== isNegative(values[q]!)) !== k > n,
    };
  }
}
