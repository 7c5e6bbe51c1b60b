/** Fits a private model to a file of the visitor, without a bundler and without a server. */
import {
  MpFeatureLearning,
  Pipeline,
  readTable,
  simulate,
  SingleTask,
  tasksFromTable,
} from "mp-mtl";

const form = document.querySelector("form");
const output = document.querySelector("output");

async function readTasks({ file, task, target }) {
  if (!file.files[0]) {
    return simulate({ pattern: "low-rank", tasks: 300, features: 12, samples: 16, seed: 1 }).train;
  }
  const table = await readTable(file.files[0], { name: file.files[0].name });
  const { tasks } = tasksFromTable(table, { task: task.value, target: target.value });
  return Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
}

async function fit(fields, signal) {
  const { train, test } = (await readTasks(fields)).split({ trainFraction: 0.7, seed: "split" });
  const epsilon = Number(fields.epsilon.value);
  const alone = await new SingleTask().fit(train, { signal });
  const model = await new MpFeatureLearning({ epsilon, delta: 1e-5 }).fit(train, { signal });
  const error = (fitted) => fitted.score(test).nmse.toFixed(3);
  return (
    `Error of every owner alone ${error(alone)}, together ${error(model)}. No owner learns more of ` +
    `another than epsilon ${model.guarantee.epsilon}, delta ${model.guarantee.delta} allows.`
  );
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const stop = form.elements.stop;
  const controller = new AbortController();
  stop.onclick = () => controller.abort();
  stop.disabled = false;
  output.textContent = "Fitting …";
  try {
    output.textContent = await fit(form.elements, controller.signal);
  } catch (error) {
    output.textContent = error.name === "AbortError" ? "Stopped." : error.message;
  }
  stop.disabled = true;
});
