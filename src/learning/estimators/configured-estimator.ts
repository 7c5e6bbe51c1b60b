/**
 * What all estimators are: the descriptor of their method and options, checked.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { PrivateModel } from "../fitted/private-model.js";
import { checkOptions } from "../options/check-options.js";
import type { DividedMethod, MethodDescriptor } from "../options/method.js";
import type { TrustOptions } from "../options/curator-trust.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import type { Halves } from "../round/halves.js";
import type { CommonOptions } from "../tasks/common-options.js";

/** An estimator with checked options. */
export abstract class ConfiguredEstimator<O extends object> implements Estimator {
  readonly method: string;
  /** Every option, with its default where none was given. */
  readonly options: O;

  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(method: MethodDescriptor<O>, options: Partial<O> | undefined) {
    this.method = method.name;
    this.options = checkOptions<O>(method.name, options, method.options);
    method.check?.(this.options);
  }

  /** Learns the models of all tasks. */
  abstract fit(data: TaskSet, hooks?: FitOptions): Promise<FittedModel>;
}

/** A private estimator whose two halves can run apart. */
export abstract class PrivateEstimator<O extends CommonOptions & Partial<TrustOptions>>
  extends ConfiguredEstimator<O>
  implements DividedEstimator
{
  /** What the owners of tasks run, and what the curator runs. */
  readonly halves: Halves;

  /** @throws OptionError naming every bad option, or those that no theorem covers together. */
  constructor(method: DividedMethod<O>, options: Partial<O> | undefined) {
    super(method, options);
    this.halves = method.halves(this.options);
  }

  /**
   * Fits all tasks in private rounds.
   * @throws DataError if the data does not suit the options, such as a row longer than `featureBound`;
   *   BudgetExceededError or RangeError before any release if the budget allows no noise.
   */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<PrivateModel> {
    return fitPrivate(this, data, hooks);
  }
}
