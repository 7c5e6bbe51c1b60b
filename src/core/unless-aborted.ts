/**
 * Waiting for work that may never end, such as an answer of a server that is away.
 * @module
 */

/**
 * The result of some work, unless the signal is aborted first.
 * @throws the signal's reason if it is aborted; the work goes on, and its result is dropped.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop!);
  }
}
