/**
 * A privacy loss law on a grid, rounded against us or for us.
 *
 * **Pessimistic** ("connect the dots", Doroshenko et al. 2022): an interval's masses (P, Q) move to
 * its two ends so that both are kept; the profile becomes the polygon through the true one's points
 * in e^eps, which lies above it because the profile is convex there. The error is of second order
 * in the step.
 *
 * **Optimistic**: every interval is shared between its two ends so that the merged outcomes at a grid
 * point have exactly that point's ratio: this is post-processing, which only loses information. The
 * shares follow from one another, upwards from the bottom and downwards from the top, where they are
 * stable, until they meet at the densest interval. Where they do not fit, P is trimmed down to the
 * ratio; with P smaller everywhere every hockey-stick divergence is smaller, also after composition.
 * The error is of second order too.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { LossLaw, Tails } from "./laws.js";

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

function onGrid(loss: number, point: number): boolean {
  return Math.abs(loss - point) <= 4 * UNIT * Math.abs(loss);
}

/** Share of every interval that goes to its upper end, so that grid points keep their ratio. */
function shares(p: Float64Array, q: Float64Array, ratioAt: (i: number) => number): Float64Array {
  const n = p.length;
  const up = new Float64Array(n);
  // P that interval i has beyond its lower end's ratio, and lacks to its upper end's.
  const excess = (i: number) => Math.max(0, p[i]! - ratioAt(i) * q[i]!);
  const lack = (i: number) => Math.max(0, ratioAt(i + 1) * q[i]! - p[i]!);
  const mode = p.reduce((best, mass, i) => (mass > p[best]! ? i : best), 0);
  let fromBelow = 0; // share of interval i that point i needs
  for (let i = 0; i <= mode; i++) {
    fromBelow = i > 0 && up[i - 1]! > 0 ? (up[i - 1]! * lack(i - 1)) / excess(i) : 0;
    if (!(fromBelow <= 1)) {
      up[i - 1] = lack(i - 1) > 0 ? Math.min(up[i - 1]!, excess(i) / lack(i - 1)) : up[i - 1]!;
      fromBelow = 1;
    }
    up[i] = 1 - fromBelow;
  }
  let above: number; // share of interval i that its upper end needs
  for (let i = n - 1; i >= mode; i--) {
    above = i < n - 1 ? ((1 - up[i + 1]!) * excess(i + 1)) / lack(i) : 0;
    above = above >= 0 ? Math.min(1, above) : 0;
    up[i] = i === mode ? Math.min(above, 1 - fromBelow) : above;
  }
  return up;
}

/** Rounds down: the grid law is dominated. */
export function optimistic(given: LossLaw, step: number, first: number, last: number): GridLaw {
  // A smaller eps0 is a post-processing, which shifts both atoms inwards and not both down.
  const law = given.weakened?.(step) ?? given;
  const n = last - first;
  const { p, q, atoms, highest } = intervals(law, step, first, n);
  const ratioAt = (i: number) => math.exp((first + i) * step);
  const mass = new Float64Array(n + 1);
  const place = (i: number, pi: number, qi: number) => {
    const ratio = ratioAt(i);
    if (!(ratio > 0 && ratio < 1e300) || qi === 0) return; // left out: smaller P
    if (pi >= ratio * qi * (1 - 64 * UNIT)) mass[i] = mass[i]! + Math.min(pi, ratio * qi);
    else if (i > 0) mass[i - 1] = mass[i - 1]! + Math.min(pi, ratioAt(i - 1) * qi);
  };
  if (!law.discrete) {
    const up = shares(p, q, ratioAt);
    for (let i = 0; i <= n; i++) {
      const below = i > 0 ? up[i - 1]! : 0;
      const above = i < n ? 1 - up[i]! : 0;
      place(
        i,
        below * (p[i - 1] ?? 0) + above * (p[i] ?? 0),
        below * (q[i - 1] ?? 0) + above * (q[i] ?? 0),
      );
    }
  }
  for (const { loss, interval, p: pi, q: qi } of atoms) {
    const end = [interval, interval + 1].find((i) => onGrid(loss, (first + i) * step));
    if (end === undefined) place(interval, pi, qi);
    else mass[end] = mass[end]! + pi;
  }
  const finite = Math.max(0, highest.pAbove - law.infinite);
  place(n, finite, Math.min(highest.qAbove, finite / ratioAt(n)));
  return { start: first, mass, infinite: law.infinite };
}
