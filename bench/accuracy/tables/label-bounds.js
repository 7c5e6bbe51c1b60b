/**
 * Which release of labels loses most, and what a score of the fixed effects could reach with the whole budget: `npm run bench:ceilings -- --bounds
 * --labels`.
 *
 * as released      the method
 * no noise in X    the same, but for the noise of that release
 * variances after  the method, and how far tasks lie apart as without noise, for the tasks' own models
 * effects after    the same of the fixed effects
 * score alone      evidence, information and comparison known, the whole budget to one score from zero
 *
 * Shares of the way from `single-task` to the best without privacy, `mixed-model` or one regression for all, on tables where that is 3 % or more.
 * Tables as of `against-alone.js`: of labels, and of numbers cut at the median, typical ranges.
 */
import { makeEstimator } from "../../../build/modules/index.js";
import { mean, median } from "../means.js";
import { classesIn } from "./classes.js";
import { percent } from "./closed.js";
import { head, row } from "./markdown.js";
import {
  budgetOf,
  labelFit,
  lossOf,
  run,
  scoreAlone,
  takeEffects,
  takeVariances,
  truthOf,
} from "./label-oracles.js";
import { labelledIn, labelledParts } from "./raw-tasks.js";

const MOST = { tasks: 120, features: 25 };
const LEAST_GAIN = 0.03;
const OWNERS = [
  ["60 or fewer", 0, 60],
  ["61 or more", 61, Infinity],
  ["all", 0, Infinity],
];
const RELEASES = ["evidence", "information", "score", "comparison"];
const NAMES = [
  "as released",
  ...RELEASES.map((label) => `no noise in ${label}`),
  "variances after",
  "effects after",
  "score alone",
];

/** Log-losses of all oracles at a budget, in the order of NAMES. */
function lossesOf(fit, mu, truth, seed) {
  const released = run(fit, mu, { seed });
  return [
    lossOf(fit, released),
    ...RELEASES.map((label) => lossOf(fit, run(fit, mu, { seed, silent: [label] }))),
    lossOf(fit, released, (state) => takeVariances(state, truth)),
    lossOf(fit, released, (state) => takeEffects(state, truth)),
    lossOf(fit, scoreAlone(fit, mu, truth, seed)),
  ];
}

/** Alone, the best without privacy, and by budget and oracle the means over splits and draws. */
async function errorsOf(name, parts, { epsilons, splits, draws }) {
  const all = [];
  for (let k = 0; k < splits; k++) {
    const { train, test } = parts(`s${k + 1}`);
    const plain = async (method, given = {}) =>
      (await makeEstimator(method, { loss: "logistic", ...given }).fit(train)).score(test).logLoss;
    const fit = labelFit({ train, test }, `${name}-${k}`);
    const { state: truth } = truthOf(fit);
    const found = epsilons.map((epsilon) => {
      const lists = Array.from({ length: draws }, (_, draw) =>
        lossesOf(fit, budgetOf(fit, epsilon), truth, `${fit.name}-${draw}`),
      );
      return NAMES.map((_, at) => mean(lists.map((list) => list[at])));
    });
    const references = [await plain("mixed-model"), await plain("pooled", { intercept: true })];
    all.push({ alone: await plain("single-task"), references, found });
  }
  const best = Math.min(...[0, 1].map((k) => mean(all.map(({ references }) => references[k]))));
  const found = epsilons.map((_, e) => NAMES.map((_, at) => mean(all.map((one) => one.found[e][at])))); // prettier-ignore
  return { alone: mean(all.map(({ alone }) => alone)), best, found };
}

/** Prints Markdown: shares by table, then their medians and the mean logarithms of the log-loss to that as released. */
export async function printLabelBounds({ folders, sets, epsilons, splits, draws }) {
  head(["table", "tasks", ...epsilons.flatMap((eps) => NAMES.map((name) => `${eps}: ${name}`))]);
  const all = [];
  for (const folder of folders) {
    const known = Object.entries(classesIn(folder)).map(([name, [target, ranges]]) => [name, { target, ranges }]); // prettier-ignore
    for (const [name, said] of Object.entries(labelledIn(folder, known))) {
      if (sets && !sets.includes(name)) continue;
      const parts = labelledParts(folder, name, said, "typical", MOST.tasks);
      const { m, d } = parts?.("s1").train ?? {};
      if (!(d <= MOST.features)) continue;
      const { alone, best, found } = await errorsOf(name, parts, { epsilons, splits, draws });
      if (alone - best < LEAST_GAIN * alone) continue;
      const shares = found.map((list) => list.map((loss) => (alone - loss) / (alone - best)));
      row([name, m, ...shares.flat().map(percent)]);
      all.push({ m, shares, found });
    }
  }
  head(["eps", "owners", "tables", ...NAMES]);
  epsilons.forEach((epsilon, e) => {
    for (const [group, least, most] of OWNERS) {
      const own = all.filter(({ m }) => m >= least && m <= most);
      if (own.length === 0) continue;
      const cells = NAMES.map((_, at) => {
        const logs = own.map(({ found }) => 100 * Math.log(found[e][at] / found[e][0]));
        const share = median(own.map(({ shares }) => shares[e][at]));
        return `${percent(share)}, ${mean(logs).toFixed(1)}`;
      });
      row([epsilon, group, own.length, ...cells]);
    }
  });
}
