/**
 * The private mixed model with the logistic loss: logit P(y = 1) = x . w_i, w_i ~ N(a, C) with C one variance for
 * all slopes and one for the intercept.
 *
 * Rounds of log evidence of hypotheses on C, information and scores of a, from noisy sums over tasks; then
 * every task averages its posteriors over the hypotheses, around a and around zero. With a vanishing budget that
 * is the average of a task that learns alone.
 * @module
 */
import type { MixedExchange, MixedModels, MixedRelease, MixedSizes } from "../exchange.js";
import { stepOf } from "./logistic-plan.js";
import { LogisticState, type KnownColumns } from "./logistic-state.js";
import { taskPriors } from "./priors/hypothesis-priors.js";
import { LogisticTasks, type LogisticRows, type OwnModels } from "./logistic-tasks.js";
import { packedPriors, unseenTask } from "./posterior/task-priors.js";

export class LogisticExchange implements MixedExchange {
  readonly #state: LogisticState;
  readonly #tasks: LogisticTasks;
  readonly #releases: readonly MixedRelease[];
  readonly #isOfSeveral: boolean;

  /**
   * @param rows     those of the batch.
   * @param mu       budget of Gaussian differential privacy; Infinity without noise.
   * @param releases of `logisticPlan` for the same sizes and mu.
   * @throws RangeError if columns do not add up to d - 1 coordinates.
   */
  constructor(
    rows: LogisticRows,
    sizes: MixedSizes,
    mu: number,
    releases: readonly MixedRelease[],
    known: KnownColumns = {},
  ) {
    this.#releases = releases;
    this.#isOfSeveral = (sizes.classes ?? 2) > 2;
    this.#state = new LogisticState(sizes, mu, releases, known);
    this.#tasks = new LogisticTasks(rows, sizes.d, known);
  }

  upload(release: number): Float64Array {
    return this.#tasks.upload(stepOf(release, this.#releases), this.#state);
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    this.#state.receive(release, sum, deviation);
  }

  solve(): MixedModels {
    const priors = taskPriors(this.#state);
    const ofTasks = { unseen: unseenTask(priors), ofTasks: packedPriors(priors) };
    const prior = { ...this.#state.prior(), ...ofTasks };
    return { ...this.#tasks.solve(priors, this.#isOfSeveral), prior };
  }

  /** Own models of one class of several once more, after `solve`; as `LogisticTasks` has it. */
  solveAgain(added: readonly (Float64Array | undefined)[], before: OwnModels): OwnModels {
    return this.#tasks.solveAgain(taskPriors(this.#state), added, before);
  }
}
