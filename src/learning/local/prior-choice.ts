/**
 * Every task's model under a shared prior, with a strength of the prior that it chooses on its own
 * rows: only its own model depends on the choice, so there is nothing to charge.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { Pointer } from "../../core/index.js";
import type { LossName } from "../losses.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { solveLeavingOneOut } from "./leave-one-out.js";
import type { LocalModels } from "./ridge.js";

/** Candidate strengths and what is thought of them before the task's rows are seen. */
export interface StrengthPrior {
  /** kappa > 0, ascending, for losses divided by n_i. */
  readonly candidates: readonly number[];
  /** Most likely kappa and the standard deviation of log10 kappa around it. */
  readonly center: number;
  readonly decades: number;
}

/** A prior as it lies in a message. */
export interface PriorAt {
  /** C^-1 [d,d]. */
  readonly precision: Pointer;
  /** a[d], or 0 for the origin. */
  readonly center: Pointer;
}

/** The outcome of every task's choice. */
export interface Chosen extends LocalModels {
  /** Leave-one-out log-likelihood cost of every candidate, without the prior term, [m, K]. */
  readonly costs: Float64Array;
  /** Leave-one-out losses of every row, averaged like the models: no less than the average's, [N]. */
  readonly rowLosses: Float64Array;
}

/** Cost of fitting a task perfectly: keeps the logarithm finite. */
const LEAST_ERROR = 1e-300;

/**
 * Task i averages the models of all kappa with weights exp(-a_i(kappa)),
 *   a_i(kappa) = cost_i(kappa) + (log10 kappa - log10 center)^2 / (2 decades^2),
 * cost the log-likelihood of its rows left out one at a time: (n_i/2) log of their mean squared
 * error, or the sum of their log-losses. A few rows choose badly, so their say is averaged rather
 * than followed, and the second term is what many tasks have in common. One candidate is taken as
 * it is.
 *
 * @see Geisser and Eddy (1979), for the leave-one-out likelihood as weight ("pseudo-BMA").
 */
export function choosePriorStrength(
  tasks: ResidentTasks,
  prior: PriorAt,
  { candidates, center, decades }: StrengthPrior,
): Chosen {
  const { m, d, rows, core } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const offsets = arena.words(tasks.offsets, m + 1).slice();
  const count = candidates.length;
  const weights = new Float64Array(m * d);
  const intercepts = new Float64Array(m);
  const rowLosses = new Float64Array(rows);
  const costs = new Float64Array(m * count);
  const least = new Float64Array(m).fill(Infinity);
  const masses = new Float64Array(m);
  const scaled = arena.f64(d * d);
  const models = arena.zeros(m * d);
  const levels = tasks.intercept ? arena.zeros(m) : 0;
  candidates.forEach((kappa, k) => {
    const losses = solveWith(tasks, prior, kappa, scaled, models, levels);
    const belief = ((math.log10(kappa) - math.log10(center)) / decades) ** 2 / 2;
    const w = arena.view(models, m * d);
    const b = arena.view(levels, tasks.intercept ? m : 0);
    for (let i = 0; i < m; i++) {
      const [from, to] = [offsets[i]!, offsets[i + 1]!];
      const cost = logLikelihoodCost(tasks, losses.subarray(from, to));
      costs[i * count + k] = cost;
      // A running average; masses are relative to the best candidate so far.
      const negative = count > 1 ? Math.min(cost + belief, Number.MAX_VALUE) : 0;
      const best = Math.min(least[i]!, negative);
      const before = masses[i]! * math.exp(best - least[i]!);
      const mass = math.exp(best - negative);
      const share = mass / (before + mass);
      least[i] = best;
      masses[i] = before + mass;
      blend(weights, w, i * d, (i + 1) * d, share);
      if (tasks.intercept) blend(intercepts, b, i, i + 1, share);
      blend(rowLosses, losses, from, to, share);
    }
  });
  arena.release(mark);
  return { weights, intercepts, costs, rowLosses };
}

/** into <- (1 - share) into + share of, from `from` up to `to`. */
function blend(into: Float64Array, of: Float64Array, from: number, to: number, share: number) {
  for (let j = from; j < to; j++) into[j]! += share * (of[j]! - into[j]!);
}

/** Solves all tasks with P = kappa C^-1, in the units of the loss. */
function solveWith(
  tasks: ResidentTasks,
  { precision, center }: PriorAt,
  kappa: number,
  scaled: Pointer,
  models: Pointer,
  levels: Pointer,
): Float64Array {
  const { d, unit, core } = tasks;
  const { arena, kernels } = core;
  arena.view(scaled, d * d).fill(0);
  kernels.axpy(kappa * unit, precision, scaled, d * d);
  return solveLeavingOneOut(tasks, scaled, center, models, levels);
}

/** -log-likelihood of rows with these held-out losses: (n/2) log of the mean square, or the sum. */
export function logLikelihoodCost({ loss }: { loss: LossName }, losses: Float64Array): number {
  const sum = losses.reduce((total, value) => total + value, 0);
  if (loss !== "squared") return sum;
  return (losses.length / 2) * math.log(Math.max(sum / losses.length, LEAST_ERROR));
}

/**
 * Whether each task had better learn alone: where its own rows, left out one at a time, are
 * predicted better alone by more than two standard errors of the paired difference. On by default,
 * it guards a task against a prior that does not fit it at a false alarm of about one in forty.
 *
 * @returns [m], 1 where `alone` is to be kept.
 */
export function betterAlone(
  offsets: Uint32Array,
  shared: Float64Array,
  alone: Float64Array,
): Uint8Array {
  const m = offsets.length - 1;
  const keep = new Uint8Array(m);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const n = to - from;
    if (n < 2) continue;
    let mean = 0;
    for (let j = from; j < to; j++) mean += (shared[j]! - alone[j]!) / n;
    let square = 0;
    for (let j = from; j < to; j++) square += (shared[j]! - alone[j]! - mean) ** 2;
    keep[i] = mean > 2 * Math.sqrt(square / (n - 1) / n) ? 1 : 0;
  }
  return keep;
}
