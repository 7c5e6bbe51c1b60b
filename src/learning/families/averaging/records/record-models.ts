/**
 * What tasks that share gradients of records make of the last release: every one its own model, from its own rows or from
 * noisy gradients of them.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import type { OwnRelease } from "../../../release/own-release.js";
import type { ClippedGradients } from "./clipped-gradients.js";
import type { LocalUpdates } from "../updates/local-updates.js";

/** Tasks whose models are made at the end, each in the core. */
interface Concluded {
  readonly core: Core;
  readonly m: number;
  /** [m, parameters]. */
  readonly models: Pointer;
  /** The shared model, `uploadLength` parameters. */
  readonly global: Pointer;
  readonly uploadLength: number;
  /** How many rows task i has. */
  rowsOf(i: number): number;
  /** Puts the shared model in the place of every task's. */
  takeShared(): void;
  /** Gives shared and own models to what goes on with them. */
  handOn(after: LocalUpdates): void;
  takeModels(from: LocalUpdates): void;
}

/** Makes the models of a batch of tasks, [m, parameters]; stops now and then. */
export type Conclusion = (tasks: Concluded, strength: number) => Generator<void, void>;

/** From the tasks' own rows, as where whole tasks are hidden: last steps from the shared model, or intercepts beside it. */
export function fromOwnRows(after: LocalUpdates): Conclusion {
  return function* (tasks, strength) {
    tasks.handOn(after);
    yield* after.conclude(strength);
    tasks.takeModels(after);
  };
}

/** The shared model for all. */
export const asShared: Conclusion = function* (tasks) {
  tasks.takeShared();
  yield;
};

/** How tasks step on noisy gradients of their own. */
export interface NoisySteps {
  readonly own: OwnRelease;
  readonly gradients: ClippedGradients;
  /** u of the gradients: a task's sum is u n times its mean. */
  readonly factor: number;
  readonly steps: number;
  /** eta of a given size; "auto": at most `most`, by how much noise a task's gradients have. */
  readonly stepSize: number | "auto";
  readonly most: number;
  /** C. */
  readonly clip: number;
  /** lambda, of the leading `shared` parameters. */
  readonly lambda: number;
  readonly shared: number;
  /** Factors of the sums where owners have budgets of their own. */
  readonly weights?: readonly number[] | undefined;
}

/**
 * w <- w - eta (noisy mean gradient at w + lambda (w - w~)), from w~ on: every gradient is released by the task to its own model,
 * which is a function of those and of w~.
 */
export function fromNoisyGradients(options: NoisySteps): Conclusion {
  const { own, gradients, factor, steps, lambda, shared, weights } = options;
  return function* (tasks, strength) {
    const { m, models, uploadLength: size, global, core } = tasks;
    const { arena } = core;
    tasks.takeShared();
    const at = arena.f64(m * size);
    for (let step = 0; step < steps; step++) {
      for (let i = 0; i < m; i++) {
        gradients.descent(i, models + 8 * i * size, at + 8 * i * size);
        const weight = weights?.[i] ?? 1;
        const sum = arena.view(at + 8 * i * size, size);
        sum.forEach((x, j) => (sum[j] = weight * x));
      }
      const noisy = own.draw(arena.view(at, m * size).slice());
      const center = arena.view(global, size);
      for (let i = 0; i < m; i++) {
        const model = arena.view(models + 8 * i * size, size);
        const mean = 1 / (factor * tasks.rowsOf(i) * (weights?.[i] ?? 1));
        const stepSize = stepSizeFor(options, mean, size);
        for (let j = 0; j < size; j++) {
          const pull = j < shared ? strength * lambda * (model[j]! - center[j]!) : 0;
          model[j]! += stepSize * (mean * noisy[i * size + j]! - pull);
        }
      }
      yield;
    }
    arena.view(at, m * size).fill(0);
  };
}

/** Norm of the mean gradient that a task is expected to have at the shared model, in parts of C: where tasks differ. */
const SIGNAL = 0.05;

/**
 * The part of a step that its noise leaves worth taking: the noise of all steps' gradients together, against what the task is
 * expected to have to say. By public figures.
 * @param mean factor from a task's sum to its mean.
 */
function stepSizeFor(
  { own, steps, stepSize, most, clip }: NoisySteps,
  mean: number,
  size: number,
): number {
  if (stepSize !== "auto") return stepSize;
  const noise = own.deviation * mean * Math.sqrt(size / steps);
  return most / (1 + (noise / (SIGNAL * clip)) ** 2);
}
