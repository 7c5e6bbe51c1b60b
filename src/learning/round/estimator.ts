/**
 * What all estimators share: a task set goes in, a fitted model comes out.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { RoundObserver } from "./observer.js";
import type { TaskWorkers } from "../workers/task-workers.js";
import type { ReleaseJournal } from "./release-journal.js";
import type { RoundReport } from "./run.js";

/** Threads of a fit; "auto": by sizes, as many as are worth their start, and no fewer than hold the rows. */
export type Threads = "auto" | number;

/** How sums over tasks are added. */
export type SumOrder = "in-order" | "any-order";

/** Hooks of a running fit. */
export interface FitOptions {
  /** Called after every round, with figures that the budget already covers. */
  readonly onRound?: ((report: RoundReport) => void) | undefined;
  /** What the caller computed from several tasks before the fit, for `guarantee.notCharged`. */
  readonly notCharged?: readonly string[] | undefined;
  /**
   * A model of the same tasks and features to start from, for the methods that stop by certificate:
   * the solution does not depend on it, the time does. Private methods refuse it.
   */
  readonly warmStart?: FittedModel | undefined;
  /** sees uploads, statistics and broadcasts: for audits, whose results are the curator's own. */
  readonly observe?: RoundObserver | undefined;
  /** Private methods: makes the fit resumable; see {@link ReleaseJournal}. */
  readonly journal?: ReleaseJournal | undefined;
  /**
   * Threads to spread the tasks over, "auto" (default) by sizes: the models are the same. It takes `workers`, and a
   * method whose tasks work apart; otherwise there is one. What was done is in the model's `threads`. A thread's WebAssembly
   * memory holds 4 GiB: "auto" takes as many as hold the rows, and a number of threads that does not is refused (HostError).
   */
  readonly threads?: Threads | undefined;
  /**
   * Where the other threads come from: `openTaskWorkers` of `mp-mtl/node`, `openWebTaskWorkers` in a browser. Give the same ones to
   * every fit: "auto" then starts a thread also for fits each of which is too short for that, when enough of them have missed it.
   */
  readonly workers?: TaskWorkers | undefined;
  /**
   * Private methods that a federated run can have: "in-order" (default) adds what tasks upload in the order of tasks. "any-order" rounds every
   * term to a grid on which sums are exact, so that no order and no division among relays changes a bit: the models of a
   * federated run whose plan has relays for plain sums. Not with a median of means, a trimmed mean or single records hidden.
   */
  readonly sums?: SumOrder | undefined;
  /** Aborts the fit; `fit` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Anything with `fit`. */
export interface Estimator {
  /** The command line's name of the method. */
  readonly method: string;
  /** Learns the models of all tasks; see {@link FitOptions}. */
  fit(tasks: TaskSet, options?: FitOptions): Promise<FittedModel>;
}
