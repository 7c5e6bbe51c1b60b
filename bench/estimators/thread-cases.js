/** The fits of `threads.js` and `at-once.js`: methods, sizes and options, the data of each and its estimator. */
import { makeEstimator, TaskSet } from "../../dist/index.js";
import { simulate, simulateSparse } from "./simulate.js";

const plain = { m: 320, d: 30, n: 30 };
const small = { m: 128, d: 20, n: 30 };
/** Rows of five entries each. */
const sparse = { m: 1000, d: 300, n: 50, entries: 5 };
export const CASES = [
  ["mp-low-rank", plain, {}],
  ["mp-low-rank", plain, { loss: "logistic" }],
  ["mp-low-rank", { m: 1000, d: 100, n: 50 }, { safeguard: false }],
  ["mp-low-rank", { m: 10000, d: 100, n: 5 }, { safeguard: false }],
  ["mp-group-sparse", plain, {}],
  ["mp-low-rank-sparse", plain, {}],
  ["mp-feature-learning", plain, {}],
  ["mp-hierarchical", plain, {}],
  ["mp-mixed", small, { scale: "unit" }],
  ["mp-mixed", small, { scale: "unit", loss: "logistic" }],
  ["mp-mixed", plain, { scale: "unit", unit: "record" }],
  ["mp-subspace", plain, {}],
  ["pmtl", plain, {}],
  ["pmtl", plain, { loss: "logistic" }],
  ["private-fedavg", plain, {}],
  ["private-fedavg", small, { model: "network" }],
  ["private-fedprox", plain, {}],
  ["pmtl-projected", plain, {}],
  ["ppsgd", plain, {}],
  ["joint-dp-sgd", plain, {}],
  ["mixed-model", plain, { scale: "unit" }],
  ["mixed-model", plain, {}],
  ["mixed-model", small, { scale: "unit", loss: "logistic" }],
  ["single-task", { m: 1000, d: 100, n: 50 }, { lambda: 0.1 }],
  ["single-task", { m: 1000, d: 60, n: 60 }, { penalty: "l1", lambda: 0.1 }],
  ["single-task", plain, { loss: "logistic", penalty: "l1", lambda: 0.001 }],
  ["single-task", plain, { loss: "logistic" }],
  ["single-task", plain, { loss: "softmax" }],
  ["group-sparse", { m: 1000, d: 60, n: 60 }, {}],
  ["group-sparse", { m: 1000, d: 60, n: 60 }, { loss: "logistic" }],
  ["group-sparse", plain, { loss: "logistic", lambda: 0.01 }],
  ["group-sparse", { m: 1000, d: 100, n: 20 }, {}],
  ["trace-norm", { m: 1000, d: 60, n: 60 }, {}],
  ["trace-norm", { m: 1000, d: 60, n: 60 }, { loss: "logistic" }],
  ["trace-norm", plain, { loss: "logistic", lambda: 0.01 }],
  ["low-rank-sparse", { m: 1000, d: 60, n: 60 }, {}],
  ["low-rank-sparse", plain, {}],
  ["low-rank-sparse", { m: 1000, d: 60, n: 10 }, {}],
  ["task-relationship", { m: 1000, d: 60, n: 60 }, {}],
  ["mean-regularized", { m: 1000, d: 60, n: 60 }, {}],
  ["mean-regularized", { m: 1000, d: 60, n: 60 }, { loss: "logistic" }],
  ["mean-regularized", plain, {}],
  ["mean-regularized", plain, { loss: "logistic" }],
  ["single-task", sparse, {}],
  ["single-task", sparse, { loss: "logistic" }],
  ["trace-norm", { ...sparse, m: 400, d: 100 }, { loss: "logistic" }],
  ["low-rank-sparse", { ...sparse, m: 400, d: 100 }, {}],
  ["group-sparse", sparse, {}],
  ["group-sparse", sparse, { loss: "logistic", lambda: 0.01 }],
  ["task-relationship", sparse, {}],
  ["mean-regularized", sparse, {}],
  ["mean-regularized", sparse, { loss: "logistic" }],
];

/** Methods without noise. */
const PLAIN = new Set([
  "single-task",
  "mixed-model",
  "group-sparse",
  "trace-norm",
  "low-rank-sparse",
  "task-relationship",
  "mean-regularized",
]);

const random = { mode: "seeded", seed: 1 };

/** What a target is taken for, by loss: one of two labels, or of three. */
const LABELS = {
  logistic: (value) => (value > 0 ? 1 : 0),
  softmax: (value) => (value > 0.1 ? 2 : value > -0.1 ? 1 : 0),
};

/** The same task set with labels. */
function labelled(tasks, labelOf) {
  return TaskSet.adopt({ ...tasks.arrays(), y: tasks.y.map(labelOf) });
}

/** Whether a case has the options that a short run keeps. */
export const isBrief = ([, , { scale: _scale, ...given }]) => Object.keys(given).length === 0;

/** A case in words, as tables show it. */
export function wordsOf([method, size, given]) {
  const words = Object.entries(given)
    .filter(([name]) => name !== "scale")
    .map(([name, value]) => `, ${name} ${value}`);
  const entries = size.entries ? `, ${size.entries} entries a row` : "";
  return `${method}${words.join("")}, ${size.m} x ${size.n} x ${size.d}${entries}`;
}

/** What fits a case, given options of the call (`threads`, `workers`). */
export function fitOf([method, size, given]) {
  const tasks = size.entries ? simulateSparse(size) : simulate(size).tasks;
  const data = given.loss ? labelled(tasks, LABELS[given.loss]) : tasks;
  const clip = /^mp-.*(rank|group)/.test(method) ? { clip: 10 } : {};
  const noise = PLAIN.has(method) ? {} : { epsilon: 1, random };
  return (call) => makeEstimator(method, { ...noise, ...clip, ...given }).fit(data, call);
}
