/**
 * What of a task set is public: how many tasks, and their sizes.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { PublicSizes } from "../round/halves.js";

/** What of a task set is public. */
export function publicSizes({ m, d, taskSizes, encoding }: TaskSet): PublicSizes {
  const { columns, target } = encoding;
  const undeclared = [...columns, target].flatMap(({ scale }, at) => (scale === null ? [at] : []));
  const mostRows = taskSizes.reduce((a, b) => Math.max(a, b), 0);
  const rows = taskSizes.reduce((a, b) => a + b, 0);
  return { m, d, rows, mostRows, undeclared };
}
