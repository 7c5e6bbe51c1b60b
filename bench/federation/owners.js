/**
 * Tasks for federated runs that are measured: fixed numbers, whatever they are of.
 * @module
 */
import { TaskSet } from "../../build/modules/index.js";
import { lehmer } from "../uniform-draws.js";

const ROWS = 10;

/** Tasks of so many owners, with d features and ten rows of norm 1 each. */
export function simulateTasks(m, d) {
  const draw = lehmer(m + d);
  const uniform = () => draw() - 0.5;
  const list = Array.from({ length: m }, (_, i) => {
    const x = Float64Array.from({ length: ROWS * d }, uniform);
    for (let j = 0; j < ROWS; j++) {
      const row = x.subarray(j * d, (j + 1) * d);
      const norm = Math.hypot(...row);
      row.forEach((value, k) => (row[k] = value / norm));
    }
    const y = Float64Array.from({ length: ROWS }, (_, j) => 10 * x[j * d] + uniform());
    return { name: `task-${String(i).padStart(6, "0")}`, x, y };
  });
  return TaskSet.from(list, { featureNames: Array.from({ length: d }, (_, j) => `x${j + 1}`) });
}
