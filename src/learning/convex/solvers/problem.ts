/**
 * The problem all non-private joint methods solve, and what a solver returns.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Certificate } from "../../fitted/certificate.js";
import type { Gap } from "../certificates/duality-gap.js";
import type { ProximalGradient } from "../../steps/proximal-gradient.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { RoundReport } from "../../round/run.js";

/** Rounds of gradient steps between two evaluations of the certificate: a tenth of the work at most. */
export const CHECK_EVERY = 10;

/** Where an iteration starts: W(0) = P(0) [m, d], Q(0) [m, d] where there is a local part, b(0) [m]. */
export interface Start {
  readonly weights: Float64Array;
  readonly local?: Float64Array;
  readonly intercepts: Float64Array;
}

/** How long to go on. */
export interface SolverLimits {
  /** Relative duality gap to reach. */
  readonly tolerance: number;
  readonly maxRounds: number;
}

/** Who is told of rounds, and who may end them. */
export interface SolverHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onRound?: ((report: RoundReport) => void) | undefined;
}

/** What every solver is told, whatever the penalty. */
export interface SolverOptions extends SolverLimits, SolverHooks {
  readonly tasks: ResidentTasks;
  readonly start: Start;
}

/** Objective and relative gap at a check. */
export type Check = Readonly<Record<"round" | "objective" | "gap", number>>;

/** Where a solver stopped. Models are in the core's memory. */
export interface PenalizedSolution {
  readonly weights: Pointer;
  /** 0 without intercepts. */
  readonly intercepts: Pointer;
  readonly objective: number;
  /** The penalties' part of the objective. */
  readonly penalty: number;
  readonly certificate: Certificate;
  readonly rounds: number;
  readonly history: readonly Check[];
  /** Where the model is a sum of two parts: whoever knows them. */
  readonly solver?: ProximalGradient;
}

/** The certificate of a gap. */
export function certificateOf(gap: Gap, tolerance: number): Certificate {
  return {
    kind: "duality-gap",
    value: gap.relative,
    tolerance,
    met: gap.relative <= tolerance,
    interceptResidual: gap.interceptResidual,
  };
}

/** Before the first check. */
export const UNKNOWN_GAP: Gap = {
  objective: Infinity,
  relative: Infinity,
  interceptResidual: Infinity,
};
