/**
 * A coarse picture of a composed privacy loss, from which tilt, window and step are chosen. It decides
 * how tight the answer is, never whether it is valid.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { sum } from "../rounding.js";
import type { Part, Tails } from "./loss-law.js";
import { tailOf, type Allowance, type TiltedTail } from "./tail.js";
import { cumulants, type Target } from "./tilt.js";

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

/** Errors of e^-18 = 1.5e-8 and e^-17 = 4e-8, and whatever tilt centres the tail. */
const EXACT: Allowance = { margin: 18, truncation: 17, resolved: Infinity };
/** Errors of e^-8 = 3e-4: for rare large losses beside many small ones, which would need a window too wide for the grid. */
const SHORT: Allowance = { margin: 8, truncation: 8, resolved: 13 };
/** Chernoff tilts that are tried, in standard deviations of the tilted loss. */
const REACHES = [0.5, 1, 2, 3, 4.5, 6, 8, 11, 15, 20];
/** With small ones for a limited tilt, whose standard deviation says little about the largest losses. */
const FINE_REACHES = [0.03, 0.06, 0.12, 0.25, ...REACHES];
/** Where the window would have more steps than this, a shorter one is taken. */
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
  allowance: Allowance,
): Plan {
  const rounds = parts.reduce((total, { count }) => total + count, 0);
  const tail = tailOf(parts, target, rounds, allowance);
  const { last, tilt, focus, deviation } = tail;
  const { bottom, top, tiltBelow, tiltAbove } = chernoffWindow(tail, allowance);
  const ranges = parts.map((part, i) => ({
    low: lowestKept(part, tail, i, allowance.margin),
    high: part.law.nodes[last[i]!]!,
  }));
  return {
    tilt,
    bottom: Math.min(bottom, focus - deviation),
    top: Math.max(top, focus + deviation),
    least: sum(parts.length, (i) => parts[i]!.count * ranges[i]!.low),
    greatest: sum(parts.length, (i) => parts[i]!.count * ranges[i]!.high),
    tiltBelow,
    tiltAbove,
    step: stepFor(accuracy, parts, rounds, tail),
    ranges,
  };
}

/** The least window beyond which Chernoff's inequality leaves too little to matter, with the tilts that show it. */
function chernoffWindow(tail: TiltedTail, { margin, resolved }: Allowance) {
  const { tilt, nodes, at, logDelta, logTilted, deviation } = tail;
  let top = Infinity;
  let tiltAbove = tilt + 1 / deviation;
  let bottom = -Infinity;
  let tiltBelow = tilt - 1 / deviation;
  for (const reach of resolved < Infinity ? FINE_REACHES : REACHES) {
    const up = tilt + reach / deviation;
    const moment = cumulants(nodes, up).value;
    // Neither the probability beyond the window nor what wraps around may matter.
    const upper = Math.max(
      (moment - logDelta + margin) / up,
      (moment - at.value - logTilted + margin) / (up - tilt),
    );
    if (upper < top) [top, tiltAbove] = [upper, up];
    const down = tilt - reach / deviation;
    const lower = (logTilted - margin - cumulants(nodes, down).value + at.value) / (tilt - down);
    if (lower > bottom) [bottom, tiltBelow] = [lower, down];
  }
  return { bottom, top, tiltBelow, tiltAbove };
}

/** The step at which eps is wrong by about `accuracy` of itself. */
function stepFor(
  accuracy: number,
  parts: readonly Part[],
  rounds: number,
  { tilt, central, deviation, last }: TiltedTail,
): number {
  // Splitting adds up to h^2/6 to the variance of each round, which moves eps by (tilt + 1) h^2 / 12.
  const scale = Math.max(Math.abs(central), 0.05 * deviation);
  const smooth = Math.sqrt((12 * accuracy * scale) / (rounds * (tilt + 1)));
  // Losses beyond the range of exp are not split but rounded up by a whole step.
  const beyondExp = parts.some(({ law }, i) => law.nodes[last[i]!]! > 700);
  // A grid can be laid through the atoms of one kind only; the kinks of others need it to be fine.
  const kinked = rounds <= 64 && parts.filter(({ law }) => law.atoms.length > 0).length > 1;
  return Math.min(
    smooth,
    beyondExp ? (4 * accuracy * scale) / rounds : Infinity,
    kinked ? 200 * accuracy * scale : Infinity,
  );
}

/** The lowest node of a part that is kept: lower losses are rarer than matters, under the tilt and over all its rounds. */
function lowestKept({ law, count }: Part, tail: TiltedTail, part: number, margin: number): number {
  const { tilt, nodes, last, logTilted } = tail;
  const tails: Tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  const own = cumulants([{ ...nodes[part]!, count: 1 }], tilt).value;
  let first = 0;
  for (; first < last[part]! - 1; first++) {
    const l = law.nodes[first + 1]!;
    law.tails(l, tails);
    const moved = math.log(count * tails.pBelow) + tilt * l - own;
    if (moved > logTilted - margin) break;
  }
  return law.nodes[first]!;
}
