/**
 * What one release of the fixed effects could reach with the whole budget, were all else known: `npm run bench:ceilings -- --bounds`.
 *
 * as released     the method
 * known start     variances, information and the size of the fixed effects known; these searched for from zero, in one release or three
 * true effects    the same, and scores taken at the true effects, in one release: nothing is left to search for
 * effects after   the method, and the true effects for the tasks' own models
 * variances after the same of variances and correlations
 *
 * Of several clips the best on the test rows counts, for each table and budget: a bound with hindsight. It is one of methods that release noisy sums
 * of clipped scores of what tasks have in common, and are as good as the truth found without noise; no proof.
 */
import { mean, median } from "../means.js";
import { best, closedShares, percent } from "./closed.js";
import { head, row } from "./markdown.js";
import { describedIn } from "./data.js";
import {
  allSteps,
  budgetOf,
  fitsOf,
  run,
  solved,
  startMean,
  takeMean,
  takeVariances,
  truthOf,
} from "./oracle-fits.js";

/** Bounds on scores, in roots of their expected square. */
const CLIPS = { start: [0.2, 1], rounds: [0.2, 0.5], truth: [0.05, 0.3] };
const NAMES = ["as released", "known start", "true effects", "effects after", "variances after"];
const OWNERS = [
  ["60 or fewer", 0, 60],
  ["61 to 150", 61, 150],
  ["more than 150", 151, Infinity],
];

/** Locations alone, with even parts of the budget. */
const locations = (clip, rounds) =>
  Array.from({ length: rounds }, () => ({
    kind: "location",
    fraction: 1 / rounds,
    clip,
    weight: 0.2,
  }));

/** Runs by name; of several the best counts. */
function boundsOf({ sizes }, mu, truth) {
  const steps = allSteps(sizes, mu);
  const takeSpread = (state) => {
    takeVariances(truth)(state);
    state.correlation = truth.correlation.slice();
  };
  const known = (state) => {
    takeSpread(state);
    if (!state.filter.located) startMean(state, truth);
  };
  const atTruth = (state, step) => {
    known(state);
    if (step) state.effects.set(truth.effects);
  };
  const after = (take) => (state, step) => {
    if (!step) take(state);
  };
  const told = "matrix";
  const ofClips = (clips, rounds, own) =>
    clips.map((clip) => ({ steps: locations(clip, rounds), known: own, told }));
  return [
    [{ steps }],
    [...ofClips(CLIPS.start, 1, known), ...ofClips(CLIPS.rounds, 3, known)],
    ofClips(CLIPS.truth, 1, atTruth),
    [{ steps, known: after(takeMean(truth)) }],
    [{ steps, known: after(takeSpread) }],
  ];
}

/** Errors of a table by split: alone, of the truth, and by budget and bound. */
function errorsOf(fits, epsilons, draws) {
  const errors = { alone: [], truth: [], found: epsilons.map(() => []) };
  fits.forEach((fit, k) => {
    const truth = truthOf(fit, allSteps);
    errors.alone.push(solved(fit, undefined, fit.apart));
    errors.truth.push(solved(fit, truth, fit.apart));
    epsilons.forEach((epsilon, at) => {
      const mu = budgetOf(fit, epsilon);
      errors.found[at][k] = boundsOf(fit, mu, truth).map((runs) =>
        runs.map((one) =>
          mean(
            Array.from({ length: draws }, (_, draw) =>
              solved(fit, run(fit, mu, { ...one, seed: `${fit.name}-${draw}` }), fit.apart),
            ),
          ),
        ),
      );
    });
  });
  return errors;
}

/** Mean shares by budget and bound; undefined where there is nothing to gain. */
function sharesOf({ alone, truth, found }) {
  const lists = found.map((splits) =>
    NAMES.map((_, bound) =>
      best(splits[0][bound].map((_, r) => splits.map((own) => own[bound][r]))),
    ),
  );
  const closed = closedShares({ alone, references: [truth], found: lists.flat() });
  return closed && lists.map((_, at) => closed.slice(at * NAMES.length, (at + 1) * NAMES.length).map(mean)); // prettier-ignore
}

/** Prints Markdown. @param options folders, names of tables or all, epsilons, splits, draws. */
export function printBounds({ folders, sets, epsilons, splits, draws }) {
  const columns = epsilons.flatMap((epsilon) => NAMES.map((name) => `${epsilon}: ${name}`));
  head(["table", "owners", ...columns]);
  const all = [];
  for (const folder of folders) {
    for (const name of sets ?? Object.keys(describedIn(folder))) {
      const fits = fitsOf(folder, name, splits);
      if (!fits) continue;
      const { m } = fits[0].sizes;
      const shares = sharesOf(errorsOf(fits, epsilons, draws));
      row([name, m, ...(shares?.flat().map(percent) ?? ["nothing to gain"])]);
      if (shares) all.push({ m, shares: shares.flat() });
    }
  }
  head(["owners", "tables", ...columns]);
  for (const [group, least, most] of [...OWNERS, ["all", 0, Infinity]]) {
    const own = all.filter(({ m }) => m >= least && m <= most);
    if (own.length === 0) continue;
    row([group, own.length, ...columns.map((_, at) => percent(median(own.map(({ shares }) => shares[at]))))]); // prettier-ignore
  }
}
