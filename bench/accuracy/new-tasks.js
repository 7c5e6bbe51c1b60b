/**
 * Predictions for tasks never seen: whole tasks are left out of the private mixed model's fit.
 *
 *   npm run bench:new-tasks -- [--sets scotland,gcse,wages,rice,cigarettes,union,immunisation] [--epsilon 0.3,1,3,10] [--folds 3]
 *                              [--data-folder DIR]
 *
 * Prints Markdown, over the left-out tasks' test rows of the first split: nMSE of the mean, of one regression for all
 * without privacy, and of mp-mixed for a task never seen (`predictNew`) and for one that comes with its training rows
 * (`fitNewTask`); in brackets the part of rows within 80 % intervals. Of labels the log-loss, of their shares in the place of
 * the mean. A folder with a `tables.json` (of `npm run bench:r-tables`) says itself what its tables are.
 */
import { parseArgs } from "../parse-args.js";
import { fitNewTask, makeEstimator, TaskSet } from "../../build/modules/index.js";
import { mean } from "./means.js";
import { askedTables, tableOptions, tablesOf } from "./tables/asked-tables.js";
import { taskSetOf, trainingRows } from "./tables/data.js";
import { printNewTasksOfLabels } from "./tables/new-tasks-of-labels.js";

const { values: options } = parseArgs({
  options: { ...tableOptions("0.3,1,3,10"), folds: { type: "string", default: "3" } },
});
const { folder, numbers, labels, epsilons } = askedTables(options);
const folds = Number(options.folds);

/** What an 80 % interval pays for each unit by which it misses. */
const MISS = 10;

/** nMSE of predictions of the tasks' rows, the part of them within intervals, and their score beside the target's deviation. */
function judged(tasks, predict, interval) {
  const middle = mean([...tasks.y]);
  let [errors, spread, inside, score] = [0, 0, 0, 0];
  for (const { name, x, y } of tasks) {
    const ends = interval?.(name, x);
    predict(name, x).forEach((value, row) => {
      errors += (value - y[row]) ** 2;
      spread += (middle - y[row]) ** 2;
      if (!ends) return;
      const [lower, upper] = [ends.lower[row], ends.upper[row]];
      if (lower <= y[row] && y[row] <= upper) inside++;
      score += upper - lower + MISS * Math.max(lower - y[row], y[row] - upper, 0);
    });
  }
  const deviation = Math.sqrt(spread / tasks.size);
  return {
    nmse: errors / spread,
    inside: inside / tasks.size,
    score: score / tasks.size / deviation,
  };
}

/** One regression for all: everybody's rows as one task's. */
async function pooled(train, test) {
  const whole = TaskSet.from([{ name: "all", x: train.x, y: train.y }]);
  const model = await makeEstimator("single-task", { intercept: true, lambda: 1e-6 }).fit(whole);
  return judged(test, (_, x) => model.predict("all", x)).nmse;
}

console.log(
  `| table | mean | one regression | ${epsilons.map((eps) => `eps ${eps}: never seen | with rows`).join(" | ")} |`,
);
console.log(`| --- | --- | --- |${epsilons.map(() => " --- | --- |").join("")}`);
const worth = epsilons.map(() => []);
for (const [name, table] of tablesOf(folder, numbers)) {
  const { rows } = table;
  const trains = trainingRows(rows, "s1");
  const tasks = [...new Set(rows.map(({ task }) => task))];
  const foldOf = new Map(tasks.map((task, at) => [task, at % folds]));
  const results = {
    constant: [],
    regression: [],
    unseen: epsilons.map(() => []),
    later: epsilons.map(() => []),
  };
  for (let fold = 0; fold < folds; fold++) {
    const part = (own, trained) =>
      taskSetOf(
        rows.filter(
          ({ task }, at) => (foldOf.get(task) === fold) === own && trains[at] === trained,
        ),
      );
    const [train, own, test] = [part(false, true), part(true, true), part(true, false)];
    const middle = mean([...train.y]);
    results.constant.push(
      judged(test, (_, x) => new Float64Array(x.length / train.d).fill(middle)).nmse,
    );
    results.regression.push(await pooled(train, test));
    for (const [at, epsilon] of epsilons.entries()) {
      const noise = {
        epsilon,
        delta: "papers",
        random: { mode: "seeded", seed: `${name}-${fold}` },
      };
      const model = await (
        epsilon === Infinity
          ? makeEstimator("mixed-model", { scale: "unit" })
          : makeEstimator("mp-mixed", { ...noise, scale: "unit" })
      ).fit(train);
      results.unseen[at].push(
        judged(
          test,
          (_, x) => model.predictNew(x),
          (_, x) => model.predictInterval(null, x, 0.8),
        ),
      );
      const later = fitNewTask(model, own);
      results.later[at].push(
        judged(
          test,
          (task, x) => later.predict(task, x),
          (task, x) => later.predictInterval(task, x, 0.8),
        ),
      );
    }
  }
  const cell = (list) =>
    `${mean(list.map(({ nmse }) => nmse)).toFixed(3)} (${mean(list.map(({ inside }) => inside)).toFixed(2)})`;
  const cells = epsilons.flatMap((_, at) => [cell(results.unseen[at]), cell(results.later[at])]);
  const known = [mean(results.constant).toFixed(3), mean(results.regression).toFixed(3)];
  console.log(`| ${[name, ...known, ...cells].join(" | ")} |`);
  results.unseen.forEach((list, at) => {
    const [inside, score] = ["inside", "score"].map((of) => mean(list.map((one) => one[of])));
    worth[at].push({ inside, score });
  });
}
console.log(
  "\n| eps | tables | within | deviation | lowest ten | log score |\n| --- | --- | --- | --- | --- | --- |",
);
for (const [at, epsilon] of epsilons.entries()) {
  const within = worth[at].map(({ inside }) => inside).sort((a, b) => a - b);
  const middle = mean(within);
  const figures = [
    middle,
    Math.sqrt(mean(within.map((value) => (value - middle) ** 2))),
    mean(within.slice(0, 10)),
    mean(worth[at].map(({ score }) => Math.log(score))),
  ];
  console.log(
    `| ${[epsilon, within.length, ...figures.map((value) => value.toFixed(3))].join(" | ")} |`,
  );
}
await printNewTasksOfLabels({
  folder,
  names: labels,
  epsilons: epsilons.filter(Number.isFinite),
  folds,
});
