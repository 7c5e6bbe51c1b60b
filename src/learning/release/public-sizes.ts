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

/** By the journals of runs that are gone through again: no property, which a journal of a program's own might have for something else. */
const repeated = new WeakMap<ReleaseJournal, PublicSizes>();

/** Says of which sizes the run is that is gone through again with this journal, on a part of its rows. */
export function repeats(journal: ReleaseJournal, sizes: PublicSizes): void {
  repeated.set(journal, sizes);
}

/**
 * The sizes of the run that a fit is, or goes through again: those of a part of the rows would tell every task how many the others
 * hold out, which may depend on their labels.
 */
export const sizesOfRun = (
  data: TaskSet,
  options: OwnBudgetOptions,
  journal: ReleaseJournal | undefined,
): PublicSizes => (journal && repeated.get(journal)) ?? publicSizes(data, options);
