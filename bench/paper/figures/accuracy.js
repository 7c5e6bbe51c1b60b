/**
 * Privacy against accuracy on simulated and real data, number of tasks, and training fractions.
 */
import { accuracyFigure, curveFigure } from "../../../build/modules/report/index.js";
import { ageing, landmine, school } from "../data.js";
import { pointsOver } from "../harness.js";
import { EPSILONS, methodsOf } from "../settings.js";

const BAND = "Mean over replicates; the band is one standard error to each side.";
const SETTINGS = "Hyper-parameters are the same for every eps and not charged to it.";

async function simulated(harness, pattern) {
  const name = `privacy-accuracy-${pattern}`;
  const rows = await harness.evaluate(name, {
    methods: methodsOf(pattern),
    epsilons: EPSILONS,
    data: { kind: "simulation", options: { pattern } },
  });
  // The papers' noise is for matrices; group sparsity shares a diagonal.
  const nominal = pattern === "low-rank" ? await nominalRows(harness) : [];
  const text = {
    name,
    title: `Privacy and accuracy, ${pattern} data`,
    caption: `320 tasks of 30 rows, 30 features, delta 1/(m log m). ${BAND} ${SETTINGS} ${pattern === "low-rank" ? "Guarantees hold, except that the papers' Wishart noise is shown at its nominal eps, which is no guarantee." : "All guarantees hold."}`,
    command: harness.command(name),
  };
  return [accuracyFigure([...rows, ...nominal], "nmse", text)];
}

/** The papers' own noise, whose stated eps is not one. */
async function nominalRows(harness) {
  const pattern = "low-rank";
  const [[method, options]] = methodsOf(pattern, ["mp-low-rank"]);
  const rows = await harness.evaluate(`privacy-accuracy-${pattern}-wishart`, {
    methods: [[method, { ...options, mechanism: "wishart" }]],
    epsilons: EPSILONS,
    data: { kind: "simulation", options: { pattern } },
  });
  return rows.map((row) => ({ ...row, method: `${method}, Wishart (nominal eps)` }));
}

export const privacyAccuracyLowRank = (harness) => simulated(harness, "low-rank");
export const privacyAccuracyGroupSparse = (harness) => simulated(harness, "group-sparse");

export async function numberOfTasks(harness) {
  const places = [];
  for (const tasks of [40, 80, 160, 320, 640]) {
    const rows = await harness.evaluate(`number-of-tasks-${tasks}`, {
      methods: methodsOf("low-rank", [
        "single-task",
        "trace-norm",
        "mp-low-rank",
        "mp-feature-learning",
        "mp-hierarchical",
      ]),
      epsilons: [1],
      data: { kind: "simulation", options: { pattern: "low-rank", tasks } },
    });
    places.push({ x: tasks, rows });
  }
  const figure = curveFigure({
    name: "number-of-tasks",
    title: "Accuracy and number of tasks",
    caption: `Low-rank data, private methods at eps 1, delta 1/(m log m). ${BAND} ${SETTINGS}`,
    alt: "Line chart of nMSE against the number of tasks from 40 to 640.",
    command: harness.command("number-of-tasks"),
    x: { title: "tasks (logarithmic)", scale: "log" },
    y: { title: "nMSE (lower is better)" },
    points: pointsOver(places, "nmse"),
  });
  return [figure];
}

export async function schoolFigures(harness) {
  const tasks = await school(harness.dataFolder);
  const methods = methodsOf("school");
  const places = [];
  for (const trainFraction of [0.3, 0.5, 0.7, 0.9]) {
    const rows = await harness.evaluate(`school-${trainFraction * 100}`, {
      methods,
      epsilons: trainFraction === 0.3 ? EPSILONS : [1],
      data: { kind: "table", tasks, trainFraction },
    });
    places.push({ x: 100 * trainFraction, rows });
  }
  const atOne = places.map(({ x, rows }) => ({
    x,
    rows: rows.filter(({ epsilon }) => epsilon === null || epsilon === 1),
  }));
  const command = harness.command("school");
  const budgets = accuracyFigure(places[0].rows, "nmse", {
    name: "school",
    title: "School: privacy and accuracy, 30 % for training",
    caption: `139 schools, 27 features, rows of unit norm. ${BAND} ${SETTINGS}`,
    command,
  });
  const fractions = curveFigure({
    name: "school-fractions",
    title: "School: training fraction, private methods at eps 1",
    caption: `139 schools, 27 features, rows of unit norm. ${BAND} ${SETTINGS}`,
    alt: "Line chart of nMSE against the training percentage 30, 50, 70, 90.",
    command,
    x: { title: "training rows (% of every task)" },
    y: { title: "nMSE (lower is better)" },
    points: pointsOver(atOne, "nmse"),
  });
  return [budgets, fractions];
}

/** A binary data set at 30 % for training; the settings are those found for landmine. */
async function binary(harness, { name, tasks, title, about }) {
  const rows = await harness.evaluate(name, {
    methods: methodsOf("landmine"),
    epsilons: EPSILONS,
    loss: "logistic",
    data: { kind: "table", tasks, trainFraction: 0.3 },
    common: {},
  });
  const caption = `${about} ${BAND} ${SETTINGS}`;
  return [accuracyFigure(rows, "auc", { name, title, caption, command: harness.command(name) })];
}

export async function landmineFigure(harness) {
  return binary(harness, {
    name: "landmine",
    tasks: await landmine(harness.dataFolder),
    title: "Landmine: privacy and accuracy, 30 % for training",
    about: "29 fields, 9 features, logistic loss; stands in for the papers' ageing study.",
  });
}

export async function ageingFigures(harness) {
  const tasks = await ageing(harness.dataFolder);
  const budgets = await binary(harness, {
    name: "ageing",
    tasks,
    title: "Ageing study: privacy and accuracy, 30 % for training",
    about: `${tasks.names.length} activities, ${tasks.featureNames.length} features, logistic loss.`,
  });
  const places = [];
  for (const trainFraction of [0.3, 0.5, 0.7, 0.9]) {
    const rows = await harness.evaluate(`ageing-${trainFraction * 100}`, {
      methods: methodsOf("landmine"),
      epsilons: [1],
      loss: "logistic",
      common: {},
      data: { kind: "table", tasks, trainFraction },
    });
    places.push({ x: 100 * trainFraction, rows });
  }
  const fractions = curveFigure({
    name: "ageing-fractions",
    title: "Ageing study: training fraction, private methods at eps 1",
    caption: `Logistic loss. ${BAND} ${SETTINGS}`,
    alt: "Line chart of the mean area under the ROC curve against the training percentage 30, 50, 70, 90.",
    command: harness.command("ageing"),
    x: { title: "training rows (% of every task)" },
    y: { title: "aAUC (higher is better)" },
    points: pointsOver(places, "auc"),
  });
  return [...budgets, fractions];
}
