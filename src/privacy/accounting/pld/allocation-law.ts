/**
 * The privacy loss of one Gaussian round among s drawn in secret, from the grid law of its likelihood ratio.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { ratioLaw, type RatioLaw } from "./allocation.js";
import type { Direction, LossLaw } from "./loss-law.js";

/** Sums of the masses before every point and from every point on. */
function sums(mass: Float64Array): { before: Float64Array; from: Float64Array } {
  const before = new Float64Array(mass.length + 1);
  const from = new Float64Array(mass.length + 1);
  for (let k = 0; k < mass.length; k++) before[k + 1] = before[k]! + mass[k]!;
  for (let k = mass.length - 1; k >= 0; k--) from[k] = from[k + 1]! + mass[k]!;
  return { before, from };
}

/** Losses ln R that resolve the law: evenly in its probability's logarithm, both ways from the middle. */
function nodesOf({ p, q, step }: RatioLaw): number[] {
  const [up, down] = [sums(p).from, sums(q).before];
  const nodes: number[] = [];
  let next = Infinity;
  for (let k = 1; k < p.length; k++) {
    // Where either tail has lost a further tenth of itself, or the ratio has grown by much.
    const level = math.log(up[k]! + 1e-300) - math.log(down[k]! + 1e-300);
    if (Math.abs(level - next) < 0.1 || (p[k] === 0 && q[k] === 0)) continue;
    nodes.push(math.log(k * step));
    next = level;
  }
  const last = p.findLastIndex((mass) => mass > 0);
  if (last > 0) nodes.push(math.log(last * step));
  return nodes;
}

function lawOf(ratio: RatioLaw, direction: Direction): LossLaw {
  const { p, q, step, lostP, lostQ } = ratio;
  const forward = direction === "with-against-without";
  const [sumsP, sumsQ] = [sums(p), sums(q)];
  const last = p.findLastIndex((mass) => mass > 0);
  const first = Math.max(
    1,
    q.findIndex((mass, k) => k > 0 && mass > 0),
  );
  const nodes = nodesOf(ratio);
  // R = 0 has mass under Q only.
  const infinite = Math.min(1, forward ? lostP : lostQ + q[0]!);
  return {
    infinite,
    supremum: forward ? math.log(last * step) : -math.log(first * step),
    discrete: false,
    atoms: [],
    nodes: Float64Array.from(new Set(forward ? nodes : nodes.map((loss) => -loss))).sort(),
    tails(loss, out) {
      // Points of R at most e^loss (forward), or below e^-loss.
      const at = math.exp(forward ? loss : -loss) / step;
      const k = Math.max(0, Math.min(p.length, forward ? Math.floor(at) + 1 : Math.ceil(at)));
      if (forward) {
        out.pAbove = sumsP.from[k]! + lostP;
        out.pBelow = sumsP.before[k]!;
        out.qAbove = sumsQ.from[k]!;
        out.qBelow = sumsQ.before[k]! + lostQ;
      } else {
        out.pAbove = sumsQ.before[Math.max(k, 1)]! + lostQ;
        out.pBelow = sumsQ.from[Math.max(k, 1)]!;
        out.qAbove = sumsP.before[Math.max(k, 1)]!;
        out.qBelow = sumsP.from[Math.max(k, 1)]! + lostP;
      }
    },
  };
}

const known = new Map<string, RatioLaw>();

function cachedRatio(s: number, sigma: number, upper: boolean): RatioLaw {
  const key = `${s} ${sigma} ${upper}`;
  const found = known.get(key) ?? ratioLaw(s, sigma, upper);
  // Four megabytes each: the two directions of both bounds are asked for in turn.
  if (known.size >= 4) known.clear();
  known.set(key, found);
  return found;
}

/** The law of one round among s, s >= 2; its lower bound comes from a ratio that is smaller in the convex order. */
export function allocationLaw(s: number, sigma: number, direction: Direction): LossLaw {
  return {
    ...lawOf(cachedRatio(s, sigma, true), direction),
    weakened: () => lawOf(cachedRatio(s, sigma, false), direction),
  };
}
