/**
 * Model leakage: one round on ten models, the last a hundred times larger than the others.
 */
import { MpLowRank, simulateLeakage, TaskSet } from "../../../build/modules/index.js";
import { heatMapFigure } from "../../../build/modules/report/index.js";

/** One round of Algorithm 2 without data: w^(1) = M w^(0). */
async function oneRound({ names, weights, clip, d }, mechanism, epsilon) {
  // No row is looked at: the models that come out are the projected ones.
  const row = [1, ...new Array(d - 1).fill(0)];
  const tasks = TaskSet.from(names.map((name) => ({ name, x: [row], y: [0] })));
  const random = { mode: "seeded", seed: "paper" };
  const settings = {
    rounds: 1,
    clip,
    lambda: 50,
    stepSize: 1,
    initial: weights,
    safeguard: false,
    random,
  };
  return (await new MpLowRank({ ...settings, epsilon, mechanism }).fit(tasks)).weights;
}

export async function leakage(harness) {
  const drawn = simulateLeakage({ seed: "paper" });
  const m = drawn.names.length;
  const d = drawn.weights.length / m;
  const round = (mechanism, epsilon) => oneRound({ ...drawn, d }, mechanism, epsilon);
  /** Every task's model at unit length: what is seen of directions, whatever the lengths. */
  const map = (title, weights) => ({
    title,
    values: weights.map((w, at) => {
      const own = weights.subarray(at - (at % d), at - (at % d) + d);
      return w / (Math.hypot(...own) || 1);
    }),
    rows: m,
    columns: d,
  });
  const figure = heatMapFigure({
    name: "leakage",
    title: "Model leakage",
    caption:
      "Directions of ten models in one round of Algorithm 2, lambda 50, K = 100 sqrt 5. Task 10 is a " +
      "hundred times larger than the others; without protection all tasks come out parallel to it. " +
      "The Wishart noise is the papers' (eps nominal, no guarantee); the Gaussian noise's guarantee holds.",
    alt: "Four heat maps of ten tasks by five features: before, leaked (all rows alike), and protected by either noise (rows as before).",
    command: harness.command("leakage"),
    rowTitle: "task",
    columnTitle: "feature",
    valueTitle: "w / ||w||",
    range: "shared",
    maps: [
      map("before", drawn.weights),
      map("leaked: Wishart, eps 1e40", await round("wishart", 1e40)),
      map("protected: Wishart, eps 0.1 nominal", await round("wishart", 0.1)),
      map("protected: Gaussian, eps 0.1", await round("gaussian", 0.1)),
    ],
  });
  return [figure];
}
