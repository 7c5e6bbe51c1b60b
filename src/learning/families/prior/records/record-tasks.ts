/**
 * A batch of tasks whose single records are hidden: features of public scale, and what is uploaded of them.
 * @module
 */
import type { TaskSet } from "../../../../data/index.js";
import type { PublicSizes } from "../../../round/halves.js";
import type { ResidentTasks } from "../../../tasks/resident-tasks.js";
import type { LocalSolve } from "../local-solve.js";
import type { PriorMethod } from "../method.js";
import { marginLoss, type PriorMethodOptions } from "../options.js";
import { isAugmented } from "./record-plan.js";
import { KEPT, PENALTY, RANGE_SIZE, ROW_CLIP } from "./record-settings.js";
import { RecordSolve } from "./record-solve.js";

/**
 * Scales the features of all tasks in place, x <- g x, so that rows of features of the declared sizes have norm 1 in the mean.
 * @returns g [m, d].
 */
export function scalePublicly(
  tasks: ResidentTasks,
  { encoding }: TaskSet,
  { scale }: PriorMethodOptions,
): Float64Array {
  const { core, m, d, rows } = tasks;
  const sizes = encoding.columns.map((column) => (scale === "unit" ? 1 : sizeOf(column)));
  const x = core.arena.view(tasks.x, rows * d);
  const g = sizes.map((size) => 1 / (size * Math.sqrt(d)));
  for (let k = 0; k < x.length; k++) x[k]! *= g[k % d]!;
  return Float64Array.from({ length: m * d }, (_, k) => g[k % d]!);
}

/** What was brought to [-1, 1] is half as large in the mean; what is about 1 by its making is as it is. */
const sizeOf = ({ scale }: { readonly scale: { readonly halfWidth: number } | null }) =>
  scale && scale.halfWidth !== 1 ? RANGE_SIZE : 1;

/** Uploads of the batch. */
export function recordSolve(
  tasks: ResidentTasks,
  local: LocalSolve,
  {
    definition,
    data,
    options,
    sizes,
    weights,
  }: {
    readonly definition: PriorMethod;
    readonly data: TaskSet;
    readonly options: PriorMethodOptions;
    readonly sizes: PublicSizes;
    /** Factors of the batch's uploads where owners have budgets of their own. */
    readonly weights: readonly number[] | undefined;
  },
): RecordSolve {
  const loss = marginLoss(options.loss);
  const { d, m, rows } = sizes;
  const { scale } = data.encoding.target;
  const unit = loss === "squared" && options.scale === "declared" && scale ? RANGE_SIZE : 1;
  const clip = ROW_CLIP[loss] * unit;
  const penalty = (PENALTY * rows) / (m * d);
  return new RecordSolve(tasks, local, {
    loss,
    intercept: options.intercept,
    clip,
    penalty,
    // No model of a task of so many rows is longer than C n / Lambda.
    factor: (definition.clip * penalty) / (KEPT * clip * (rows / m)),
    norm: definition.clip,
    augmented: isAugmented(definition),
    refined: definition.refined,
    weights,
  });
}
