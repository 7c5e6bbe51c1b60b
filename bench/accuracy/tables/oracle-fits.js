/**
 * Fits of the private mixed model with the squared loss in which an oracle may tell what the releases would have to: what `ceilings.js` and
 * `bounds.js` run. None of them is private.
 */
import { openCore } from "../../../build/modules/core/index.js";
import { gaussianMu } from "../../../build/modules/privacy/index.js";
import { normals, openStream } from "../../../build/modules/random/index.js";
import { apartIn } from "../../../build/modules/learning/families/mixed/squared/solve/alone-roots.js";
import {
  covarianceUploads,
  receiveCovariance,
} from "../../../build/modules/learning/families/mixed/squared/spread/squared-covariance.js";
import {
  receiveShape,
  shapeUploads,
} from "../../../build/modules/learning/families/mixed/squared/spread/squared-shape.js";
import { UploadRoom } from "../../../build/modules/learning/families/mixed/upload-room.js";
import { SquaredLocation } from "../../../build/modules/learning/families/mixed/squared/squared-location.js";
import {
  partsOf,
  squaredReleases,
  squaredSteps,
} from "../../../build/modules/learning/families/mixed/squared/squared-plan.js";
import { solveTasks } from "../../../build/modules/learning/families/mixed/squared/solve/squared-solve.js";
import { SquaredState } from "../../../build/modules/learning/families/mixed/squared/squared-state.js";
import {
  receiveVariances,
  scaleVariances,
  varianceUploads,
} from "../../../build/modules/learning/families/mixed/squared/spread/squared-variances.js";
import { LOCATION } from "../../../build/modules/learning/families/mixed/squared/squared-settings.js";
import { TaskSpectra } from "../../../build/modules/learning/families/mixed/spectra/task-spectra.js";
import { withConstantColumn } from "../../../build/modules/learning/tasks/constant-column.js";
import { mean } from "../means.js";
import { encodedTable, splitRows } from "./data.js";

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

/** What noisy sums are made of: of uploads, [m, length] in all, with a deviation of the noise. */
const sumsOf = (stream, m) => (uploads, deviation) => {
  const length = uploads.length / m;
  const sum = normals(stream, length).map((z) => z * deviation);
  uploads.forEach((value, at) => (sum[at % length] += value));
  return sum;
};

function moveVariances(state, spectra, mu, step, released) {
  const deviation = 2 / (mu * Math.sqrt(step.fraction));
  const sum = released(varianceUploads(state, spectra), deviation);
  receiveVariances(state, sum, deviation, step.widening);
  if (!step.first) return;
  const { width, tasksPart } = step.first;
  state.error = state.covariance.map((value) => value * width);
  state.filter.start(state.deviations.map((value) => width * value * value));
  scaleVariances(state, Math.log(tasksPart));
}

/** @param told of the information: "scale", "diagonal" or "matrix". */
function moveEffects(state, spectra, mu, step, told, released) {
  const whole = told ? { ...step, ...ALL_PARTS } : step;
  const location = new SquaredLocation(state, whole);
  const releases = squaredReleases([whole], state.sizes);
  partsOf(whole).forEach((part, k) => {
    const { statistic, fraction } = releases[k];
    const own = told ? (part === "score" ? step.fraction : Infinity) : fraction;
    const deviation = (statistic === "vector" ? 2 : Math.SQRT2) / (mu * Math.sqrt(own));
    const sum = released(location.upload(part, spectra), deviation);
    if (told && part === "information") keep(told, sum, state.sizes.d);
    const silent = told && told !== "matrix" && part === "curvature";
    location.receive(part, sum, silent ? 1e12 : deviation);
  });
}

function moveShape(state, spectra, mu, { kind, fraction }, released) {
  const directions = kind === "covariance";
  const deviation = (directions ? Math.SQRT2 : 2) / (mu * Math.sqrt(fraction));
  const uploads = directions
    ? covarianceUploads(state, spectra, new UploadRoom())
    : shapeUploads(state, spectra);
  (directions ? receiveCovariance : receiveShape)(state, released(uploads, deviation), deviation);
}

/** Runs steps on a state; `known` says before each step, and after the last, what an oracle tells; `told` what it tells of the information. */
export function run({ sizes, spectra, core }, mu, { seed, steps, known, told }) {
  const state = new SquaredState(sizes);
  const stream = openStream(core, { mode: "seeded", seed });
  const released = sumsOf(stream, sizes.m);
  for (const step of steps) {
    known?.(state, step);
    if (step.kind === "variances") moveVariances(state, spectra, mu, step, released);
    else if (step.kind === "location") moveEffects(state, spectra, mu, step, told, released);
    else moveShape(state, spectra, mu, step, released);
  }
  known?.(state);
  stream.close();
  return state;
}

/** The method's steps. */
export const allSteps = squaredSteps;

/** The method's steps for variances and fixed effects, without those for the shape of C. */
export const plainSteps = (sizes, mu) =>
  squaredSteps(sizes, mu).filter(({ kind }) => kind === "variances" || kind === "location");

export const takeVariances = (truth) => (state) => {
  state.logs.set(truth.logs);
  state.belief = truth.belief.slice();
};
export const takeMean = (truth) => (state) => {
  state.effects.set(truth.effects);
  state.error = truth.error.slice();
  state.filter.located = truth.filter.located;
};

/** What is believed of the mean where the second moments of models around zero are known. */
export function startMean(state, truth) {
  const { d } = state.sizes;
  const slopes = truth.effects.subarray(0, d - 1);
  const square = slopes.reduce((sum, value) => sum + value * value, 0) / Math.max(d - 1, 1);
  const scales = truth.effects.map((value, c) => (c === d - 1 ? value * value + 1e-3 : square));
  state.error = new Float64Array(d * d);
  scales.forEach((scale, c) => (state.error[c * (d + 1)] = scale));
  state.filter.start(scales);
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

/** The training and test rows of the first splits of a table, as fits; undefined where it is not there. */
export function fitsOf(folder, name, splits) {
  const table = encodedTable(folder, name);
  return (
    table &&
    Array.from({ length: splits }, (_, k) => {
      const { train, test } = splitRows(table.rows, `s${k + 1}`);
      const { x, y, offsets, d } = withConstantColumn(train);
      const rows = { x, y, offsets };
      return {
        core,
        name: `${name}-${k}`,
        test,
        names: train.names,
        sizes: { m: train.m, d, meanRows: y.length / train.m },
        spectra: new TaskSpectra(core, rows, d),
        apart: apartIn(rows, d, {}),
      };
    })
  );
}

/** Replace adjacency, delta = 1/(m ln m). */
export const budgetOf = ({ sizes: { m } }, epsilon) => gaussianMu(epsilon, 1 / (m * Math.log(m)));

/** What is taken for the truth: the method with such steps almost without noise. */
export function truthOf(fit, stepsOf = plainSteps) {
  const mu = ALMOST_WITHOUT_NOISE;
  return run(fit, mu, { seed: fit.name, steps: stepsOf(fit.sizes, mu) });
}

/** nMSE of the tasks' own models after a run; without one of what they learn alone. @param apart what else they may learn alone in. */
export const solved = (fit, state, apart) =>
  errorOf(fit, solveTasks(state?.prior ?? null, fit.spectra, apart));
