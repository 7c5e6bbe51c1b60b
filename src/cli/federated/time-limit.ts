/**
 * A limit on how long a party of a run works (--timeout).
 * @module
 */
import { HostError } from "../../core/index.js";
import { realClock } from "../../federation/index.js";

/**
 * Runs a party's work, which must end when its signal is aborted: that happens when the time is up.
 * @param seconds undefined: no limit.
 * @throws HostError when the time is up.
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
