/**
 * A privacy loss law on a grid, rounded against us.
 *
 * **Pessimistic** ("connect the dots", Doroshenko et al. 2022): an interval's masses (P, Q) move to
 * its two ends so that both are kept; the profile becomes the polygon through the true one's points
 * in e^eps, which lies above it because the profile is convex there. The error is of second order
 * in the step.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { LossLaw, Tails } from "./loss-law.js";

/** Masses of P at losses (start + i) * step, and at infinity. */
export interface GridLaw {
  start: number;
  mass: Float64Array;
  infinite: number;
}

const UNIT = 2 ** -53;

/** P and Q masses of (l, l + step] intervals from `first`, atoms apart, and what lies outside. */
function intervals(law: LossLaw, step: number, first: number, count: number) {
  const p = new Float64Array(count);
  const q = new Float64Array(count);
  const edge = (): Tails => ({ pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 });
  const lowest = edge();
  law.tails(first * step, lowest);
  let low = { ...lowest };
  let high = edge();
  for (let i = 0; i < (law.discrete ? 0 : count); i++) {
    law.tails((first + i + 1) * step, high);
    // Difference the smaller tails.
    p[i] = Math.max(0, high.pBelow < 0.5 ? high.pBelow - low.pBelow : low.pAbove - high.pAbove);
    q[i] = Math.max(0, high.qBelow < 0.5 ? high.qBelow - low.qBelow : low.qAbove - high.qAbove);
    [low, high] = [high, low];
  }
  const highest = edge();
  law.tails((first + count) * step, highest);
  const atoms = law.atoms.flatMap((atom) => {
    let i = Math.ceil(atom.loss / step) - first - 1;
    if ((first + i) * step >= atom.loss) i--;
    if ((first + i + 1) * step < atom.loss) i++;
    if (i < 0 || i >= count) return []; // it is in the tails
    if (!law.discrete) {
      p[i] = Math.max(0, p[i]! - atom.p);
      q[i] = Math.max(0, q[i]! - atom.q);
    }
    return [{ ...atom, interval: i }];
  });
  return { p, q, atoms, lowest, highest };
}

/** Rounds up: the grid law dominates. Covers losses from `first` to `last` times `step`. */
export function pessimistic(law: LossLaw, step: number, first: number, last: number): GridLaw {
  const { p, q, atoms, lowest, highest } = intervals(law, step, first, last - first);
  const mass = new Float64Array(last - first + 1);
  mass[0] = lowest.pBelow;
  const split = (i: number, pi: number, qi: number) => {
    const ratio = math.exp((first + i) * step);
    // Where e^loss leaves the range of doubles everything goes up, which is safe.
    const exact = (pi - ratio * qi) / -math.expm1(-step);
    const up = Number.isFinite(exact) && ratio > 0 ? exact + (8 * UNIT * pi) / step : Infinity;
    const upper = Math.min(pi, Math.max(0, up));
    mass[i] = mass[i]! + pi - upper;
    mass[i + 1] = mass[i + 1]! + upper;
  };
  if (!law.discrete) for (let i = 0; i < p.length; i++) split(i, p[i]!, q[i]!);
  for (const { loss, interval, p: pi, q: qi } of atoms) {
    // An atom on the grid up to rounding, which the drift pays for, stays whole.
    const end = [interval, interval + 1].find((i) => onGrid(loss, (first + i) * step));
    if (end === undefined) split(interval, pi, qi);
    else mass[end] = mass[end]! + pi;
  }
  return { start: first, mass, infinite: highest.pAbove };
}

/** Whether a loss is a grid point up to rounding. */
export function onGrid(loss: number, point: number): boolean {
  return Math.abs(loss - point) <= 4 * UNIT * Math.abs(loss);
}
