/**
 * Rounds of a fit, told over a port: not each of thousands, but what a bar on a screen can show.
 * @module
 */

/** How far a fit is. Of what a round found nothing crosses: whoever waits for a job wants its progress. */
export interface FitProgress {
  /** 1-based; rounds in between may be left out, the last of a fit that runs all its rounds is not. */
  readonly round: number;
  /** Rounds planned (the iteration limit of a method that stops by certificate). */
  readonly rounds: number;
}

/** Least time between two messages, in ms. */
const PERIOD = 50;

/** An `onRound` that tells the first round, the last, and between them one each 50 ms at most. */
export function pacedRounds(tell: (progress: FitProgress) => void): (report: FitProgress) => void {
  let next = -Infinity;
  return ({ round, rounds }) => {
    const now = performance.now();
    if (now < next && round < rounds) return;
    next = now + PERIOD;
    tell({ round, rounds });
  };
}
