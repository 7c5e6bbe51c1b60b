/**
 * How a private method with defaults fares against learning alone on raw tables: what a stranger who declares ranges, or none, gains
 * or loses by learning together.
 *
 *   npm run bench:against-alone -- [--data-folder DIR,DIR] [--ranges typical|extents|none] [--method auto] [--epsilon 0.3,1,3]
 *                                  [--splits 5] [--draws 2] [--sets NAME,NAME] [--labels] [--columns 30] [--shares] [--ridge]
 *
 * With --columns, and --ranges none, tables of six columns of numbers or more, with products of these until there are so many.
 * With --shares, of targets of numbers: how much of the way from the best alone to the best without privacy the method closes. Alone is the
 * better of `single-task` and of ridge by one weight, chosen by cross-validation over all tasks; without privacy is the best of `mixed-model`,
 * `pooled`, `mp-mixed` at eps = 1e5 and, where it is on the machine, lme4 (a random intercept; a random slope, too). With --ridge: `single-task`
 * against that ridge.
 * With --labels of two classes: tables of labels, and targets of numbers cut at the median; of at most 120 tasks, and 25 features.
 * Prints Markdown: nMSE (of labels log-loss) of `single-task` on held-out rows and, by budget, the difference of the method's from it in percent of it,
 * mean +- standard error over splits (draws of a split are averaged first). Then, by budget, the mean logarithm of the ratio, and which
 * tables are behind by more than a standard error: of five splits one table in five would be if there were no difference.
 */
import { among, parseArgs, present } from "../../parse-args.js";
import { makeEstimator } from "../../../build/modules/index.js";
import { mean, standardError } from "../means.js";
import { printWorseWithMore } from "./closed.js";
import { describedIn } from "./data.js";
import { classesIn } from "./classes.js";
import { referenceErrors, ridgeErrors, withLme4 } from "./raw-references.js";
import { printRidge, printShares } from "./raw-shares.js";
import { DECLARATIONS, labelledIn, labelledParts, rawParts } from "./raw-tasks.js";

const { values: options } = parseArgs({
  options: {
    "data-folder": { type: "string", default: "../shared/data/tables" },
    ranges: { type: "string", default: "typical" },
    method: { type: "string", default: "auto" },
    epsilon: { type: "string", default: "0.3,1,3" },
    splits: { type: "string", default: "5" },
    draws: { type: "string", default: "2" },
    sets: { type: "string" },
    labels: { type: "boolean", default: false },
    columns: { type: "string" },
    shares: { type: "boolean", default: false },
    ridge: { type: "boolean", default: false },
  },
});
among("ranges", [options.ranges], DECLARATIONS);
const epsilons = options.epsilon.split(",").map(Number);
if (options.columns && options.ranges !== "none") {
  throw new Error("--columns goes with --ranges none: of products nothing is declared");
}
if ((options.shares || options.ridge) && (options.labels || options.columns)) {
  throw new Error("--shares and --ridge are for targets of numbers, and columns as they are");
}
if ((options.shares || options.ridge) && Number(options.splits) < 2) {
  throw new Error("--shares and --ridge need --splits of 2 or more, which tell of chance");
}
const splits = Array.from({ length: Number(options.splits) }, (_, k) => `s${k + 1}`);
const draws = Array.from({ length: Number(options.draws) }, (_, k) => k);
const wanted = options.sets?.split(",");

const loss = options.labels ? { loss: "logistic" } : {};
const MOST = { tasks: 120, features: 25 };

/** name => parts by split, of the tables of a folder. */
function tablesOf(folder) {
  if (!options.labels) {
    const names = Object.keys(describedIn(folder));
    const asked = options.columns ? { columns: Number(options.columns) } : {};
    return names.map((name) => [name, () => rawParts(folder, name, options.ranges, asked)]);
  }
  const known = Object.entries(classesIn(folder)).map(([name, [target, ranges]]) => [
    name,
    { target, ranges },
  ]);
  return Object.entries(labelledIn(folder, known)).map(([name, said]) => [
    name,
    () => labelledParts(folder, name, said, options.ranges, MOST.tasks),
  ]);
}

/** Error alone, and by budget the mean of draws, on one split. */
async function errorsOf({ train, test }, seed) {
  const scored = async (method, settings) =>
    errorOf((await makeEstimator(method, { ...loss, ...settings }).fit(train)).score(test));
  const errorOf = ({ nmse, logLoss }) => (options.labels ? logLoss : nmse);
  const together = [];
  for (const epsilon of epsilons) {
    const own = [];
    for (const draw of draws) {
      const random = { mode: "seeded", seed: `${seed}-${draw}` };
      own.push(await scored(options.method, { epsilon, delta: "papers", random }));
    }
    together.push(mean(own));
  }
  return { alone: await scored("single-task", {}), together };
}

/** What a table's errors are held against with --shares or --ridge, by split. */
async function comparedWith(folder, name, parts) {
  if (!options.shares && !options.ridge) return {};
  const ridge = await ridgeErrors(folder, name, options.ranges, splits);
  if (!options.shares) return { ridge };
  return { ridge, references: await referenceErrors(folder, name, options.ranges, splits, parts) };
}

if (options.shares && !withLme4)
  console.log("lme4: not used; R with lme4 is not on this machine\n");
console.log(`| table | alone | ${epsilons.map((eps) => `eps ${eps}`).join(" | ")} |`);
console.log(`| --- | --- |${epsilons.map(() => " --- |").join("")}`);
const found = [];
for (const folder of present("data-folder", options["data-folder"]).split(",")) {
  for (const [name, partsOf] of tablesOf(folder)) {
    if (wanted && !wanted.includes(name)) continue;
    const parts = partsOf();
    if (!parts || (options.labels && parts(splits[0]).train.d > MOST.features)) continue;
    const errors = [];
    for (const split of splits) errors.push(await errorsOf(parts(split), `${name}-${split}`));
    const alone = mean(errors.map((one) => one.alone));
    const cells = epsilons.map((_, k) => {
      const more = errors.map((one) => (100 * (one.together[k] - one.alone)) / alone);
      const ratio = mean(errors.map((one) => one.together[k])) / alone;
      return { mean: mean(more), error: standardError(more), ratio };
    });
    found.push({
      name,
      cells,
      single: errors.map((one) => one.alone),
      together: epsilons.map((_, k) => errors.map((one) => one.together[k])),
      ...(await comparedWith(folder, name, parts)),
    });
    const shown = cells.map((one) => `${one.mean.toFixed(1)} % ± ${one.error.toFixed(1)} %`);
    console.log(`| ${name} | ${alone.toFixed(4)} | ${shown.join(" | ")} |`);
  }
}
console.log("");
epsilons.forEach((epsilon, k) => {
  const logs = found.map(({ cells }) => 100 * Math.log(cells[k].ratio));
  const behind = found
    .filter(({ cells }) => cells[k].mean > cells[k].error + 1e-9)
    .map(({ name, cells }) => `${name} ${cells[k].mean.toFixed(1)} %`);
  console.log(
    `eps ${epsilon}: mean logarithm ${mean(logs).toFixed(1)} %; behind by more than a standard error ` +
      `${behind.length} of ${found.length} tables${behind.length > 0 ? ": " + behind.join(", ") : ""}`,
  );
});
printWorseWithMore(
  found.map(({ name, together }) => ({ name, errors: together })),
  epsilons,
);
if (options.shares) printShares(found, epsilons);
if (options.ridge) printRidge(found);
