/**
 * Every task's lasso, in batches, each to a duality gap of its own.
 * @module
 */
import type { Batches } from "../../round/batches.js";
import type { ParticipantHalf, PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { denseTask } from "../../tasks/compact-task.js";
import { residentBytes } from "../../tasks/resident-size.js";
import { solveLasso, type LassoTask } from "./lasso-task.js";
import { provenHalf, TaskProofs } from "./proven-half.js";
import { placeTasks } from "../../tasks/resident-tasks.js";

/** What is asked for. */
export interface LassoOptions extends CommonOptions, LassoTask {}

/** min L_i(w, b) + lambda ||w||_1 for every task; from `start` where one is given. */
export function lassoBatches(options: LassoOptions): Batches {
  return {
    work: ({ sizes }) => lassoWork(options, sizes),
    bytes: residentBytes,
    place: (context) => batch(options, context),
  };
}

/** Steps of the loss, and multiplications of a task beside them by what they take of time. */
const WORK = { squared: 2, labels: 4, task: 5e4 } as const;

/** In every step products of the rows, and about as many sweeps as there are features. */
function lassoWork({ loss }: CommonOptions, { m, d, rows, mostRows }: PublicSizes): number {
  const k = Math.min(d, mostRows);
  const steps = loss === "squared" ? WORK.squared : WORK.labels;
  return steps * (rows * d * k + m * d * k * k + WORK.task * m);
}

function batch(
  options: LassoOptions,
  { core, data, sizes, positions, classes, start }: Parameters<Batches["place"]>[0],
): ParticipantHalf {
  const { tasks } = placeTasks(data, options, { core, classes, sizes });
  const { arena } = core;
  const { m, d } = tasks;
  const first = positions[0]!;
  const levels = sizes.m * d + first;
  const weights = start?.slice(first * d, (first + m) * d) ?? new Float64Array(m * d);
  const intercepts = start?.slice(levels, levels + m) ?? new Float64Array(m);
  const proofs = new TaskProofs(m);
  function* solve(): Generator<void, void> {
    for (let i = 0; i < m; i++) {
      const mark = arena.mark();
      const { task, columns } = denseTask(tasks, i);
      const own = weights.subarray(i * d, (i + 1) * d);
      const at = {
        weights: arena.copyOf(columns ? picked(own, columns) : own),
        intercepts: tasks.intercept ? arena.copyOf(intercepts.subarray(i, i + 1)) : 0,
      };
      const { sweeps, ...proof } = solveLasso(task, options, at);
      proofs.keep(i, { ...proof, rounds: sweeps });
      const found = arena.view(at.weights, task.d);
      if (columns) {
        own.fill(0);
        columns.forEach((column, k) => (own[column] = found[k]!));
      } else own.set(found);
      if (tasks.intercept) intercepts[i] = arena.view(at.intercepts, 1)[0]!;
      arena.release(mark);
      yield;
    }
  }
  const models = () => ({ weights, intercepts: tasks.intercept ? intercepts : null });
  return provenHalf(solve, models, proofs);
}

/** Weights of the columns that a task uses; of one that uses none there is one column of zeros. */
function picked(all: Float64Array, columns: Uint32Array): Float64Array {
  return columns.length > 0
    ? Float64Array.from(columns, (column) => all[column]!)
    : new Float64Array(1);
}
