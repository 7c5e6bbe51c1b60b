/**
 * Accuracy of the private mixed model on raw tables that nobody tuned for, with the splits given beside them.
 *
 *   npm run bench:tables -- [--sets scotland,gcse,wages,rice,cigarettes] [--epsilon 0.3,1,3,10] [--splits 5]
 *                           [--data-folder DIR]
 *
 * Prints Markdown: nMSE on the held-out rows, mean +- standard error over splits. Alone: ridge with an intercept, the
 * weight that is best on the test rows of all tasks (what tuning outside the budget could reach). No noise: the same
 * model at eps = 1e5. Replace adjacency, delta = 1/(m ln m), seeded noise. Columns are scaled by round public constants
 * (their typical ranges; features beyond eight times those are taken there), texts are dummies, rows with missing cells are left out, and a task whose training rows are all left
 * out keeps its first row. Tables that are not there are skipped, saying so.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";

const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: "scotland,gcse,wages,rice,cigarettes" },
    epsilon: { type: "string", default: "0.3,1,3,10" },
    splits: { type: "string", default: "5" },
    "data-folder": { type: "string", default: "../shared/data/tables" },
  },
});

/** Target, and typical ranges that are publicly known; other columns are categories. */
const TABLES = {
  scotland: ["attain", { attain: [1, 10], verbal: [-25, 25], social: [0, 30] }],
  gcse: ["course", { course: [30, 100], written: [10, 80] }],
  wages: ["lwage", { lwage: [5.5, 8], exp: [0, 45], wks: [30, 52], ind: [0, 1], ed: [5, 18] }],
  rice: [
    "goutput",
    {
      ...{ goutput: [0, 5000], size: [0, 2], seed: [0, 60], urea: [0, 400] },
      ...{ totlabor: [0, 1500], wage: [30, 160], price: [50, 160] },
    },
  ],
  cigarettes: [
    "sales",
    {
      ...{ sales: [60, 200], year: [63, 92], price: [20, 180], pop: [0, 20000] },
      ...{ cpi: [30, 140], ndi: [1000, 20000], pimin: [20, 160] },
    },
  ],
};
const RIDGE = [1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1];

function read(folder, name) {
  const text = gunzipSync(readFileSync(join(folder, `${name}.csv.gz`))).toString("utf8");
  return parse(text, { columns: true });
}

/** Rows of features and target, with their tasks and splits. */
function encode(folder, name) {
  const [target, ranges] = TABLES[name];
  const rows = read(folder, name);
  const splits = read(join(folder, "splits"), name);
  const columns = Object.keys(rows[0]).slice(1);
  const task = Object.keys(rows[0])[0];
  const scaled = (column, value) => {
    const [low, high] = ranges[column];
    return (Number(value) - (low + high) / 2) / ((high - low) / 4);
  };
  const kept = rows
    .map((row, at) => ({ row, split: splits[at] }))
    .filter(({ row }) => Object.values(row).every((cell) => cell !== "" && cell !== "NA"));
  const levels = Object.fromEntries(
    columns
      .filter((column) => !(column in ranges))
      .map((column) => [column, [...new Set(kept.map(({ row }) => row[column]))].sort()]),
  );
  const features = (row) =>
    columns.flatMap((column) => {
      if (column === target) return [];
      if (column in ranges) return [Math.max(-8, Math.min(8, scaled(column, row[column])))];
      const own = levels[column];
      return (own.length === 2 ? own.slice(1) : own).map((level) => Number(row[column] === level));
    });
  return kept.map(({ row, split }) => ({
    task: row[task],
    x: features(row),
    y: scaled(target, row[target]),
    split,
  }));
}

const setOf = (rows) => {
  const tasks = new Map();
  for (const { task, x, y } of rows) {
    if (!tasks.has(task)) tasks.set(task, { name: task, x: [], y: [] });
    tasks.get(task).x.push(x);
    tasks.get(task).y.push(y);
  }
  return TaskSet.from([...tasks.values()]);
};

/** Training and test rows of a split. */
function divide(rows, split) {
  const trained = new Set(rows.filter((row) => row.split[split] === "1").map(({ task }) => task));
  const train = [];
  const test = [];
  for (const row of rows) {
    if (row.split[split] === "1") train.push(row);
    else if (!trained.has(row.task)) {
      trained.add(row.task);
      train.push(row);
    } else test.push(row);
  }
  return { train: setOf(train), test: setOf(test) };
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const cell = (list) => {
  const middle = mean(list);
  const spread = Math.sqrt(mean(list.map((value) => (value - middle) ** 2)) / (list.length - 1));
  return `${middle.toFixed(4)} ± ${spread.toFixed(4)}`;
};

const folder = options["data-folder"];
const epsilons = options.epsilon.split(",").map(Number);
console.log(`| table | alone | ${epsilons.map((eps) => `eps ${eps}`).join(" | ")} | no noise |`);
console.log(`| --- | --- |${epsilons.map(() => " --- |").join("")} --- |`);
for (const name of options.sets.split(",")) {
  if (!existsSync(join(folder, `${name}.csv.gz`))) {
    console.log(`${name}: not in ${folder}, skipped`);
    continue;
  }
  const rows = encode(folder, name);
  const parts = Array.from({ length: Number(options.splits) }, (_, k) => divide(rows, `s${k + 1}`));
  const scores = async (method, given) => {
    const list = [];
    for (const [k, { train, test }] of parts.entries()) {
      const model = await makeEstimator(method, given(k)).fit(train);
      list.push(model.score(test).nmse);
    }
    return list;
  };
  const ridge = [];
  for (const lambda of RIDGE) {
    ridge.push(await scores("single-task", () => ({ intercept: true, lambda })));
  }
  const alone = ridge.reduce((best, list) => (mean(list) < mean(best) ? list : best));
  const privately = (epsilon) =>
    scores("mp-mixed", (k) => ({
      ...{ epsilon, delta: "papers", scale: "unit" },
      random: { mode: "seeded", seed: `${name}-${k}` },
    }));
  const cells = [];
  for (const epsilon of [...epsilons, 1e5]) cells.push(cell(await privately(epsilon)));
  console.log(`| ${name} | ${cell(alone)} | ${cells.join(" | ")} |`);
}
