/**
 * The method that takes another by what is public.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";
import { ALL_METHODS } from "../estimators/all.js";
import { mixedOptions } from "../families/mixed/options.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { checkOptions } from "../options/configured-estimator.js";
import { anyLoss } from "../options/common-options.js";
import type { MethodDescriptor } from "../options/method.js";
import type { OptionDeclarations, OptionsOf } from "../options/option.js";
import { budgetOptions } from "../options/private-options.js";
import { publicSizes } from "../release/public-sizes.js";
import { checkHooks } from "../round/check-hooks.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { targetsOf } from "../tasks/targets.js";
import { chooseMethod, type MethodChoice } from "./choose-method.js";
import { rowsTaken } from "../options/rows-taken.js";
import { passedOptions } from "./passed-options.js";
import { requireOwnModel } from "./require-own-model.js";

const own = {
  /** "squared" (default) for numbers, "logistic" for two classes, "softmax" for several. */
  loss: anyLoss,
  /** Total eps > 0 of the guarantee; default 1. */
  epsilon: budgetOptions.epsilon,
  /** Total delta in [0, 1); "auto" (default): the smaller of 1e-5 and 1/m^2 for m tasks; "papers": 1/(m ln m). */
  delta: budgetOptions.delta,
  /** "replace" (default): one task's data and models change arbitrarily. "zero-out": to zero. */
  adjacency: budgetOptions.adjacency,
  /** Default secure; seeded noise is reproducible and protects nothing. */
  random: budgetOptions.random,
  /** Where the size of features and target is known from, as `MpMixed` has it; default "auto". */
  scale: mixedOptions.scale,
  /** What the budget hides: "task" (default), "record", or "both"; methods that cannot are not taken. */
  unit: mixedOptions.unit,
  /** With unit "record" or "both": most rows that one person has in a task, public; default 1. */
  rowsPerPerson: mixedOptions.rowsPerPerson,
  /** With unit "record" or "both": most tasks that have rows of one person, public; default 1. */
  tasksPerPerson: mixedOptions.tasksPerPerson,
  /** With unit "record" or "both": smaller epsilons of owners who state their own, by task; null (default): none does. */
  taskEpsilons: mixedOptions.taskEpsilons,
  /** With unit "record": "noisy" if a task's own model is to be given away, its records protected; default "exact". */
  ownModel: mixedOptions.ownModel,
  /** A model from public knowledge, in raw units, around which models are expected; null (default): none. */
  publicPrior: mixedOptions.publicPrior,
};

/** Options of {@link Auto}: loss, budget and what is known of scales; what is left is the chosen method's default. */
export interface AutoOptions extends OptionsOf<typeof own> {}

export const auto: MethodDescriptor<AutoOptions> = {
  name: "auto",
  title: "A method by sizes and budget",
  recommendedFor: "where nobody tuned: the one that public sizes, budget and loss speak for",
  releases: "what the method that it takes releases",
  options: own as OptionDeclarations<AutoOptions>,
  privacy: { unit: "task", statistics: ["vector", "moment"], budget: "equal" },
  ranges: {},
  compared: [],
  make: (options) => new Auto(options),
};

/**
 * Takes the method that the number of tasks, features and rows, the budget, the loss and the declared ranges speak for,
 * and fits it with its defaults; nothing is charged for the choice, which depends on no one's rows. Where no release is
 * worth its noise, every task learns alone. The model's `choice` says which method it was and why, and its `method`
 * is that method's name.
 *
 * @example const model = await new Auto({ epsilon: 1 }).fit(train); console.log(model.choice.why);
 */
export class Auto implements Estimator {
  readonly method = auto.name;
  /** The options, after defaults. */
  readonly options: AutoOptions;

  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<AutoOptions>) {
    this.options = checkOptions<AutoOptions>(auto.name, options, auto.options);
  }

  /**
   * What would be taken for these tasks, and why: nothing is fitted or spent.
   * @throws OptionError if records are to be hidden from whoever is given a model (`ownModel`), and what would be taken cannot.
   */
  choose(data: TaskSet): MethodChoice {
    requireTaskSet("data", data);
    const { scale, publicPrior, loss } = this.options;
    const choice = chooseMethod({
      ...this.options,
      // Else the sizes say which columns are not.
      declared: scale === "unit",
      ...(loss === "softmax" ? { classes: targetsOf(data, loss).classes!.length } : {}),
      sizes: publicSizes(data),
      hasPrior: publicPrior !== null,
      // That there are weights is public; whether some differ is not.
      rows: { weighted: data.sampleWeights !== undefined, sparse: data.sparse !== undefined },
    });
    requireOwnModel(choice, this.options);
    return choice;
  }

  /**
   * Chooses, and fits.
   * @throws whatever the chosen method throws.
   */
  async fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    checkHooks(auto.name, hooks);
    const { method, options, why } = this.choose(data);
    const known = ALL_METHODS.find(({ name }) => name === method);
    if (!known) throw new DataError(`auto: no method ${method}`);
    const passed = passedOptions({ ...options, ...this.options }, known.options);
    // Nothing is released where every task learns alone, so there is nothing to keep either.
    const { journal, ...others } = hooks;
    const kept = known.privacy && journal ? { ...others, journal } : others;
    const complete = checkOptions(known.name, passed, known.options);
    if (data.standFor && !rowsTaken(known, complete).moments) throw needsRows(method, why);
    const model = await known.make(passed).fit(data, kept);
    return model.withChoice({ asked: "auto", why });
  }
}

/** Who did not name a method should not be told what one cannot without hearing why it was taken. */
const needsRows = (method: string, why: string) =>
  new DataError(
    `auto takes ${method}: ${why}. It looks at single rows, and of these only moments were kept (--stream, TaskMoments): read the rows ` +
      "themselves, or name a method for which moments are enough: mp-mixed with declared ranges, or, not private, mixed-model, " +
      "trace-norm or group-sparse.",
  );
