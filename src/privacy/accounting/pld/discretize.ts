/**
 * A privacy loss law on a grid, rounded against us or for us.
 *
 * **Pessimistic** ("connect the dots", Doroshenko et al. 2022): an interval's masses (P, Q) move to
 * its two ends so that both are kept; the profile becomes the polygon through the true one's points
 * in e^eps, which lies above it because the profile is convex there. The error is of second order
 * in the step.
 *
 * **Optimistic**: the outcomes of two neighbouring intervals are merged in such proportions that the
 * merged ratio is exactly that of the grid point between them (post-processing, which only loses
 * information); what is left over has its P trimmed down to the ratio of the grid point below. With
 * P smaller everywhere every hockey-stick divergence is smaller, also after composition. The leftover
 * is of the order of the step, so this error too is of second order.
 * @module
 */
import type { LossLaw, Tails } from "./laws.js";

/** Masses of P at losses (start + i) * step, and at infinity. */
export interface GridLaw {
  start: number;
  mass: Float64Array;
  infinite: number;
}

const UNIT = 2 ** -53;

/** P and Q masses of (l, l + step] intervals from `first`, and what lies outside. */
function intervals(law: LossLaw, step: number, first: number, count: number) {
  const p = new Float64Array(count);
  const q = new Float64Array(count);
  const edge = (): Tails => ({ pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 });
  const lowest = edge();
  law.tails(first * step, lowest);
  let low = { ...lowest };
  let high = edge();
  if (law.atoms) {
    law.tails((first + count) * step, high);
    for (const atom of law.atoms) {
      let i = Math.ceil(atom.loss / step) - first - 1;
      if ((first + i) * step >= atom.loss) i--;
      if ((first + i + 1) * step < atom.loss) i++;
      if (i < 0 || i >= count) continue; // in the tails
      p[i] = p[i]! + atom.p;
      q[i] = q[i]! + atom.q;
    }
    return { p, q, lowest, highest: high };
  }
  for (let i = 0; i < count; i++) {
    law.tails((first + i + 1) * step, high);
    // Difference the smaller tails.
    p[i] = Math.max(0, high.pBelow < 0.5 ? high.pBelow - low.pBelow : low.pAbove - high.pAbove);
    q[i] = Math.max(0, high.qBelow < 0.5 ? high.qBelow - low.qBelow : low.qAbove - high.qAbove);
    [low, high] = [high, low];
  }
  return { p, q, lowest, highest: low };
}

/** Rounds up: the grid law dominates. Covers losses from `first` to `last` times `step`. */
export function pessimistic(law: LossLaw, step: number, first: number, last: number): GridLaw {
  const { p, q, lowest, highest } = intervals(law, step, first, last - first);
  const mass = new Float64Array(last - first + 1);
  mass[0] = lowest.pBelow;
  for (let i = 0; i < p.length; i++) {
    const ratio = Math.exp((first + i) * step);
    // Where e^loss leaves the range of doubles everything goes up, which is safe.
    const exact = (p[i]! - ratio * q[i]!) / -Math.expm1(-step);
    const up = Number.isFinite(exact) && ratio > 0 ? exact + (8 * UNIT * p[i]!) / step : Infinity;
    const upper = Math.min(p[i]!, Math.max(0, up));
    mass[i] = mass[i]! + p[i]! - upper;
    mass[i + 1] = upper;
  }
  return { start: first, mass, infinite: highest.pAbove };
}

/** Rounds down: the grid law is dominated. */
export function optimistic(law: LossLaw, step: number, first: number, last: number): GridLaw {
  const { p, q, highest } = intervals(law, step, first, last - first);
  const mass = new Float64Array(last - first + 1);
  const ratioAt = (i: number) => Math.exp((first + i) * step);
  for (let j = 1; j <= p.length; j += 2) {
    const ratio = ratioAt(j);
    const [pa, qa] = [p[j - 1]!, q[j - 1]!];
    const [pb, qb] = j < p.length ? [p[j]!, q[j]!] : [0, 0];
    if (!(ratio > 0 && ratio < 1e300)) continue; // left out: smaller P
    const slack = (8 * UNIT * (pa + pb)) / step;
    const lack = ratio * qa - pa; // P that the lower interval lacks to have this ratio
    const excess = pb - ratio * qb; // P that the upper one has beyond it
    if (excess >= lack) {
      mass[j] = mass[j]! + pa + pb - (excess - lack);
    } else {
      const used = lack > 0 ? Math.max(0, excess) / lack : 0;
      mass[j] = mass[j]! + used * pa + pb;
      mass[j - 1] = mass[j - 1]! + Math.min((1 - used) * pa, (1 - used) * ratioAt(j - 1) * qa);
    }
    const moved = Math.min(mass[j]!, slack);
    mass[j] = mass[j]! - moved;
    mass[j - 1] = mass[j - 1]! + moved * Math.exp(-step);
  }
  const top = ratioAt(last - first) * highest.qAbove;
  const finite = Math.max(0, highest.pAbove - law.infinite);
  if (Number.isFinite(top)) mass[last - first] = mass[last - first]! + Math.min(finite, top);
  return { start: first, mass, infinite: law.infinite };
}
