/**
 * What a private fit computes from several tasks' data, or was handed, without paying for it.
 * @module
 */
import { learnedBefore, type TaskSet } from "../../data/index.js";
import { POOLED_FIGURES } from "../fitted/uncharged-figures.js";
import type { CommonOptions } from "../tasks/common-options.js";

/** Options by which numbers of unknown origin, or functions, enter every task's rounds. */
interface StartingPoint {
  readonly initial?: unknown;
  readonly model?: unknown;
  readonly step?: unknown;
}

/** Functions of the caller's serve all tasks in turn, and nobody here sees what they keep. */
const KEPT = "keeps of one task's rows for another's, if anything";

/**
 * All that a private fit lists under `notCharged`: its pooled figures, what preparing the data learned from
 * several tasks, starting models whose origin nobody vouches for, what functions of the caller's may keep, what the caller adds.
 */
export function statedUncharged(
  data: TaskSet,
  { loss, initial, model, step }: Pick<CommonOptions, "loss"> & StartingPoint,
  added: readonly string[],
): string[] {
  const start = ArrayBuffer.isView(initial)
    ? ["initial models given by the caller, whatever data they were learned from"]
    : [];
  const own =
    typeof model === "object" && model !== null
      ? [
          "the starting point of the given model, if it was learned from data",
          `what the given model ${KEPT}`,
        ]
      : [];
  const rule = typeof step === "function" ? [`what the given step ${KEPT}`] : [];
  const learned = learnedBefore(data, loss !== "squared");
  return [...new Set([...POOLED_FIGURES, ...learned, ...start, ...own, ...rule, ...added])];
}
