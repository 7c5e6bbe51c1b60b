/**
 * Whether a task had better learn alone, by its own held-out rows.
 * @module
 */
import * as math from "../../core/elementary.js";

/** How sure a task must be, and of what. */
export interface AloneTest {
  /**
   * Standard errors by which its rows must speak for learning alone; negative: by which they must speak
   * against it for the task not to; -Infinity: whatever they say.
   */
  readonly errors: number;
  /**
   * "difference" (default): of the mean losses. "ratio": log of the mean losses' ratio, the log-likelihood of
   * squared errors of unknown scale, which a few huge errors cannot hide.
   */
  readonly scale?: "difference" | "ratio";
}

/** What a task needs that has no reason to doubt the others: a false alarm of about one in forty. */
const TRUSTING: AloneTest = { errors: 2 };

/**
 * For every task whether it is better off alone: where its own rows, held out, are predicted better alone by
 * that many standard errors of the paired comparison. A task of one row cannot tell: it stays alone
 * where it would without evidence.
 *
 * @param shared losses of all rows. @param alone likewise.
 * @returns [m], 1 where `alone` is to be kept.
 */
export function betterAlone(
  offsets: Uint32Array,
  shared: Float64Array,
  alone: Float64Array,
  { errors, scale = "difference" }: AloneTest = TRUSTING,
): Uint8Array {
  const m = offsets.length - 1;
  const keep = new Uint8Array(m);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const n = to - from;
    if (n < 2 || errors === -Infinity) {
      keep[i] = errors < 0 ? 1 : 0;
      continue;
    }
    const [a, b] = [meanOf(shared, from, to), meanOf(alone, from, to)];
    const ratio = scale === "ratio" && a > 0 && b > 0;
    const [unitA, unitB] = ratio ? [a, b] : [1, 1];
    const gap = ratio ? math.log(a / b) : a - b;
    // Of the ratio by the delta method: the pairs relative to their own means.
    const center = a / unitA - b / unitB;
    let square = 0;
    for (let j = from; j < to; j++) {
      square += (shared[j]! / unitA - alone[j]! / unitB - center) ** 2;
    }
    keep[i] = gap > errors * Math.sqrt(square / (n - 1) / n) ? 1 : 0;
  }
  return keep;
}

function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let j = from; j < to; j++) sum += values[j]!;
  return sum / (to - from);
}
