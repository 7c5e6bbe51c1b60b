/**
 * What a budget buys at public sizes: the share of the distance from learning alone to learning together without noise that
 * the private mixed model closes, on simulated tables of many sizes.
 *
 *   npm run bench:shares -- [--loss squared|logistic|softmax] [--classes 3] [--tasks 3,10,30,100,300] [--features 2,5,12]
 *                           [--epsilon 0.3,1,3,10] [--replicates 2]
 *
 * Error is nMSE, of labels log-loss. Prints a line for each size and budget, and medians by signal, as
 * src/learning/prospects/expected-share.ts has it, whose tables were made from them. Of numbers the median of a size counts. Of labels
 * every table does, with its own rows a task, but those where learning together gains less than 3 %, which tell nothing of a share.
 * Promised: what expected-share.ts says of the same tables, the median. No noise: eps = 1e5. delta = 1/(m ln m), replace
 * adjacency, seeded.
 */
import { among, parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../build/modules/index.js";
import {
  expectedShare,
  shareSignal,
} from "../../build/modules/learning/prospects/expected-share.js";
import { gaussianMu, resolveDelta } from "../../build/modules/privacy/index.js";
import { tableOfLabels, tableOfNumbers } from "./simulated-tables.js";

const { values } = parseArgs({
  options: {
    loss: { type: "string", default: "squared" },
    classes: { type: "string", default: "3" },
    tasks: { type: "string", default: "3,10,30,100,300" },
    features: { type: "string", default: "2,5,12" },
    epsilon: { type: "string", default: "0.3,1,3,10" },
    replicates: { type: "string", default: "2" },
  },
});
const { loss } = values;
among("loss", [loss], ["squared", "logistic", "softmax"]);
const labels = loss !== "squared";
const classes = loss === "softmax" ? Number(values.classes) : 2;
/** Gain from which a share of it says something. */
const LEAST_GAIN = 0.03;
/** Width of what is counted together. */
const STEP = labels ? Math.sqrt(3) : 3;

const numbers = (text) => text.split(",").map(Number);
const quantile = (list, part) =>
  list.toSorted((a, b) => a - b)[Math.min(Math.floor(list.length * part), list.length - 1)];
const median = (list) => quantile(list, 0.5);
const errorOf = ({ nmse, logLoss }) => (labels ? logLoss : nmse);

/** By budget, the shares of tables of a size, with what they are expected of. */
async function sharesOf(m, d) {
  const drawn = Array.from({ length: Number(values.replicates) }, (_, k) =>
    labels
      ? tableOfLabels({ m, d, classes, seed: `shares-${loss}-${m}-${d}-${k}` })
      : tableOfNumbers({ m, d, seed: `shares-${m}-${d}-${k}` }),
  );
  const given = {
    scale: "unit",
    delta: m < 3 ? 0.1 : "papers",
    random: { mode: "seeded", seed: 1 },
  };
  const errors = async (method, options) => {
    const found = [];
    for (const { train, test } of drawn) {
      const model = await makeEstimator(method, { loss, ...options }).fit(train);
      found.push(errorOf(model.score(test)));
    }
    return found;
  };
  const alone = await errors("single-task", {});
  const exact = await errors("mp-mixed", { ...given, epsilon: 1e5 });
  const byBudget = [];
  for (const epsilon of numbers(values.epsilon)) {
    const own = await errors("mp-mixed", { ...given, epsilon });
    const mu = gaussianMu(epsilon, resolveDelta("papers", m));
    const found = drawn.map(({ train }, k) => ({
      share: (alone[k] - own[k]) / (alone[k] - exact[k]),
      facts: { mu, m, d, ...(labels ? { classes, rowsPerTask: train.size / m } : {}) },
    }));
    const clear = found.filter((_, k) => !labels || alone[k] - exact[k] >= LEAST_GAIN * alone[k]);
    byBudget.push({ epsilon, tables: clear });
  }
  return byBudget;
}

/** One of all, where sizes and not tables are counted. */
const counted = (tables) =>
  labels ? tables : [{ ...tables[0], share: median(tables.map(({ share }) => share)) }];

const found = [];
for (const m of numbers(values.tasks)) {
  for (const d of numbers(values.features)) {
    for (const { epsilon, tables } of await sharesOf(m, d)) {
      if (tables.length === 0) continue;
      found.push(...counted(tables));
      const shown = tables.map(({ share, facts }) =>
        labels ? `${share.toFixed(2)} at ${shareSignal(facts).toFixed(2)}` : share.toFixed(2),
      );
      console.log(
        `m ${m}, d ${d}, eps ${epsilon}: signal ${shareSignal(tables[0].facts).toFixed(2)}, ` +
          `share ${median(tables.map(({ share }) => share)).toFixed(2)} (${shown.join(", ")})`,
      );
    }
  }
}
console.log("\n| signal | share | quartiles | promised |\n| --- | --- | --- | --- |");
for (let from = 0.1; from < 3000; from *= STEP) {
  const inside = found.filter(({ facts }) => {
    const signal = shareSignal(facts);
    return signal >= from && signal < STEP * from;
  });
  if (inside.length === 0) continue;
  const shares = inside.map(({ share }) => share);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(shares, part).toFixed(2));
  const promised = median(inside.map(({ facts }) => expectedShare(facts))).toFixed(2);
  console.log(
    `| ${from.toFixed(1)} to ${(STEP * from).toFixed(1)} | ${middle} (${shares.length}) | ${low} to ${high} | ${promised} |`,
  );
}
