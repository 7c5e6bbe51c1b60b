/**
 * Looking into a round, for audits and experiments. Part of what is shown is what the noise hides,
 * so an observer is the curator's own and no part of a real release.
 * @module
 */
import type { StatisticName } from "./statistic/statistic.js";

/**
 * `uploads`: the tasks' vectors V[m, d]. `exact`: their statistic. `released`: the same with noise, what
 * the ledger is charged for. `broadcast`: what every task is sent.
 */
export type RoundStage = "uploads" | "exact" | "released" | "broadcast";

/** One stage of one round. */
export interface RoundView {
  /** What `values` are. */
  readonly stage: RoundStage;
  /** 1-based. */
  readonly round: number;
  /** What the round releases. */
  readonly statistic: StatisticName;
  /** Number of tasks. */
  readonly m: number;
  /** Float64s that each task uploads. */
  readonly d: number;
  /** A view into the kernels' memory, valid during the call only: copy what you keep. */
  readonly values: Float64Array;
}

/** Called at every stage; `exact` and `released` come from private curators only. */
export type RoundObserver = (view: RoundView) => void;
