/**
 * What it costs to declare no ranges: `mp-mixed` on raw columns whose sizes it learns by charged votes, against the same with typical
 * ranges of features, and one of the target that holds all its values.
 *
 *   npm run bench:undeclared -- [--sets scotland,gcse,wages,rice,cigarettes] [--epsilon 1,3,10] [--splits 5] [--draws 1]
 *                               [--data-folder DIR]
 *
 * Prints Markdown: nMSE on held-out rows with ranges, and by how many percent it is larger without, mean +- standard error over
 * splits. Where a budget cannot learn the sizes, the method says so and nothing is measured. Same splits and seeds for both.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "../../parse-args.js";
import { makeEstimator } from "../../../build/modules/index.js";
import { mean, standardError } from "../means.js";
import { describedIn } from "./data.js";
import { rawParts } from "./raw-tasks.js";

const { values: options } = parseArgs({
  options: {
    sets: { type: "string" },
    epsilon: { type: "string", default: "1,3,10" },
    splits: { type: "string", default: "5" },
    draws: { type: "string", default: "1" },
    "data-folder": { type: "string", default: "../shared/data/tables" },
  },
});
const folder = options["data-folder"];
const epsilons = options.epsilon.split(",").map(Number);
const splits = Array.from({ length: Number(options.splits) }, (_, k) => `s${k + 1}`);
const draws = Number(options.draws);

/** nMSE of every split, or undefined where sizes cannot be learned. */
async function errorsOf(parts, epsilon, name) {
  const errors = [];
  for (const [k, { train, test }] of parts.entries()) {
    const own = [];
    for (let draw = 0; draw < draws; draw++) {
      const random = { mode: "seeded", seed: `${name}-${k}-${draw}` };
      const estimator = makeEstimator("mp-mixed", { epsilon, delta: "papers", random });
      try {
        own.push((await estimator.fit(train)).score(test).nmse);
      } catch (error) {
        if (error.code !== "OPTION") throw error;
        return undefined;
      }
    }
    errors.push(mean(own));
  }
  return errors;
}

console.log(`| table | ${epsilons.map((eps) => `eps ${eps}: ranges | none`).join(" | ")} |`);
console.log(`| --- |${epsilons.map(() => " --- | --- |").join("")}`);
for (const name of options.sets?.split(",") ?? Object.keys(describedIn(folder))) {
  const file = join(folder, `${name}.csv.gz`);
  if (!existsSync(file)) {
    console.log(`${name}: not in ${folder}, skipped`);
    continue;
  }
  // The target's own extent, so that none of it is clipped, and typical ranges of features.
  const partsOf = (features, target) => splits.map(rawParts(folder, name, features, { target }));
  const [declared, raw] = [partsOf("typical", "extents"), partsOf("none")];
  const found = [];
  for (const epsilon of epsilons) {
    const known = await errorsOf(declared, epsilon, name);
    const learned = await errorsOf(raw, epsilon, name);
    const more = learned?.map((error, k) => 100 * Math.log(error / known[k]));
    const cost = more
      ? `${mean(more).toFixed(1)} % ± ${standardError(more).toFixed(1)} %`
      : "asks for ranges";
    found.push(`${mean(known).toFixed(4)} | ${cost}`);
  }
  console.log(`| ${name} | ${found.join(" | ")} |`);
}
