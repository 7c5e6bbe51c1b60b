/** The own Bayesian model of every task, scored: what sharing is held against. */
import { makeEstimator } from "../../../build/modules/index.js";
import { apartIn } from "../../../build/modules/learning/families/mixed/squared/solve/alone-roots.js";
import { openCore } from "../../../build/modules/core/index.js";
import { solveTasks } from "../../../build/modules/learning/families/mixed/squared/solve/squared-solve.js";
import { TaskSpectra } from "../../../build/modules/learning/families/mixed/spectra/task-spectra.js";
import { TaskSpectrum } from "../../../build/modules/learning/families/mixed/spectra/task-spectrum.js";
import { withConstantColumn } from "../../../build/modules/learning/tasks/constant-column.js";
import { mean } from "../means.js";

/** nMSE of the best of what every task learns alone: by `single-task`, by `mp-mixed` without any release, and under a narrower prior. */
export async function aloneScore({ train, test }) {
  const { x, y, offsets, d } = withConstantColumn(train);
  const rows = { x, y, offsets };
  const tasks = new TaskSpectra(openCore(), rows, d);
  const scored = (models) => scoreOf({ train, test }, models, d);
  const { models } = solveTasks(null, tasks, apartIn(rows, d, {}));
  const singleTask = (await makeEstimator("single-task").fit(train)).score(test).nmse;
  return Math.min(singleTask, scored(models), scored(narrowModels(tasks)));
}

function scoreOf({ train, test }, models, d) {
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

/**
 * A prior for columns of about unit size, which is narrower than that of `single-task`: what `mp-mixed` had until it took the latter. Variances
 * of the intercept, decades of those of all slopes and of the noise, and beliefs about the natural logarithms of the last two.
 */
const NARROW = {
  intercept: [0.1, 0.3, 1],
  slopes: [-1.5, -1, -0.5, 0, 0.5, 1, 1.5],
  noise: [-4, -3.5, -3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5],
  belief: { slopes: { center: 0.7, spread: 1 }, noise: { center: -Math.LN10, spread: 2 } },
};

/** Posterior means of all tasks under it, [m, d]. */
function narrowModels(tasks) {
  const { m, d } = tasks;
  const cost = (decade, { center, spread }) => ((decade * Math.LN10 - center) / spread) ** 2 / 2;
  const center = new Float64Array(d);
  const spectrum = new TaskSpectrum(d);
  const models = new Float64Array(m * d);
  for (let i = 0; i < m; i++) {
    const found = NARROW.intercept.flatMap((intercept) =>
      NARROW.slopes.flatMap((slopes) => {
        const l = new Float64Array(d * d);
        for (let c = 0; c < d - 1; c++) l[c * (d + 1)] = Math.sqrt(10 ** slopes / (d - 1));
        l[d * d - 1] = Math.sqrt(intercept);
        tasks.of(i, center, l, spectrum);
        return NARROW.noise.map((noise) => {
          const z = new Float64Array(d);
          spectrum.addMean(1, 10 ** noise, 1, z);
          const { belief } = NARROW;
          const log = spectrum.logLikelihood(1, 10 ** noise);
          return {
            log: log - cost(slopes, belief.slopes) - cost(noise, belief.noise),
            w: z.map((value, c) => value * l[c * (d + 1)]),
          };
        });
      }),
    );
    const top = Math.max(...found.map(({ log }) => log));
    const whole = found.reduce((sum, { log }) => sum + Math.exp(log - top), 0);
    for (const { log, w } of found) {
      const weight = Math.exp(log - top) / whole;
      w.forEach((value, c) => (models[i * d + c] += weight * value));
    }
  }
  return models;
}
