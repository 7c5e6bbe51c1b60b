/**
 * Which release of the private mixed model loses most, and what any release of clipped sums could reach, on raw tables.
 *
 *   npm run bench:ceilings -- [--sets scotland,gcse,wages,rice] [--epsilon 0.3,1] [--draws 3] [--splits 5] [--data-folder DIR]
 *
 * Oracles, none of them private: parts of the prior are put in the place of what the releases left, as a fit without noise finds them on
 * the same training rows. Shares of the way from learning alone (every task's average over public priors) to the fit
 * without noise, ± standard error over splits. Replace adjacency, delta = 1/(m ln m), seeded noise.
 *
 * as released       the method: exact composition of Gaussian releases (sum of mu_k^2 = mu^2), mu by the analytic Gaussian
 * matrix always     the information matrix released in every round, whatever its noise
 * score alone       neither matrix nor curvature: the prediction, and the budget for the score
 * scale told        each score with a multiple of the predicted information, its trace as it is; all of a round to the score
 * diagonal told     the same, with the diagonal as it is, in predicted coordinates
 * matrix told       the same, with the whole matrix, and the curvature
 * variances after   the mean as released; C and s as without noise for the tasks' own models
 * mean after        C and s as released; the mean as without noise for the tasks' own models
 * variances known   C and s known throughout, the whole budget to the mean's three rounds
 * + information     and the information of every round known, all of each round to its score
 * best score        and the score taken at the true mean, in one release of the whole budget, at the clip that is best on
 *                   the test rows: nothing is left to search for, so clipped scores can hardly tell more
 * mean known        the mean known throughout, the whole budget to three rounds of C and s
 */
import { parseArgs } from "../../parse-args.js";
import { openCore } from "../../../build/modules/core/index.js";
import { gaussianMu } from "../../../build/modules/privacy/index.js";
import { normals, openStream } from "../../../build/modules/random/index.js";
import { SquaredLocation } from "../../../build/modules/learning/families/mixed/squared/squared-location.js";
import {
  partsOf,
  squaredReleases,
  squaredSteps,
} from "../../../build/modules/learning/families/mixed/squared/squared-plan.js";
import { solveTasks } from "../../../build/modules/learning/families/mixed/squared/squared-solve.js";
import { SquaredState } from "../../../build/modules/learning/families/mixed/squared/squared-state.js";
import {
  receiveVariances,
  scaleVariances,
  varianceUploads,
} from "../../../build/modules/learning/families/mixed/squared/squared-variances.js";
import { LOCATION } from "../../../build/modules/learning/families/mixed/squared/squared-settings.js";
import { TaskSpectra } from "../../../build/modules/learning/families/mixed/spectra/task-spectra.js";
import { withConstantColumn } from "../../../build/modules/learning/tasks/constant-column.js";
import { mean, meanAndError } from "../means.js";
import { encodedTable, taskSetOf, trainingRows } from "./data.js";

const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: "scotland,gcse,wages,rice" },
    epsilon: { type: "string", default: "0.3,1" },
    draws: { type: "string", default: "3" },
    splits: { type: "string", default: "5" },
    "data-folder": { type: "string", default: "../shared/data/tables" },
  },
});
const CLIPS = [0.2, 0.5, 1];
/** Of the fit that is taken for the truth: little noise, but not none, for the arithmetic. */
const ALMOST_WITHOUT_NOISE = 1e4;
/** Where something of the matrix is told, all parts are received. */
const ALL_PARTS = LOCATION.released;

/** Leaves of a matrix's lower triangle, row by row, its diagonal or the mean of this; in place. */
function keep(told, sum, d) {
  if (told === "matrix") return;
  const at = Array.from({ length: d }, (_, c) => (c * (c + 3)) / 2);
  const values = at.map((place) => sum[place]);
  sum.fill(0);
  at.forEach((place, c) => (sum[place] = told === "scale" ? mean(values) : values[c]));
}

/** Runs steps on a state; `known` says before each step, and after the last, what an oracle tells. */
function run({ sizes, spectra, core }, mu, { seed, steps, known, told }) {
  const state = new SquaredState(sizes);
  const stream = openStream(core, { mode: "seeded", seed });
  const released = (uploads, deviation) => {
    const length = uploads.length / sizes.m;
    const sum = normals(stream, length).map((z) => z * deviation);
    uploads.forEach((value, at) => (sum[at % length] += value));
    return sum;
  };
  for (const step of steps) {
    known?.(state, step);
    if (step.kind === "variances") {
      const deviation = 2 / (mu * Math.sqrt(step.fraction));
      const sum = released(varianceUploads(state, spectra), deviation);
      receiveVariances(state, sum, deviation, step.widening);
      if (!step.first) continue;
      const { width, tasksPart } = step.first;
      state.error = state.covariance.map((value) => value * width);
      state.filter.start(state.deviations.map((value) => width * value * value));
      scaleVariances(state, Math.log(tasksPart));
      continue;
    }
    const whole = told ? { ...step, ...ALL_PARTS } : step;
    const location = new SquaredLocation(state, whole);
    const releases = squaredReleases([whole], sizes);
    partsOf(whole).forEach((part, k) => {
      const { statistic, fraction } = releases[k];
      const own = told ? (part === "score" ? step.fraction : Infinity) : fraction;
      const deviation = (statistic === "vector" ? 2 : Math.SQRT2) / (mu * Math.sqrt(own));
      const sum = released(location.upload(part, spectra), deviation);
      if (told && part === "information") keep(told, sum, sizes.d);
      const silent = told && told !== "matrix" && part === "curvature";
      location.receive(part, sum, silent ? 1e12 : deviation);
    });
  }
  known?.(state);
  stream.close();
  return state;
}

const plainSteps = (sizes, mu) =>
  squaredSteps(sizes, mu).filter(({ kind }) => kind !== "covariance");

/** A location's steps with the whole budget, in the proportions of the method's. */
function locations(steps) {
  const own = steps.filter(({ kind }) => kind === "location");
  const whole = own.reduce((sum, { fraction }) => sum + fraction, 0);
  return own.map((step) => ({ ...step, fraction: step.fraction / whole }));
}

/** Steps whose locations release other parts. */
const shaped = (steps, parts) =>
  steps.map((step) => (step.kind === "location" ? { ...step, ...parts } : step));

const takeVariances = (truth) => (state) => {
  state.logs.set(truth.logs);
  state.belief = truth.belief.slice();
};
const takeMean = (truth) => (state) => {
  state.effects.set(truth.effects);
  state.error = truth.error.slice();
  state.filter.located = truth.filter.located;
};

/** What is believed of the mean where the second moments of models around zero are known. */
function startMean(state, truth) {
  const { d } = state.sizes;
  const slopes = truth.effects.subarray(0, d - 1);
  const square = slopes.reduce((sum, value) => sum + value * value, 0) / Math.max(d - 1, 1);
  const scales = truth.effects.map((value, c) => (c === d - 1 ? value * value + 1e-3 : square));
  state.error = new Float64Array(d * d);
  scales.forEach((scale, c) => (state.error[c * (d + 1)] = scale));
  state.filter.start(scales);
}

/** Oracles by name: what runs they make of a truth; of several the best on the test rows counts. */
function oracles({ sizes }, mu, truth) {
  const steps = plainSteps(sizes, mu);
  const after = (take) => (state, step) => step === undefined && take(truth)(state);
  const sharp = (state) => {
    takeVariances(truth)(state);
    if (!state.filter.located) startMean(state, truth);
  };
  const atTruth = (state, step) => {
    sharp(state);
    if (step) state.effects.set(truth.effects);
  };
  const third = { kind: "variances", fraction: 1 / 3, widening: 0.3 };
  return {
    "as released": [{ steps }],
    "matrix always": [{ steps: shaped(steps, LOCATION.released) }],
    "score alone": [{ steps: shaped(steps, { information: 0, curvature: 0 }) }],
    "scale told": [{ steps, told: "scale" }],
    "diagonal told": [{ steps, told: "diagonal" }],
    "matrix told": [{ steps, told: "matrix" }],
    "variances after": [{ steps, known: after(takeVariances) }],
    "mean after": [{ steps, known: after(takeMean) }],
    "variances known": [{ steps: locations(steps), known: sharp }],
    "+ information": [{ steps: locations(steps), known: sharp, told: "matrix" }],
    "best score": CLIPS.map((clip) => ({
      steps: [{ kind: "location", fraction: 1, clip, weight: 0.2 }],
      ...{ known: atTruth, told: "matrix" },
    })),
    "mean known": [{ steps: [third, third, third], known: takeMean(truth) }],
  };
}

/** nMSE on the test rows. */
function errorOf({ test, names, sizes: { d } }, { models }) {
  const middle = mean([...test.y]);
  let [errors, spread] = [0, 0];
  test.names.forEach((name, i) => {
    const own = names.indexOf(name) * d;
    for (let row = test.offsets[i]; row < test.offsets[i + 1]; row++) {
      let predicted = models[own + d - 1];
      for (let c = 0; c < d - 1; c++) predicted += models[own + c] * test.x[row * (d - 1) + c];
      errors += (predicted - test.y[row]) ** 2;
      spread += (middle - test.y[row]) ** 2;
    }
  });
  return errors / spread;
}

const core = openCore();
const epsilons = options.epsilon.split(",").map(Number);
for (const name of options.sets.split(",")) {
  const table = encodedTable(options["data-folder"], name);
  if (!table) {
    console.log(`${name}: not in ${options["data-folder"]}, skipped`);
    continue;
  }
  const shares = new Map();
  for (let k = 0; k < Number(options.splits); k++) {
    const trains = trainingRows(table.rows, `s${k + 1}`);
    const train = taskSetOf(table.rows.filter((_, at) => trains[at]));
    const test = taskSetOf(table.rows.filter((_, at) => !trains[at]));
    const { x, y, offsets, d } = withConstantColumn(train);
    const sizes = { m: train.m, d, meanRows: y.length / train.m };
    const spectra = new TaskSpectra(core, { x, y, offsets }, d);
    const fit = { core, sizes, spectra, test, names: train.names };
    const solved = (state) => errorOf(fit, solveTasks(state?.prior ?? null, spectra));
    const mu = ALMOST_WITHOUT_NOISE;
    const truth = run(fit, mu, { seed: `${name}-${k}`, steps: plainSteps(sizes, mu) });
    const [alone, best] = [solved(), solved(truth)];
    for (const epsilon of epsilons) {
      const budget = gaussianMu(epsilon, 1 / (sizes.m * Math.log(sizes.m)));
      for (const [oracle, runs] of Object.entries(oracles(fit, budget, truth))) {
        const found = runs.map((one) => {
          const draws = Array.from({ length: Number(options.draws) }, (_, draw) =>
            solved(run(fit, budget, { ...one, seed: `${name}-${k}-${draw}` })),
          );
          return (alone - mean(draws)) / (alone - best);
        });
        const key = `${epsilon} | ${oracle}`;
        const list = shares.get(key) ?? found.map(() => []);
        found.forEach((share, at) => list[at].push(share));
        shares.set(key, list);
      }
    }
  }
  console.log(`\n${name}:\n\n| eps | known | share |\n| --- | --- | --- |`);
  for (const [key, lists] of shares) {
    const highest = lists.reduce((a, b) => (mean(b) > mean(a) ? b : a));
    console.log(`| ${key} | ${meanAndError(highest, (v) => `${Math.round(100 * v)} %`)} |`);
  }
}
