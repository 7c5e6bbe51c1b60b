/**
 * Every task's own model: posterior means under hypotheses on its spread and noise, and under learning alone,
 * averaged by what its own rows say for each. Only the task's own model depends on its weights, so they cost
 * nothing, and a task that the others do not resemble keeps to itself.
 * @module
 */
import { triangle } from "../../../../linalg/packed-symmetric.js";
import { log } from "../../../../core/elementary.js";
import { product } from "../../../../linalg/kernel-products.js";
import { apply, multiply, transpose } from "../../../../linalg/small-matrices.js";
import { aloneRoots, rootsIn, type Apart } from "./alone-roots.js";
import type { MixedModels, MixedPrior } from "../exchange.js";
import { alonePrior, noiseLevels, sharedRoots, type Hypothesis, type Root } from "./hypotheses.js";
import { ownPart, pooledWeights } from "../own-part.js";
import type { TaskSpectra } from "../spectra/task-spectra.js";
import { TaskSpectrum } from "../spectra/task-spectrum.js";

/** Models of all tasks of the batch under a prior; `null` where every task learns alone. */
export function solveTasks(
  prior: MixedPrior | null,
  tasks: TaskSpectra,
  apart: Apart = {},
): Omit<MixedModels, "prior"> {
  const { m, d } = tasks;
  const pooled = prior ? ownPart(prior) : () => 0;
  const common = prior ? sharedRoots(prior) : [];
  const roots = [...common, ...aloneRoots(d, apart)];
  const shared = common.reduce((sum, { hypotheses }) => sum + hypotheses.length, 0);
  const spectra = roots.map(() => new TaskSpectrum(d));
  const models = new Float64Array(m * d);
  const covariances = new Float64Array(m * triangle(d));
  const levels = noiseLevels(prior?.noise ?? 0, apart.differences !== undefined);
  const noiseWeights = new Float64Array(m * levels.length);
  const noiseParts = new Float64Array(m * levels.length);
  const noise = new Float64Array(m);
  const alone = new Float64Array(m);
  const partAlone = prior ? alonePrior(prior) : () => 1;
  for (let i = 0; i < m; i++) {
    const part = partAlone(tasks.rowsOf(i));
    const kinds = { shared: log(1 - part), alone: log(part) };
    const differences = apart.differences?.(i);
    const own = rootsIn(roots, apart.units?.(i), differences);
    const costs = own.flatMap(({ center, l, hypotheses, kind }, at) => {
      const spectrum = tasks.of(i, center, l, spectra[at]!);
      return hypotheses.map(
        (h) => spectrum.logLikelihood(h.spread, h.noise) + h.weight + kinds[kind],
      );
    });
    // A vote that failed spoils what is shared, of which a few rows may not tell.
    const leastAlone = Math.max(pooled(tasks.rowsOf(i)), differences?.doubt ?? 0);
    const weights = pooledWeights(costs, shared, leastAlone);
    let from = 0;
    const posteriors = own.map((root, at) => {
      const parts = weights.subarray(from, (from += root.hypotheses.length));
      root.hypotheses.forEach((h, k) => {
        noiseWeights[i * levels.length + h.level]! += parts[k]!;
        noiseParts[i * levels.length + h.level]! += parts[k]! * variance(spectra[at]!, h);
      });
      return posteriorOf(root, spectra[at]!, parts);
    });
    const K = levels.length;
    relative(noiseParts.subarray(i * K, (i + 1) * K), noiseWeights.subarray(i * K, (i + 1) * K));
    const model = models.subarray(i * d, (i + 1) * d);
    posteriors.forEach((posterior, at) => {
      noise[i]! += posterior.noise;
      if (roots[at]!.kind !== "shared") alone[i]! += posterior.weight;
      for (let c = 0; c < d; c++) model[c]! += posterior.mean[c]!;
    });
    const covariance = covariances.subarray(i * triangle(d), (i + 1) * triangle(d));
    posteriors.forEach((posterior, at) =>
      addCovariance(own[at]!, spectra[at]!, posterior, model, covariance),
    );
  }
  return {
    models,
    covariances,
    noise,
    noises: { levels, weights: noiseWeights, parts: noiseParts },
    alone,
  };
}

/** Sum over a task's rows of the posterior variance of x . w under a hypothesis. */
function variance({ k, squares }: TaskSpectrum, { spread, noise }: Hypothesis): number {
  let sum = 0;
  for (let j = 0; j < k; j++)
    sum += (spread * noise * squares[j]!) / (noise + spread * squares[j]!);
  return sum;
}

/** Weighted sums, in place, as means relative to the mean of all; 1 where there is nothing to compare. */
function relative(sums: Float64Array, weights: Float64Array): void {
  const total = sums.reduce((a, b) => a + b, 0);
  sums.forEach((sum, k) => {
    sums[k] = total > 0 && weights[k]! > 1e-12 ? sum / weights[k]! / total : 1;
  });
}

/** Sums over the hypotheses of a root, weighted; d coordinates, k directions of the task. */
interface Posterior {
  readonly weight: number;
  readonly noise: number;
  /** Of the models' means, [d]. */
  readonly mean: Float64Array;
  /** Of the spread, and of what the rows take of it in each direction, [k]. */
  readonly spread: number;
  readonly told: Float64Array;
  /** Of the means' way from the center: in the directions, [k], and the outer products, [k, k]. */
  readonly way: Float64Array;
  readonly ways: Float64Array;
}

function posteriorOf({ hypotheses, center, l }: Root, task: TaskSpectrum, weights: Float64Array) {
  const d = center.length;
  const { k, squares, observed, directions } = task;
  let [weight, noise, spread] = [0, 0, 0];
  const [told, way, ways] = [new Float64Array(k), new Float64Array(k), new Float64Array(k * k)];
  const own = new Float64Array(k);
  hypotheses.forEach((h, at) => {
    const w = weights[at]!;
    if (w < 1e-12) return;
    weight += w;
    noise += w * h.noise;
    spread += w * h.spread;
    for (let j = 0; j < k; j++) {
      const v = h.noise + h.spread * squares[j]!;
      own[j] = (h.spread * Math.sqrt(squares[j]!) * observed[j]!) / v;
      told[j]! += (w * h.spread * h.spread * squares[j]!) / v;
      const weighted = w * own[j]!;
      way[j]! += weighted;
      for (let t = 0, at = j * k; t <= j; t++, at++) ways[at]! += weighted * own[t]!;
    }
  });
  for (let j = 0; j < k; j++) for (let t = 0; t < j; t++) ways[t * k + j] = ways[j * k + t]!;
  const moved = apply(l, multiply(way, directions, 1, k, d), d, d);
  const mean = center.map((value, c) => weight * value + moved[c]!);
  return { weight, noise, mean, spread, told, way, ways };
}

/**
 * Adds sum_h p_h (Cov_h + (mean_h - model)(mean_h - model)^T), lower triangle, for
 * Cov_h = L (spread I - sum_j told_j w_j w_j^T) L^T.
 */
function addCovariance(
  { center, l }: Root,
  { k, directions }: TaskSpectrum,
  { weight, mean, spread, told, ways }: Posterior,
  model: Float64Array,
  into: Float64Array,
): void {
  if (weight < 1e-9) return;
  const d = model.length;
  const columns = transpose(l, d, d);
  // Rows L w_j, [k, d].
  const rows = product(directions, columns, k, d, d);
  const middle = ways.slice();
  for (let j = 0; j < k; j++) middle[j * (k + 1)]! -= told[j]!;
  const half = product(middle, rows, k, k, d);
  // A line of the triangle at a time, so that no sum waits for its own last term.
  const line = new Float64Array(d);
  for (let c = 0, at = 0; c < d; at += ++c) {
    const off = center[c]! - model[c]!;
    const moved = mean[c]! - weight * center[c]!;
    for (let e = 0; e <= c; e++) {
      const offE = center[e]! - model[e]!;
      line[e] = weight * off * offE + off * (mean[e]! - weight * center[e]!) + moved * offE;
    }
    for (let t = 0; t <= c; t++) {
      const factor = spread * l[c * d + t]!;
      if (factor === 0) continue;
      for (let e = t; e <= c; e++) line[e]! += factor * columns[t * d + e]!;
    }
    for (let j = 0; j < k; j++) {
      const factor = rows[j * d + c]!;
      for (let e = 0; e <= c; e++) line[e]! += factor * half[j * d + e]!;
    }
    for (let e = 0; e <= c; e++) into[at + e]! += line[e]!;
  }
}
