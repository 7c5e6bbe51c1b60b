/**
 * Who draws from which random stream: the only place where their numbers are given out.
 *
 * Two draws under one key and one number are the same bits, and the difference of two releases with
 * the same noise shows both exactly. So every use has a range of numbers of its own under its key, and
 * every range here is checked; `test/random/stream-numbers.test.ts` holds them apart.
 *
 * | key                         | use                    | numbers                            |
 * | --------------------------- | ---------------------- | ---------------------------------- |
 * | a fit's                     | noise of release t     | t, from 1 to 2^24                  |
 * |                             | record noise           | 2^40 + 2^24 t + task, below 2^49   |
 * |                             | samples of tasks       | 2^50                               |
 * |                             | public starting point  | 2^50 + 1                           |
 * |                             | groups of tasks, round t | 2^50 + 2^25 + t                  |
 * |                             | mini-batches of a task | 2^51 + task                        |
 * |                             | rows of a task in round t | 2^52 + 2^24 t + task, below 2^53 |
 * | a private selection's       | the number of runs     | 7                                  |
 * |                             | run k: candidate, score | 8 + k, from k = 0                 |
 * | a participant's own (sums)  | its shares of noise    | t, from 1 to 2^24                  |
 * | an aggregator's own         | its noise              | t, from 1 to 2^24                  |
 *
 * A private selection and its runs, the participants of secure sums and aggregators have keys of their own:
 * {@link keyOf}. Simulated data sets number their own streams (`data/datasets/simulate.ts`), under the seed of
 * the data.
 * @module
 */
import { integer } from "../core/checks.js";
import { refuseMode } from "./seed.js";
import type { RandomOptions } from "./stream.js";

/** Most releases of a run, and most tasks. */
const RELEASES = 2 ** 24;
const TASKS = 2 ** 24;

const RECORDS = 2 ** 40;
const SAMPLES = 2 ** 50;
const GROUPS = SAMPLES + 2 ** 25;
const BATCHES = 2 ** 51;
const ROWS = 2 ** 52;
const SELECTION = 7;

/** The stream numbers of every use. */
export const streamNumber = {
  /** Noise of a release, 1-based over all of a run. */
  release: (release: number) => integer("release", release, 1, RELEASES),
  /** A task's own noise against an untrusted curator. */
  recordNoise: (round: number, task: number) =>
    RECORDS + TASKS * integer("round", round, 0, RELEASES) + integer("task", task, 0, TASKS - 1),
  /** Who takes part, all rounds in order. */
  samples: SAMPLES,
  /** A model's public starting point. */
  start: SAMPLES + 1,
  /** Which tasks make a group in a round. */
  groups: (round: number) => GROUPS + integer("round", round, 1, RELEASES),
  /** The order of a task's rows. */
  miniBatches: (task: number) => BATCHES + integer("task", task, 0, TASKS - 1),
  /** Which rows of a task count in a round. */
  rowSample: (round: number, task: number) =>
    ROWS + TASKS * integer("round", round, 0, RELEASES) + integer("task", task, 0, TASKS - 1),
  /** How many candidates a private selection runs. */
  selection: SELECTION,
  /** Which candidate a run of it takes, and its score's noise. */
  selectionRun: (run: number) => SELECTION + 1 + integer("run", run, 0, RELEASES),
} as const;

/**
 * A key of its own for a part of a computation. Secure keys are fresh whenever a stream is opened; a
 * seed is extended.
 * @throws OptionError for an unknown mode.
 */
export function keyOf(random: RandomOptions, part: string): RandomOptions {
  if (random.mode === "secure") return random;
  if (random.mode !== "seeded") return refuseMode(random);
  return { mode: "seeded", seed: `${random.seed}${part}` };
}
