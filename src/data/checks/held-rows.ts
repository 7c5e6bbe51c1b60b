/**
 * Features and targets as a private fit works with them: those whose squares sums cannot hold would leave their task without a model
 * after all had paid, and the file of all models unwritten, which everybody would notice.
 * @module
 */
import { areSquarable, squarable } from "../../core/squarable.js";
import { TaskSet } from "../tasks/task-set.js";
import { hasSquarableRows } from "./squarable-rows.js";

/** The tasks, no feature or target larger; the same set where none is. */
export function heldRows(data: TaskSet): TaskSet {
  if (hasSquarableRows(data)) return data;
  const arrays = data.arrays();
  const y = data.targetLevels ? arrays.y : held(arrays.y);
  const x = arrays.x && held(arrays.x);
  const values = arrays.sparse && held(arrays.sparse.values);
  const sparse = arrays.sparse && { ...arrays.sparse, values: values! };
  return TaskSet.adopt({ ...arrays, x, y, sparse });
}

const held = (values: Float64Array): Float64Array =>
  areSquarable(values) ? values : values.map(squarable);
