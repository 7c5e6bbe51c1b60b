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
  };
}

/** delta(eps) = sum over losses above eps of p (1 - e^(eps - loss)). */
export function atomsDelta({ loss, mass }: LossAtoms, epsilon: number): number {
  let total = 0;
  for (let i = 0; i < loss.length && loss[i]! > epsilon; i++) {
    total -= mass[i]! * math.expm1(epsilon - loss[i]!);
  }
  return total;
}

/** What rounding may take from a loss and from what is subtracted from it, in units of the loss. */
const LOST = 2 ** -51;

/**
 * Smallest eps >= 0 with delta(eps) <= delta, rounded up: in closed form between two atoms. Sums have positive terms only, so that
 * losses far below the rounding of probabilities count, too.
 */
export function atomsEpsilon({ loss, mass }: LossAtoms, delta: number): number {
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
      return Math.max(0, epsilon + LOST * Math.abs(last));
    }
    spent += rise;
    scaled = scaled * math.exp(loss[i]! - last) + mass[i]!;
    last = loss[i]!;
    if (last <= 0) return 0;
  }
  return 0;
}
