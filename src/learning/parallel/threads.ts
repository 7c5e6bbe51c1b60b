/**
 * On how many threads a fit runs.
 * @module
 */
import type { ThreadsUsed } from "../fitted/model-state.js";
import type { Threads } from "../round/estimator.js";
import { checkOptions } from "../options/configured-estimator.js";
import { aPositiveInteger, aWordOr } from "../options/kinds.js";
import { option } from "../options/option.js";

/** Declared once: checked by the library, a flag of the command line. */
export const threadsOption = option<Threads>(aWordOr(["auto"], aPositiveInteger), {
  group: "rounds",
  help: "Threads on which a fit runs, auto: by sizes. Models do not depend on it.",
  default: "auto",
});

/** @throws OptionError unless it is one of its values; absent stands for the default. */
export function checkedThreads(threads: Threads | undefined): Threads {
  return checkOptions<{ threads: Threads }>("fit", threads === undefined ? {} : { threads }, {
    threads: threadsOption,
  }).threads;
}

/** What is to be decided on. */
export interface ThreadsQuestion {
  readonly asked: Threads;
  /** Tasks. */
  readonly m: number;
  /** About how many multiplications the tasks' half takes in all. */
  readonly work: number;
  /** Threads that can be had now, this one included, and those of them that run already. */
  readonly free: number;
  readonly started: number;
  /** Multiplications that the next thread to be started would have taken off the fits before (`missedWork`); default 0. */
  readonly missed?: number;
  /** Threads over whose memories the tasks are to be spread, whatever the work and whoever else uses threads; default 1. */
  readonly memories?: number;
}

/**
 * Multiplications that are worth a second thread: some 10 ms, and with the start of a worker some 200.
 * Measured by the bench of threads in docs/PERFORMANCE-THREADS.md.
 */
const WORTH = { started: 1e7, new: 2e8 } as const;

/** What a further thread takes of the work of `threads`. */
const shareOf = (work: number, threads: number) => work / (threads + 1);

/**
 * How many threads to take.
 *
 * Nobody knows how many fits will follow, so a start is paid as skis are bought: fits that a further thread would have served
 * had it been up add up, and the fit with which they reach the price of the start pays it. Whatever follows, starts and work
 * missed are together at most twice what they would have been with foreknowledge (Karlin et al., 1988).
 */
export function decideThreads(question: ThreadsQuestion): ThreadsUsed {
  const { asked, m, work, free, started, missed = 0, memories = 1 } = question;
  const most = Math.min(Math.max(free, memories), m);
  if (asked !== "auto") {
    const used = Math.min(asked, most);
    if (used === asked) return { used, why: "that many were asked for" };
    const limit = most === m ? `there are ${m} tasks` : `no more than ${most} can be had`;
    return { used, why: `${asked} were asked for, but ${limit}` };
  }
  const size = `the fit takes about ${Number(work.toPrecision(1))} multiplications`;
  let why = size;
  let used = 1;
  for (const last = Math.min(free, m); used < last; used++) {
    const share = shareOf(work, used);
    if (share < WORTH.started / 2) break;
    if (used < started || share >= WORTH.new / 2) continue;
    // What was missed pays for one start.
    if (used > started || share + missed < WORTH.new / 2) break;
    why = `${size}, and fits before it missed a thread as much as its start takes`;
  }
  const spread = Math.min(memories, m);
  if (spread > used)
    return { used: spread, why: "fewer threads' memories would not hold the rows" };
  return { used, why: used === 1 && most > 1 ? `${size}, too few for a second thread` : why };
}

/** Multiplications that a thread beyond `used` would have taken off the fit, had it been up; 0 where it would not have been used. */
export function missedWork(
  { asked, m, work, free, started }: ThreadsQuestion,
  used: number,
): number {
  if (asked !== "auto" || used < started || used >= Math.min(free, m)) return 0;
  const share = shareOf(work, used);
  return share < WORTH.started / 2 ? 0 : share;
}
