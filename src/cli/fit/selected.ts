/**
 * `fit --tune private`: its flags, and the fit whose options are chosen under the budget.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { selectPrivately } from "../../learning/index.js";
import { AUTO, methodNamed } from "../../learning/methods.js";
import type { Values } from "../options/command.js";
import { gridCandidates, randomCandidates } from "../tuning/ranges.js";
import { parseRepetitions, REPETITIONS_HELP, repetitionsText } from "../tuning/repetitions.js";
import { readSettings } from "../tuning/settings.js";
import { choice, integer, number, text } from "../options/values.js";

export const selectionOptions = {
  tune: {
    value: "none|private",
    help:
      "private: options that are not given are chosen from the method's documented ranges under the " +
      "budget; the guarantee that is printed includes the choice.",
    schema: choice("none", "private"),
    default: "none",
    group: "tuning",
  },
  settings: {
    value: "FILE",
    help: "--tune private: JSON with a grid of the method, as for evaluate, instead of the documented ranges.",
    schema: text("a file name"),
    group: "tuning",
  },
  trials: {
    value: "N",
    help: "--tune private: random draws from the ranges instead of the grid.",
    schema: integer({ min: 2 }),
    group: "tuning",
  },
  repetitions: {
    value: "LAW",
    help: REPETITIONS_HELP,
    schema: repetitionsText(),
    default: "auto",
    group: "tuning",
  },
  scoreShare: {
    value: "X",
    help: "--tune private: share of a run's budget for its noisy score.",
    schema: number({ above: 0, below: 1 }),
    shownDefault: "0.15",
    group: "tuning",
  },
  folds: {
    value: "K",
    help: "--tune private: folds in which a task judges a run.",
    schema: integer({ min: 2 }),
    shownDefault: "5",
    group: "tuning",
  },
} as const;

/** @throws OptionError naming a flag that would tell of the runs that were not chosen. */
export function refuseTraces({ journal, threads }: { journal?: unknown; threads?: unknown }): void {
  if (journal !== undefined) {
    throw new OptionError(
      "--journal: a private selection cannot be resumed: runs that were not chosen must leave no trace. " +
        "Start it afresh.",
    );
  }
  if (threads !== undefined) {
    throw new OptionError(
      "--threads: a private selection runs on one thread: threads that are up already would tell of runs before.",
    );
  }
}

/**
 * Chooses what was not given, under the budget.
 * @throws OptionError where no method is named.
 */
export async function fitSelected(
  method: string,
  given: Readonly<Record<string, unknown>>,
  values: Values<typeof selectionOptions>,
  train: TaskSet,
  hooks: { signal: AbortSignal; notCharged: readonly string[] },
) {
  const { trials, repetitions, scoreShare, folds, settings } = values;
  if (method === AUTO) {
    throw new OptionError("--tune private: name the --method whose options are to be chosen.");
  }
  const { seed = "0" } = (given["random"] ?? {}) as { seed?: string };
  const own = settings === undefined ? undefined : (await readSettings(settings))[method];
  const ranges = Object.fromEntries(
    Object.entries(own?.grid ?? methodNamed(method).ranges).filter(
      ([name]) => given[name] === undefined,
    ),
  );
  const candidates =
    trials === undefined
      ? gridCandidates(ranges)
      : randomCandidates(ranges, trials, `${seed}/${method}`);
  const shared = Object.fromEntries(
    Object.entries({ ...own?.options, ...given }).filter(([, value]) => value !== undefined),
  );
  return selectPrivately(train, {
    method,
    options: shared,
    candidates,
    repetitions: parseRepetitions(repetitions),
    ...(scoreShare === undefined ? {} : { scoreShare }),
    ...(folds === undefined ? {} : { folds }),
    ...hooks,
  });
}
