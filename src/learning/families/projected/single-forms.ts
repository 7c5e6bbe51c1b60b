/**
 * Quadratics of tasks without folds of their rows, in single precision, for rounds whose models are for choices among models only.
 * @see assembly/tasks/single-forms.ts
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { placeEntries, type FoldEntries } from "../../tasks/fold-entries.js";
import { KernelRecord } from "../../tasks/kernel-record.js";
import { scalesLeft } from "../../tasks/quadratic-tasks.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";

/** Where they lie, and the means that their targets are taken about, f64[entries]. */
export interface SingleForms {
  readonly forms: Pointer;
  readonly means: Pointer;
}

/** How models step, and what they are multiplied by. */
export interface SingleFormsOptions {
  /** The step size of each entry. */
  readonly steps: Float64Array;
  /** mu. */
  readonly strongConvexity: number;
  readonly scale: number;
}

/** The forms of these entries; of dense rows with the squared loss. */
export function singleForms(
  tasks: ResidentTasks,
  entries: FoldEntries,
  { steps, strongConvexity, scale }: SingleFormsOptions,
): SingleForms {
  const { core, d, intercept: has } = tasks;
  const { arena, kernels } = core;
  const count = entries.owners.length;
  const intercept = has ? 1 : 0;
  const length = kernels.singleFormEntries(d, intercept);
  const forms = arena.bytes(4 * count * length, "the folds' Gram matrices");
  const means = arena.f64(count);
  const mark = arena.mark();
  const record = new KernelRecord(core, 2, WORDS);
  record.write([scale, strongConvexity], {
    data: tasks.at,
    intercept,
    forms,
    means,
    steps: arena.copyOf(steps),
    entries: placeEntries(core, entries, arena.copyOf(scalesLeft(tasks, entries))),
    work: arena.bytes(kernels.singleFormsWorkspace(entries.parts, d, intercept)),
  });
  kernels.singleForms(record.at);
  arena.release(mark);
  return { forms, means };
}

/** The words of the kernel's record, in its order. */
const WORDS = ["data", "entries", "steps", "intercept", "forms", "means", "work"] as const;
