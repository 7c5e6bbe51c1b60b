/**
 * How a canary is put into a task set: in which features, and in place of which rows.
 * @module
 */
import { TaskSet } from "../../data/index.js";

/** The two features with the least sums of squares, where a canary stands out; if d = 1 twice that one. */
export function quietFeatures({ x, d }: TaskSet): [number, number] {
  const squares = new Float64Array(d);
  x.forEach((value, at) => (squares[at % d]! += value * value));
  const order = Array.from(squares, (_, j) => j).sort((a, b) => squares[a]! - squares[b]!);
  return [order[0]!, order[1] ?? order[0]!];
}

/** The same set with other rows x[n, d] and targets y[n] of one task. */
export function withTask(tasks: TaskSet, index: number, x: Float64Array, y: Float64Array): TaskSet {
  const from = tasks.offsets[index]!;
  const rows = tasks.x.slice();
  const targets = tasks.y.slice();
  rows.set(x, from * tasks.d);
  targets.set(y, from);
  // With what is publicly known of the columns, which decides how a fit scales and bounds them.
  const { offsets, names, featureNames, targetName, targetLevels, encoding } = tasks;
  return TaskSet.adopt({
    x: rows,
    y: targets,
    sampleWeights: tasks.sampleWeights,
    offsets,
    names: [...names],
    featureNames: [...featureNames],
    targetName,
    encoding,
    ...(targetLevels ? { targetLevels: [...targetLevels] } : {}),
  });
}

/** The smallest and the largest label. */
export const labelRange = ({ y }: Pick<TaskSet, "y">) => ({
  low: y.reduce((a, b) => Math.min(a, b)),
  high: y.reduce((a, b) => Math.max(a, b)),
});
