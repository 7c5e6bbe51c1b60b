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
  /** Threads over whose memories the tasks are to be spread, whatever the work and whoever else uses threads; default 1. */
  readonly memories?: number;
}

/**
 * Multiplications that are worth a second thread: some 10 ms, and with the start of a worker some 200.
 * Measured by `node bench/estimators/threads.js`.
 */
const WORTH = { started: 1e7, new: 2e8 } as const;

/** How many threads to take. */
export function decideThreads(question: ThreadsQuestion): ThreadsUsed {
  const { asked, m, work, free, started, memories = 1 } = question;
  const most = Math.min(Math.max(free, memories), m);
  if (asked !== "auto") {
    const used = Math.min(asked, most);
    if (used === asked) return { used, why: "that many were asked for" };
    const limit = most === m ? `there are ${m} tasks` : `no more than ${most} can be had`;
    return { used, why: `${asked} were asked for, but ${limit}` };
  }
  const worth = (threads: number) => (threads <= started ? WORTH.started : WORTH.new);
  let used = 1;
  while (used < Math.min(free, m) && work / (used + 1) >= worth(used + 1) / 2) used++;
  const spread = Math.min(memories, m);
  if (spread > used)
    return { used: spread, why: "fewer threads' memories would not hold the rows" };
  const size = `the fit takes about ${Number(work.toPrecision(1))} multiplications`;
  return { used, why: used === 1 && most > 1 ? `${size}, too few for a second thread` : size };
}
