/**
 * The one number by which fits are compared where their options are chosen.
 * @module
 */
import { object } from "../../core/index.js";
import type { Scores } from "../fitted/scores/scores.js";

/**
 * The one number of a model's scores that is to be small.
 * @param scores as `model.score(tasks)` gives them.
 * @returns nMSE, or a classifier's log-loss; null where neither is defined, as for a target that is the same in all rows.
 */
export function errorOf(scores: Scores): number | null {
  const { nmse, logLoss } = object("scores", scores);
  return nmse ?? logLoss ?? null;
}
