/**
 * The tasks' half of Newton's method on the mean, where rows are sparse: stage 0 are questions that each task answers for itself,
 * stage 1 sums over all of them.
 * @module
 */
import { linearModels } from "../../../fitted/linear-models.js";
import type { ParticipantHalf } from "../../../round/halves.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import { SparseQuestions, sparseQuestionLength } from "./sparse-questions.js";
import { sparseTasks } from "./sparse-tasks.js";
import { SparseTotals, sparseTotalLength } from "./sparse-totals.js";

/** Where a batch is in the run. */
export interface SparsePlace {
  readonly lambda: number;
  /** Tasks of the run. */
  readonly count: number;
}

/** Makes it of a batch of sparse tasks; there are models once the tasks were told to make them. */
export function sparseHalf(tasks: ResidentTasks, { lambda, count }: SparsePlace): ParticipantHalf {
  const { core, m, d, intercept } = tasks;
  const { arena } = core;
  const weights = arena.zeros(m * d);
  const intercepts = intercept ? arena.zeros(m) : 0;
  const eliminated = sparseTasks(tasks, lambda);
  const questions = new SparseQuestions(eliminated, { core, weights, intercepts });
  return {
    stages: [questions, new SparseTotals(core, eliminated, count)],
    broadcastLengths: [sparseQuestionLength(d), sparseTotalLength(d)],
    rounds: [1, 1],
    models: () => linearModels(tasks, { weights, intercepts }),
    losses: () => questions.losses,
    close: () => eliminated.close(),
  };
}
