/**
 * The papers' synthetic data: related tasks whose models have low rank, or use few features. The same seed gives the same bits on every host.
 * @see Liang et al., section 5.4; their covariance of models is not printed, ours is stated below.
 * @module
 */
import { integer, nonNegative, oneOf, positive } from "../../core/checks.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import { gemm } from "../../linalg/index.js";
import { normals, uniforms, type RandomStream } from "../../random/index.js";
import { rootOfCovariance } from "./model-covariance.js";
import { MODELS, taskNames, withStream } from "./seeded-draws.js";
import { checkSeed, type Seed } from "../split/shuffle.js";
import { TaskSet } from "../tasks/task-set.js";
import { defaultFeatureNames } from "../tasks/feature-names.js";

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /**
   * "low-rank": the tasks fall into clusters of equal size; all models of a cluster are the same
   * normal vector with entries of variance `variance`, with its sign turned in the last quarter.
   * So W has rank `clusters`, correlations within are +1 or -1, and 0 across.
   * "group-sparse": the first `activeFeatures` entries of every model are uniform on
   * [-50, -1] or [1, 50], the others zero.
   */
  pattern: "low-rank" | "group-sparse";
  /** m. Default 320. */
  tasks?: number;
  /** Training rows of every task. Default 30. */
  samples?: number;
  /** d. Default 30. */
  features?: number;
  /** Test rows for every training row. Default 9. */
  testFactor?: number;
  /** Standard deviation of the noise in y. Default 1. */
  noise?: number;
  /** Number of clusters, at most m; "low-rank" only. Default 4, or m if that is less. */
  clusters?: number;
  /** Variance of the models' entries; "low-rank" only. Default 120. */
  variance?: number;
  /**
   * Sigma, [m, m], row-major, symmetric and positive semi-definite: feature by feature the models' entries are N(0, Sigma) over the
   * tasks, W ~ MVN(0, I_d, Sigma), in place of clusters; "low-rank" only. Its side is m, and may say m instead of `tasks`.
   */
  covariance?: ArrayLike<number>;
  /** Number of features in use, at most d; "group-sparse" only. Default 4, or d if that is less. */
  activeFeatures?: number;
  /** The same seed gives the same bits on every host. */
  seed: Seed;
}

const NAMES = namesOf<SimulateOptions>({
  pattern: true,
  tasks: true,
  samples: true,
  features: true,
  testFactor: true,
  noise: true,
  clusters: true,
  variance: true,
  covariance: true,
  activeFeatures: true,
  seed: true,
});

/** Simulated tasks and the models behind them. */
export interface Simulation {
  /** Training rows of the m tasks. */
  readonly train: TaskSet;
  /** Test rows of the same tasks, drawn alike. */
  readonly test: TaskSet;
  /** Float64Array, shape [m, d], row-major: row i is the model of task i. */
  readonly weights: Float64Array;
}

type Settings = Required<Omit<SimulateOptions, "covariance">> & {
  /** A with A A^T = Sigma, [m, m]. */
  readonly root: Float64Array | undefined;
};

/** Random streams of one seed: the models', and for each task that of its training and test rows. */
const trainStream = (task: number) => 1 + 2 * task;
const testStream = (task: number) => 2 + 2 * task;

function settingsOf(options: SimulateOptions): Settings {
  checkNames("simulate", options, NAMES);
  const { covariance, samples = 30, features = 30, testFactor = 9, noise = 1 } = options;
  const { variance = 120, tasks = covariance ? Math.round(Math.sqrt(covariance.length)) : 320 } =
    options;
  integer("tasks", tasks, 1, 1e6);
  integer("features", features, 1, 1e6);
  return {
    pattern: oneOf("pattern", options.pattern, ["low-rank", "group-sparse"]),
    tasks,
    samples: integer("samples", samples, 1, 1e7),
    features,
    testFactor: integer("testFactor", testFactor, 1, 1e4),
    noise: nonNegative("noise", noise),
    clusters: integer("clusters", options.clusters ?? Math.min(4, tasks), 1, tasks),
    variance: positive("variance", variance),
    activeFeatures: integer(
      "activeFeatures",
      options.activeFeatures ?? Math.min(4, features),
      1,
      features,
    ),
    seed: checkSeed(options.seed),
    root: covariance && rootOfCovariance(covariance, tasks, options),
  };
}

/** Rows of A Z, Z standard normal [m, d]. */
function modelsOfCovariance(
  root: Float64Array,
  { tasks: m, features: d, seed }: Settings,
): Float64Array {
  return gemm(
    root,
    withStream(seed, MODELS, (stream) => normals(stream, m * d)),
    m,
    m,
    d,
  );
}

function lowRankModels({ tasks, features: d, clusters, variance, seed }: Settings): Float64Array {
  const centers = withStream(seed, MODELS, (stream) => normals(stream, clusters * d));
  const scale = Math.sqrt(variance);
  const weights = new Float64Array(tasks * d);
  for (let i = 0; i < tasks; i++) {
    const cluster = Math.floor((i * clusters) / tasks);
    const first = Math.ceil((cluster * tasks) / clusters);
    const size = Math.ceil(((cluster + 1) * tasks) / clusters) - first;
    const factor = i - first < Math.ceil(0.75 * size) ? scale : -scale;
    for (let j = 0; j < d; j++) weights[i * d + j] = factor * centers[cluster * d + j]!;
  }
  return weights;
}

function groupSparseModels({ tasks, features: d, activeFeatures, seed }: Settings): Float64Array {
  const draws = withStream(seed, MODELS, (stream) => uniforms(stream, tasks * activeFeatures));
  const weights = new Float64Array(tasks * d);
  draws.forEach((uniform, at) => {
    // (0, 1/2) gives (-50, -1), (1/2, 1) gives (1, 50).
    const value = uniform < 0.5 ? -50 + 98 * uniform : 1 + 98 * (uniform - 0.5);
    weights[Math.floor(at / activeFeatures) * d + (at % activeFeatures)] = value;
  });
  return weights;
}

function modelsOf(settings: Settings): Float64Array {
  if (settings.root) return modelsOfCovariance(settings.root, settings);
  return settings.pattern === "low-rank" ? lowRankModels(settings) : groupSparseModels(settings);
}

/** Rows of one task: normal, scaled to unit length; y = x . w + noise. */
function drawRows(
  stream: RandomStream,
  weights: Float64Array,
  noise: number,
  x: Float64Array,
  y: Float64Array,
): void {
  const d = weights.length;
  x.set(normals(stream, x.length));
  const errors = normals(stream, y.length);
  for (let row = 0; row < y.length; row++) {
    let squares = 0;
    let product = 0;
    for (let j = 0; j < d; j++) {
      squares += x[row * d + j]! ** 2;
      product += x[row * d + j]! * weights[j]!;
    }
    const norm = Math.sqrt(squares);
    for (let j = 0; j < d; j++) x[row * d + j]! /= norm;
    y[row] = product / norm + noise * errors[row]!;
  }
}

function drawTasks(
  settings: Settings,
  weights: Float64Array,
  rows: number,
  streamOf: (task: number) => number,
): TaskSet {
  const { tasks: m, features: d, noise, seed } = settings;
  const x = new Float64Array(m * rows * d);
  const y = new Float64Array(m * rows);
  for (let i = 0; i < m; i++) {
    withStream(seed, streamOf(i), (stream) => {
      drawRows(
        stream,
        weights.subarray(i * d, (i + 1) * d),
        noise,
        x.subarray(i * rows * d, (i + 1) * rows * d),
        y.subarray(i * rows, (i + 1) * rows),
      );
    });
  }
  return TaskSet.adopt({
    x,
    y,
    offsets: Uint32Array.from({ length: m + 1 }, (_, i) => i * rows),
    names: taskNames(m),
    featureNames: defaultFeatureNames(d),
    targetName: "y",
  });
}

/**
 * Tasks with n rows each: rows of X normal, then scaled to unit length; y = X w_i + noise N(0, 1);
 * and testFactor n test rows drawn alike. A task's rows depend on the seed, its number, its model
 * and n; not on m.
 *
 * @throws RangeError or TypeError naming the option.
 * @example const { train, test, weights } = simulate({ pattern: "low-rank", seed: "a" });
 */
export function simulate(options: SimulateOptions): Simulation {
  const settings = settingsOf(options);
  const weights = modelsOf(settings);
  const { samples, testFactor } = settings;
  return {
    train: drawTasks(settings, weights, samples, trainStream),
    test: drawTasks(settings, weights, samples * testFactor, testStream),
    weights,
  };
}
