/**
 * Raw columns with declared ranges against the same columns prepared by hand: what is lost by leaving units, offsets and texts to the schema.
 *
 *   node bench/accuracy/tables/raw-against-prepared.js [--data-folder DIR] [--sets scotland,gcse,wages,rice,cigarettes]
 *                                                      [--epsilon 1,3,100000] [--splits 5]
 *
 * By hand: numbers less the middle of their range in quarters of it, a column of 0 and 1 for each level, and `mp-mixed` told that all are of unit
 * size. Raw: the table's own cells with the same ranges, and nothing said but these. Prints by how many percent the nMSE of the raw ones is
 * larger, ± standard error over splits of the paired difference, the draws of the noise being paired, too. Rows with missing cells are left out.
 *
 * Then, of tables with missing numbers, by how many percent it is larger where these are left to `missing: "impute"`, which takes the mean of the
 * task's training rows, than where they are filled by hand with the mean of the column over all training rows; of all rows that have a target.
 */
import { makeEstimator } from "../../../build/modules/index.js";
import { parseArgs } from "../../parse-args.js";
import { mean, meanAndError, standardError } from "../means.js";
import { TABLE_NAMES, encodedTable, splitRows } from "./data.js";
import { partsWithGaps, rawParts } from "./raw-tasks.js";

const { values: options } = parseArgs({
  options: {
    "data-folder": { type: "string", default: "../shared/data/tables" },
    sets: { type: "string", default: TABLE_NAMES.join(",") },
    epsilon: { type: "string", default: "1,3,100000" },
    splits: { type: "string", default: "5" },
  },
});
const folder = options["data-folder"];
const epsilons = options.epsilon.split(",").map(Number);
const splits = Array.from({ length: Number(options.splits) }, (_, k) => `s${k + 1}`);

/** split => { train, test } of columns prepared by hand. */
function preparedParts(name) {
  const table = encodedTable(folder, name);
  return table && ((split) => splitRows(table.rows, split));
}

async function errorOf({ train, test }, settings) {
  return (await makeEstimator("mp-mixed", settings).fit(train)).score(test).nmse;
}

/** A row of by how many percent the errors of `parts` are larger than the others; these, by budget and split. */
async function printLarger(name, parts, others, settings = {}) {
  const lists = [];
  for (const epsilon of epsilons) {
    const more = [];
    for (const split of splits) {
      const random = { mode: "seeded", seed: `${name}-${split}` };
      const budget = { epsilon, delta: "papers", random };
      const other = await errorOf(others(split), { ...budget, ...settings });
      more.push(100 * ((await errorOf(parts(split), budget)) / other - 1));
    }
    lists.push(more);
  }
  const cells = lists.map((more) => meanAndError(more, (value) => `${value.toFixed(1)} %`));
  console.log(`| ${[name, ...cells].join(" | ")} |`);
  return lists;
}

console.log(`| table | ${epsilons.map((epsilon) => `eps ${epsilon}`).join(" | ")} |`);
console.log(`| --- |${epsilons.map(() => " --- |").join("")}`);
const found = epsilons.map(() => []);
for (const name of options.sets.split(",")) {
  const byHand = preparedParts(name);
  if (!byHand) {
    console.log(`${name}: not in ${folder}, skipped`);
    continue;
  }
  const raw = rawParts(folder, name, "typical");
  const lists = await printLarger(name, raw, byHand, { scale: "unit" });
  lists.forEach((more, k) => found[k].push(mean(more)));
}
const means = found.map(
  (list) => `${mean(list).toFixed(1)} % ± ${standardError(list).toFixed(1)} %`,
);
console.log(`| mean | ${means.join(" | ")} |`);

console.log("\nMissing numbers, imputed against filled by hand:");
for (const name of options.sets.split(",")) {
  const parts = preparedParts(name) && partsWithGaps(folder, name);
  if (!parts) continue;
  const [imputed, filled] = ["imputed", "filled"].map((of) => (split) => parts(split)[of]);
  await printLarger(name, imputed, filled);
}
