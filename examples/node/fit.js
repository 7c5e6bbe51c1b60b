/**
 * Fits a private model to a table and writes it.
 *
 *   node fit.js patients.csv hospital stay    table, column of the owner, column of the target
 *   node fit.js                               simulated owners instead
 */
import {
  MpFeatureLearning,
  Pipeline,
  saveModel,
  simulate,
  SingleTask,
  tasksFromTable,
} from "mp-mtl";
import { readTable, writeFileAtomically } from "mp-mtl/node";

const [path, task, target] = process.argv.slice(2);

async function readTasks() {
  if (path === undefined) {
    return simulate({ pattern: "low-rank", tasks: 300, features: 12, samples: 16, seed: 1 }).train;
  }
  const { tasks } = tasksFromTable(await readTable(path), { task, target });
  // The bound on a row's length must be public: every row is scaled to length 1.
  return Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
}

const tasks = await readTasks();
const { train, test } = tasks.split({ trainFraction: 0.7, seed: "split" });

const alone = await new SingleTask().fit(train);
const model = await new MpFeatureLearning({ epsilon: 1, delta: 1e-5 }).fit(train);

const { epsilon, delta, sound, private: isPrivate } = model.guarantee;
console.log(`every owner alone: nMSE ${alone.score(test).nmse.toFixed(3)}`);
console.log(`together, private: nMSE ${model.score(test).nmse.toFixed(3)}`);
console.log(`guarantee: (${epsilon}, ${delta}), sound: ${sound}, private: ${isPrivate}`);

await writeFileAtomically("model.safetensors", saveModel(model));
console.log("model.safetensors holds all owners' models: it is for the curator only");
