/**
 * Where rounds that step from models of the tasks' own start.
 * @module
 */
import { aMatrix, aPositive, aWordOr } from "./kinds.js";
import { option } from "./option.js";

export const startOptions = {
  /** W(0): every task's own model (default), zeros, or a Float64Array [m, d]. */
  initial: option(aWordOr(["single-task", "zeros"], aMatrix), {
    group: "rounds",
    help: "Where the rounds start: every task's own model, or zeros.",
    default: "single-task",
  }),
  /** Ridge weight of the single-task model; "auto" (default): averaged over by each task's own evidence. */
  initialPenalty: option(aWordOr(["auto"], aPositive), {
    group: "rounds",
    help: "Ridge weight of the single-task start; auto: by each task's own evidence.",
    default: "auto",
  }),
};
