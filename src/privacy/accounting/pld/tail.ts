/**
 * The tail of a composed privacy loss that a question is about, and the tilt under which it is central.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { Part, Tails } from "./loss-law.js";
import {
  cumulants,
  findTilt,
  leastTilt,
  logDeltaAt,
  type Cumulants,
  type Nodes,
  type Target,
} from "./tilt.js";

/** How much of delta may be given away to keep the window short, in units of ln probability. */
export interface Allowance {
  /** How far beyond the tail of interest the window reaches. */
  margin: number;
  /** Share of delta that may be truncated to infinity. */
  truncation: number;
  /** Probabilities stay this far above the error of the transform: no more tilt than that needs. */
  resolved: number;
}

/** The tail of interest under its tilt. */
export interface TiltedTail {
  readonly tilt: number;
  readonly nodes: readonly Nodes[];
  /** Of each part: index of the last node that is kept. */
  readonly last: readonly number[];
  readonly at: Cumulants;
  /** ln of delta, and of delta in the tilted measure. */
  readonly logDelta: number;
  readonly logTilted: number;
  /** The loss that is asked about, the middle of the tilted losses and their standard deviation. */
  readonly focus: number;
  readonly central: number;
  readonly deviation: number;
}

/** Finds the tail and its tilt. @param rounds of all parts together. */
export function tailOf(
  parts: readonly Part[],
  target: Target,
  rounds: number,
  { truncation, resolved }: Allowance,
): TiltedTail {
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
  const deviation = Math.sqrt(at.variance) || 1e-3 * Math.abs(at.mean) || 1e-6;
  const logTilted = logDelta - (at.value - tilt * central);
  return { tilt, nodes, last, at, logDelta, logTilted, focus, central, deviation };
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
