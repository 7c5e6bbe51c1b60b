/**
 * A coarse picture of a composed privacy loss, from which tilt, window and step are chosen. It decides
 * how tight the answer is, never whether it is valid.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { sum } from "../rounding.js";
import { erfcx } from "../special/erfc.js";
import type { LossLaw, Tails } from "./laws.js";

/** One kind of round in the composition. */
export interface Part {
  law: LossLaw;
  count: number;
}

interface Nodes {
  loss: Float64Array;
  mass: Float64Array;
  count: number;
}

/** Cumulant generating function of the total loss at a tilt: value, mean, variance. */
export interface Cumulants {
  value: number;
  mean: number;
  variance: number;
}

/** What {@link outline} decides. */
export interface Plan {
  /** theta >= 0: masses are multiplied by e^(theta loss), so that the tail of interest is central. */
  tilt: number;
  /** Losses kept: those outside are bounded by Chernoff's inequality. */
  bottom: number;
  top: number;
  /** Least and greatest finite loss. */
  least: number;
  greatest: number;
  /** Tilts of the Chernoff bounds below and above. */
  tiltBelow: number;
  tiltAbove: number;
  /** Grid step wanted for the accuracy. */
  step: number;
  /** Range of each part's own loss. */
  ranges: { low: number; high: number }[];
}

/** Index of the last node worth keeping: beyond it P(L > node) < e^logBudget, which counts as infinite. */
function lastNode({ law }: Part, logBudget: number): number {
  const at: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  let last = law.nodes.length - 1;
  for (; last > 0; last--) {
    law.tails(law.nodes[last - 1]!, at);
    if (math.log(at.pAbove - law.infinite) > logBudget) break;
  }
  return last;
}

function nodesOf({ law, count }: Part, last: number): Nodes {
  const n = last + 1;
  const loss = new Float64Array(n);
  const mass = new Float64Array(n);
  const at: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  let below = 0;
  let above = 1;
  for (let i = 0; i < n; i++) {
    law.tails(law.nodes[i]!, at);
    mass[i] = Math.max(0, at.pBelow < 0.5 ? at.pBelow - below : above - at.pAbove);
    loss[i] = i === 0 ? law.nodes[0]! : (law.nodes[i]! + law.nodes[i - 1]!) / 2;
    // The first and last node may carry atoms.
    if (i === 0 || i === law.nodes.length - 1) loss[i] = law.nodes[i]!;
    below = at.pBelow;
    above = at.pAbove;
  }
  return { loss, mass, count };
}

function cumulants(parts: readonly Nodes[], tilt: number): Cumulants {
  let value = 0;
  let mean = 0;
  let variance = 0;
  for (const { loss, mass, count } of parts) {
    let high = -Infinity;
    for (let i = 0; i < loss.length; i++) {
      if (mass[i]! > 0) high = Math.max(high, tilt * loss[i]!);
    }
    let [s0, s1, s2] = [0, 0, 0];
    const centre = loss[loss.length >> 1]!;
    for (let i = 0; i < loss.length; i++) {
      if (mass[i] === 0) continue;
      const w = mass[i]! * math.exp(tilt * loss[i]! - high);
      const l = loss[i]! - centre;
      s0 += w;
      s1 += w * l;
      s2 += w * l * l;
    }
    if (s0 === 0) continue; // all mass at infinity
    value += count * (high + math.log(s0));
    mean += count * (centre + s1 / s0);
    variance += count * Math.max(0, s2 / s0 - (s1 / s0) ** 2);
  }
  return { value, mean, variance };
}

/** ln delta at eps = mean of the tilted loss, the tilted loss taken as normal. */
function logDeltaAt(tilt: number, { value, mean, variance }: Cumulants): number {
  const s = Math.sqrt(variance * 0.5);
  const excess = 0.5 * (erfcx(tilt * s) - erfcx((tilt + 1) * s));
  return value - tilt * mean + math.log(Math.max(excess, 1e-300));
}

/** A delta below e^FAINTEST is not resolved, only bounded. */
const FAINTEST = -600;

/** Tilt whose mean solves the question: ln delta given, or eps given. */
function findTilt(parts: readonly Nodes[], target: Target): number {
  const short = (tilt: number) => {
    const c = cumulants(parts, tilt);
    return target.kind === "delta"
      ? logDeltaAt(tilt, c) > target.logDelta
      : c.mean < target.epsilon && logDeltaAt(tilt, c) > FAINTEST;
  };
  if (!short(0)) return 0;
  const spread = Math.sqrt(cumulants(parts, 0).variance) || 1;
  let high = 1 / spread;
  let low = 0;
  const reach = parts.reduce((total, { loss, count }) => total + count * Math.abs(loss.at(-1)!), 0);
  // Beyond that the tilted loss is its greatest value as far as doubles go.
  while (high * reach < 1e6 && short(high)) {
    low = high;
    high *= 2;
  }
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (short(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** The question: eps at a delta, or delta at an eps. */
export type Target = { kind: "delta"; logDelta: number } | { kind: "epsilon"; epsilon: number };

/** How far beyond the tail of interest the window reaches, in units of ln probability. */
const MARGIN = 18; // e^-18 = 1.5e-8
/** Share of delta that may be truncated to infinity, likewise. */
const TRUNCATION = 17; // e^-17 = 4e-8
const REACHES = [0.5, 1, 2, 3, 4.5, 6, 8, 11, 15, 20];

/** Chooses tilt, window and step for a relative error of eps of about `accuracy`. */
export function outline(parts: readonly Part[], target: Target, accuracy: number): Plan {
  const rounds = parts.reduce((total, { count }) => total + count, 0);
  // What is beyond the last node counts as infinite, so its share of delta must be small; with delta
  // unknown the cut is lowered until it is.
  let logDelta = target.kind === "delta" ? target.logDelta : -20;
  let last: number[];
  let nodes: Nodes[];
  let tilt: number;
  let at: Cumulants;
  for (let attempt = 0; ; attempt++) {
    last = parts.map((part) => lastNode(part, logDelta - TRUNCATION - math.log(rounds)));
    nodes = parts.map((part, i) => nodesOf(part, last[i]!));
    tilt = findTilt(nodes, target);
    at = cumulants(nodes, tilt);
    const estimate = logDeltaAt(tilt, at);
    if (target.kind === "delta" || attempt === 4 || estimate >= logDelta) break;
    logDelta = Math.max(estimate, -650);
  }
  const s = Math.sqrt(at.variance) || 1e-3 * Math.abs(at.mean) || 1e-6;

  let top = Infinity;
  let tiltAbove = tilt + 1 / s;
  let bottom = -Infinity;
  let tiltBelow = tilt - 1 / s;
  const weight = logDelta - (at.value - tilt * at.mean); // ln of delta in the tilted measure
  for (const reach of REACHES) {
    const up = tilt + reach / s;
    const moment = cumulants(nodes, up).value;
    // Neither the probability beyond the window nor what wraps around may matter.
    const upper = Math.max(
      (moment - logDelta + MARGIN) / up,
      (moment - at.value - weight + MARGIN) / (up - tilt),
    );
    if (upper < top) [top, tiltAbove] = [upper, up];
    const down = tilt - reach / s;
    const lower = (weight - MARGIN - cumulants(nodes, down).value + at.value) / (tilt - down);
    if (lower > bottom) [bottom, tiltBelow] = [lower, down];
  }
  const greatest = sum(parts.length, (i) => parts[i]!.count * parts[i]!.law.nodes[last[i]!]!);
  const focus = target.kind === "epsilon" ? target.epsilon : at.mean;
  bottom = Math.min(bottom, focus - s);
  top = Math.max(top, focus + s);

  // Splitting adds up to h^2/6 to the variance of each round, which moves eps by (tilt + 1) h^2 / 12.
  const scale = Math.max(Math.abs(at.mean), 0.05 * s);
  const smooth = Math.sqrt((12 * accuracy * scale) / (rounds * (tilt + 1)));
  // Losses beyond the range of exp are rounded up by a whole step instead.
  const beyondExp = parts.some(({ law }, i) => law.nodes[last[i]!]! > 700);
  // A grid can be laid through the atoms of one kind only; the kinks of others need it to be fine.
  const kinked = rounds <= 64 && parts.filter(({ law }) => law.atoms.length > 0).length > 1;
  const step = Math.min(
    smooth,
    beyondExp ? (4 * accuracy * scale) / rounds : Infinity,
    kinked ? 200 * accuracy * scale : Infinity,
  );

  const ranges = parts.map(({ law, count }, part) => {
    const tails: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
    const own = cumulants([{ ...nodes[part]!, count: 1 }], tilt).value;
    let first = 0;
    for (; first < last[part]! - 1; first++) {
      const l = law.nodes[first + 1]!;
      law.tails(l, tails);
      const moved = math.log(count * tails.pBelow) + tilt * l - own;
      if (moved > weight - MARGIN) break;
    }
    return { low: law.nodes[first]!, high: law.nodes[last[part]!]! };
  });
  const least = sum(parts.length, (i) => parts[i]!.count * ranges[i]!.low);
  return { tilt, bottom, top, least, greatest, tiltBelow, tiltAbove, step, ranges };
}
