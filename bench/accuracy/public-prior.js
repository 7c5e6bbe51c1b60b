/**
 * What a prior declared public is worth: a regression of a fifth of a table's tasks is the center for the others.
 *
 *   npm run bench:public-prior -- [--sets scotland,gcse,wages,rice,cigarettes,union,immunisation] [--epsilon 0.1,1,10] [--splits 3]
 *                                 [--data-folder DIR]
 *
 * Prints Markdown: nMSE of the other tasks' test rows alone, of mp-mixed without a prior, with it, and with a wrong one
 * (the same times minus three). Of labels, also of several classes, the log-loss, also of the prior itself. A folder with a `tables.json` (of
 * `npm run bench:r-tables`) says itself what its tables are. Replace adjacency, delta = 1/(m ln m), seeded noise.
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../build/modules/index.js";
import { askedTables, tableOptions, tablesOf } from "./tables/asked-tables.js";
import { splitRows } from "./tables/data.js";
import { printPublicPriorsOfLabels } from "./tables/public-prior-of-labels.js";
import { mean } from "./means.js";

const { values: options } = parseArgs({
  options: { ...tableOptions("0.1,1,10"), splits: { type: "string", default: "3" } },
});
const { folder, numbers, labels, epsilons } = askedTables(options);
const splits = Array.from({ length: Number(options.splits) }, (_, k) => `s${k + 1}`);

const kinds = epsilons.flatMap((eps) => ["none", "good", "wrong"].map((kind) => `${kind}, ${eps}`));
console.log(`| table | alone | ${kinds.join(" | ")} |`);
console.log(`| --- | --- |${kinds.map(() => " --- |").join("")}`);
for (const [name, table] of tablesOf(folder, numbers)) {
  const scores = new Map();
  for (const split of splits) {
    const { train: all, test: held } = splitRows(table.rows, split);
    const isPublic = (_, i) => i % 5 === 0;
    const train = all.select(all.names.filter((task, i) => !isPublic(task, i)));
    const test = held.select(held.names.filter((task) => train.has(task)));
    const known = await makeEstimator("pooled", {}).fit(all.select(all.names.filter(isPublic)));
    const prior = (factor) => ({
      coefficients: Object.fromEntries(
        train.featureNames.map((feature, j) => [feature, factor * known.weights[j]]),
      ),
      intercept: factor * known.intercepts[0],
    });
    const score = async (method, given) => {
      const model = await makeEstimator(method, given).fit(train);
      return model.score(test).nmse;
    };
    const add = (key, value) => scores.set(key, [...(scores.get(key) ?? []), value]);
    add("alone", await score("single-task", {}));
    for (const epsilon of epsilons) {
      const given = {
        scale: "unit",
        epsilon,
        delta: "papers",
        random: { mode: "seeded", seed: split },
      };
      for (const [kind, publicPrior] of [
        ["none", null],
        ["good", prior(1)],
        ["wrong", prior(-3)],
      ]) {
        add(`${kind}, ${epsilon}`, await score("mp-mixed", { ...given, publicPrior }));
      }
    }
  }
  const cells = ["alone", ...kinds].map((key) => mean(scores.get(key)).toFixed(3));
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}
await printPublicPriorsOfLabels({
  folder,
  names: labels,
  epsilons,
  splits,
});
