/**
 * How a party ends that comes back when its part of a run is done and nobody is there any more.
 * @module
 */
import { DataError } from "../../../core/index.js";

/** So many repetitions without an answer, a minute by default, are taken for nobody being there. */
export const PATIENT_ATTEMPTS = 5;

/**
 * The run is over for this party: an earlier process did its part to the end, and was stopped before it was told that the curator
 * knows. What it came to is where that process put it.
 */
export class RunOverError extends DataError {
  /** "RunOverError", in minified code too. */
  override readonly name: string = "RunOverError";

  /** @param what an earlier process did last. */
  constructor(run: string, party: string, what: string) {
    super(
      `run ${JSON.stringify(run)} is over for ${party}: ${what}, and nobody answers what it asks any more. The curator's command, ` +
        "started again with its records, serves those that come later",
    );
  }
}
