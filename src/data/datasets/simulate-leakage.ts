/**
 * The papers' example of leakage: models of which one is conspicuous. The same seed gives the same bits on every host.
 * @module
 */
import { integer } from "../../core/checks.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import { uniforms } from "../../random/index.js";
import { checkSeed, type Seed } from "../split/shuffle.js";
import { MODELS, taskNames, withStream } from "./seeded-draws.js";

/** Options of {@link simulateLeakage}. */
export interface LeakageOptions {
  /** m. Default 10. */
  tasks?: number;
  /** d. Default 5. */
  features?: number;
  /** The same seed gives the same models on every host. */
  seed: Seed;
}

const LEAKAGE_NAMES = namesOf<LeakageOptions>({ tasks: true, features: true, seed: true });

/**
 * The papers' model leakage example: models uniform on (0, 1)^d, the last one times 100, so that
 * sharing without noise shows it to all the others.
 *
 * @returns names of the tasks; weights Float64Array, shape [m, d], row-major; and clip, the bound
 *          100 sqrt(d) that no model's norm exceeds.
 * @throws RangeError or TypeError naming the option.
 */
export function simulateLeakage(options: LeakageOptions): {
  names: string[];
  weights: Float64Array;
  clip: number;
} {
  checkNames("simulateLeakage", options, LEAKAGE_NAMES);
  const { tasks = 10, features = 5 } = options;
  integer("tasks", tasks, 1, 1e6);
  integer("features", features, 1, 1e6);
  const seed = checkSeed(options.seed);
  const weights = withStream(seed, MODELS, (stream) => uniforms(stream, tasks * features));
  const last = weights.subarray((tasks - 1) * features);
  last.forEach((value, j) => (last[j] = 100 * value));
  return { names: taskNames(tasks), weights, clip: 100 * Math.sqrt(features) };
}
