/**
 * The problem that Douglas-Rachford rounds solve.
 * @module
 */
import type { Core } from "../../../core/index.js";
import type { ParticipantHalf } from "../../round/halves.js";
import type { SolverHooks, SolverLimits } from "../solvers/problem.js";
import type { Penalties } from "./half.js";

/** min over W of sum_i L_i(w_i) + penalty(W). */
export interface SplittingProblem extends SolverLimits, SolverHooks, Penalties {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  /** Whether the losses are squared. */
  readonly isSquared: boolean;
  /** The tasks, on this thread or several (`splitHalf`). */
  readonly half: Pick<ParticipantHalf, "stages">;
}
