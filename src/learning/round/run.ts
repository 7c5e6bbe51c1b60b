/**
 * Algorithm 1: the one loop of every method.
 * @module
 */
import type { Curator } from "./curator.js";
import type { Participants } from "./participants.js";
import type { RoundFigures } from "./sharing-rule.js";

/** Called after each round with figures the budget already covers. */
export interface RoundReport extends RoundFigures {
  /** 1-based. */
  readonly round: number;
  /** Rounds planned (the iteration limit of a method that stops by certificate). */
  readonly rounds: number;
}

/** What the loop needs. Participants and curator share a core here, so nothing is copied. */
export interface RunOptions {
  readonly participants: Participants;
  readonly curator: Curator;
  readonly rounds: number;
  readonly signal?: AbortSignal | undefined;
  readonly onRound?: ((report: RoundReport) => void) | undefined;
  /** Number of the first round, default 1: a later stage goes on counting. */
  readonly first?: number | undefined;
  /** Who takes part in the next round; absent: everyone. */
  readonly sample?: (() => Uint8Array) | undefined;
  /** Ends the loop early; pooled criteria are for non-private methods only. */
  readonly stop?: ((round: number) => boolean) | undefined;
}

/**
 * Runs the rounds and returns how many were run.
 * @throws whatever `signal` was aborted with; charged rounds stay in the ledger.
 */
export async function runRounds(options: RunOptions): Promise<number> {
  const { participants, curator, rounds, first = 1, sample, signal, onRound, stop } = options;
  const pauseIfDue = timeSlice();
  const last = first + rounds - 1;
  for (let round = first; round <= last; round++) {
    const marks = sample?.();
    const preparing = participants.prepare?.(round, marks, signal);
    if (preparing) await preparing;
    signal?.throwIfAborted();
    const figures = participants.sum
      ? curator.roundOfSum(participants.sum(round), round)
      : curator.round(participants.upload(round, marks), round);
    participants.receive(curator.broadcast, round, round === last);
    onRound?.({ round, rounds, ...figures });
    if (stop?.(round)) return round;
    const pause = pauseIfDue();
    if (pause) await pause;
  }
  signal?.throwIfAborted();
  return rounds;
}

/**
 * Runs work that stops now and then to its end, giving the event loop its turns.
 * @throws whatever `signal` was aborted with.
 */
export async function inTurns<Result>(
  work: Generator<void, Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const pauseIfDue = timeSlice();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const step = work.next();
      if (step.done) return step.value;
      const pause = pauseIfDue();
      if (pause) await pause;
    }
  } finally {
    work.return(undefined as never);
  }
}

/** Longest the loop holds the thread, in milliseconds: a page stays at 60 frames a second. */
const SLICE = 12;

/** Runs after other waiting work: at once where the host can, after a timer's millisecond elsewhere. */
const turn: (work: () => void) => void =
  typeof setImmediate === "function" ? (work) => setImmediate(work) : (work) => setTimeout(work, 0);

/** Gives the event loop a turn when the slice is used up, so that an abort or a repaint arrives. */
export function timeSlice(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE) return undefined;
    return new Promise((resolve) => {
      turn(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
