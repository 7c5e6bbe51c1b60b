/**
 * What of a task set is public: how many tasks, and their sizes.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { epsilonsOf, type TaskEpsilons } from "../options/task-epsilons.js";
import type { LossName } from "../tasks/losses.js";
import type { PublicSizes } from "../round/halves.js";
import type { ReleaseJournal } from "../round/release-journal.js";

/** The budget options of a method whose owners may have budgets of their own. */
export interface OwnBudgetOptions {
  readonly epsilon?: number;
  readonly taskEpsilons?: TaskEpsilons | null;
}

/** How many columns nobody declared; the target is one where it is of numbers, since labels have no size. */
export const undeclaredColumns = (data: TaskSet, loss: LossName): number =>
  publicSizes(data).undeclared!.filter((at) => at < data.d || loss === "squared").length;

/** What of a task set is public; under options that give owners budgets of their own, these too. */
export function publicSizes(
  { m, d, taskSizes, encoding, names }: TaskSet,
  { taskEpsilons, epsilon }: OwnBudgetOptions = {},
): PublicSizes {
  const { columns, target } = encoding;
  const undeclared = [...columns, target].flatMap(({ scale }, at) => (scale === null ? [at] : []));
  let [mostRows, rows] = [0, 0];
  for (const size of taskSizes) {
    mostRows = Math.max(mostRows, size);
    rows += size;
  }
  const owners = taskEpsilons && {
    rows: [...taskSizes],
    epsilons: epsilonsOf(taskEpsilons, names, epsilon!),
  };
  return { m, d, rows, mostRows, undeclared, ...(owners ? { owners } : {}) };
}

/** Where the journal of a repeated run has its sizes: no name, which a journal of a program's own might have for something else. */
export const RUN_SIZES = Symbol("sizes of the run");

/** The journal of a run that is gone through again on a part of its rows. */
export interface RepeatedRun extends ReleaseJournal {
  /** Of the run. */
  readonly [RUN_SIZES]: PublicSizes;
}

/**
 * The sizes of the run that a fit is, or goes through again: those of a part of the rows would tell every task how many the others
 * hold out, which may depend on their labels.
 */
export const sizesOfRun = (
  data: TaskSet,
  options: OwnBudgetOptions,
  journal: ReleaseJournal | RepeatedRun | undefined,
): PublicSizes =>
  journal && RUN_SIZES in journal ? journal[RUN_SIZES] : publicSizes(data, options);
