/**
 * Whether standard errors of the fixed effects are of the size of the errors, on simulated tasks.
 *
 *   npm run bench:standard-errors -- [--loss logistic|squared] [--epsilon 1,4,Infinity] [--fits 40] [--tasks 150] [--rows 6]
 *     [--constant] [--declared] [--undeclared]
 *
 * Prints, of two slopes and the intercept, the root mean square of error by standard error, the percentage of 95 % intervals that hold the
 * truth, the mean standard error and the mean error; then, of slopes, intercept and, of numbers, a row's error, how large their deviations are said to be by how large they are: the tenth part
 * of fits, the half and nine tenths. Tasks of 6 rows or as many as are asked for, of labels or of numbers with an error of .5, delta 1e-3,
 * seeded; Infinity is mixed-model, without noise. With --constant the first column is the same in all rows of a task, with --declared it is declared so. Columns are as wide as those of a
 * declared range: from -2 to 2 for numbers, from -1 to 1 for labels. With --undeclared their sizes and locations are others, which the fit learns,
 * or does without: by differences within tasks there is no intercept. Effects for which no standard error is stated, since votes left open where
 * their column lies or how large it is, are counted in the last column and left out of the others.
 */
import { among, parseArgs } from "../parse-args.js";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";
import { generator } from "../uniform-draws.js";
import { mean } from "./means.js";

const { values: options } = parseArgs({
  options: {
    loss: { type: "string", default: "logistic" },
    epsilon: { type: "string", default: "1,4,Infinity" },
    fits: { type: "string", default: "40" },
    tasks: { type: "string", default: "150" },
    constant: { type: "boolean", default: false },
    declared: { type: "boolean", default: false },
    rows: { type: "string", default: "6" },
    undeclared: { type: "boolean", default: false },
  },
});
const [loss] = among("loss", [options.loss], ["logistic", "squared"]);
const labels = loss === "logistic";
const [M, N] = [Number(options.tasks), Number(options.rows)];
const WIDTH = labels ? 1 : 2;
const TRUTH = [1 / WIDTH, -0.6 / WIDTH, -0.4];
const SPREAD = [0.3 / WIDTH, 0.3 / WIDTH, 1];
const ERROR = 0.5;

const { uniform, normal } = generator(11);
/** What a column is in the table, where nobody declared it. */
const [SIZES, PLACES] = [
  [9, 0.02],
  [1990, 3],
];

function draw() {
  const tasks = Array.from({ length: M }, (_, i) => {
    const w = TRUTH.map((effect, j) => effect + SPREAD[j] * normal());
    const within = () => WIDTH * (2 * uniform() - 1);
    const own = options.constant ? within() : undefined;
    const x = Array.from({ length: N }, () => [own ?? within(), within()]);
    const odds = ([a, b]) => w[0] * a + w[1] * b + w[2];
    const label = (row) => (uniform() < 1 / (1 + Math.exp(-odds(row))) ? "yes" : "no");
    const y = x.map((row) => (labels ? label(row) : odds(row) + ERROR * normal()));
    const given = (row) => row.map((value, j) => PLACES[j] + SIZES[j] * value);
    return { name: `${i}`, x: options.undeclared ? x.map(given) : x, y };
  });
  return TaskSet.from(tasks, {
    ...(labels ? { labels: ["no", "yes"] } : {}),
    ...(options.declared ? { perTask: ["x1"] } : {}),
  });
}

/** Of a list the tenth part, the half and nine tenths. */
function tenths(list) {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.round(part * (sorted.length - 1))].toFixed(2);
  return [0.1, 0.5, 0.9].map(at).join(" ");
}

console.log(
  "| eps | error by standard error | hold | mean standard error | mean error | deviations by truth | not stated |\n| --- | --- | --- | --- | --- | --- | --- |",
);
for (const epsilon of options.epsilon.split(",").map(Number)) {
  const squares = TRUTH.map(() => []);
  const errors = TRUTH.map(() => []);
  const off = TRUTH.map(() => []);
  const [slopes, intercept, row] = [[], [], []];
  let notStated = 0;
  for (let fit = 0; fit < Number(options.fits); fit++) {
    const given = { loss, scale: options.undeclared ? "auto" : "unit" };
    const noise = { epsilon, delta: 1e-3, random: { mode: "seeded", seed: `${fit}` } };
    const estimator =
      epsilon === Infinity
        ? makeEstimator("mixed-model", given)
        : makeEstimator("mp-mixed", { ...given, ...noise });
    const model = await estimator.fit(draw());
    // Where columns lie decides what an intercept is, so it is left out.
    const { coefficients, residual } = model.summary();
    if (residual !== null) row.push(residual / ERROR);
    coefficients.slice(0, options.undeclared ? 2 : undefined).forEach((coefficient, j) => {
      if (coefficient.standardError === null) {
        notStated++;
        return;
      }
      const unit = options.undeclared ? SIZES[j] : 1;
      const [estimate, standardError, betweenTasks] = [
        coefficient.estimate * unit,
        coefficient.standardError * unit,
        coefficient.betweenTasks * unit,
      ];
      (j < 2 ? slopes : intercept).push(betweenTasks / SPREAD[j]);
      squares[j].push(((estimate - TRUTH[j]) / standardError) ** 2);
      errors[j].push(standardError);
      off[j].push(estimate - TRUTH[j]);
    });
  }
  const of = options.undeclared ? 2 : TRUTH.length;
  /** Of every coefficient; a dash where none was stated. */
  const means = (lists, say) =>
    lists
      .slice(0, of)
      .map((list) => (list.length > 0 ? say(mean(list)) : "-"))
      .join(", ");
  const sizes = means(squares, (square) => Math.sqrt(square).toFixed(2));
  const hold = means(
    squares.map((list) => list.map((square) => (square < 1.96 ** 2 ? 100 : 0))),
    (percentage) => percentage.toFixed(0),
  );
  const [own, bias] = [errors, off].map((lists) => means(lists, (value) => value.toFixed(3)));
  const known = [slopes, intercept, row].filter((list) => list.length > 0);
  const deviations = known.map(tenths).join(", ");
  console.log(
    `| ${epsilon} | ${sizes} | ${hold} | ${own} | ${bias} | ${deviations} | ${notStated} |`,
  );
}
