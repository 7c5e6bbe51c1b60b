/**
 * The longest that a party of a run waits for its end.
 * @module
 */
import { HostError } from "../../core/index.js";
import { realClock } from "../../federation/index.js";

/**
 * Does a party's work, which is to end by the signal that it is given where the time is up first.
 * @throws HostError then.
 */
export async function withinTime<T>(
  seconds: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const error = new HostError(
    `the run was not over within ${seconds} s (--timeout); the same command goes on where it was.`,
  );
  const callOff =
    seconds === undefined
      ? () => undefined
      : realClock.after(1000 * seconds, () => controller.abort(error));
  try {
    return await work(controller.signal);
  } finally {
    callOff();
  }
}
