/**
 * Accuracy of the private mixed model on raw tables that nobody tuned for, with the splits given beside them.
 *
 *   npm run bench:tables -- [--sets scotland,gcse,wages,rice,cigarettes,union,immunisation] [--epsilon 0.3,1,3,10] [--splits 5]
 *                           [--draws 1] [--data-folder DIR] [--no-lme4]
 *
 * A folder with a `tables.json` (of `npm run bench:r-tables`) says itself what its tables are.
 *
 *
 * Prints Markdown: nMSE on the held-out rows, mean +- standard error over splits, and how much of the way from the
 * best single-task model to the best one without privacy is closed. Alone: the better of ridge with an intercept and
 * the weight that is best on the test rows of all tasks (what tuning outside the budget could reach), and of every
 * task's average over public priors. No noise: mp-mixed at eps = 1e5. lme4: a random intercept, and a random intercept
 * and slope. Replace adjacency, delta = 1/(m ln m), seeded noise. Columns are scaled by round public constants (their
 * typical ranges), texts are dummies, rows with missing cells are left out. Tables that are not there are skipped.
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../build/modules/index.js";
import { classesIn, printClassTables } from "./tables/classes.js";
import { mean, meanAndError, median, standardError } from "./means.js";
import { aloneScore } from "./tables/alone.js";
import { best, closedShares, percent, printWorseWithMore } from "./tables/closed.js";
import { describedIn, encodedTable, splitRows } from "./tables/data.js";
import { hasLme4, lme4Scores } from "./tables/lme4.js";
import { outside, partWithin, rowsWithin } from "./tables/within.js";

const { values: options } = parseArgs({
  options: {
    sets: { type: "string" },
    epsilon: { type: "string", default: "0.3,1,3,10" },
    splits: { type: "string", default: "5" },
    draws: { type: "string", default: "1" },
    "data-folder": { type: "string", default: "../shared/data/tables" },
    "no-lme4": { type: "boolean", default: false },
  },
});
const RIDGE = [1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1];

const cell = (list) => meanAndError(list);

const folder = options["data-folder"];
const epsilons = options.epsilon.split(",").map(Number);
const splits = Array.from({ length: Number(options.splits) }, (_, k) => `s${k + 1}`);
const withLme4 = !options["no-lme4"] && hasLme4();
if (!withLme4)
  console.log("lme4: not used; R with lme4 is not on this machine, or was not asked for\n");
const columns = [
  "alone",
  ...epsilons.map((eps) => `eps ${eps}`),
  "no noise",
  "lme4, intercept",
  "lme4, slope",
];
const shares = [];
const classTables = classesIn(folder);
const names = options.sets?.split(",") ?? [
  ...Object.keys(describedIn(folder)),
  ...Object.keys(classTables),
];
const classNames = names.filter((name) => name in classTables);
const numberNames = names.filter((name) => !classNames.includes(name));
if (numberNames.length > 0) {
  console.log(`| table | ${columns.join(" | ")} |`);
  console.log(`| --- |${columns.map(() => " --- |").join("")}`);
}
for (const name of numberNames) {
  const table = encodedTable(folder, name);
  if (!table) {
    console.log(`${name}: not in ${folder}, skipped`);
    continue;
  }
  const parts = splits.map((split) => splitRows(table.rows, split));
  let held = [];
  const scores = async (method, given) => {
    held = [];
    const list = [];
    for (const [k, { train, test }] of parts.entries()) {
      const draws = given(k);
      const errors = [];
      for (const own of draws) {
        const model = await makeEstimator(method, own).fit(train);
        errors.push(model.score(test).nmse);
        if (model.predictInterval) held.push(rowsWithin(model, test));
      }
      list.push(mean(errors));
    }
    return list;
  };
  const ridge = [];
  for (const lambda of RIDGE) {
    ridge.push(await scores("single-task", () => [{ intercept: true, lambda }]));
  }
  const alone = best([...ridge, await Promise.all(parts.map(aloneScore))]);
  const privately = (epsilon, draws) =>
    scores("mp-mixed", (k) =>
      Array.from({ length: draws }, (_, draw) => ({
        epsilon,
        delta: "papers",
        scale: "unit",
        random: { mode: "seeded", seed: `${name}-${k}${draw ? `-${draw}` : ""}` },
      })),
    );
  const found = [];
  const coverage = [];
  for (const epsilon of epsilons) {
    found.push(await privately(epsilon, Number(options.draws)));
    coverage.push(partWithin(held));
  }
  const noiseless = await privately(1e5, 1);
  const mixed = withLme4 ? lme4Scores(table, splits) : undefined;
  const references = [noiseless, ...(mixed ? [mixed.intercept, mixed.slope] : [])];
  const cells = [alone, ...found, noiseless].map(cell);
  const beside = mixed ? [cell(mixed.intercept), cell(mixed.slope)] : ["–", "–"];
  console.log(`| ${[name, ...cells, ...beside].join(" | ")} |`);
  const closed = closedShares({ alone, references, found });
  shares.push({
    name,
    coverage,
    closed,
    errors: found,
    paired: found.map((list) => list.map((v, k) => v - alone[k])),
  });
}

if (shares.length > 0) printShares();
await printClassTables({ folder, names: classNames, epsilons, splits, withLme4 });

/** What intervals held, and what of the gain was reached, of the tables of numbers. */
function printShares() {
  console.log("\nPart of the held-out rows within the 80 % intervals:\n");
  console.log(`| table | ${epsilons.map((eps) => `eps ${eps}`).join(" | ")} |`);
  console.log(`| --- |${epsilons.map(() => " --- |").join("")}`);
  for (const { name, coverage } of shares) {
    console.log(`| ${[name, ...coverage.map(({ part }) => part.toFixed(3))].join(" | ")} |`);
  }
  const off = epsilons.map((_, at) => outside(shares.map(({ coverage }) => coverage[at])));
  console.log(`| outside .78 to .82 | ${off.map(({ found }) => found).join(" | ")} |`);
  console.log(`| by chance alone | ${off.map(({ chance }) => chance.toFixed(1)).join(" | ")} |`);
  console.log(
    "\nShare of the way from alone to the best of no noise and lme4, ± standard error over splits:\n",
  );
  console.log(`| table | ${epsilons.map((eps) => `eps ${eps}`).join(" | ")} |`);
  console.log(`| --- |${epsilons.map(() => " --- |").join("")}`);
  for (const { name, closed } of shares) {
    const cells = closed
      ? closed.map((list) => `${percent(mean(list))} ± ${percent(standardError(list))}`)
      : epsilons.map(() => "nothing to gain");
    console.log(`| ${[name, ...cells].join(" | ")} |`);
  }
  const byEpsilon = epsilons.map((_, at) =>
    shares.flatMap(({ closed }) => (closed ? [mean(closed[at])] : [])),
  );
  console.log(`| median | ${byEpsilon.map((list) => percent(median(list))).join(" | ")} |`);
  console.log(`| worst | ${byEpsilon.map((list) => percent(Math.min(...list))).join(" | ")} |`);
  const worse = shares.flatMap(({ name, paired }) =>
    paired.flatMap((list, at) =>
      mean(list) > standardError(list) ? [`${name} at eps ${epsilons[at]}`] : [],
    ),
  );
  console.log(
    `\nWorse than alone by more than a standard error of the paired difference: ${worse.join(", ") || "none"}.`,
  );
  printWorseWithMore(shares, epsilons);
}
