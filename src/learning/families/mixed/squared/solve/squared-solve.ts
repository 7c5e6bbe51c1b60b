/**
 * Every task's own model: posterior means under hypotheses on its spread and noise, and under learning alone,
 * averaged by what its own rows say for each. Only the task's own model depends on its weights, so they cost
 * nothing, and a task that the others do not resemble keeps to itself.
 * @module
 */
import { triangle } from "../../../../../linalg/packed-symmetric.js";
import { log } from "../../../../../core/elementary.js";
import { aloneRoots, partInOwn, TaskRoots, type Apart } from "./alone-roots.js";
import type { MixedModels, MixedPrior } from "../../exchange.js";
import { alonePrior, noiseLevels, sharedRoots, type Hypothesis, type Root } from "./hypotheses.js";
import { Posterior, RootPosteriors } from "./root-posteriors.js";
import { ownPart, pooledWeights, weightsRoom, type WeightsRoom } from "../../own-part.js";
import { MANY_ROWS } from "../squared-settings.js";
import type { TaskSpectra } from "../../spectra/task-spectra.js";
import { TaskSpectrum } from "../../spectra/task-spectrum.js";

/** Models of all tasks of the batch under a prior; `null` where every task learns alone. */
export function solveTasks(
  prior: MixedPrior | null,
  tasks: TaskSpectra,
  apart: Apart = {},
): Omit<MixedModels, "prior"> {
  const solver = new TaskSolver(prior, tasks, apart);
  for (let i = 0; i < tasks.m; i++) solver.solve(i);
  return solver.solved;
}

/** One task after the other, in room that is kept. */
class TaskSolver {
  readonly solved: Omit<MixedModels, "prior"> & {
    readonly noises: NonNullable<MixedModels["noises"]>;
  };
  readonly #tasks: TaskSpectra;
  readonly #apart: Apart;
  readonly #pooled: (n: number) => number;
  readonly #partAlone: (n: number) => number;
  readonly #few: Asked;
  readonly #many: Asked;
  readonly #spectra: readonly TaskSpectrum[];
  readonly #posteriors: readonly Posterior[];
  readonly #sums: RootPosteriors;

  constructor(prior: MixedPrior | null, tasks: TaskSpectra, apart: Apart) {
    const { m, d } = tasks;
    const common = prior ? sharedRoots(prior) : { few: [], many: [] };
    const byOneself = aloneRoots(d, apart);
    this.#tasks = tasks;
    this.#apart = apart;
    this.#pooled = prior ? ownPart(prior) : () => 0;
    this.#partAlone = prior ? alonePrior(prior) : () => 1;
    const shared = common.many;
    this.#many = asked(shared, byOneself, d);
    this.#few = hasFew(tasks) ? asked(common.few, byOneself, d) : this.#many;
    const all = [...shared, ...byOneself];
    this.#spectra = all.map(() => new TaskSpectrum(d));
    this.#posteriors = all.map(() => new Posterior(d));
    this.#sums = new RootPosteriors(all, d);
    const levels = noiseLevels(prior?.noise ?? 0, apart.differences !== undefined);
    const ofNoises = () => new Float64Array(m * levels.length);
    this.solved = {
      models: new Float64Array(m * d),
      covariances: new Float64Array(m * triangle(d)),
      noise: new Float64Array(m),
      alone: new Float64Array(m),
      noises: { levels, weights: ofNoises(), parts: ofNoises() },
    };
  }

  /** Works out a task's model, with its covariance and what is said of its noise. */
  solve(i: number): void {
    const { d } = this.#tasks;
    const { models, covariances, noises } = this.solved;
    const K = noises.levels.length;
    const units = this.#apart.units?.of(i);
    const differences = this.#apart.differences?.(i);
    const all = this.#tasks.rowsOf(i) < MANY_ROWS ? this.#few : this.#many;
    const roots = all.roots.of(units, differences);
    this.#ask(i, roots, all);
    // A vote that failed spoils what is shared, of which a few rows may not tell.
    const leastAlone = Math.max(this.#pooled(this.#tasks.rowsOf(i)), differences?.doubt ?? 0);
    const weights = pooledWeights(all.costs, all.shared, leastAlone, all.weights);
    const model = models.subarray(i * d, (i + 1) * d);
    this.#average(i, roots, weights, model);
    relative(noises.parts, noises.weights, i * K, (i + 1) * K);
    const covariance = covariances.subarray(i * triangle(d), (i + 1) * triangle(d));
    for (let at = 0; at < roots.length; at++) {
      this.#sums.addCovariance(
        roots[at]!,
        this.#spectra[at]!,
        this.#posteriors[at]!,
        model,
        covariance,
      );
    }
  }

  /** Writes the logarithms of weights of all hypotheses, and the spectra under their roots. */
  #ask(i: number, roots: readonly Root[], { costs }: Asked): void {
    const n = this.#tasks.rowsOf(i);
    const part = this.#partAlone(n);
    const inOwn = partInOwn(this.#apart, n);
    const [shared, alone, own] = [log(1 - part), log(part * (1 - inOwn)), log(part * inOwn)];
    for (let at = 0, next = 0; at < roots.length; at++) {
      const { center, l, hypotheses, kind } = roots[at]!;
      const spectrum = this.#tasks.of(i, center, l, this.#spectra[at]!);
      const ofKind = kind === "shared" ? shared : kind === "alone" ? alone : own;
      for (let k = 0; k < hypotheses.length; k++, next++) {
        const { spread, noise, weight } = hypotheses[k]!;
        costs[next] = spectrum.logLikelihood(spread, noise) + weight + ofKind;
      }
    }
  }

  /** Sums over the hypotheses by their weights: the model, and what is said of the noise. */
  #average(i: number, roots: readonly Root[], weights: Float64Array, model: Float64Array): void {
    const { noise, noises, alone } = this.solved;
    const first = i * noises.levels.length;
    for (let at = 0, from = 0; at < roots.length; at++) {
      const { hypotheses, kind } = roots[at]!;
      const spectrum = this.#spectra[at]!;
      const parts = weights.subarray(from, (from += hypotheses.length));
      for (let k = 0; k < parts.length; k++) {
        const h = hypotheses[k]!;
        noises.weights[first + h.level]! += parts[k]!;
        noises.parts[first + h.level]! += parts[k]! * variance(spectrum, h);
      }
      const posterior = this.#posteriors[at]!;
      this.#sums.of(roots[at]!, spectrum, parts, posterior);
      noise[i]! += posterior.noise;
      if (kind !== "shared") alone[i]! += posterior.weight;
      for (let c = 0; c < model.length; c++) model[c]! += posterior.mean[c]!;
    }
  }
}

/** Whether any of them has few rows. */
function hasFew(tasks: TaskSpectra): boolean {
  for (let task = 0; task < tasks.m; task++) if (tasks.rowsOf(task) < MANY_ROWS) return true;
  return false;
}

/** What tasks choose among, and room for one task after the other. */
interface Asked {
  readonly roots: TaskRoots;
  /** Hypotheses of the shared roots, the first. */
  readonly shared: number;
  readonly costs: Float64Array;
  readonly weights: WeightsRoom;
}

function asked(common: readonly Root[], alone: readonly Root[], d: number): Asked {
  const count = (roots: readonly Root[]) =>
    roots.reduce((sum, { hypotheses }) => sum + hypotheses.length, 0);
  const [shared, all] = [count(common), count(common) + count(alone)];
  const roots = new TaskRoots([...common, ...alone], d);
  return { roots, shared, costs: new Float64Array(all), weights: weightsRoom(all, shared) };
}

/** Sum over a task's rows of the posterior variance of x . w under a hypothesis. */
function variance({ k, squares }: TaskSpectrum, { spread, noise }: Hypothesis): number {
  let sum = 0;
  for (let j = 0; j < k; j++)
    sum += (spread * noise * squares[j]!) / (noise + spread * squares[j]!);
  return sum;
}

/** Weighted sums from..to, in place, as means relative to the mean of all; 1 where there is nothing to compare. */
function relative(sums: Float64Array, weights: Float64Array, from: number, to: number): void {
  let total = 0;
  for (let k = from; k < to; k++) total += sums[k]!;
  for (let k = from; k < to; k++) {
    sums[k] = total > 0 && weights[k]! > 1e-12 ? sums[k]! / weights[k]! / total : 1;
  }
}
