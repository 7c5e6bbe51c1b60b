/**
 * Every task's model under a shared prior, with a strength of the prior that it chooses on its own
 * rows: only its own model depends on the choice, so there is nothing to charge.
 * @module
 */
import * as math from "../../../../core/elementary.js";
import { LEAST_ERROR } from "../../../local-selection/utility.js";
import type { QuadraticPrior } from "../../../tasks/solves/local-solves.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import { solveLeavingOneOut } from "../../../local-selection/leave-one-out.js";
import { StrengthPath } from "./strength-path.js";
import type { LocalModels, PlacedModels } from "../../../tasks/local-models.js";

/** Candidate strengths, and the belief in them before the task's rows are seen. */
export interface StrengthPrior {
  /** kappa > 0, ascending, for losses divided by n_i. */
  readonly candidates: readonly number[];
  /** Most likely kappa and the width, in decades, of the belief around it. */
  readonly center: number;
  readonly decades: number;
}

/** The outcome of every task's choice. */
export interface SelectedModels extends LocalModels {
  /** -log of the evidence for every candidate, without the belief, up to a constant, [m, K]. */
  readonly costs: Float64Array;
  /** Leave-one-out losses of every row, averaged like the models: no less than the average's, [N]. */
  readonly rowLosses: Float64Array;
}

/**
 * Task i averages the models of all kappa with weights exp(-a_i(kappa)),
 *   a_i(kappa) = cost_i(kappa) + log(1 + z^2),   z = log10(kappa / center) / decades:
 * the evidence (marginal likelihood) of its rows under w ~ N(a, C / kappa) against a belief with the
 * heavy tails of Cauchy's law: rows that speak clearly may move far from it. A few rows choose badly,
 * so their say is averaged rather than followed. One candidate is taken as it is.
 *
 * With F the least penalised loss, in units of a row's, the cost is F for the logistic loss (Laplace's
 * approximation) and (n_i/2) log F for the squared one, whose noise is integrated out, plus half of
 *   log det(I + X C X^T / (n_i kappa)),
 * whose derivative by log kappa is minus the sum of the leverages: a smooth function, integrated over
 * the candidates by the trapezoid rule. An intercept takes one row and one leverage for itself.
 *
 * @see MacKay (1992), for the evidence.
 */
export function selectStrength(
  tasks: ResidentTasks,
  prior: QuadraticPrior,
  strength: StrengthPrior,
): SelectedModels {
  const { arena } = tasks.core;
  const mark = arena.mark();
  try {
    const path =
      tasks.loss === "squared"
        ? StrengthPath.open(
            tasks,
            prior,
            strength.candidates.map((kappa) => kappa * tasks.unit),
          )
        : undefined;
    return path ? byTask(tasks, prior, strength, path) : byStrength(tasks, prior, strength);
  } finally {
    arena.release(mark);
  }
}

function nothingSelected({ m, d, rows }: ResidentTasks, count: number) {
  return {
    weights: new Float64Array(m * d),
    intercepts: new Float64Array(m),
    rowLosses: new Float64Array(rows),
    costs: new Float64Array(m * count),
  };
}

/** -log of the belief in kappa, up to a constant. */
function beliefCost(kappa: number, { center, decades }: StrengthPrior): number {
  const z = (math.log10(kappa) - math.log10(center)) / decades;
  return math.log1p(z * z);
}

/** Squared loss: all strengths of a task from one decomposition of its rows. */
function byTask(
  tasks: ResidentTasks,
  prior: QuadraticPrior,
  strength: StrengthPrior,
  path: StrengthPath,
): SelectedModels {
  const { m, d, core } = tasks;
  const { arena } = core;
  const { candidates } = strength;
  const count = candidates.length;
  const chosen = nothingSelected(tasks, count);
  const offsets = arena.words(tasks.offsets, m + 1).slice();
  const beliefCosts = candidates.map((kappa) => beliefCost(kappa, strength));
  const logs = candidates.map((kappa) => math.log(kappa));
  const volume = new HalfLogDeterminant(m, tasks.intercept ? 1 : 0);
  const weightOf = new Float64Array(count);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const n = to - from;
    const evidence = n > 0 ? path.solve(i) : undefined;
    if (!evidence) {
      if (prior.center !== 0) chosen.weights.set(arena.view(prior.center, d), i * d);
      // Rows beyond double precision: nothing is known of this model, so that any other is preferred to it.
      chosen.rowLosses.fill(Infinity, from, to);
      continue;
    }
    const { losses, leverages, residuals } = evidence;
    const costs = chosen.costs.subarray(i * count, (i + 1) * count);
    for (let k = 0; k < count; k++) {
      costs[k] = fitCost(tasks, losses[k]!, n) + volume.next(i, logs[k]!, leverages[k]!);
      weightOf[k] = count > 1 ? Math.min(costs[k]! + beliefCosts[k]!, Number.MAX_VALUE) : 0;
    }
    const best = weightOf.reduce((least, value) => Math.min(least, value), Infinity);
    let total = 0;
    for (let k = 0; k < count; k++) total += weightOf[k] = math.exp(best - weightOf[k]!);
    for (let k = 0; k < count; k++) {
      weightOf[k]! /= total;
      for (let j = 0; j < n; j++)
        chosen.rowLosses[from + j]! += weightOf[k]! * residuals[k * n + j]! ** 2;
    }
    const { weights, intercept } = path.average(weightOf);
    chosen.weights.set(weights, i * d);
    chosen.intercepts[i] = intercept;
  }
  return chosen;
}

/** Any loss: all tasks' models at one strength, then at the next. */
function byStrength(
  tasks: ResidentTasks,
  prior: QuadraticPrior,
  strength: StrengthPrior,
): SelectedModels {
  const { m, d, core } = tasks;
  const { arena } = core;
  const { candidates } = strength;
  const offsets = arena.words(tasks.offsets, m + 1).slice();
  const count = candidates.length;
  const chosen = nothingSelected(tasks, count);
  const { weights, intercepts, rowLosses, costs } = chosen;
  const least = new Float64Array(m).fill(Infinity);
  const masses = new Float64Array(m);
  const volume = new HalfLogDeterminant(m, tasks.intercept ? 1 : 0);
  const scaled = arena.f64(d * d);
  const models = arena.zeros(m * d);
  const levels = tasks.intercept ? arena.zeros(m) : 0;
  candidates.forEach((kappa, k) => {
    arena.view(scaled, d * d).fill(0);
    core.kernels.axpy(kappa * tasks.unit, prior.precision, scaled, d * d);
    const scaledPrior = { precision: scaled, center: prior.center };
    const at = { weights: models, intercepts: levels };
    const { losses, leverages } = solveLeavingOneOut(tasks, scaledPrior, at);
    const fits = leastLosses(tasks, scaledPrior, at);
    const belief = beliefCost(kappa, strength);
    const w = arena.view(models, m * d);
    const b = arena.view(levels, tasks.intercept ? m : 0);
    for (let i = 0; i < m; i++) {
      const [from, to] = [offsets[i]!, offsets[i + 1]!];
      const held = leverages.subarray(from, to).reduce((sum, value) => sum + value, 0);
      const cost = fitCost(tasks, fits[i]!, to - from) + volume.next(i, math.log(kappa), held);
      costs[i * count + k] = cost;
      // A running average; masses are relative to the best candidate so far.
      const negative = count > 1 ? Math.min(cost + belief, Number.MAX_VALUE) : 0;
      const best = Math.min(least[i]!, negative);
      const before = masses[i]! * math.exp(best - least[i]!);
      const mass = math.exp(best - negative);
      const fraction = mass / (before + mass);
      least[i] = best;
      masses[i] = before + mass;
      blend(weights, w, i * d, (i + 1) * d, fraction);
      if (tasks.intercept) blend(intercepts, b, i, i + 1, fraction);
      blend(rowLosses, losses, from, to, fraction);
    }
  });
  return chosen;
}

/** (1/2) log det(I + X C X^T / (n kappa)) of every task along ascending kappa, from 0 at the first. */
class HalfLogDeterminant {
  readonly #free: number;
  readonly #at: Float64Array;
  readonly #value: Float64Array;
  readonly #slope: Float64Array;

  /** @param free leverage of an intercept, which no prior holds: 1 or 0. */
  constructor(m: number, free: number) {
    this.#free = free;
    this.#at = new Float64Array(m).fill(NaN);
    this.#value = new Float64Array(m);
    this.#slope = new Float64Array(m);
  }

  /** Of task i at the next kappa. @param leverages sum of its rows' leverages there. */
  next(i: number, logKappa: number, leverages: number): number {
    const slope = Math.max(0, leverages - this.#free) / 2;
    if (!Number.isNaN(this.#at[i]!)) {
      this.#value[i]! -= ((slope + this.#slope[i]!) / 2) * (logKappa - this.#at[i]!);
    }
    this.#at[i] = logKappa;
    this.#slope[i] = slope;
    return this.#value[i]!;
  }
}

/** L_i + (1/2) (w - a)^T P (w - a) at every task's model, in units of one row's loss, [m]. */
function leastLosses(
  tasks: ResidentTasks,
  { precision, center }: QuadraticPrior,
  { weights, intercepts }: PlacedModels,
): Float64Array {
  const { m, d, core } = tasks;
  const { arena, kernels } = core;
  const mark = arena.mark();
  const at = arena.f64(m);
  const gaps = arena.f64(m * d);
  const images = arena.f64(m * d);
  tasks.losses(weights, intercepts, at);
  const gap = arena.view(gaps, m * d);
  gap.set(arena.view(weights, m * d));
  if (center !== 0) {
    const a = arena.view(center, d);
    for (let k = 0; k < gap.length; k++) gap[k]! -= a[k % d]!;
  }
  const work = arena.bytes(kernels.gemmWorkspace(m, d, d));
  kernels.gemm(gaps, precision, images, m, d, d, work);
  const scales = arena.view(tasks.scales, m);
  const fits = arena.view(at, m).slice();
  for (let i = 0; i < m; i++) {
    const own = 8 * i * d;
    fits[i] = (fits[i]! + kernels.dot(gaps + own, images + own, d) / 2) / scales[i]!;
  }
  arena.release(mark);
  return fits;
}

/** The part of -log evidence that a task's least penalised loss makes, by its n rows. */
function fitCost({ loss, intercept }: ResidentTasks, fit: number, n: number): number {
  if (loss !== "squared") return fit;
  const free = n - (intercept ? 1 : 0);
  return free > 0 ? (free / 2) * math.log(Math.max((2 * fit) / free, LEAST_ERROR)) : 0;
}

/** into <- (1 - fraction) into + fraction of, from `from` up to `to`. */
function blend(into: Float64Array, of: Float64Array, from: number, to: number, fraction: number) {
  for (let j = from; j < to; j++) into[j]! += fraction * (of[j]! - into[j]!);
}
