/**
 * A coarse picture of a composed privacy loss, from which tilt, window and step are chosen. It decides
 * how tight the answer is, never whether it is valid.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { sum } from "../rounding.js";
import {
  cumulants,
  findTilt,
  leastTilt,
  logDeltaAt,
  type Cumulants,
  type Nodes,
  type Target,
} from "./tilt.js";
import type { LossLaw, Tails } from "./loss-law.js";

/** One kind of round in the composition. */
export interface Part {
  law: LossLaw;
  count: number;
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

/** How much of delta may be given away to keep the window short, in units of ln probability. */
interface Allowance {
  /** How far beyond the tail of interest the window reaches. */
  margin: number;
  /** Share of delta that may be truncated to infinity. */
  truncation: number;
  /** Probabilities stay this far above the error of the transform: no more tilt than that needs. */
  resolved: number;
}
/** e^-18 = 1.5e-8, e^-17 = 4e-8; all the tilt that centres the tail. */
const EXACT: Allowance = { margin: 18, truncation: 17, resolved: Infinity };
/** e^-8 = 3e-4: rare large losses beside many small ones would ask for a window too wide for the grid. */
const SHORT: Allowance = { margin: 8, truncation: 8, resolved: 13 };
const REACHES = [0.5, 1, 2, 3, 4.5, 6, 8, 11, 15, 20];
/** Around a small tilt, whose standard deviation says little about the largest losses. */
const FINE_REACHES = [0.03, 0.06, 0.12, 0.25, ...REACHES];
/** A window of more wanted steps than this asks for a short one. */
const MOST_STEPS = 2 ** 22;

/** Chooses tilt, window and step for a relative error of eps of about `accuracy`. */
export function outline(parts: readonly Part[], target: Target, accuracy: number): Plan {
  const plan = outlineWithin(parts, target, accuracy, EXACT);
  const steps = (Math.min(plan.top, plan.greatest) - Math.max(plan.bottom, plan.least)) / plan.step;
  return steps > MOST_STEPS ? outlineWithin(parts, target, accuracy, SHORT) : plan;
}

function outlineWithin(
  parts: readonly Part[],
  target: Target,
  accuracy: number,
  { margin, truncation, resolved }: Allowance,
): Plan {
  const rounds = parts.reduce((total, { count }) => total + count, 0);
  // What is beyond the last node counts as infinite, so its share of delta must be small; with delta
  // unknown the cut is lowered until it is.
  let logDelta = target.kind === "delta" ? target.logDelta : -20;
  let last: number[];
  let nodes: Nodes[];
  let tilt: number;
  let at: Cumulants;
  for (let attempt = 0; ; attempt++) {
    last = parts.map((part) => lastNode(part, logDelta - truncation - math.log(rounds)));
    nodes = parts.map((part, i) => nodesOf(part, last[i]!));
    tilt = findTilt(nodes, target);
    at = cumulants(nodes, tilt);
    const estimate = logDeltaAt(tilt, at);
    if (target.kind === "delta" || attempt === 4 || estimate >= logDelta) break;
    logDelta = Math.max(estimate, -650);
  }
  const focus = target.kind === "epsilon" ? target.epsilon : at.mean;
  let central = at.mean;
  if (resolved < Infinity) {
    tilt = leastTilt(nodes, tilt, focus, logDelta, resolved + math.log(rounds + 80) - 35);
    at = cumulants(nodes, tilt);
    central = focus;
  }
  const s = Math.sqrt(at.variance) || 1e-3 * Math.abs(at.mean) || 1e-6;

  let top = Infinity;
  let tiltAbove = tilt + 1 / s;
  let bottom = -Infinity;
  let tiltBelow = tilt - 1 / s;
  const weight = logDelta - (at.value - tilt * central); // ln of delta in the tilted measure
  for (const reach of resolved < Infinity ? FINE_REACHES : REACHES) {
    const up = tilt + reach / s;
    const moment = cumulants(nodes, up).value;
    // Neither the probability beyond the window nor what wraps around may matter.
    const upper = Math.max(
      (moment - logDelta + margin) / up,
      (moment - at.value - weight + margin) / (up - tilt),
    );
    if (upper < top) [top, tiltAbove] = [upper, up];
    const down = tilt - reach / s;
    const lower = (weight - margin - cumulants(nodes, down).value + at.value) / (tilt - down);
    if (lower > bottom) [bottom, tiltBelow] = [lower, down];
  }
  const greatest = sum(parts.length, (i) => parts[i]!.count * parts[i]!.law.nodes[last[i]!]!);
  bottom = Math.min(bottom, focus - s);
  top = Math.max(top, focus + s);

  // Splitting adds up to h^2/6 to the variance of each round, which moves eps by (tilt + 1) h^2 / 12.
  const scale = Math.max(Math.abs(central), 0.05 * s);
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
      if (moved > weight - margin) break;
    }
    return { low: law.nodes[first]!, high: law.nodes[last[part]!]! };
  });
  const least = sum(parts.length, (i) => parts[i]!.count * ranges[i]!.low);
  return { tilt, bottom, top, least, greatest, tiltBelow, tiltAbove, step, ranges };
}
