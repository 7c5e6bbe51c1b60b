/** Tasks of labels, drawn the same on every run. */
import { TaskSet, type TaskInput } from "../../../../../src/data/index.js";

/** Rows to train and others, held out, of every task. */
export function drawnTasks(
  m: number,
  labels: readonly string[],
  task: (i: number) => { readonly train: TaskInput; readonly held: TaskInput },
) {
  const tasks = Array.from({ length: m }, (_, i) => task(i));
  const setOf = (part: "train" | "held") =>
    TaskSet.from(
      tasks.map((one) => one[part]),
      { labels },
    );
  return { train: setOf("train"), held: setOf("held") };
}
