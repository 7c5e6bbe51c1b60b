/**
 * The privacy loss of one Gaussian round among s drawn in secret, from the grid law of its likelihood ratio.
 * @module
 */
import * as math from "../../../../core/elementary.js";
import { outcomeLaws, ratioLaw, type RatioLaw } from "./allocation.js";
import { boundedLaw } from "./bounded-law.js";
import type { Direction, LossLaw } from "../loss-law.js";

/** Sums of the masses before every point and from every point on. */
function sums(mass: Float64Array): { before: Float64Array; from: Float64Array } {
  const before = new Float64Array(mass.length + 1);
  const from = new Float64Array(mass.length + 1);
  for (let k = 0; k < mass.length; k++) before[k + 1] = before[k]! + mass[k]!;
  for (let k = mass.length - 1; k >= 0; k--) from[k] = from[k + 1]! + mass[k]!;
  return { before, from };
}

/** Entries that resolve the law: evenly in its probability's logarithm, both ways from the middle. */
function resolving(p: Float64Array, q: Float64Array): number[] {
  const [up, down] = [sums(p).from, sums(q).before];
  const entries: number[] = [];
  let next = Infinity;
  for (let k = 0; k < p.length; k++) {
    // Where either tail has lost a further tenth of itself.
    const level = math.log(up[k]! + 1e-300) - math.log(down[k]! + 1e-300);
    if (Math.abs(level - next) < 0.1 || (p[k] === 0 && q[k] === 0)) continue;
    entries.push(k);
    next = level;
  }
  return [...entries, p.findLastIndex((mass) => mass > 0)];
}

function lawOf(ratio: RatioLaw, direction: Direction): LossLaw {
  const { start, step, zero, lostP, lostQ, error, drift } = ratio;
  const forward = direction === "with-against-without";
  // Both errors count against us: masses are larger, and R is, or 1 / R.
  const q = ratio.q.map((mass) => mass * (1 + error));
  const shift = forward ? drift : -drift;
  const lossAt = (k: number) => start + k * step + shift;
  const p = q.map((mass, k) => mass * math.exp(lossAt(k)));
  const [sumsP, sumsQ] = [sums(p), sums(q)];
  const none = zero * (1 + error);
  const last = q.findLastIndex((mass) => mass > 0);
  const first = q.findIndex((mass) => mass > 0);
  const losses = resolving(p, q).map(lossAt);
  return {
    // R = 0 has mass under Q only.
    infinite: Math.min(1, forward ? lostP : lostQ + none),
    supremum: forward ? lossAt(last) : -lossAt(first),
    discrete: false,
    atoms: [],
    nodes: Float64Array.from(new Set(forward ? losses : losses.map((loss) => -loss))).sort(),
    tails(loss, out) {
      // Points with ln R at most `loss` (forward), or below -loss.
      const at = ((forward ? loss : -loss) - start - shift) / step;
      const k = Math.max(0, Math.min(q.length, forward ? Math.floor(at) + 1 : Math.ceil(at)));
      if (forward) {
        out.pAbove = sumsP.from[k]! + lostP;
        out.pBelow = sumsP.before[k]!;
        out.qAbove = sumsQ.from[k]!;
        out.qBelow = sumsQ.before[k]! + none + lostQ;
      } else {
        out.pAbove = sumsQ.before[k]! + none + lostQ;
        out.pBelow = sumsQ.from[k]!;
        out.qAbove = sumsP.before[k]!;
        out.qBelow = sumsP.from[k]! + lostP;
      }
    },
  };
}

/** Remembers the latest few: the two directions of both bounds are asked for in turn. */
function latest<Value>(compute: (s: number, sigma: number) => Value) {
  const known = new Map<string, Value>();
  return (s: number, sigma: number): Value => {
    const key = `${s} ${sigma}`;
    const found = known.get(key) ?? compute(s, sigma);
    if (known.size >= 8) known.clear();
    known.set(key, found);
    return found;
  };
}

const ratioOf = /* @__PURE__ */ latest(ratioLaw);
const outcomesOf = /* @__PURE__ */ latest(outcomeLaws);

/** The law of one round among s, s >= 2; its lower bound is that of an outcome that the rounds decide. */
export function allocationLaw(s: number, sigma: number, direction: Direction): LossLaw {
  let weaker: LossLaw | undefined;
  return {
    ...lawOf(ratioOf(s, sigma), direction),
    weakened: () => (weaker ??= boundedLaw(outcomesOf(s, sigma), direction)),
  };
}
