/** The own Bayesian model of every task, scored: what sharing is held against. */
import { openCore } from "../../../build/modules/core/index.js";
import { solveTasks } from "../../../build/modules/learning/families/mixed/squared-solve.js";
import { TaskSpectra } from "../../../build/modules/learning/families/mixed/task-spectra.js";
import { withConstantColumn } from "../../../build/modules/learning/tasks/constant-column.js";
import { mean } from "../means.js";

/** nMSE of every task's average over the public priors of learning alone. */
export function aloneScore({ train, test }) {
  const { x, y, offsets, d } = withConstantColumn(train);
  const { models } = solveTasks(null, new TaskSpectra(openCore(), { x, y, offsets }, d));
  const own = new Map(train.names.map((name, i) => [name, models.subarray(i * d, (i + 1) * d)]));
  const middle = mean([...test.y]);
  let [errors, spread] = [0, 0];
  test.names.forEach((name, i) => {
    const w = own.get(name);
    for (let row = test.offsets[i]; row < test.offsets[i + 1]; row++) {
      let predicted = w[d - 1];
      for (let c = 0; c < d - 1; c++) predicted += w[c] * test.x[row * (d - 1) + c];
      errors += (predicted - test.y[row]) ** 2;
      spread += (middle - test.y[row]) ** 2;
    }
  });
  return errors / spread;
}
