/**
 * What a logistic regression of a fifth of a table's tasks, of several classes a multinomial one, is worth as the center of the mixed
 * model of labels of the others.
 */
import { makeEstimator } from "../../../build/modules/index.js";
import { mean } from "../means.js";
import { partsOf } from "./classes.js";

/** Its coefficients times `factor`, in the units of the table. */
const priorOf = (known, factor) =>
  known.loss === "softmax" ? ofClasses(known, factor) : ofTwo(known, factor);

/** Each class by itself: a summary's lines are named "FEATURE: CLASS", in the order of the classes, the intercepts last. */
function ofClasses(known, factor) {
  const estimates = known.summary().coefficients.map(({ estimate }) => factor * estimate);
  const { classes, featureNames } = known;
  const at = (j, c) => estimates[j * classes.length + c];
  return {
    classes: Object.fromEntries(
      classes.map((label, c) => [
        label,
        {
          coefficients: Object.fromEntries(featureNames.map((name, j) => [name, at(j, c)])),
          intercept: at(featureNames.length, c),
        },
      ]),
    ),
  };
}

function ofTwo(known, factor) {
  const estimates = known
    .summary()
    .coefficients.map(({ name, estimate }) => [name, factor * estimate]);
  const [, intercept] = estimates.pop();
  return { coefficients: Object.fromEntries(estimates), intercept };
}

/** Mean log-loss of one model for all tasks. */
function lossOfAll(known, task, { x, y }) {
  const outputs = known.forTask(task).outputs(x);
  const count = outputs.length / y.length;
  const losses = Array.from(y, (label, row) => {
    const own = Array.from(outputs.subarray(row * count, (row + 1) * count));
    if (count === 1) return Math.log1p(Math.exp(label > 0 ? -own[0] : own[0]));
    return Math.log(own.reduce((sum, z) => sum + Math.exp(z - own[label]), 0));
  });
  return mean(losses);
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
    if (!parts) {
      console.log(`${name}: not in ${folder}, skipped`);
      continue;
    }
    const loss = parts[0].train.targetLevels.length > 2 ? "softmax" : "logistic";
    const scores = new Map();
    const add = (key, value) => scores.set(key, [...(scores.get(key) ?? []), value]);
    for (const [k, { train: all, test: held }] of parts.entries()) {
      const isPublic = (task) => all.names.indexOf(task) % 5 === 0;
      const train = all.select(all.names.filter((task) => !isPublic(task)));
      const test = held.select(held.names.filter((task) => train.has(task)));
      const open = all.select(all.names.filter(isPublic));
      const known = await makeEstimator("pooled", { loss }).fit(open);
      const score = async (method, given) => {
        const model = await makeEstimator(method, { loss, ...given }).fit(train);
        return model.score(test).logLoss;
      };
      add("alone", await score("single-task", {}));
      add("itself", lossOfAll(known, open.names[0], test));
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
