/**
 * The total loss under exponential tilts: its cumulants on a coarse picture, and the tilt that answers a question.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { erfcx } from "../special/erfc.js";

/** Losses and masses of one kind of round, coarsely. */
export interface Nodes {
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

/** The question: eps at a delta, or delta at an eps. */
export type Target = { kind: "delta"; logDelta: number } | { kind: "epsilon"; epsilon: number };

/** Cumulants of the sum of all rounds. */
export function cumulants(parts: readonly Nodes[], tilt: number): Cumulants {
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
export function logDeltaAt(tilt: number, { value, mean, variance }: Cumulants): number {
  const s = Math.sqrt(variance * 0.5);
  const excess = 0.5 * (erfcx(tilt * s) - erfcx((tilt + 1) * s));
  return value - tilt * mean + math.log(Math.max(excess, 1e-300));
}

/** A delta below e^FAINTEST is not resolved, only bounded. */
const FAINTEST = -600;

/** Tilt whose mean solves the question: ln delta given, or eps given. */
export function findTilt(parts: readonly Nodes[], target: Target): number {
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

/** Smallest tilt at which ln delta in the tilted measure, read at a loss, is above `floor`. */
export function leastTilt(
  parts: readonly Nodes[],
  most: number,
  loss: number,
  logDelta: number,
  floor: number,
): number {
  const resolves = (tilt: number) => logDelta - cumulants(parts, tilt).value + tilt * loss >= floor;
  if (resolves(0)) return 0;
  let [low, high] = [0, most];
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (resolves(middle)) high = middle;
    else low = middle;
  }
  return high;
}
