/**
 * A stage of releases as a method asks for it: what is released and how often, not yet under which noise.
 * @module
 */
import type { Mechanism, Sampling, Schedule, Statistic } from "../../privacy/index.js";

/** One stage as a method asks for it. */
export interface StageRequest {
  readonly statistic: Statistic;
  /** Tasks, and float64s each uploads. */
  readonly m: number;
  readonly d: number;
  /** K > 0, bound on the l2 norm of every upload. */
  readonly clip: number;
  readonly rounds: number;
  /**
   * Where the noise hides one record, or all those of a person: how many records there are in the run, and the bound on the
   * l2 norm of what one of them, or the person, adds to the sum over tasks; `clip` is then a bound on a task's whole share, which no noise rests on.
   */
  readonly perRecord?: {
    readonly records: number;
    readonly clip: number;
    /** Chance of every record to be in a round's sum, drawn by its owner in secret; default 1. */
    readonly rate?: number;
  };
  /**
   * Where noise shares must say what a part of a vector costs, one record's: the most tasks' vectors that what the noise hides has
   * parts in. Vectors are then rounded to their grid as they are; absent: each is held to an integer norm.
   */
  readonly vectorsPerUnit?: number;
  /** How its budget is spread over its rounds; default constant. */
  readonly schedule?: Schedule;
  /** Part of the whole budget in (0, 1); exactly one stage has none and gets what is left. */
  readonly budgetShare?: number;
  /** What the ledger calls its charges. */
  readonly label?: string;
  /** Default 0. */
  readonly shift?: number | "auto";
  /** Default everyone. */
  readonly sampling?: Sampling;
  /** A mechanism made elsewhere, instead of the one that the options name. */
  readonly mechanism?: Mechanism;
}
