/**
 * The tasks' half of Newton's method on the mean, where rows are dense: stage 0 are questions that each task answers for itself,
 * stage 1 sums over all of them.
 * @module
 */
import type { Batches } from "../../round/batches.js";
import type { ParticipantHalf, PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { residentBytes, type BatchSize } from "../../tasks/resident-size.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { placeWithinRange } from "../within-range.js";
import { MeanCurvature } from "./curvature.js";
import { MeanQuestions, questionLength } from "./questions.js";
import { TaskRows } from "./task-rows.js";
import { MeanTotals, TOTALS_QUESTION_LENGTH } from "./totals.js";

/** What of the method's options makes batches. */
export interface MeanOptions extends CommonOptions {
  readonly lambda: number;
}

/** The tasks in batches. */
export function meanBatches(options: MeanOptions): Batches {
  return {
    work: ({ sizes }) => meanWork(options, sizes),
    bytes: meanBytes,
    place: ({ core, data, sizes, positions, classes, start }) => {
      const { tasks } = placeWithinRange(data, options, { core, classes, sizes });
      const first = positions[0]!;
      const [from, end] = [first * data.d, (first + data.m) * data.d];
      const weights = start?.slice(from, end) ?? new Float64Array(end - from);
      return meanHalf(tasks, { lambda: options.lambda, weights, first, count: sizes.m });
    },
  };
}

/** How often systems of the tasks are likely to be solved. */
const SOLVES = { squared: 2, labels: 20 } as const;

/** In multiplications: systems of all tasks, and those of the curvature, whose solutions are matrices. */
function meanWork({ loss }: CommonOptions, { m, d, rows, mostRows }: PublicSizes): number {
  const side = Math.min(mostRows, d);
  const solve = (rows * d * side) / 2 + (m * side * side * side) / 6;
  const curvature = solve + (m * side * d * d) / 2;
  return SOLVES[loss === "squared" ? "squared" : "labels"] * solve + curvature;
}

function meanBytes(batch: BatchSize): number {
  const { m, d, rows, mostRows } = batch;
  const own = TaskRows.bytes(rows, mostRows, d) + MeanCurvature.bytes(rows, d);
  return residentBytes(batch) + own + 8 * (rows + 5 * m * d);
}

/** Where a batch begins. */
interface MeanStart {
  readonly lambda: number;
  /** [m, d]. */
  readonly weights: Float64Array;
  /** Position of the first task in the run, and tasks of the run. */
  readonly first: number;
  readonly count: number;
}

function meanHalf(
  tasks: ResidentTasks,
  { lambda, weights: start, first, count }: MeanStart,
): ParticipantHalf {
  const { core, m, d, intercept } = tasks;
  const { arena } = core;
  const weights = arena.copyOf(start);
  const intercepts = intercept ? arena.zeros(m) : 0;
  const rows = new TaskRows(tasks);
  const questions = new MeanQuestions({
    ...{ tasks, rows, lambda, weights, intercepts },
    position: first,
  });
  const curvature = new MeanCurvature(tasks, rows, lambda);
  return {
    stages: [questions, new MeanTotals({ tasks, curvature, weights, intercepts, count })],
    broadcastLengths: [questionLength(d), TOTALS_QUESTION_LENGTH],
    rounds: [1, 1],
    models: () => ({
      weights: arena.view(weights, m * d).slice(),
      intercepts: intercept ? arena.view(intercepts, m).slice() : null,
    }),
    losses: () => questions.losses,
    close: () => undefined,
  };
}
