/**
 * Which release of the private mixed model loses most, and what any release of clipped sums could reach, on raw tables.
 *
 *   npm run bench:ceilings -- [--sets scotland,gcse,wages,rice] [--epsilon 0.3,1] [--draws 3] [--splits 5] [--data-folder DIR]
 *   npm run bench:ceilings -- --bounds --data-folder DIR,DIR [--sets NAME,NAME] …   what one release of the fixed effects could reach (`bounds.js`)
 *   npm run bench:ceilings -- --bounds --labels --data-folder DIR,DIR …             the same of labels, and what each release loses (`label-bounds.js`)
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
import { LOCATION } from "../../../build/modules/learning/families/mixed/squared/squared-settings.js";
import { mean, meanAndError } from "../means.js";
import { printBounds } from "./bounds.js";
import { printLabelBounds } from "./label-bounds.js";
import {
  budgetOf,
  fitsOf,
  plainSteps,
  run,
  solved,
  startMean,
  takeMean,
  takeVariances,
  truthOf,
} from "./oracle-fits.js";

const { values: options } = parseArgs({
  options: {
    sets: { type: "string" },
    epsilon: { type: "string", default: "0.3,1" },
    draws: { type: "string", default: "3" },
    splits: { type: "string", default: "5" },
    "data-folder": { type: "string", default: "../shared/data/tables" },
    bounds: { type: "boolean", default: false },
    labels: { type: "boolean", default: false },
  },
});
const SETS = "scotland,gcse,wages,rice";
const CLIPS = [0.2, 0.5, 1];

/** A location's steps with the whole budget, in the proportions of the method's. */
function locations(steps) {
  const own = steps.filter(({ kind }) => kind === "location");
  const whole = own.reduce((sum, { fraction }) => sum + fraction, 0);
  return own.map((step) => ({ ...step, fraction: step.fraction / whole }));
}

/** Steps whose locations release other parts. */
const shaped = (steps, parts) =>
  steps.map((step) => (step.kind === "location" ? { ...step, ...parts } : step));

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
      known: atTruth,
      told: "matrix",
    })),
    "mean known": [{ steps: [third, third, third], known: takeMean(truth) }],
  };
}

const epsilons = options.epsilon.split(",").map(Number);
const [splits, draws] = [Number(options.splits), Number(options.draws)];

/** Prints what oracles reach on a table. */
function printCeilings(name) {
  const fits = fitsOf(options["data-folder"], name, splits);
  if (!fits) return console.log(`${name}: not in ${options["data-folder"]}, skipped`);
  const shares = new Map();
  for (const fit of fits) {
    const truth = truthOf(fit);
    const [alone, best] = [solved(fit), solved(fit, truth)];
    for (const epsilon of epsilons) {
      const budget = budgetOf(fit, epsilon);
      for (const [oracle, runs] of Object.entries(oracles(fit, budget, truth))) {
        const found = runs.map((one) => {
          const errors = Array.from({ length: draws }, (_, draw) =>
            solved(fit, run(fit, budget, { ...one, seed: `${fit.name}-${draw}` })),
          );
          return (alone - mean(errors)) / (alone - best);
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

if (options.bounds) {
  const folders = options["data-folder"].split(",");
  const print = options.labels ? printLabelBounds : printBounds;
  await print({ folders, sets: options.sets?.split(","), epsilons, splits, draws });
} else (options.sets ?? SETS).split(",").forEach(printCeilings);
