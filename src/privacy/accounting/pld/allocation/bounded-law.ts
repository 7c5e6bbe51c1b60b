/**
 * A privacy loss that is dominated by a true one, from bounds on the probabilities of some outcomes.
 *
 * **Statement.** With p_j at most P's mass of outcome j and q_j at least Q's, p(S) - a q(S) is at most H_a(P|Q) for every
 * set S of outcomes; with p_j at least and q_j at most, so is (1 - p(S)) - a (1 - q(S)), the set being the others.
 * Above loss 0 the first is used and below it the second, each with the set that is best at a.
 * @module
 */
import * as math from "../../../../core/elementary.js";
import type { Direction, LossLaw } from "../loss-law.js";

/** Bounds on the probabilities of some outcomes under both laws. */
export interface BoundedLaws {
  readonly p: Bounded;
  readonly q: Bounded;
}

interface Bounded {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Losses ln(p/q), ascending, with sums of p and q. */
interface Sorted {
  readonly losses: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
}

/** The outcomes of a positive loss from the greatest on, or of a negative from the least on. */
function sorted(p: Float64Array, q: Float64Array, sign: 1 | -1): Sorted {
  const loss = p.map((mass, j) => math.log(mass) - math.log(q[j]!));
  const order = [...loss.keys()]
    .filter((j) => sign * loss[j]! > 0 && Number.isFinite(loss[j]!))
    .sort((i, j) => sign * (loss[j]! - loss[i]!));
  const sums = (mass: Float64Array) => {
    let total = 0;
    return Float64Array.from(order, (j) => (total += mass[j]!));
  };
  return { losses: Float64Array.from(order, (j) => loss[j]!), p: sums(p), q: sums(q) };
}

/** How many are beyond a loss; `at` itself counts as below. */
function countBeyond({ losses }: Sorted, at: number, sign: 1 | -1): number {
  let [low, high] = [0, losses.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sign > 0 ? losses[middle]! > at : losses[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Losses at which the sum has grown by a tenth of itself, from the outermost. */
function nodesOf({ losses, p }: Sorted): number[] {
  const nodes: number[] = [];
  let before = 0;
  losses.forEach((loss, i) => {
    if (p[i]! < 1.1 * before && i < losses.length - 1) return;
    before = p[i]!;
    nodes.push(loss);
  });
  return nodes;
}

/** The law in one direction. */
export function boundedLaw(laws: BoundedLaws, direction: Direction): LossLaw {
  const forward = direction === "with-against-without";
  const [p, q] = forward ? [laws.p, laws.q] : [laws.q, laws.p];
  const positive = sorted(p.low, q.high, 1);
  const negative = sorted(p.high, q.low, -1);
  return {
    infinite: 0,
    supremum: positive.losses[0] ?? 0,
    discrete: false,
    atoms: [],
    nodes: Float64Array.from(new Set([...nodesOf(negative), 0, ...nodesOf(positive)])).sort(),
    tails(loss, out) {
      const [sums, sign] = loss >= 0 ? ([positive, 1] as const) : ([negative, -1] as const);
      const count = countBeyond(sums, loss, sign);
      const [inP, inQ] = count > 0 ? [sums.p[count - 1]!, sums.q[count - 1]!] : [0, 0];
      if (sign > 0) [out.pAbove, out.qAbove, out.pBelow, out.qBelow] = [inP, inQ, 1 - inP, 1 - inQ];
      else [out.pBelow, out.qBelow, out.pAbove, out.qAbove] = [inP, inQ, 1 - inP, 1 - inQ];
    },
  };
}
