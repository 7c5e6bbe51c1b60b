/**
 * f of Algorithm 1: what the curator makes of the released statistic and sends to every task.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { CombineVectors } from "./statistic/robust-sum.js";
import type { StatisticName } from "./statistic/statistic.js";

/** Where and for whom a rule works. */
export interface RuleContext {
  readonly core: Core;
  /** Tasks, and float64s each uploads. */
  readonly m: number;
  readonly d: number;
}

/**
 * A function of released statistics only: post-processing, so it costs no privacy whatever it
 * does. `prepare` allocates; `apply` runs every round and must not.
 */
export interface SharingRule {
  /** The statistic it reads. */
  readonly statistic: StatisticName;
  /**
   * What stands in the place of the statistic "vector", the plain sum: it must move by no more than that when one task's vector
   * changes, in every norm, since the noise is calibrated to that.
   */
  readonly combine?: CombineVectors | undefined;
  /**
   * Whether the vector of task i is 0 but in numbers i d / m up to (i + 1) d / m, and the curator is handed these alone,
   * [m, d / m]: in the order of tasks they are the plain sum. For "vector"; default no.
   */
  readonly ownBlocks?: boolean | undefined;
  /** Float64s of the broadcast to every task. */
  broadcastLength(m: number, d: number): number;
  /** Allocates scratch memory in the curator's core and returns the round's work. */
  prepare(context: RuleContext): PreparedRule;
}

/**
 * Turns the statistic S into the broadcast M, both in the core's memory. S may be destroyed.
 * @param round 1-based, within its stage.
 */
export type PreparedRule = (statistic: Pointer, broadcast: Pointer, round: number) => RoundFigures;

/** Public figures of a round, functions of the release alone. */
export interface RoundFigures {
  /** Directions (or features) that the broadcast lets pass. */
  readonly rank?: number;
  /** l2 norm of the shared model's move. */
  readonly movement?: number;
  /** How far the release is from what noise alone would be, as a normal score; where that is known. */
  readonly aboveNoise?: number;
}
