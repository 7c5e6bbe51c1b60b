/**
 * Options of the private mixed model.
 * @module
 */
import { DataError, OptionError } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { PersonBound } from "../../../privacy/index.js";
import { commonOptions } from "../../options/common-options.js";
import { aWord } from "../../options/kinds.js";
import { option, withDefault, type OptionsOf } from "../../options/option.js";
import { releaseOptions, type ReleaseOptions } from "../../options/private-options.js";
import { checkPersons, personOptions } from "../../options/person-options.js";
import { aPublicPrior, checkPublicPrior } from "../../options/public-prior.js";
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
  ...personOptions,
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
   * ranges; of columns that nobody declared it is learned by charged votes, 6 to 50 % of the budget: where it is small, or the votes
   * leave open where columns lie, of differences within tasks alone, so that every task's level is its own. "declared": such columns are refused. "unit": the caller vouches, from public knowledge, that features and target are of about unit
   * size.
   */
  scale: option(aWord(["auto", "declared", "unit"]), {
    group: "data",
    help: "auto: declared, or learned for a part of the budget; declared: or refused; unit: all are of about unit size.",
    default: "auto",
  }),
  /**
   * A model from public knowledge, in raw units, around which models are expected: every release is of differences from
   * it, and at small budgets tasks shrink towards it. null (default): none. What it was learned from is not protected. Of
   * labels (logistic loss) it is a logistic regression of a population: log-odds of the second label for one unit of a feature. Of
   * several classes (softmax loss) it is a multinomial one, with a model for each class but the reference.
   */
  publicPrior: option(aPublicPrior, {
    group: "model",
    help: "Coefficients from public data or a published study, in raw units, as the center of the prior; of several classes for each.",
    default: null,
  }),
};

/** Options of {@link MpMixed}. */
export interface MixedOptions extends CommonOptions, ReleaseOptions, OptionsOf<typeof own> {}

export const mixedOptions = {
  ...commonOptions,
  loss: option<LossName>(aWord<LossName>(MIXED_LOSSES), {
    group: "model",
    help: "squared for numbers, logistic for two classes, softmax for several.",
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
        | "mechanism"
        | "ownModel"
        | "publicPrior"
        | "taskEpsilons"
        | keyof PersonBound
      >
    >,
): void {
  const { intercept, lossScale, delta, unit = "task", loss, ownModel, publicPrior } = options;
  const { mechanism = "auto" } = options;
  checkPersons(options);
  if (publicPrior && unit !== "task") {
    throw new OptionError(`publicPrior: is for the unit "task"; the unit is ${unit}`);
  }
  if (publicPrior) checkPublicPrior(publicPrior, loss);
  if (ownModel === "noisy" && unit !== "record") {
    throw new OptionError(
      'ownModel: a task\'s model from noisy moments of its rows needs the unit "record"; expected that, or ownModel "exact"',
    );
  }
  if (unit !== "task" && loss !== "squared") {
    throw new OptionError(
      `unit: mp-mixed hides single records with the squared loss; with the ${loss} loss it hides tasks. ` +
        'Expected unit "task", loss "squared" or dp-aggregation, which hides them with either',
    );
  }
  const asks =
    unit === "both" ? 'unit "both"' : unit !== "task" && options.taskEpsilons ? "taskEpsilons" : "";
  if (asks && !["auto", "gaussian-mean"].includes(mechanism)) {
    throw new OptionError(
      `mechanism: with ${asks} mp-mixed accounts for Gaussian noise only; expected auto or gaussian-mean, got "${mechanism}"`,
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

/** What says which columns' sizes must be known. */
export type ScaleChoice = Pick<MixedOptions, "scale" | "loss"> &
  Partial<Pick<MixedOptions, "unit">>;

/**
 * Positions of the columns whose size is to be learned.
 */
export function columnsToLearn(
  { d, undeclared = [] }: Pick<PublicSizes, "d" | "undeclared">,
  { scale, loss, unit = "task" }: ScaleChoice,
): readonly number[] {
  // Votes on sizes are of tasks.
  if (scale !== "auto" || unit !== "task") return [];
  return loss === "squared" ? undeclared : undeclared.filter((at) => at < d);
}

/** Sizes are learned from rows, of which moments keep none. */
function requireDeclared({ encoding }: TaskSet, undeclared: readonly number[]): void {
  const [first] = undeclared;
  if (first === undefined) return;
  const column = encoding.columns[first];
  const what = column ? `the column ${JSON.stringify(column.name)}` : "the target";
  const others = undeclared.length > 1 ? `, and of ${undeclared.length - 1} more` : "";
  throw new DataError(
    `nobody declared how large the values of ${what} are${others}, which is learned from rows, and of these only moments were kept ` +
      "(--stream, TaskMoments). Declare ranges (--ranges FILE, which inspect --out drafts; a schema in code), say " +
      'scale: "unit" (--scale unit) if features and target are of about unit size, or read the rows themselves, without --stream.',
  );
}

/** @throws DataError naming the first column whose size is neither known nor learned. */
export function requireScales(
  data: TaskSet,
  sizes: Pick<PublicSizes, "undeclared">,
  options: ScaleChoice,
): void {
  const { encoding } = data;
  if (options.scale === "unit") return;
  const { unit = "task" } = options;
  if (options.scale === "auto" && unit === "task" && sizes.undeclared) {
    if (data.standFor) requireDeclared(data, sizes.undeclared);
    return;
  }
  const unknown = encoding.columns.find((column) => column.scale === null);
  if (unknown || (options.loss === "squared" && encoding.target.scale === null)) {
    const what = unknown ? `column ${JSON.stringify(unknown.name)}` : "the target";
    throw new DataError(
      `${what} has no declared range: mp-mixed needs to know how large its values are, from public knowledge. ` +
        "Declare ranges (--ranges FILE, which inspect --out drafts; a schema in code), or, if features and " +
        'target are of about unit size, say so with the option scale: "unit" (--scale unit). Only a fit that ' +
        'hides whole tasks (unit: "task") learns sizes, with scale: "auto".',
    );
  }
}
