/**
 * Waiting for several workers.
 * @module
 */

/**
 * All answers, once all are there.
 * @throws the first error in the order of tasks; at once what `signal` was aborted with.
 */
export async function allOf<T>(
  answers: readonly Promise<T>[],
  signal: AbortSignal | undefined,
): Promise<T[]> {
  if (!signal) return valuesOf(await Promise.allSettled(answers));
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
  });
  try {
    return valuesOf(await Promise.race([Promise.allSettled(answers), aborted]));
  } finally {
    signal.removeEventListener("abort", stop!);
  }
}

function valuesOf<T>(settled: readonly PromiseSettledResult<T>[]): T[] {
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason as Error;
    return one.value;
  });
}
