/**
 * Where rounds that step from models of the tasks' own start.
 * @module
 */
import { aMatrix, aPositive, aWordOr } from "./kinds.js";
import { option } from "./option.js";

export const startOptions = {
  /** W(0): every task's own ridge model (default), zeros, or a Float64Array [m, d]. */
  initial: option(aWordOr(["single-task", "zeros"], aMatrix), {
    group: "rounds",
    help: "Where the rounds start: every task's own ridge model, or zeros.",
    default: "single-task",
  }),
  /** Ridge weight of the single-task model; "auto" (default): each task's own leave-one-out choice. */
  initialPenalty: option(aWordOr(["auto"], aPositive), {
    group: "rounds",
    help: "Ridge weight of the single-task start; auto: each task's own choice.",
    default: "auto",
  }),
};
