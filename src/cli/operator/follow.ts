/**
 * Follows a run: asks how it stands again and again, and says what has changed.
 * @module
 */
import { setTimeout as wait } from "node:timers/promises";
import { unlessAborted } from "../../core/unless-aborted.js";

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
