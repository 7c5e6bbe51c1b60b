/**
 * Waiting for several workers.
 * @module
 */
import { unlessAborted } from "../../core/unless-aborted.js";

/**
 * All answers, once all are there.
 * @throws the first error in the order of tasks; at once what `signal` was aborted with.
 */
export async function allOf<T>(
  answers: readonly Promise<T>[],
  signal: AbortSignal | undefined,
): Promise<T[]> {
  return valuesOf(await unlessAborted(Promise.allSettled(answers), signal));
}

function valuesOf<T>(settled: readonly PromiseSettledResult<T>[]): T[] {
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason as Error;
    return one.value;
  });
}
