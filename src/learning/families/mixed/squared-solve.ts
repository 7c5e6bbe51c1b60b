/**
 * Every task's own model: posterior means under hypotheses on its spread and noise, and under learning alone,
 * averaged by what its own rows say for each. Only the task's own model depends on its weights, so they cost
 * nothing, and a task that the others do not resemble keeps to itself.
 * @module
 */
import { log, pow } from "../../../core/elementary.js";
import { diagonal, factor } from "../../../linalg/small-matrices.js";
import type { MixedModels } from "./exchange.js";
import { triangle } from "./squared-plan.js";
import {
  ALONE,
  ALONE_PRIOR,
  NOISE_MULTIPLES,
  NOISE_PRIOR,
  SPREAD_MULTIPLES,
  SPREAD_PRIOR,
} from "./squared-settings.js";
import { softmax, type SquaredState } from "./squared-state.js";
import type { TaskSpectra, TaskSpectrum } from "./task-spectrum.js";

/** Models N(center, L L^T spread) with a row's noise, and its prior weight. */
interface Hypothesis {
  readonly root: number;
  readonly spread: number;
  readonly noise: number;
  readonly prior: number;
}

/** A Gaussian prior that hypotheses share. */
interface Root {
  readonly center: Float64Array;
  readonly l: Float64Array;
}

/** Prior log weights of the public grid of learning alone. */
function aloneHypotheses(d: number): { roots: Root[]; hypotheses: Hypothesis[] } {
  const slopes = Math.max(d - 1, 1);
  const zero = new Float64Array(d);
  const belief = (value: number, center: number) => (log(value / center) / ALONE.spread) ** 2 / 2;
  const roots = ALONE.slopes.map((decade): Root => {
    const deviations = new Float64Array(d).fill(Math.sqrt(pow(10, decade) / slopes));
    deviations[d - 1] = Math.sqrt(ALONE.intercept);
    return { center: zero, l: diagonal(deviations) };
  });
  const listed = ALONE.slopes.flatMap((decade, root) =>
    ALONE.noise.map((noiseDecade) => {
      const noise = pow(10, noiseDecade);
      const cost = belief(pow(10, decade), ALONE.center.slopes) + belief(noise, ALONE.center.noise);
      return { root, spread: 1, noise, prior: -cost };
    }),
  );
  const weights = softmax(listed.map(({ prior }) => prior));
  return {
    roots,
    hypotheses: listed.map((hypothesis, k) => ({ ...hypothesis, prior: log(weights[k]!) })),
  };
}

function sharedHypotheses(state: SquaredState, root: number): Hypothesis[] {
  return SPREAD_MULTIPLES.flatMap((spread, i) =>
    NOISE_MULTIPLES.map((multiple, j) => ({
      root,
      spread,
      noise: state.noise * multiple,
      prior: log(SPREAD_PRIOR[i]! * NOISE_PRIOR[j]! * (1 - ALONE_PRIOR)),
    })),
  );
}

/** Models of all tasks of the batch. `only` learns alone, whatever was heard. */
export function solveTasks(state: SquaredState, tasks: TaskSpectra, only = false): MixedModels {
  const { d } = state.sizes;
  const alone = aloneHypotheses(d);
  const shared: Root[] = only ? [] : [{ center: state.effects, l: factor(state.spread, d) }];
  const roots = [...shared, ...alone.roots];
  const hypotheses = [
    ...shared.flatMap((_, root) => sharedHypotheses(state, root)),
    ...alone.hypotheses.map((h) => ({
      ...h,
      root: h.root + shared.length,
      prior: h.prior + (only ? 0 : log(ALONE_PRIOR)),
    })),
  ];
  const weights = weightsOf(tasks, roots, hypotheses);
  return averaged(tasks, roots, hypotheses, weights, state, shared.length);
}

/** What every task's rows say for each hypothesis, [batch, hypotheses]. */
function weightsOf(
  tasks: TaskSpectra,
  roots: readonly Root[],
  hypotheses: readonly Hypothesis[],
): Float64Array {
  const count = hypotheses.length;
  const costs = new Float64Array(tasks.m * count);
  roots.forEach(({ center, l }, root) =>
    tasks.forEach(center, l, (task, i) => {
      hypotheses.forEach((h, k) => {
        if (h.root === root) costs[i * count + k] = task.logLikelihood(h.spread, h.noise) + h.prior;
      });
    }),
  );
  for (let i = 0; i < tasks.m; i++) {
    costs.set(softmax(costs.subarray(i * count, (i + 1) * count)), i * count);
  }
  return costs;
}

function averaged(
  tasks: TaskSpectra,
  roots: readonly Root[],
  hypotheses: readonly Hypothesis[],
  weights: Float64Array,
  state: SquaredState,
  sharedRoots: number,
): MixedModels {
  const { d } = state.sizes;
  const { m } = tasks;
  const count = hypotheses.length;
  const models = new Float64Array(m * d);
  const covariances = new Float64Array(m * triangle(d));
  const noise = new Float64Array(m);
  const alone = new Float64Array(m);
  roots.forEach(({ center, l }, root) =>
    tasks.forEach(center, l, (task, i) => {
      const own = models.subarray(i * d, (i + 1) * d);
      hypotheses.forEach((h, k) => {
        const weight = weights[i * count + k]!;
        if (h.root !== root || weight < 1e-9) return;
        const mean = posteriorMean(task, h, { center, l });
        for (let c = 0; c < d; c++) own[c]! += weight * mean[c]!;
        noise[i]! += weight * h.noise;
        if (root >= sharedRoots) alone[i]! += weight;
      });
    }),
  );
  roots.forEach(({ center, l }, root) =>
    tasks.forEach(center, l, (task, i) => {
      const own = models.subarray(i * d, (i + 1) * d);
      const into = covariances.subarray(i * triangle(d), (i + 1) * triangle(d));
      hypotheses.forEach((h, k) => {
        const weight = weights[i * count + k]!;
        if (h.root === root && weight >= 1e-3)
          addCovariance(task, h, { center, l }, weight, own, into);
      });
    }),
  );
  return {
    models,
    covariances,
    noise,
    alone,
    prior: {
      fixedEffects: state.effects.slice(),
      fixedEffectsCovariance: state.error.slice(),
      covariance: state.covariance,
      noise: state.noise,
    },
  };
}

function posteriorMean(task: TaskSpectrum, { spread, noise }: Hypothesis, { center, l }: Root) {
  const d = center.length;
  const z = new Float64Array(d);
  task.addMean(spread, noise, 1, z);
  return center.map((value, c) => {
    let sum = value;
    for (let k = 0; k <= c; k++) sum += l[c * d + k]! * z[k]!;
    return sum;
  });
}

/** Adds weight (Cov(w | rows) + (mean - own)(mean - own)^T) of a hypothesis, lower triangle. */
function addCovariance(
  task: TaskSpectrum,
  hypothesis: Hypothesis,
  root: Root,
  weight: number,
  own: Float64Array,
  into: Float64Array,
): void {
  const d = own.length;
  const { spread, noise } = hypothesis;
  const { k, squares, directions } = task;
  const away = posteriorMean(task, hypothesis, root).map((value, c) => value - own[c]!);
  // spread (I - sum_j shrink_j w_j w_j^T) in the coordinates of L.
  const rows = new Float64Array(k * d);
  const shrink = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    shrink[j] = (spread * squares[j]!) / (noise + spread * squares[j]!);
    for (let c = 0; c < d; c++) {
      for (let e = 0; e <= c; e++) rows[j * d + c]! += root.l[c * d + e]! * directions[j * d + e]!;
    }
  }
  let at = 0;
  for (let c = 0; c < d; c++) {
    for (let e = 0; e <= c; e++) {
      let sum = 0;
      for (let t = 0; t <= e; t++) sum += root.l[c * d + t]! * root.l[e * d + t]!;
      for (let j = 0; j < k; j++) sum -= shrink[j]! * rows[j * d + c]! * rows[j * d + e]!;
      into[at++]! += weight * (spread * sum + away[c]! * away[e]!);
    }
  }
}
