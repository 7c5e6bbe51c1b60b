/**
 * The tasks' half of Newton's method on the mean, where rows are dense: stage 0 are questions that each task answers for itself,
 * stage 1 sums over all of them.
 * @module
 */
import { linearModels } from "../../../fitted/linear-models.js";
import type { ParticipantHalf } from "../../../round/halves.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import { MeanCurvature } from "../curvature.js";
import { MeanQuestions, questionLength } from "./questions.js";
import { TaskRows } from "./task-rows.js";
import { MeanTotals, TOTALS_QUESTION_LENGTH } from "./totals.js";

/** Where a batch begins. */
export interface DenseStart {
  readonly lambda: number;
  /** [m, d]. */
  readonly weights: Float64Array;
  /** Tasks of the run. */
  readonly count: number;
}

/** Makes it of a batch of dense tasks. */
export function denseHalf(
  tasks: ResidentTasks,
  { lambda, weights: start, count }: DenseStart,
): ParticipantHalf {
  const { core, m, d, intercept } = tasks;
  const { arena } = core;
  const weights = arena.copyOf(start);
  const intercepts = intercept ? arena.zeros(m) : 0;
  const rows = new TaskRows(tasks);
  const questions = new MeanQuestions({ tasks, rows, lambda, weights, intercepts });
  const curvature = new MeanCurvature(tasks, rows, lambda);
  return {
    stages: [questions, new MeanTotals({ tasks, curvature, weights, intercepts, count })],
    broadcastLengths: [questionLength(d), TOTALS_QUESTION_LENGTH],
    rounds: [1, 1],
    models: () => linearModels(tasks, { weights, intercepts }),
    losses: () => questions.losses,
    close: () => undefined,
  };
}
