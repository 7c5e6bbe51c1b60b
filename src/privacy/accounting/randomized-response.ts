/**
 * Exact composition of pure-DP rounds. Every eps-DP release is dominated by randomized response: loss
 * +eps with probability 1/(1 + e^-eps), else -eps (Kairouz, Oh, Viswanath 2017, Theorem 2.3 and
 * Theorem 3.3; for different budgets, Murtagh and Vadhan 2018). The composed losses are finitely many
 * atoms, listed when there are not too many.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { PureRun } from "./kov.js";
import { logBinomialTerm } from "./special/gamma.js";

/** More atoms than this are left to the numerical accountant. */
export const MOST_ATOMS = 2 ** 17;

/** How many atoms the exact composition has: prod (count + 1). */
export function atomCount(runs: readonly PureRun[]): number {
  return runs.reduce((product, { count }) => product * (count + 1), 1);
}

/** Privacy losses, descending, with their probabilities. */
export interface LossAtoms {
  loss: Float64Array;
  mass: Float64Array;
  /** What rounding may take from a loss, at most. */
  rounding: number;
}

/** Every loss that runs of randomized responses may come to together, with its probability. */
export function composedAtoms(runs: readonly PureRun[]): LossAtoms {
  let atoms = [{ loss: 0, logMass: 0 }];
  for (const { epsilon, count } of runs) {
    const up = 1 / (1 + math.exp(-epsilon));
    const down = 1 / (1 + math.exp(epsilon));
    const steps = Array.from({ length: count + 1 }, (_, k) => ({
      loss: (2 * k - count) * epsilon,
      logMass: logBinomialTerm(count, k, up, down),
    }));
    atoms = atoms.flatMap((a) =>
      steps.map((s) => ({ loss: a.loss + s.loss, logMass: a.logMass + s.logMass })),
    );
  }
  atoms.sort((a, b) => b.loss - a.loss);
  return {
    loss: Float64Array.from(atoms, ({ loss }) => loss),
    mass: Float64Array.from(atoms, ({ logMass }) => math.exp(logMass)),
    // Of a product and a sum for every run; no sum on the way is larger than the greatest loss. One or two times a number is exact.
    rounding:
      runs.length === 1 && runs[0]!.count <= 2 ? 0 : (runs.length + 1) * 2 ** -52 * atoms[0]!.loss,
  };
}

/** Relative errors that are below what is added to every figure are left to that. */
const COVERED = 5e-12;

/** delta(eps) = sum over losses above eps of p (1 - e^(eps - loss)); where losses are next to eps, with what rounding took from them. */
export function atomsDelta({ loss, mass, rounding }: LossAtoms, epsilon: number): number {
  let [total, near] = [0, 0];
  for (let i = 0; i < loss.length && loss[i]! + rounding > epsilon; i++) {
    near += mass[i]!;
    if (loss[i]! > epsilon) total -= mass[i]! * math.expm1(epsilon - loss[i]!);
  }
  // 1 - e^-x rises by no more than x.
  const lost = near * rounding;
  return lost > COVERED * total ? total + lost : total;
}

/** What rounding may take from a loss and from what is subtracted from it, in units of the loss. */
const LOST = 2 ** -51;

/**
 * Smallest eps >= 0 with delta(eps) <= delta, rounded up: in closed form between two atoms. Sums have positive terms only, so that
 * losses far below the rounding of probabilities count, too.
 */
export function atomsEpsilon({ loss, mass, rounding }: LossAtoms, delta: number): number {
  // At the last loss, of the atoms so far: delta there, and sum of p e^(last loss - loss).
  let spent = 0;
  let scaled = 0;
  let last = loss[0]!;
  for (let i = 0; i < loss.length; i++) {
    const rise = -scaled * math.expm1(loss[i]! - last);
    // At loss_i; its own atom and those equal to it add nothing.
    if (!(spent + rise <= delta)) {
      // Between loss_i and the last one delta(eps) = spent - scaled (e^(eps - last) - 1).
      const epsilon = last + math.log1p(-(delta - spent) / scaled);
      const found = Math.max(0, epsilon + LOST * Math.abs(last));
      return rounding > COVERED * found ? found + rounding : found;
    }
    spent += rise;
    scaled = scaled * math.exp(loss[i]! - last) + mass[i]!;
    last = loss[i]!;
    if (last <= 0) return 0;
  }
  return 0;
}
