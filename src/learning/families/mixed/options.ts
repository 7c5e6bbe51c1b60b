/**
 * Options of the private mixed model.
 * @module
 */
import { DataError, OptionError } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { PersonBound } from "../../../privacy/index.js";
import { commonOptions } from "../../options/common-options.js";
import { aPositiveInteger, aWord } from "../../options/kinds.js";
import { option, withDefault, type OptionsOf } from "../../options/option.js";
import { releaseOptions, type ReleaseOptions } from "../../options/private-options.js";
import { requireWithin, someTaskEpsilons } from "../../options/task-epsilons.js";
import { aPublicPrior } from "../../options/public-prior.js";
import type { PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import type { LossName } from "../../tasks/losses.js";
import { MIXED_LOSSES } from "./mixed-losses.js";

const own = {
  /**
   * What the budget hides from all the other tasks together: "task" (default), everything a task has; "record", one row of
   * one task, which needs far less noise and is enough where a row is a person; "both", a task, by releases in which a
   * record weighs so little that its own epsilon, which `guarantee.recordOf` states, is much smaller. The latter two have the
   * squared loss only; see docs/PRIVACY.md.
   */
  unit: option(aWord(["task", "record", "both"]), {
    group: "privacy",
    help: "What the budget hides: all that a task has, one record (row) of it, or a task with each record's own epsilon stated.",
    default: "task",
  }),
  /**
   * With unit "record" or "both": most rows that one person has in a task, and most tasks that have rows of one person, both
   * public; default 1. Above 1 the noise hides all rows of a person instead of one record: of so many rows, that much more.
   */
  rowsPerPerson: option(aPositiveInteger, {
    group: "privacy",
    help: "With unit record or both: most rows of one person in a task; above 1, a person's are hidden together.",
    default: 1,
  }),
  /** See `rowsPerPerson`. */
  tasksPerPerson: option(aPositiveInteger, {
    group: "privacy",
    help: "With unit record or both: most tasks with rows of one person; above 1, they are hidden together.",
    default: 1,
  }),
  /**
   * With unit "record" or "both": epsilons of owners who state less than `epsilon`, by the name of their task; null (default): all
   * have `epsilon`. What an owner's rows add to the sums is scaled down to its budget, publicly, and its own account
   * is `model.forTask(name).guarantee`. In a federated run participants state theirs as they join.
   */
  taskEpsilons: option(someTaskEpsilons, {
    group: "privacy",
    help: "With unit record or both: smaller eps of owners who state their own, by task.",
    default: null,
    later: true,
  }),
  /**
   * With unit "record": what a task's own model is made of. "exact" (default): its own rows, so the model is for the task
   * alone. "noisy": noisy moments of its own rows, for half of the budget, so that epsilon holds for each record against
   * whoever is given the model too (`recordGuarantee`), and against all others less is spent.
   */
  ownModel: option(aWord(["exact", "noisy"]), {
    group: "privacy",
    help: "With unit record: noisy: a task's own model may be given away, its records being protected from its holder.",
    default: "exact",
  }),
  /**
   * Where the size of features and target is known from; priors and clips rest on it. "auto" (default): from declared
   * ranges; of columns that nobody declared it is learned by charged votes, 6 to 30 % of the budget. "declared": such
   * columns are refused. "unit": the caller vouches, from public knowledge, that features and target are of about unit
   * size.
   */
  scale: option(aWord(["auto", "declared", "unit"]), {
    group: "data",
    help: "auto: declared, or learned for a part of the budget; declared: or refused; unit: all are of about unit size.",
    default: "auto",
  }),
  /**
   * A model from public knowledge, in raw units, around which models are expected: every release is of differences from
   * it, and at small budgets tasks shrink towards it. null (default): none. What it was learned from is not protected.
   */
  publicPrior: option(aPublicPrior, {
    group: "model",
    help: "Coefficients from public data or a published study, in raw units, as the center of the prior; squared loss.",
    default: null,
  }),
};

/** Options of {@link MpMixed}. */
export interface MixedOptions extends CommonOptions, ReleaseOptions, OptionsOf<typeof own> {}

export const mixedOptions = {
  ...commonOptions,
  loss: option<LossName>(aWord<LossName>(MIXED_LOSSES), {
    group: "model",
    help: "squared for numbers, logistic for two classes.",
    default: "squared",
  }),
  intercept: withDefault(commonOptions.intercept, true),
  ...releaseOptions,
  ...own,
};

/** @throws OptionError for what the model does not have. */
export function checkMixed(
  options: CommonOptions &
    Partial<
      Pick<
        MixedOptions,
        | "epsilon"
        | "delta"
        | "unit"
        | "ownModel"
        | "publicPrior"
        | "taskEpsilons"
        | keyof PersonBound
      >
    >,
): void {
  const { intercept, lossScale, delta, unit = "task", loss, ownModel, publicPrior } = options;
  for (const name of ["rowsPerPerson", "tasksPerPerson"] as const) {
    if (unit !== "task" || (options[name] ?? 1) === 1) continue;
    throw new OptionError(
      `${name}: the unit "task" hides all rows of a task, whose ever they are; persons need the unit "record" or "both"`,
    );
  }
  checkOwners(options);
  if (publicPrior && (loss !== "squared" || unit !== "task")) {
    throw new OptionError(
      `publicPrior: is for the squared loss and the unit "task"; the loss is ${loss}, the unit ${unit}`,
    );
  }
  if (ownModel === "noisy" && unit !== "record") {
    throw new OptionError(
      'ownModel: a task\'s model from noisy moments of its rows needs the unit "record"; expected that, or ownModel "exact"',
    );
  }
  if (unit !== "task" && loss !== "squared") {
    throw new OptionError(
      `unit: mp-mixed hides single records with the squared loss, whose moments are sums over records; with the ${loss} loss ` +
        'it hides tasks, and with them every record of a task. Expected unit "task", or loss "squared"',
    );
  }
  if (!intercept) {
    throw new OptionError(
      "intercept: mp-mixed has one, a coordinate of the shared prior; expected true",
    );
  }
  if (lossScale !== "mean") {
    throw new OptionError('lossScale: mp-mixed weighs rows by the likelihood; expected "mean"');
  }
  if (delta === 0) {
    throw new OptionError("delta: mp-mixed releases under Gaussian noise; expected delta > 0");
  }
}

/** @throws OptionError for budgets of owners that no account here covers. */
function checkOwners({
  taskEpsilons,
  unit = "task",
  epsilon,
  tasksPerPerson = 1,
}: Partial<Pick<MixedOptions, "epsilon" | "unit" | "taskEpsilons" | keyof PersonBound>>): void {
  if (!taskEpsilons) return;
  if (unit === "task") {
    throw new OptionError(
      'taskEpsilons: owners have budgets of their own with the unit "record" or "both"; the unit is "task"',
    );
  }
  if (tasksPerPerson > 1) {
    throw new OptionError(
      "taskEpsilons: a person who is in several tasks would have no one owner's epsilon; expected tasksPerPerson 1, or one " +
        "epsilon for all",
    );
  }
  requireWithin(taskEpsilons, epsilon!);
}

/** What a person may contribute; undefined where that is one record. */
export function personOf({
  unit,
  rowsPerPerson,
  tasksPerPerson,
}: Pick<MixedOptions, "unit" | keyof PersonBound>): PersonBound | undefined {
  const several = rowsPerPerson > 1 || tasksPerPerson > 1;
  return unit !== "task" && several ? { rowsPerPerson, tasksPerPerson } : undefined;
}

/** Rows of one person over all tasks, at most. */
export const rowsOf = ({ rowsPerPerson, tasksPerPerson }: PersonBound) =>
  rowsPerPerson * tasksPerPerson;

/** What says which columns' sizes must be known. */
export type ScaleChoice = Pick<MixedOptions, "scale" | "loss"> &
  Partial<Pick<MixedOptions, "unit">>;

/**
 * Positions of the columns whose size is to be learned; none in a federated run.
 */
export function columnsToLearn(
  { d, undeclared = [] }: Pick<PublicSizes, "d" | "undeclared">,
  { scale, loss, unit = "task" }: ScaleChoice,
): readonly number[] {
  // Votes on sizes are of tasks.
  if (scale !== "auto" || unit !== "task") return [];
  return loss === "squared" ? undeclared : undeclared.filter((at) => at < d);
}

/** @throws DataError naming the first column whose size is neither known nor learned. */
export function requireScales(data: TaskSet, sizes: PublicSizes, options: ScaleChoice) {
  const { encoding } = data;
  if (options.scale === "unit") return;
  const { unit = "task" } = options;
  if (options.scale === "auto" && unit === "task" && sizes.undeclared) {
    if (sizes.undeclared.length > 0) data.requireRows("learning the sizes of undeclared columns");
    return;
  }
  const unknown = encoding.columns.find((column) => column.scale === null);
  if (unknown || (options.loss === "squared" && encoding.target.scale === null)) {
    const what = unknown ? `column ${JSON.stringify(unknown.name)}` : "the target";
    throw new DataError(
      `${what} has no declared range: mp-mixed needs to know how large its values are, from public knowledge. ` +
        "Declare ranges (--ranges FILE, which inspect --out drafts; a schema in code), or, if features and " +
        'target are of about unit size, say so with the option scale: "unit" (--scale unit). Only a local fit with ' +
        'scale: "auto" learns sizes.',
    );
  }
}
