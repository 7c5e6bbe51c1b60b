/**
 * What a budget bought on raw tables of classes, and what src/learning/prospects/expected-share.ts promises at their sizes.
 *
 *   npm run bench:shares-of-tables -- [--data-folder DIR,DIR] [--epsilon 0.3,1,3] [--splits 2] [--sets NAME,NAME]
 *                                     [--classes 2]
 *
 * Tables of labels, and targets of numbers cut into classes of one size; of at most 120 tasks and 25 features; typical ranges. Share: of the way
 * in log-loss from `single-task` to the best without privacy, `mixed-model` or one regression for all, means over splits.
 * Tables where that gains less than 3 % tell nothing of a share and are left out. Prints Markdown, and by budget the medians. Seeded,
 * delta = 1/(m ln m).
 */
import { parseArgs, present } from "../../parse-args.js";
import { makeEstimator } from "../../../build/modules/index.js";
import { expectedShare } from "../../../build/modules/learning/prospects/expected-share.js";
import { gaussianMu, resolveDelta } from "../../../build/modules/privacy/index.js";
import { mean, median } from "../means.js";
import { classesIn } from "./classes.js";
import { labelledIn, labelledParts } from "./raw-tasks.js";

const { values: options } = parseArgs({
  options: {
    "data-folder": { type: "string", default: "../shared/data/tables" },
    epsilon: { type: "string", default: "0.3,1,3" },
    splits: { type: "string", default: "2" },
    sets: { type: "string" },
    classes: { type: "string", default: "2" },
  },
});
const epsilons = options.epsilon.split(",").map(Number);
const splits = Array.from({ length: Number(options.splits) }, (_, k) => `s${k + 1}`);
const wanted = options.sets?.split(",");
const classes = Number(options.classes);
const MOST = { tasks: 120, features: 25 };
const LEAST_GAIN = 0.03;

/** Log-losses on a split: alone, the references, and mp-mixed by budget. */
async function lossesOf({ train, test }, seed) {
  const loss = classes > 2 ? "softmax" : "logistic";
  const scored = async (method, given) =>
    (await makeEstimator(method, { loss, ...given }).fit(train)).score(test).logLoss;
  const random = { mode: "seeded", seed };
  const together = [];
  for (const epsilon of epsilons) {
    together.push(await scored("mp-mixed", { epsilon, delta: "papers", random }));
  }
  return {
    alone: await scored("single-task", {}),
    references: [await scored("mixed-model", {}), await scored("pooled", { intercept: true })],
    together,
  };
}

const percent = (share) => `${Math.round(100 * share)} %`;
const heads = epsilons.map((epsilon) => `eps ${epsilon} | promised`);
console.log(`| table | tasks | features | rows a task | ${heads.join(" | ")} |`);
console.log(`| --- | --- | --- | --- |${epsilons.map(() => " --- | --- |").join("")}`);
const found = [];
for (const folder of present("data-folder", options["data-folder"]).split(",")) {
  const known = Object.entries(classesIn(folder)).map(([name, [target, ranges]]) => [
    name,
    { target, ranges },
  ]);
  for (const [name, said] of Object.entries(labelledIn(folder, known, classes))) {
    if (wanted && !wanted.includes(name)) continue;
    const parts = labelledParts(folder, name, said, "typical", MOST.tasks, classes);
    const { train } = parts?.(splits[0]) ?? {};
    if (!train || train.d > MOST.features) continue;
    const losses = [];
    for (const split of splits) losses.push(await lossesOf(parts(split), `${name}-${split}-0`));
    const alone = mean(losses.map((one) => one.alone));
    const best = Math.min(...[0, 1].map((k) => mean(losses.map((one) => one.references[k]))));
    if (alone - best < LEAST_GAIN * alone) continue;
    const { m, d, size } = train;
    const cells = epsilons.map((epsilon, k) => ({
      share: (alone - mean(losses.map((one) => one.together[k]))) / (alone - best),
      promised: expectedShare({
        m,
        d,
        classes,
        rowsPerTask: size / m,
        mu: gaussianMu(epsilon, resolveDelta("papers", m)),
      }),
    }));
    found.push(cells);
    const shown = cells.map(({ share, promised }) => `${percent(share)} | ${percent(promised)}`);
    console.log(`| ${name} | ${m} | ${d} | ${(size / m).toFixed(1)} | ${shown.join(" | ")} |`);
  }
}
console.log("");
epsilons.forEach((epsilon, k) => {
  const [reached, promised] = ["share", "promised"].map((key) =>
    median(found.map((cells) => cells[k][key])),
  );
  console.log(
    `eps ${epsilon}: of ${found.length} tables the median is ${percent(reached)}, promised ${percent(promised)}`,
  );
});
