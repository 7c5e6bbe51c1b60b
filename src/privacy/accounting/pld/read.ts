/**
 * Reading delta(eps) and eps(delta) off a composed loss, with its error bounds on the chosen side.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { ComposedLoss } from "./compose.js";
import type { Bound } from "./loss-law.js";

/**
 * Suffix sums at every entry k, relative to its own loss: A_k = sum_{i>=k} m_i e^(-tilt (l_i - l_k)) and
 * B_k likewise with tilt + 1. Then delta(l_k) = e^(moment - tilt l_k) (A_k - B_k).
 */
function suffixSums({ mass, step, tilt }: ComposedLoss): { a: Float64Array; b: Float64Array } {
  const a = new Float64Array(mass.length + 1);
  const b = new Float64Array(mass.length + 1);
  const decayA = math.exp(-tilt * step);
  const decayB = math.exp(-(tilt + 1) * step);
  for (let k = mass.length - 1; k >= 0; k--) {
    a[k] = mass[k]! + decayA * a[k + 1]!;
    b[k] = mass[k]! + decayB * b[k + 1]!;
  }
  return { a, b };
}

/** Probabilities outside the transform's reach: added for an upper bound. */
function outside(loss: ComposedLoss, bound: Bound): number {
  return loss.infinite + (bound === "upper" ? math.exp(loss.logAbove) : 0);
}

/** Error of the tilted sums: noise of the transform, and for a lower bound what wrapped around. */
function slackOf(loss: ComposedLoss, bound: Bound): number {
  return bound === "upper" ? loss.noise : -(loss.noise + math.exp(loss.logWrapped));
}

/** Smallest eps >= 0 with delta(eps) <= delta, as an upper or a lower bound. */
export function readEpsilon(loss: ComposedLoss, delta: number, bound: Bound): number {
  const upper = bound === "upper";
  const { start, step, tilt, logMoment, drift } = loss;
  const { a, b } = suffixSums(loss);
  const rest = outside(loss, bound);
  const slack = slackOf(loss, bound);
  if (rest >= delta) return upper || loss.infinite >= delta ? Infinity : 0;
  const at = (k: number) => {
    const scale = math.exp(logMoment - tilt * (start + k) * step);
    return rest + scale * (a[k]! - b[k]! + slack);
  };
  // delta decreases along the grid: the last entry where it still exceeds the target.
  let k = loss.mass.length - 1;
  // What is out of the range of doubles may be above it, for an upper bound, and is not, for a lower one.
  const exceeds = (found: number) => (upper ? !(found <= delta) : found > delta);
  while (k >= 0 && !exceeds(at(k))) k--;
  let epsilon: number;
  if (k === loss.mass.length - 1) {
    epsilon = upper ? Infinity : (start + k) * step;
  } else {
    // For eps in (l_k, l_(k+1)): delta = e^moment [e^(-tilt l) (A + slack e^(tilt (l - eps))) - e^(eps - (tilt+1) l) B].
    // Below the window (k = -1) the same holds down to eps = 0.
    const l = (start + k + 1) * step;
    const scale = math.exp(logMoment - tilt * l);
    const margin = upper ? slack * math.exp(tilt * (k < 0 ? Math.max(0, l) : step)) : slack;
    const above = scale * (a[k + 1]! + margin) - (delta - rest);
    const log = math.log(above / (scale * b[k + 1]!));
    const low = k < 0 ? 0 : l - step;
    epsilon = Number.isNaN(log) ? (upper ? l : low) : Math.min(l, Math.max(low, l + log));
  }
  return Math.max(0, upper ? epsilon + drift : epsilon - drift);
}

/** delta(eps), as an upper or a lower bound, for many eps >= 0. */
export function deltaReader(loss: ComposedLoss, bound: Bound): (epsilon: number) => number {
  const upper = bound === "upper";
  const { start, step, tilt, logMoment, drift } = loss;
  const { a, b } = suffixSums(loss);
  const rest = outside(loss, bound);
  const slack = slackOf(loss, bound);
  return (epsilon) => {
    const at = upper ? Math.max(0, epsilon - drift) : epsilon + drift;
    const k = Math.max(0, Math.ceil(at / step - start));
    if (k >= loss.mass.length) return upper ? Math.min(1, rest) : rest;
    const l = (start + k) * step;
    const tail = math.exp(tilt * (at - l)) * a[k]! - math.exp((tilt + 1) * (at - l)) * b[k]!;
    const total = rest + math.exp(logMoment - tilt * at) * (tail + slack);
    // Out of the range of doubles: nothing can be said.
    if (Number.isNaN(total)) return upper ? 1 : 0;
    return Math.min(1, Math.max(0, total));
  };
}

/** delta(eps), as an upper or a lower bound. */
export function readDelta(loss: ComposedLoss, epsilon: number, bound: Bound): number {
  return deltaReader(loss, bound)(epsilon);
}
