/**
 * What it is worth to keep values outside declared ranges, where typical ranges are declared.
 *
 *   npm run bench:outside -- [--data-folder DIR,DIR] [--sets NAME,NAME] [--epsilon 0.3,1,3] [--splits 2]
 *
 * Prints Markdown, by budget: the mean over tables, +- its standard error, of the logarithm of `auto`'s squared error on held-out rows with values kept
 * relative to that with values clipped, and which tables differ most; so of `single-task`. Targets are as they are, in either case. Splits of a table are
 * averaged first.
 */
import { parseArgs, present } from "../../parse-args.js";
import { makeEstimator } from "../../../build/modules/index.js";
import { mean, standardError } from "../means.js";
import { describedIn } from "./data.js";
import { rawParts } from "./raw-tasks.js";

const { values: options } = parseArgs({
  options: {
    "data-folder": { type: "string", default: "../shared/data/tables" },
    sets: { type: "string" },
    epsilon: { type: "string", default: "0.3,1,3" },
    splits: { type: "string", default: "2" },
  },
});
const wanted = options.sets?.split(",");
const fits = [["single-task"], ...options.epsilon.split(",").map((eps) => ["auto", Number(eps)])];
const splits = Array.from({ length: Number(options.splits) }, (_, k) => `s${k + 1}`);
const SHOWN = 6;

/** Squared error of every fit, in the target's units, whatever is outside. */
async function errorsOf({ train, test }, asTheyAre, seed) {
  const errors = [];
  for (const [method, epsilon] of fits) {
    const random = { mode: "seeded", seed };
    const given = epsilon ? { epsilon, delta: "papers", random } : {};
    const model = await makeEstimator(method, given).fit(train);
    let [sum, row] = [0, 0];
    for (const { name, x } of test) {
      for (const value of model.predict(name, x)) sum += (value - asTheyAre[row++]) ** 2;
    }
    errors.push(sum);
  }
  return errors;
}

/** By fit, the logarithm of the ratio of a table. */
async function ratiosOf(folder, name) {
  const [kept, clipped] = ["keep", "clip"].map((outside) =>
    rawParts(folder, name, "typical", { outside }),
  );
  const raw = rawParts(folder, name, "typical", { target: "none" });
  const ratios = [];
  for (const split of splits) {
    const { y } = raw(split).test;
    const seed = `${name}-${split}`;
    const [above, below] = [
      await errorsOf(kept(split), y, seed),
      await errorsOf(clipped(split), y, seed),
    ];
    ratios.push(above.map((error, k) => Math.log(error / below[k])));
  }
  return fits.map((_, k) => mean(ratios.map((own) => own[k])));
}

const tables = [];
for (const folder of present("data-folder", options["data-folder"]).split(",")) {
  for (const name of Object.keys(describedIn(folder))) {
    if (!wanted || wanted.includes(name)) tables.push([name, await ratiosOf(folder, name)]);
  }
}
const percent = (value) => `${(100 * (Math.exp(value) - 1)).toFixed(1)} %`;
const told = (list) => list.map(([name, ratio]) => `\`${name}\` ${percent(ratio)}`).join(", ");
console.log(`${tables.length} tables\n`);
console.log("| method | mean logarithm of the ratio | least | most |");
console.log("| --- | --- | --- | --- |");
fits.forEach(([method, epsilon], k) => {
  const own = tables.map(([name, ratios]) => [name, ratios[k]]).sort((a, b) => a[1] - b[1]);
  const ratios = own.map(([, ratio]) => ratio);
  const figure = `${(100 * mean(ratios)).toFixed(1)} ± ${(100 * standardError(ratios)).toFixed(1)} %`;
  const what = epsilon ? `${method}, eps ${epsilon}` : method;
  console.log(
    `| ${what} | ${figure} | ${told(own.slice(0, SHOWN))} | ${told(own.slice(-SHOWN).reverse())} |`,
  );
});
