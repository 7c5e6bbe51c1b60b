/**
 * The tasks with sparse rows of a batch, ready to be eliminated, with the vectors that one question leaves for the next.
 * @module
 */
import { sparseRows } from "../../../tasks/compact-task.js";
import { compactOf } from "../../../tasks/own-models/sparse/compact-rows.js";
import { BatchRoom } from "../../../tasks/own-models/sparse/batch-room.js";
import { rowRoom, type RowRoom } from "../../../tasks/own-models/sparse/row-room.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import { fixedIntercepts } from "../../free-intercepts.js";
import { CentredRows } from "./centred-rows.js";
import { EliminatedTask, type SparseTask } from "./sparse-task.js";

/** Vectors in the columns that a task uses, [k] for each task, written in place. */
type OwnVectors = readonly Float64Array[];

/** A batch of tasks with sparse rows. */
export interface SparseTasks {
  readonly own: readonly EliminatedTask[];
  readonly rows: CentredRows;
  readonly scales: Float64Array;
  /** Gradients of the losses; the change by which slopes were corrected; and the gradients after that. */
  readonly gradients: OwnVectors;
  readonly changes: OwnVectors;
  readonly corrected: OwnVectors;
  /** Scratch that the tasks use in turn. */
  readonly room: RowRoom;
  /** Hands the memory of these tasks to the next batch. */
  close(): void;
}

/** @param lambda weight of the penalty, for losses as the tasks scale them. */
export function sparseTasks(tasks: ResidentTasks, lambda: number): SparseTasks {
  const { m, d, core, loss } = tasks;
  const fixed = fixedIntercepts(tasks);
  const { arena } = core;
  const ends = arena.words(tasks.offsets, m + 1).slice();
  const targets = arena.view(tasks.y, tasks.rows).slice();
  const scales = arena.view(tasks.scales, m).slice();
  const sampleWeights = tasks.sampleWeights();
  const all = sparseRows(tasks);
  const given = Array.from({ length: m }, (_, i): SparseTask => {
    const [from, to] = [ends[i]!, ends[i + 1]!];
    const factors = new Float64Array(to - from).fill(scales[i]!);
    sampleWeights?.subarray(from, to).forEach((weight, j) => (factors[j]! *= weight));
    const y = targets.subarray(from, to);
    const intercept = tasks.intercept && !fixed.has(i);
    const common = { y, factors, loss, intercept, lambda, name: tasks.names[i]! };
    return { ...compactOf(all, from, to), ...common };
  });
  const room = rowRoom(given.map(({ rows }) => rows));
  const batch = new BatchRoom();
  const own = given.map((task) => new EliminatedTask(task, batch.zeros, room));
  const rows = new CentredRows(given, { d, scales, zeros: batch.zeros, room });
  const vectors = () => given.map(({ rows: { k } }) => batch.zeros(k));
  return {
    own,
    rows,
    scales,
    room,
    gradients: vectors(),
    changes: vectors(),
    corrected: vectors(),
    close: () => batch.close(),
  };
}
