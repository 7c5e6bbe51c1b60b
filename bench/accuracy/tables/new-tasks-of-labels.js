/** Log-loss of the private mixed model of labels for tasks that were left out of the fit, without their rows and with them. */
import {
  fitNewTask,
  makeEstimator,
  scoreNewTasks,
  sharedPrior,
} from "../../../build/modules/learning/index.js";
import { scoreOutputs } from "../../../build/modules/learning/fitted/scores/score-outputs.js";
import { mean } from "../means.js";
import { partsOf } from "./classes.js";

/** Mean of -ln p over the rows, p the share of the row's label among the training rows. */
function shareLoss(train, test) {
  const counts = new Map();
  for (const y of train.y) counts.set(y, (counts.get(y) ?? 0) + 1);
  return mean([...test.y].map((y) => -Math.log((counts.get(y) ?? 0.5) / train.size)));
}

/** One model for all, without privacy: of everybody's rows, for whichever task. */
async function pooledLoss(loss, train, test) {
  const model = await makeEstimator("pooled", { loss }).fit(train);
  const outputs = model.forTask(train.names[0]).outputs(test.x);
  return scoreOutputs(model, outputs, test).logLoss;
}

/** Prints the table of log-losses: every fold's tasks left out once. */
export async function printNewTasksOfLabels({ folder, names, epsilons, folds }) {
  if (names.length === 0) return;
  const columns = epsilons.flatMap((eps) => [`eps ${eps}: never seen`, "with rows"]);
  console.log("\nLog-loss:\n");
  console.log(`| table | shares | pooled | alone | ${columns.join(" | ")} |`);
  console.log(`| --- | --- | --- | --- |${columns.map(() => " --- |").join("")}`);
  for (const name of names) {
    const parts = partsOf(folder, name, ["s1"]);
    if (!parts) {
      console.log(`${name}: not in ${folder}, skipped`);
      continue;
    }
    const [{ train: all, test: held }] = parts;
    const loss = all.targetLevels.length > 2 ? "softmax" : "logistic";
    const found = new Map();
    const add = (column, value) => found.set(column, [...(found.get(column) ?? []), value]);
    for (let fold = 0; fold < folds; fold++) {
      const isOut = (task) => all.names.indexOf(task) % folds === fold;
      const train = all.select(all.names.filter((task) => !isOut(task)));
      const own = all.select(all.names.filter(isOut));
      const test = held.select(held.names.filter((task) => own.has(task)));
      add("shares", shareLoss(train, test));
      add("pooled", await pooledLoss(loss, train, test));
      const alone = await makeEstimator("single-task", { loss }).fit(own);
      add("alone", alone.score(test).logLoss);
      for (const epsilon of epsilons) {
        const model = await makeEstimator("mp-mixed", {
          loss,
          epsilon,
          delta: "papers",
          scale: "declared",
          random: { mode: "seeded", seed: `${name}-${fold}` },
        }).fit(train);
        add(`${epsilon}, unseen`, scoreNewTasks(model, test).logLoss);
        add(`${epsilon}, later`, fitNewTask(sharedPrior(model), own).score(test).logLoss);
      }
    }
    const order = epsilons.flatMap((epsilon) => [`${epsilon}, unseen`, `${epsilon}, later`]);
    const cells = ["shares", "pooled", "alone", ...order].map((key) => mean(found.get(key)).toFixed(4)); // prettier-ignore
    console.log(`| ${[name, ...cells].join(" | ")} |`);
  }
}
