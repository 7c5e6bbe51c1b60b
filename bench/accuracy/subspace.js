/**
 * Many tasks that share few directions: rounds of a d x k factor's gradient (`mp-subspace`) beside one release of a covariance.
 *
 *   npm run bench:subspace -- [--replicates 3] [--tasks 20000] [--features 50] [--rank 2] [--rows 5] [--noise 0.01]
 *                             [--epsilon 0.1,0.3,1,8] [--adjacency zero-out,replace] [--delta 1e-6]
 *
 * Models are U z with z normal of variance 1/k, rows normal. `rows` rows of every task are for the fit, as many others
 * for the task's own model, made by `fitNewTask` of what was released: so nothing of the own rows is in the subspace. Prints
 * Markdown: mean squared error of a new row, label noise included, +- standard error over replicates; predicting 0 has 1.
 * Defaults, but for the intercept: the data have none, and the origin is known.
 */
import { parseArgs } from "../parse-args.js";
import seedrandom from "seedrandom";
import { fitNewTask, makeEstimator, TaskSet } from "../../build/modules/index.js";
import { meanAndError } from "./means.js";

const { values: options } = parseArgs({
  options: {
    replicates: { type: "string", default: "3" },
    tasks: { type: "string", default: "20000" },
    features: { type: "string", default: "50" },
    rank: { type: "string", default: "2" },
    rows: { type: "string", default: "5" },
    noise: { type: "string", default: "0.01" },
    epsilon: { type: "string", default: "0.1,0.3,1,8" },
    adjacency: { type: "string", default: "zero-out,replace" },
    delta: { type: "string", default: "1e-6" },
  },
});
const [m, d, k, n, noise, delta] = [
  options.tasks,
  options.features,
  options.rank,
  options.rows,
  options.noise,
  options.delta,
].map(Number);
const epsilons = options.epsilon.split(",").map(Number);

/** Normal numbers from a seed (Box and Muller). */
function normalsOf(seed) {
  const random = seedrandom(seed);
  let spare;
  return () => {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** Orthonormal rows, [k, d]. */
function basisOf(normal) {
  const rows = [];
  for (let a = 0; a < k; a++) {
    let row = Float64Array.from({ length: d }, normal);
    for (const other of rows) {
      const dot = other.reduce((sum, value, j) => sum + value * row[j], 0);
      row = row.map((value, j) => value - dot * other[j]);
    }
    const length = Math.hypot(...row);
    rows.push(row.map((value) => value / length));
  }
  return rows;
}

/** Models [m, d], and two task sets of them. */
function drawn(seed) {
  const normal = normalsOf(seed);
  const basis = basisOf(normal);
  const models = new Float64Array(m * d);
  for (let i = 0; i < m; i++) {
    for (const direction of basis) {
      const z = normal() / Math.sqrt(k);
      for (let j = 0; j < d; j++) models[i * d + j] += z * direction[j];
    }
  }
  const names = Array.from({ length: m }, (_, i) => `task-${i}`);
  const featureNames = Array.from({ length: d }, (_, j) => `x${j + 1}`);
  const rows = () => {
    const x = new Float64Array(m * n * d).map(normal);
    const y = new Float64Array(m * n).map((_, row) => {
      const i = Math.floor(row / n);
      let value = noise * normal();
      for (let j = 0; j < d; j++) value += x[row * d + j] * models[i * d + j];
      return value;
    });
    const offsets = Uint32Array.from({ length: m + 1 }, (_, i) => i * n);
    return TaskSet.adopt({ x, y, offsets, names, featureNames, targetName: "y" });
  };
  return { models, fitted: rows(), own: rows() };
}

/** Expected squared error of a new row. */
function errorOf({ weights }, models) {
  let sum = 0;
  for (let at = 0; at < models.length; at++) sum += (weights[at] - models[at]) ** 2;
  return sum / m + noise ** 2;
}

const METHODS = [
  ["one covariance release", { rounds: 0 }],
  ["gradient rounds", {}],
];
const adjacencies = options.adjacency.split(",");
const found = new Map();
for (let replicate = 0; replicate < Number(options.replicates); replicate++) {
  const { models, fitted, own } = drawn(`subspace-${replicate}`);
  for (const adjacency of adjacencies) {
    for (const [label, chosen] of METHODS) {
      for (const epsilon of epsilons) {
        const model = await makeEstimator("mp-subspace", {
          epsilon,
          delta,
          adjacency,
          intercept: false,
          ...chosen,
          random: { mode: "seeded", seed: `noise-${replicate}` },
        }).fit(fitted);
        const key = `${adjacency}, ${label}, ${epsilon}`;
        const error = errorOf(fitNewTask(model, own), models);
        found.set(key, [...(found.get(key) ?? []), error]);
      }
    }
  }
}
const digits = (list) => meanAndError(list, (value) => value.toFixed(5));
console.log(`| adjacency | | ${epsilons.map((eps) => `eps ${eps}`).join(" | ")} |`);
console.log(`| --- | --- |${" --- |".repeat(epsilons.length)}`);
for (const adjacency of adjacencies) {
  for (const [label] of METHODS) {
    const cells = epsilons.map((eps) => digits(found.get(`${adjacency}, ${label}, ${eps}`)));
    console.log(`| ${[adjacency, label, ...cells].join(" | ")} |`);
  }
}
