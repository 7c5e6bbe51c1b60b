/**
 * The utility bound of Algorithm 2 beside what is measured, and beside the number of rounds.
 */
import {
  bestRounds,
  MpLowRank,
  simulate,
  TraceNorm,
  utilityBound,
} from "../../../build/modules/index.js";
import { eigh, syrk } from "../../../build/modules/linalg/index.js";
import { curveFigure } from "../../../build/modules/report/index.js";

const LAMBDA = 3;
const CLIP = 150;
const ROUNDS = 30;
const EPSILONS = [1, 10, 100, 1e3, 1e4, 1e6, 1e8, 1e12, 1e16];

/** X_i^T X_i w / n - X_i^T y_i / n. */
function slope({ x, y }, w, d) {
  const g = new Float64Array(d);
  for (let j = 0; j < y.length; j++) {
    let r = -y[j];
    for (let k = 0; k < d; k++) r += x[j * d + k] * w[k];
    for (let k = 0; k < d; k++) g[k] += (r * x[j * d + k]) / y.length;
  }
  return g;
}

/** sum_i L_i(w_i) + lambda ||W||_*. */
function objective(train, weights) {
  const { m, d } = train;
  let sum = 0;
  let i = 0;
  for (const { x, y } of train) {
    for (let j = 0; j < y.length; j++) {
      let r = -y[j];
      for (let k = 0; k < d; k++) r += x[j * d + k] * weights[i * d + k];
      sum += r ** 2 / (2 * y.length);
    }
    i++;
  }
  const { values } = eigh(syrk(weights, m, d), d);
  return sum + LAMBDA * values.reduce((s, value) => s + Math.sqrt(Math.max(0, value)), 0);
}

/** X(0) from which a gradient step leads to W(0) = 0, as the first round starts with the proximal step. */
function beforeZero(train) {
  const { m, d } = train;
  const start = new Float64Array(m * d);
  let i = 0;
  for (const task of train) {
    let w = new Float64Array(d);
    for (let step = 0; step < 200; step++) w = slope(task, w, d);
    start.set(w, i * d);
    i++;
  }
  return start;
}

const distanceOf = (a, b) => Math.hypot(...a.map((value, at) => value - b[at]));

export async function utilityBounds(harness) {
  const { train } = simulate({ pattern: "low-rank", seed: "paper", tasks: 160 });
  const { m, d } = train;
  const plain = { intercept: false, lambda: LAMBDA };
  const best = await new TraceNorm({ ...plain, tolerance: 1e-9, maxRounds: 20000 }).fit(train);
  const least = objective(train, best.weights);
  const distance = distanceOf(beforeZero(train), best.weights);
  const delta = 1 / (m * Math.log(m));
  const common = { statistic: "covariance", tasks: m, features: d, clip: CLIP, lambda: LAMBDA };
  const boundAt = (epsilon, rounds) =>
    utilityBound({ ...common, smoothness: 1, distance, epsilon, delta, rounds }).bound;
  const points = [];
  const add = (series, x, y) => points.push({ series, x, y });
  for (const epsilon of EPSILONS) {
    add("bound", epsilon, boundAt(epsilon, ROUNDS));
    add("bound, best number of rounds", epsilon, bestRounds((T) => boundAt(epsilon, T), 300).bound);
    const model = await new MpLowRank({
      ...plain,
      epsilon,
      delta,
      clip: CLIP,
      rounds: ROUNDS,
      initial: "zeros",
      shift: 0,
      safeguard: false,
      random: { mode: "seeded", seed: "paper" },
    }).fit(train);
    add("measured", epsilon, objective(train, model.weights) - least);
  }
  const rounds = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  const overRounds = [1e4, 1e8, 1e12, 1e16].flatMap((epsilon) =>
    rounds.map((T) => ({ series: `eps ${epsilon}`, x: T, y: boundAt(epsilon, T) })),
  );
  const about = `Algorithm 2, low-rank data, ${m} tasks, accelerated, lambda ${LAMBDA}, K = ${CLIP} (no model is clipped), Gaussian noise, delta 1/(m log m).`;
  const command = harness.command("utility-bounds");
  return [
    curveFigure({
      name: "utility-bounds",
      title: "Utility bound and what is measured",
      caption: `${about} What ${ROUNDS} rounds are above the optimum of the penalised problem: bound with probability .95, and measured. Where noise is large the bound says nothing.`,
      alt: "Line chart of the bound and of the measured distance from the optimum against eps; the bound is far above.",
      command,
      x: { title: "eps (logarithmic)", scale: "log" },
      y: { title: "above the optimum (logarithmic)", scale: "log" },
      legend: "what",
      points,
    }),
    curveFigure({
      name: "utility-rounds",
      title: "Utility bound and number of rounds",
      caption: `${about} Every bound has a least place, the number of rounds that theory advises (\`bestRounds\`).`,
      alt: "Line chart of the bound against the number of rounds for four budgets, each with a minimum.",
      command,
      x: { title: "rounds (logarithmic)", scale: "log" },
      y: { title: "bound (logarithmic)", scale: "log" },
      legend: "budget",
      points: overRounds,
    }),
  ];
}
