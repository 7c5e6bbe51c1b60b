/**
 * Every task's own model: posterior means under hypotheses on its spread and noise, and under learning alone,
 * averaged by what its own rows say for each. Only the task's own model depends on its weights, so they cost
 * nothing, and a task that the others do not resemble keeps to itself.
 * @module
 */
import { triangle } from "../../../../linalg/packed-symmetric.js";
import { log } from "../../../../core/elementary.js";
import { aloneRoots, partInOwn, rootsIn, type Apart } from "./alone-roots.js";
import type { MixedModels, MixedPrior } from "../exchange.js";
import { alonePrior, noiseLevels, sharedRoots, type Hypothesis, type Root } from "./hypotheses.js";
import { Posterior, RootPosteriors } from "./root-posteriors.js";
import { ownPart, pooledWeights } from "../own-part.js";
import { MANY_ROWS } from "./squared-settings.js";
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
  const common = prior ? sharedRoots(prior) : { few: [], many: [] };
  const byOneself = aloneRoots(d, apart);
  const few = asked(common.few, byOneself);
  const many = asked(common.many, byOneself);
  const spectra = many.roots.map(() => new TaskSpectrum(d));
  const posteriors = many.roots.map(() => new Posterior(d));
  const sums = new RootPosteriors(many.roots, d);
  const models = new Float64Array(m * d);
  const covariances = new Float64Array(m * triangle(d));
  const levels = noiseLevels(prior?.noise ?? 0, apart.differences !== undefined);
  const K = levels.length;
  const noiseWeights = new Float64Array(m * K);
  const noiseParts = new Float64Array(m * K);
  const noise = new Float64Array(m);
  const alone = new Float64Array(m);
  const partAlone = prior ? alonePrior(prior) : () => 1;
  for (let i = 0; i < m; i++) {
    const n = tasks.rowsOf(i);
    const { roots, shared, costs } = n < MANY_ROWS ? few : many;
    const part = partAlone(n);
    const inOwn = partInOwn(apart, n);
    const kinds = { shared: log(1 - part), alone: log(part * (1 - inOwn)), own: log(part * inOwn) };
    const differences = apart.differences?.(i);
    const own = rootsIn(roots, apart.units?.of(i), differences);
    for (let at = 0, next = 0; at < own.length; at++) {
      const { center, l, hypotheses, kind } = own[at]!;
      const spectrum = tasks.of(i, center, l, spectra[at]!);
      for (const { spread, noise: ofRow, weight } of hypotheses) {
        costs[next++] = spectrum.logLikelihood(spread, ofRow) + weight + kinds[kind];
      }
    }
    // A vote that failed spoils what is shared, of which a few rows may not tell.
    const leastAlone = Math.max(pooled(n), differences?.doubt ?? 0);
    const weights = pooledWeights(costs, shared, leastAlone);
    const model = models.subarray(i * d, (i + 1) * d);
    for (let at = 0, from = 0; at < own.length; at++) {
      const { hypotheses, kind } = own[at]!;
      const parts = weights.subarray(from, (from += hypotheses.length));
      for (let k = 0; k < parts.length; k++) {
        const h = hypotheses[k]!;
        noiseWeights[i * K + h.level]! += parts[k]!;
        noiseParts[i * K + h.level]! += parts[k]! * variance(spectra[at]!, h);
      }
      const posterior = posteriors[at]!;
      sums.of(own[at]!, spectra[at]!, parts, posterior);
      noise[i]! += posterior.noise;
      if (kind !== "shared") alone[i]! += posterior.weight;
      for (let c = 0; c < d; c++) model[c]! += posterior.mean[c]!;
    }
    relative(noiseParts.subarray(i * K, (i + 1) * K), noiseWeights.subarray(i * K, (i + 1) * K));
    const covariance = covariances.subarray(i * triangle(d), (i + 1) * triangle(d));
    for (let at = 0; at < own.length; at++) {
      sums.addCovariance(own[at]!, spectra[at]!, posteriors[at]!, model, covariance);
    }
  }
  return {
    models,
    covariances,
    noise,
    noises: { levels, weights: noiseWeights, parts: noiseParts },
    alone,
  };
}

/** Roots, the hypotheses of the shared ones, and room for what a task's rows say of all. */
function asked(common: readonly Root[], alone: readonly Root[]) {
  const count = (roots: readonly Root[]) =>
    roots.reduce((sum, { hypotheses }) => sum + hypotheses.length, 0);
  const roots = [...common, ...alone];
  return { roots, shared: count(common), costs: new Float64Array(count(roots)) };
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
