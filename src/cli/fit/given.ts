/**
 * A fit with the options given, over threads and in a journal where these are asked for.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import {
  isPrivateMethod,
  type Estimator,
  type FitOptions,
  type FittedModel,
  type Threads,
} from "../../learning/index.js";
import { openJournal, openTaskWorkers, type OpenJournal } from "../../node/index.js";
import type { Context } from "../options/command.js";
import { dataDigest } from "../tables/data-digest.js";
import type { FitValues } from "./options.js";

/** The journal of this fit: of these options on this data, whatever file they came from. */
export function journalOf(
  { method, journal }: FitValues,
  { random: _random, ...chosen }: Context["given"],
  train: TaskSet,
): OpenJournal | undefined {
  if (journal === undefined) return undefined;
  if (!isPrivateMethod(method)) {
    throw new OptionError(`--journal: ${method} releases nothing that would have to be kept.`);
  }
  return openJournal(
    journal,
    JSON.stringify({ method, options: chosen, dataDigest: dataDigest(train) }),
  );
}

/** Fits with the options given; with a journal, which stays open, goes on where it stopped. */
export async function fitAsGiven(
  estimator: Estimator,
  train: TaskSet,
  hooks: Pick<FitOptions, "signal" | "notCharged" | "threads"> & {
    journal: OpenJournal | undefined;
    progress: Context["progress"];
  },
) {
  const { progress, ...passed } = hooks;
  const onRound = ({ round, rounds }: { round: number; rounds: number }) =>
    progress.update(round, rounds, "round");
  const workers = openTaskWorkers();
  try {
    return { model: await estimator.fit(train, { ...passed, onRound, workers }), chosen: null };
  } finally {
    workers.close();
  }
}

/** Why there were not as many threads as were asked for. */
export function threadNotes(asked: Threads | undefined, { threads }: FittedModel): string[] {
  if (asked === undefined || asked === "auto" || asked === 1 || threads?.used === asked) return [];
  const { used, why } = threads ?? {
    used: 1,
    why: "the method's tasks are not spread over threads",
  };
  return [`${used === 1 ? "one thread" : `${used} threads`}, because ${why}`];
}
