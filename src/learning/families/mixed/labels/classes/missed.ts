/**
 * What a class's line against the rest misses of its log-odds where the logits of all classes are known.
 * @module
 */
import { againstRest } from "../../../../fitted/posterior/posterior-mixture.js";
import { logSumExp } from "../../softmax.js";

/** z_c - ln sum_(j != c) exp z_j - l_c of class c, for log-odds l of each against the rest and the logits z that they stand for. */
export function missedOf(odds: readonly number[], label: number): number {
  const logits = odds.map((one) => againstRest(one, odds.length));
  const others = logits.filter((_, j) => j !== label);
  return logits[label]! - logSumExp(others) - odds[label]!;
}
