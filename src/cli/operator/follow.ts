/**
 * Follows a run: asks how it stands again and again, and says what has changed.
 * @module
 */
import { setTimeout as wait } from "node:timers/promises";

/** How one stands, in lines for people. */
export interface Standing<T> {
  readonly status: T;
  readonly lines: readonly string[];
  /** Nothing follows. */
  readonly over: boolean;
}

/** Between two questions. */
const PAUSE_MS = 1000;

/**
 * What some work comes to, unless the signal is aborted before: whose server is away may wait for it for ever.
 * @throws the signal's reason then.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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

/**
 * Asks until the run is over.
 * @param told what is new: the status, and the lines that were not among those before.
 * @returns the last status.
 * @throws the signal's reason when it is aborted.
 */
export async function follow<T>(
  ask: () => Promise<Standing<T>>,
  told: (status: T, lines: readonly string[]) => void,
  signal: AbortSignal,
): Promise<T> {
  for (let before: readonly string[] = []; ;) {
    signal.throwIfAborted();
    const { status, lines, over } = await unlessAborted(ask(), signal);
    const fresh = lines.filter((line) => !before.includes(line));
    if (fresh.length > 0) told(status, fresh);
    if (over) return status;
    before = lines;
    await wait(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
