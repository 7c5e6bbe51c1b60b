/**
 * What protecting tasks, single records, or both leaves of learning together, with 3 to 40 owners.
 *
 *   npm run bench:records -- [--sets scotland,gcse,wages,rice,cigarettes] [--tasks 3,5,10,20,40] [--epsilon 0.3,1,3]
 *                            [--units task,record] [--methods mp-mixed] [--draws 10] [--data-folder DIR]
 *
 * Prints Markdown: nMSE on held-out rows, mean ± standard error over draws of that many tasks (each from one of the
 * five given splits), and the share of the way from alone to no privacy that is closed. Alone: every task's average over
 * public priors. No privacy: mp-mixed at eps = 1e5. Task: mp-mixed with unit "task", delta = min(1e-5, 1/m^2); record: unit
 * "record", delta = 1/(N ln N) for N rows, each task's own model from its own rows (nobody but the task is given it).
 * Replace adjacency, seeded noise. Tables that are not there are skipped.
 *
 * --methods mp-mixed,pmtl,mp-feature-learning: columns of those too, with one setting for all tables and budgets: pmtl lambda 1 (to
 * records: C 1; to tasks and both: clip 1), the others as they are. Alone and no privacy are the same.
 */
import { among, parseArgs } from "../parse-args.js";
import { makeEstimator } from "../../build/modules/index.js";
import { lehmer } from "../uniform-draws.js";
import { mean, meanAndError, median, standardError } from "./means.js";
import { aloneScore } from "./tables/alone.js";
import { encodedTable, TABLE_NAMES, taskSetOf, trainingRows } from "./tables/data.js";

const { values: options } = parseArgs({
  options: {
    sets: { type: "string", default: TABLE_NAMES.join(",") },
    tasks: { type: "string", default: "3,5,10,20,40" },
    epsilon: { type: "string", default: "0.3,1,3" },
    methods: { type: "string", default: "mp-mixed" },
    units: { type: "string", default: "task,record" },
    draws: { type: "string", default: "10" },
    "data-folder": { type: "string", default: "../shared/data/tables" },
  },
});
const epsilons = options.epsilon.split(",").map(Number);
const units = options.units.split(",");
const methods = options.methods.split(",");

/** Of a method, whatever the table and the budget. */
const SETTINGS = {
  "mp-mixed": () => ({ scale: "unit" }),
  pmtl: () => ({ lambda: 1 }),
  "mp-feature-learning": ({ unit }) => (unit === "task" ? {} : { scale: "unit" }),
  "mp-hierarchical": ({ unit }) => (unit === "task" ? {} : { scale: "unit" }),
};
among("methods", methods, Object.keys(SETTINGS));
const draws = Number(options.draws);

const cell = (list) => meanAndError(list, (value) => value.toFixed(3));

/** m of the tasks that have rows to train on and to test. */
function drawTasks(rows, train, m, seed) {
  const [trains, tests] = [true, false].map(
    (kind) => new Set(rows.filter((_, at) => train[at] === kind).map(({ task }) => task)),
  );
  const names = [...trains].filter((task) => tests.has(task));
  if (names.length < m) return undefined;
  const random = lehmer(seed);
  const order = names.map((name) => [random(), name]).sort(([a], [b]) => a - b);
  return new Set(order.slice(0, m).map(([, name]) => name));
}

async function privateScore({ train, test, seed }, { method, unit, epsilon }) {
  const n = train.size;
  const delta = unit === "record" ? 1 / (n * Math.log(n)) : "auto";
  const random = { mode: "seeded", seed: `${seed}-${unit}-${epsilon}` };
  const settings = SETTINGS[method]({ unit });
  const model = await makeEstimator(method, { epsilon, delta, unit, ...settings, random }).fit(train); // prettier-ignore
  return model.score(test).nmse;
}

const columns = methods.flatMap((method) =>
  units.flatMap((unit) => epsilons.map((epsilon) => ({ method, unit, epsilon }))),
);
const heads = columns.map(({ method, unit, epsilon }) =>
  [...(methods.length > 1 ? [method] : []), unit, `eps ${epsilon}`].join(", "),
);
console.log(`| table | tasks | alone | ${heads.join(" | ")} | no privacy |`);
console.log(`| --- | --- | --- |${columns.map(() => " --- |").join("")} --- |`);
const shares = [];
for (const name of options.sets.split(",")) {
  const table = encodedTable(options["data-folder"], name);
  if (!table) {
    console.log(`${name}: not in ${options["data-folder"]}, skipped`);
    continue;
  }
  for (const m of options.tasks.split(",").map(Number)) {
    const found = [];
    for (let draw = 0; draw < draws; draw++) {
      const train = trainingRows(table.rows, `s${(draw % 5) + 1}`);
      const chosen = drawTasks(table.rows, train, m, draw + 1);
      if (!chosen) continue;
      const part = (kind) =>
        taskSetOf(table.rows.filter(({ task }, at) => train[at] === kind && chosen.has(task)));
      const sets = { train: part(true), test: part(false), seed: `${name}-${m}-${draw}` };
      const scores = [];
      for (const column of columns) scores.push(await privateScore(sets, column));
      const open = { method: "mp-mixed", unit: "task", epsilon: 1e5 };
      found.push([await aloneScore(sets), ...scores, await privateScore(sets, open)]);
    }
    if (found.length < 2) continue;
    const lists = found[0].map((_, k) => found.map((row) => row[k]));
    console.log(`| ${name} | ${m} | ${lists.map(cell).join(" | ")} |`);
    const [alone, whole] = [lists[0], lists.at(-1)];
    const gain = alone.map((value, k) => value - whole[k]);
    // Where nothing is to be gained over learning alone, no share of it can be said.
    if (mean(gain) > standardError(gain)) {
      const closed = lists.slice(1, -1).map((list) => mean(alone.map((a, k) => a - list[k])) / mean(gain)); // prettier-ignore
      shares.push({ name, m, closed });
    }
  }
}
const percent = (value) => `${Math.round(100 * value)} %`;
console.log("\nShare of the way from alone to no privacy, where there is one:\n");
console.log(`| table | tasks | ${heads.join(" | ")} |`);
console.log(`| --- | --- |${columns.map(() => " --- |").join("")}`);
for (const { name, m, closed } of shares) {
  console.log(`| ${name} | ${m} | ${closed.map(percent).join(" | ")} |`);
}
for (const m of new Set(shares.map((one) => one.m))) {
  const own = shares.filter((one) => one.m === m);
  const medians = columns.map((_, k) => percent(median(own.map(({ closed }) => closed[k]))));
  console.log(`| median | ${m} | ${medians.join(" | ")} |`);
}
const many = shares.filter(({ m }) => m >= 10);
if (many.length > 0) {
  const medians = columns.map((_, k) => percent(median(many.map(({ closed }) => closed[k]))));
  console.log(`| median | 10 or more | ${medians.join(" | ")} |`);
}
