/** What a logistic regression of a fifth of a table's tasks is worth as the center of the mixed model of labels of the others. */
import { makeEstimator } from "../../../build/modules/index.js";
import { mean } from "../means.js";
import { partsOf } from "./classes.js";

/** Its coefficients times `factor`, in the units of the table. */
function priorOf(known, factor) {
  const estimates = known
    .summary()
    .coefficients.map(({ name, estimate }) => [name, factor * estimate]);
  const [, intercept] = estimates.pop();
  return { coefficients: Object.fromEntries(estimates), intercept };
}

/** Prints the table of log-losses. */
export async function printPublicPriorsOfLabels({ folder, names, epsilons, splits }) {
  if (names.length === 0) return;
  const kinds = epsilons.flatMap((eps) =>
    ["none", "good", "wrong"].map((kind) => `${kind}, ${eps}`),
  );
  console.log("\nLog-loss:\n");
  console.log(`| table | alone | the prior itself | ${kinds.join(" | ")} |`);
  console.log(`| --- | --- | --- |${kinds.map(() => " --- |").join("")}`);
  for (const name of names) {
    const parts = partsOf(folder, name, splits);
    if (!parts || parts[0].train.targetLevels.length > 2) {
      console.log(`${name}: ${parts ? "has several classes" : `not in ${folder}`}, skipped`);
      continue;
    }
    const scores = new Map();
    const add = (key, value) => scores.set(key, [...(scores.get(key) ?? []), value]);
    for (const [k, { train: all, test: held }] of parts.entries()) {
      const isPublic = (task) => all.names.indexOf(task) % 5 === 0;
      const train = all.select(all.names.filter((task) => !isPublic(task)));
      const test = held.select(held.names.filter((task) => train.has(task)));
      const open = all.select(all.names.filter(isPublic));
      const known = await makeEstimator("pooled", { loss: "logistic" }).fit(open);
      const score = async (method, given) => {
        const model = await makeEstimator(method, { loss: "logistic", ...given }).fit(train);
        return model.score(test).logLoss;
      };
      add("alone", await score("single-task", {}));
      const margins = known.forTask(open.names[0]).outputs(test.x);
      const rows = [...test.y].map((y, row) => (y > 0 ? 1 : -1) * margins[row]);
      add("itself", mean(rows.map((margin) => Math.log1p(Math.exp(-margin)))));
      for (const epsilon of epsilons) {
        for (const [kind, publicPrior] of [
          ["none", null],
          ["good", priorOf(known, 1)],
          ["wrong", priorOf(known, -3)],
        ]) {
          const given = { scale: "declared", epsilon, delta: "papers", publicPrior };
          const random = { mode: "seeded", seed: `${name}-${k}` };
          add(`${kind}, ${epsilon}`, await score("mp-mixed", { ...given, random }));
        }
      }
    }
    const cells = ["alone", "itself", ...kinds].map((key) => mean(scores.get(key)).toFixed(4));
    console.log(`| ${[name, ...cells].join(" | ")} |`);
  }
}
