/**
 * Waiting for what may never come, until somebody has enough.
 * @module
 */

/**
 * What some work comes to, unless the signal is aborted before: whose server is away may be waited for without end.
 * @throws the signal's reason then; the work goes on, and its result is dropped.
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
