/**
 * The single-task fallback of the record-level baselines: a task that its own rows say is clearly better off with
 * its ridge model keeps that one.
 *
 * **What is compared.** What was released for a task holds some of its own rows' doing. So for every fold of
 * its rows the task takes out what those rows did to its own part of the release, and predicts them with what
 * is left: the release, less c (u - u_f), u its own regularised model on all rows, u_f the one without the
 * fold, c = 1/m for an average of models and 1 for the models themselves. For the average this is exactly the
 * release that would have been made without the fold, with the same noise. Where the models are solved
 * together, u is the task's model as it would be without the others, held by lambda + lambda2, the least
 * that Omega allows; the other tasks' models are taken as released.
 *
 * **What it costs.** Nothing at the level of tasks: which model task i keeps, and that model, are functions of
 * the releases and of its own rows, and the other tasks see the releases only (billboard lemma), so the
 * joint guarantee and its lift from one record are what they were. What no longer holds is that a record is
 * protected from whoever holds its own task's model: a task that falls back has a model without noise.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { Classes } from "../../fitted/model-state.js";
import { placeTasks, type ResidentTasks } from "../../tasks/resident-tasks.js";
import { takeRows } from "../../local-selection/fallback.js";
import { inBatches, type FoldBatch } from "../../local-selection/folds.js";
import { HeldOutRows } from "../../local-selection/held-out-rows.js";
import { LocalSelection } from "../../local-selection/local-selection.js";
import { singleTaskModels } from "../../local-selection/single-task.js";
import { FALLBACK } from "../../local-selection/thresholds.js";
import { ClippedTasks } from "./clipped-slopes.js";
import type { RecordLevelOptions } from "./options.js";
import { solveToDistance, type StronglyConvexProblem } from "./solve-to-distance.js";

/** What was released, and for whom. */
export interface Released {
  readonly tasks: ClippedTasks;
  readonly data: TaskSet;
  readonly classes: Classes | null;
  readonly options: RecordLevelOptions;
  /** The models that the release gives the tasks, [m, d]; those of tasks that fall back are overwritten. */
  readonly weights: Pointer;
  /** c, the part that a task's own model has in what it is given. */
  readonly part: number;
  /** What a task would minimise without the others. */
  readonly problem: Omit<StronglyConvexProblem, "tasks" | "proximal">;
}

/** Lets the tasks that are clearly better off without the others keep their ridge model. */
export async function fallBack(released: Released): Promise<void> {
  const { tasks, data, classes, options, weights, problem } = released;
  const { m, d, core, rows, loss } = tasks;
  const place = (of: TaskSet) =>
    placeTasks(of, options, { core, classes, sizes: { m, rows } }).tasks;
  const models = () => core.arena.view(weights, m * d);
  const given = models().slice();
  const whole = core.arena.view(await solveToDistance({ tasks, ...problem }), m * d).slice();
  const singleTask = singleTaskModels(place(data), "auto", "zeros");
  const [losses, singleTaskLosses] = [new Float64Array(rows), new Float64Array(rows)];
  for (const batch of inBatches(core, data)) {
    const held = new HeldOutRows(tasks, batch);
    const left = place(batch.data);
    const without = await releaseWithout({ released, given, whole }, batch, left);
    held.score({ weights: without, intercepts: 0 }, losses);
    const { weights: own } = singleTask.withoutFolds(batch, () => left);
    held.score({ weights: own, intercepts: 0 }, singleTaskLosses);
  }
  const selection = new LocalSelection(
    core,
    {
      loss,
      offsets: Uint32Array.from(data.offsets),
      keep: () => losses,
      singleTaskLosses,
      fallBack: (which) => takeRows(models(), singleTask.weights, which),
    },
    { fallback: FALLBACK.rounds },
  );
  await selection.finish();
}

/** The release less c (u - u_f), for every entry of a batch whose rows left are `left`; [entries, d]. */
async function releaseWithout(
  { released, given, whole }: { released: Released; given: Float64Array; whole: Float64Array },
  batch: FoldBatch,
  left: ResidentTasks,
): Promise<Pointer> {
  const { tasks, options, part, problem } = released;
  const { core, d } = tasks;
  const y = core.arena.view(left.y, left.rows).slice();
  const clipped = new ClippedTasks(core, batch.data, y, options, tasks.bound);
  const models = await solveToDistance({ tasks: clipped, ...problem });
  const own = core.arena.view(models, left.m * d);
  batch.owners.forEach((task, k) => {
    for (let j = 0; j < d; j++) {
      const [all, at] = [task * d + j, k * d + j];
      own[at] = given[all]! - part * (whole[all]! - own[at]!);
    }
  });
  return models;
}
