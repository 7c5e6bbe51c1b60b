/**
 * The safeguard of the record-level baselines: a task that its own rows say is clearly better off with its
 * ridge model keeps that one.
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
 * protected from whoever holds its own task's model: a task that stays alone has a model without noise.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import { placeTasks } from "../../fitted/place-tasks.js";
import type { Classes } from "../../fitted/fitted-model.js";
import { modelsAlone } from "../../local-selection/alone.js";
import { betterAlone } from "../../local-selection/better-alone.js";
import { foldBatches, HeldOutRows } from "../../tasks/task-folds.js";
import { ClippedTasks } from "./clipped-slopes.js";
import type { RecordLevelOptions } from "./options.js";
import { solveToDistance, type StronglyConvexProblem } from "./solve.js";

/** Features of the rows of a batch of folds. */
const BATCH_BYTES = 2 ** 20;

/** Standard errors by which a task's rows must speak for learning alone. */
const EVIDENCE = 1;

/** What was released, and for whom. */
export interface Released {
  readonly tasks: ClippedTasks;
  readonly data: TaskSet;
  readonly classes: Classes | null;
  readonly options: RecordLevelOptions;
  /** The models that the release gives the tasks, [m, d]; those better off alone are overwritten. */
  readonly weights: Pointer;
  /** c, the part that a task's own model has in what it is given. */
  readonly part: number;
  /** Of the problem without the others. */
  readonly problem: Pick<StronglyConvexProblem, "strongConvexity" | "distance" | "signal">;
}

/** Lets the tasks that are clearly better off alone keep their ridge model. */
export async function stayAlone(released: Released): Promise<void> {
  const { tasks, data, classes, options, weights, part, problem } = released;
  const { m, d, core, rows } = tasks;
  const { arena } = core;
  const sizes = { m, rows };
  const place = (of: TaskSet) => placeTasks(of, options, { core, classes, sizes }).tasks;
  const given = arena.view(weights, m * d).slice();
  const whole = arena.view(await solveToDistance({ tasks, ...problem }), m * d).slice();
  const alone = modelsAlone(place(data), "auto");
  const [withRelease, withoutOthers] = [new Float64Array(rows), new Float64Array(rows)];
  for (const batch of foldBatches(data, { bytes: BATCH_BYTES })) {
    const mark = arena.mark();
    const held = new HeldOutRows(tasks, batch);
    const left = place(batch.data);
    const y = arena.view(left.y, left.rows).slice();
    const clipped = new ClippedTasks(core, batch.data, y, options, tasks.bound);
    const models = await solveToDistance({ tasks: clipped, ...problem });
    const own = arena.view(models, left.m * d);
    batch.owners.forEach((task, k) => {
      for (let j = 0; j < d; j++) {
        const [all, at] = [task * d + j, k * d + j];
        own[at] = given[all]! - part * (whole[all]! - own[at]!);
      }
    });
    held.judge(models, 0, withRelease);
    held.judge(arena.copyOf(alone.onFolds(batch, () => left).weights), 0, withoutOthers);
    arena.release(mark);
  }
  const scale = tasks.loss === "squared" ? "ratio" : "difference";
  const keep = betterAlone(Uint32Array.from(data.offsets), withRelease, withoutOthers, {
    errors: EVIDENCE,
    scale,
  });
  const into = arena.view(weights, m * d);
  keep.forEach((stays, i) => {
    if (stays === 1) into.set(alone.weights.subarray(i * d, (i + 1) * d), i * d);
  });
}
