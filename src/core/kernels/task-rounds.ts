/**
 * Rounds of local steps of all tasks in one call: `assembly/tasks`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** Each `job` is a record in kernel memory. */
export interface TaskRoundKernels {
  /** Rounds of local steps of all tasks; `job` is the record of src/learning/steps/local-rounds.ts. */
  localRounds(job: Pointer): void;
  /** What lets `localRounds` take all steps of a round at once, from quadratic forms: job's operators[m,d,d]. */
  stepOperators(job: Pointer, work: Pointer): void;
  stepOperatorsWorkspace(d: number): number;
  /**
   * out[m,held] = leading entries of models[m,d] less those of base, rows `step` entries apart (0: one for all).
   * Rows that overflow, and those of tasks not marked 1 in `marks` u32[m] (0: all are), become 0.
   */
  taskUpdates(
    models: Pointer,
    base: Pointer,
    step: number,
    marks: Pointer,
    out: Pointer,
    m: number,
    d: number,
    held: number,
  ): void;
  /** Rounds of Algorithm 2 with known broadcasts; `job` is a record that assembly/tasks/projected-rounds.ts describes. */
  projectedRounds(job: Pointer): void;
  /** For so many rounds in one call. */
  projectedRoundsWorkspace(d: number, rounds: number): number;
  /** What models are multiplied by in those rounds, for a clip bound. */
  projectedScale(clip: number): number;
}
