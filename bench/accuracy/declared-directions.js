/**
 * What methods reach where models lie in few directions, or use few features, and every column's range is declared.
 *
 *   npm run bench:directions -- [--patterns low-rank,group-sparse] [--methods mp-mixed,mp-feature-learning] [--epsilon 0.3,1,3,10] [--seeds 3]
 *                               [--undeclared]
 *
 * Prints Markdown: nMSE on the test rows of the papers' simulated data (320 tasks of 30 rows, 30 features), mean +- standard error over data sets. Ranges are
 * -.6 to .6 for features, and three deviations of the target, as whoever knows the simulation would declare; with --undeclared nothing is. Replace adjacency, delta = 1/(m ln m).
 */
import { parseArgs } from "../parse-args.js";
import { makeEstimator, simulate, Table, tasksFromTable } from "../../build/modules/index.js";
import { meanAndError } from "./means.js";

const { values: options } = parseArgs({
  options: {
    patterns: { type: "string", default: "low-rank,group-sparse" },
    methods: { type: "string", default: "mp-mixed,mp-feature-learning" },
    epsilon: { type: "string", default: "0.3,1,3,10" },
    seeds: { type: "string", default: "3" },
    undeclared: { type: "boolean", default: false },
  },
});
const epsilons = options.epsilon.split(",").map(Number);
const FEATURE = 0.6;

/** The same tasks with declared ranges. */
function declared(tasks, target) {
  const rows = tasks.names.flatMap((name, i) =>
    Array.from({ length: tasks.offsets[i + 1] - tasks.offsets[i] }, () => name),
  );
  const features = tasks.featureNames.map((name, c) => ({
    name,
    values: Float64Array.from(rows, (_, row) => tasks.x[row * tasks.d + c]),
  }));
  const columns = [{ name: "task", values: rows }, { name: "y", values: tasks.y }, ...features];
  const range = (name, most) => ({ name, kind: "number", range: [-most, most] });
  const schema = {
    target: { ...range("y", target), column: "y" },
    columns: Object.fromEntries(tasks.featureNames.map((name) => [name, range(name, FEATURE)])),
  };
  return tasksFromTable(new Table(columns), { task: "task", target: "y", schema }).tasks;
}

console.log(`| data | method | ${epsilons.map((eps) => `eps ${eps}`).join(" | ")} |`);
console.log(`| --- | --- |${epsilons.map(() => " --- |").join("")}`);
for (const pattern of options.patterns.split(",")) {
  const sets = Array.from({ length: Number(options.seeds) }, (_, k) => {
    const { train, test } = simulate({ pattern, seed: `x${k}` });
    const deviation = Math.sqrt(train.y.reduce((sum, y) => sum + y * y, 0) / train.size);
    const [own, held] = [train, test].map((tasks) =>
      options.undeclared ? tasks : declared(tasks, 3 * deviation),
    );
    return { train: own, test: held, random: { mode: "seeded", seed: `n${k}` } };
  });
  const errors = async (method, settings) => {
    const found = [];
    for (const { train, test, random } of sets) {
      const given = settings ? { ...settings, delta: "papers", random } : {};
      found.push((await makeEstimator(method, given).fit(train)).score(test).nmse);
    }
    return meanAndError(found);
  };
  const alone = await errors("single-task");
  console.log(`| ${pattern} | single-task | ${alone} |${" ″ |".repeat(epsilons.length - 1)}`);
  for (const method of options.methods.split(",")) {
    const cells = [];
    for (const epsilon of epsilons) cells.push(await errors(method, { epsilon }));
    console.log(`| ${pattern} | ${method} | ${cells.join(" | ")} |`);
  }
}
