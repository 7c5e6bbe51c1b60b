/**
 * Why this page is away from its run, in sentences for its owner.
 * @module
 */

/** The link is gone. @param online what the browser says of its machine. */
export function linkLost(online: boolean): string {
  return online
    ? "The server does not answer: it is away, or the network to it is. This page looks for it and goes on by itself."
    : "This machine is offline. The page goes on by itself when it is connected again.";
}

/** The link is back. */
export const LINK_BACK = "Connected to the server.";

/** Nobody answers behind the server. */
export const NO_WORD =
  "The server is there, and the curator says nothing: it waits for others, is away, or has ended. Waiting on.";

/** It ended without its models. */
export const ENDED = "This page takes no part in the run any more; the reason is below.";

/** What ended it, and what its owner can do. @param why the library's words, for whoever has it on a machine of their own. */
export function endedBecause(why: string): string {
  const isOtherRelease = why.includes("install the same release");
  return isOtherRelease
    ? `This page is of another release than the curator: reload it, and if that does not help, tell whoever serves it. (${why})`
    : why;
}

/** Timers of a page in the background go off once a minute; after a longer gap it was stopped. */
const GAP_MS = 90_000;
const LOOK_MS = 5_000;

/** @returns what to say after so long a gap between two looks at the clock; undefined if the page was awake. */
export function sleptLine(gap: number): string | undefined {
  if (gap < GAP_MS) return undefined;
  const minutes = Math.round(gap / 60_000);
  return (
    `This tab slept for ${minutes} ${minutes === 1 ? "minute" : "minutes"}: the browser or the machine had stopped it, and the run ` +
    "may have gone on without it. It catches up now; keep the tab in front, and the machine awake, until the run is over."
  );
}

/** Tells whenever the page wakes after a sleep. */
export function watchSleep(tell: (line: string) => void): void {
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    const line = sleptLine(now - last);
    last = now;
    if (line !== undefined) tell(line);
  }, LOOK_MS);
}
