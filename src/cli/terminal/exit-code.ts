/**
 * Exit codes: what a script may rely on.
 * @module
 */
import { MpMtlError } from "../../core/errors.js";

/** Exit codes by meaning. */
export const EXIT = {
  done: 0,
  other: 1,
  usage: 2,
  data: 3,
  budget: 4,
  notConverged: 5,
  interrupted: 130,
} as const;

/** What they mean, for the program's help. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  usage: "usage or configuration",
  data: "data",
  budget: "budget exceeded",
  notConverged: "did not converge",
  interrupted: "interrupted",
  other: "anything else",
};

const BY_CODE: Record<string, number> = {
  OPTION: EXIT.usage,
  DATA: EXIT.data,
  BUDGET: EXIT.budget,
  CONVERGENCE: EXIT.notConverged,
};

/**
 * Checks of arguments throw RangeError and TypeError as `name: expected …, got …`; those thrown by
 * the engine itself, on a bug, read otherwise.
 */
function isRefusedArgument(error: unknown): boolean {
  return (
    (error instanceof RangeError || error instanceof TypeError) &&
    /^[^:]+:.* expected /.test(`${error.message} `)
  );
}

/** Whether the error is a refusal with a message for the user, not a failure of the program. */
export function isExpected(error: unknown): boolean {
  return error instanceof MpMtlError || isRefusedArgument(error);
}

/** The exit code for an error; an interrupted run is interrupted whatever it threw. */
export function exitCodeOf(error: unknown, signal: AbortSignal): number {
  if (signal.aborted) return EXIT.interrupted;
  if (error instanceof MpMtlError) return BY_CODE[error.code] ?? EXIT.other;
  return isRefusedArgument(error) ? EXIT.usage : EXIT.other;
}
