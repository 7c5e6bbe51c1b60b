/**
 * A private fit starts from each task's own data, never from a model that several tasks made.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { FitOptions } from "../round/estimator.js";

/**
 * Refuses a warm start where the rounds' privacy rests on each task starting from its own data.
 * @throws OptionError if there is one.
 */
export function refuseWarmStart(method: string, { warmStart }: FitOptions): void {
  if (!warmStart) return;
  throw new OptionError(
    `warmStart: ${method} starts from each task's own model; a model learned from several tasks would ` +
      `carry their data past the guarantee. Use the initial option for public or own models.`,
  );
}
