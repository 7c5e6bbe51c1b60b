/**
 * Whether effects that private fits state agree with those of the same rows without privacy, on raw tables of numbers with typical ranges.
 *
 *   npm run bench:stated-effects -- [--data-folder DIR,DIR] [--epsilon 0.3,1,4] [--sets NAME,NAME]
 *
 * One fit a table, on the rows of its first split. Prints by budget, over all slopes and over intercepts: how many there are, and of how many the difference from
 * `mixed-model` is within 1.96 standard errors of the private fit, which count the sampling of tasks that both have alike.
 */
import { parseArgs, present } from "../../parse-args.js";
import { makeEstimator } from "../../../build/modules/index.js";
import { describedIn } from "./data.js";
import { rawParts } from "./raw-tasks.js";

const { values: options } = parseArgs({
  options: {
    "data-folder": { type: "string", default: "../shared/data/tables" },
    epsilon: { type: "string", default: "0.3,1,4" },
    sets: { type: "string" },
  },
});
const epsilons = options.epsilon.split(",").map(Number);
/** By budget: whether differences are within, of slopes and of intercepts. */
const within = epsilons.map(() => ({ slopes: [], intercepts: [] }));
for (const folder of present("data-folder", options["data-folder"]).split(",")) {
  for (const name of options.sets?.split(",") ?? Object.keys(describedIn(folder))) {
    const parts = rawParts(folder, name, "typical");
    const { train } = parts("s1");
    const known = (await makeEstimator("mixed-model", {}).fit(train)).summary().coefficients;
    for (const [k, epsilon] of epsilons.entries()) {
      const given = { epsilon, delta: 1e-3, random: { mode: "seeded", seed: name } };
      const { coefficients } = (await makeEstimator("mp-mixed", given).fit(train)).summary();
      coefficients.forEach(({ estimate, standardError }, c) => {
        const of = c === known.length - 1 ? within[k].intercepts : within[k].slopes;
        if (standardError === null) return;
        of.push(Math.abs(estimate - known[c].estimate) < 1.96 * standardError);
      });
    }
  }
}
const share = (list) =>
  `${list.length}, ${Math.round((100 * list.filter(Boolean).length) / list.length)} %`;
console.log("| eps | slopes | intercepts |\n| --- | --- | --- |");
epsilons.forEach((epsilon, k) =>
  console.log(`| ${epsilon} | ${share(within[k].slopes)} | ${share(within[k].intercepts)} |`),
);
