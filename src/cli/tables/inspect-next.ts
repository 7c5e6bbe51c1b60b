/**
 * What to do after a look at a table: commands that can be copied.
 * @module
 */
import { undeclaredColumns } from "../../learning/release/public-sizes.js";
import type { PreparedData } from "./prepare-data.js";

/** Which columns are known so far, and the tasks that a fit would make of the table. */
export interface Looked {
  readonly task: unknown;
  readonly target: string | undefined;
  readonly prepared: Pick<PreparedData, "tasks" | "loss"> | undefined;
}

/** Lines without an end; none where the table has to be mended first. */
export function nextAfterLook({ task, target, prepared }: Looked): string[] {
  const open = [
    ...(task === undefined ? ["--task COLUMN, which says whose each row is"] : []),
    ...(target === undefined ? ["--target COLUMN, which is to be predicted"] : []),
  ];
  if (open.length > 0) return [`next, to see what a fit would do: ${open.join("; ")}`];
  if (!prepared) return [];
  const { tasks, loss } = prepared;
  const classes = loss === "softmax" ? ` --classes ${tasks.targetLevels?.length ?? 2}` : "";
  const labels = loss === "squared" ? "" : ` --loss ${loss}${classes}`;
  const raw = undeclaredColumns(tasks, loss) > 0 ? " --declared no" : "";
  return [
    "next, to see what a budget can be expected to buy at these sizes, which costs nothing: mp-mtl account --epsilon 1 " +
      `--tasks ${tasks.m} --rows ${Math.floor(tasks.size / tasks.m)} --features ${tasks.d}${labels}${raw}`,
  ];
}
