/**
 * Rows as differences within their task, of numbers and of labels, and models of them as models of the rows that were given.
 * @module
 */
import type { LossName } from "../../../tasks/losses.js";
import type { MixedModels } from "../exchange.js";
import type { TaskRows } from "../spectra/task-spectrum.js";
import { aboutMeans, fromMeans } from "./own-means.js";
import { differencesOf, withLevels, type GivenRows } from "./within-tasks.js";

/** Rows as differences within their task, and the way back. */
export interface Differences {
  readonly rows: TaskRows;
  /** Whether the rows carry the weights of those that were given, as contrasts do: others are still to be weighted. */
  readonly weighted: boolean;
  /** Models of the differences as models of the rows. */
  back(models: MixedModels): MixedModels;
}

/**
 * Contrasts of numbers, and of labels features about their means.
 * @param untold ascending positions of coordinates that are the same in all rows of a task; the constant is the last.
 */
export function differencesIn(
  loss: LossName,
  given: GivenRows,
  untold: readonly number[],
): Differences {
  const back = (models: MixedModels): MixedModels => {
    const { prior } = models;
    const d = given.x.length / given.y.length;
    // Nothing of it was learned, or it is every task's own.
    const told = (all: Float64Array) => all.map((a, at) => (untold.includes(at % d) ? 0 : a));
    return {
      ...models,
      prior: {
        ...prior,
        fixedEffects: told(prior.fixedEffects),
        stated: () => {
          const { statedEffects, ...error } = prior.stated();
          return { ...error, ...(statedEffects && { statedEffects: told(statedEffects) }) };
        },
      },
    };
  };
  if (loss === "squared") {
    const { rows, means } = differencesOf(given);
    return { rows, weighted: true, back: (models) => back(withLevels(models, means, untold)) };
  }
  const { rows, means } = aboutMeans(given);
  return { rows, weighted: false, back: (models) => back(fromMeans(models, means, untold)) };
}
