/**
 * What was learned from several tasks' rows before a fit, in words: no budget paid for it.
 * @module
 */
import type { TaskSet } from "../tasks/task-set.js";

/**
 * The statements that a private fit of these tasks lists under `guarantee.notCharged`, whatever came
 * out of the decisions behind them.
 *
 * @param classes whether the loss is about classes: then the labels count as learned, unless declared.
 */
export function learnedBefore(tasks: TaskSet, classes: boolean): string[] {
  const { provenance, target } = tasks.encoding;
  const pooled = provenance.flatMap(({ what, from }) => (from === "pooled" ? [what] : []));
  const labels = `labels of the target ${JSON.stringify(tasks.targetName)} observed over all tasks`;
  return [...new Set([...pooled, ...(classes && !target.levelsDeclared ? [labels] : [])])];
}
