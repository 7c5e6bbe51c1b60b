/**
 * Judgements of a run in a private selection, of random configurations: every task's is a function of the releases and of its own rows, and
 * no larger than the noise is sized for.
 * @module
 */
import { DataError, OptionError } from "../../src/core/index.js";
import { commonOptions } from "../../src/learning/options/common-options.js";
import type { Estimator } from "../../src/learning/round/estimator.js";
import { HeldOut, RunRecord } from "../../src/learning/tuning/held-out.js";
import { publicSizes } from "../../src/learning/release/public-sizes.js";
import { Ledger } from "../../src/privacy/index.js";
import type { TaskSet } from "../../src/data/index.js";
import type { LossName } from "../../src/learning/index.js";
import { worldsOf, type Configuration } from "./configurations.js";

const isRefusal = (error: unknown): error is Error =>
  [DataError, OptionError, RangeError].some((kind) => error instanceof kind);

/** Why a configuration was not judged, or what was wrong; nothing where all is well. */
export interface Judged {
  readonly refused?: string;
  readonly faults: readonly string[];
}

/** Runs a configuration in one world, and judges that run in both. */
export async function checkJudgements(configuration: Configuration): Promise<Judged> {
  const worlds = worldsOf(configuration);
  const { present, neighbour, changed, method } = worlds;
  let estimator: Estimator;
  const record = new RunRecord(publicSizes(present), (options) => new Ledger(options));
  try {
    estimator = method.make(worlds.options);
    await estimator.fit(present, { journal: record });
  } catch (error) {
    if (isRefusal(error)) return { refused: error.message, faults: [] };
    throw error;
  }
  const { loss = "squared", intercept = commonOptions.intercept.default! } =
    configuration.options as { loss?: LossName; intercept?: boolean };
  // Before any release, as a selection opens them: rows beyond all numbers are refused then.
  const open = (tasks: TaskSet) =>
    HeldOut.open(tasks, { folds: 3, seed: "judge", loss, intercept });
  let opened: HeldOut[];
  try {
    opened = [await open(present), await open(neighbour)];
  } catch (error) {
    if (isRefusal(error)) return { refused: error.message, faults: [] };
    throw error;
  }
  const [one, other] = await Promise.all(opened.map((held) => held.utilities(estimator, record)));
  if (!one || !other) throw new TypeError("two worlds are judged");
  const within = [...one, ...other].every((value) => Math.abs(value) <= 1 / 2);
  const same = one.every((value, i) => i === changed || Object.is(value, other[i]));
  return {
    faults: [
      ...(within ? [] : ["a judgement is larger than its noise is sized for"]),
      ...(same ? [] : ["a task's judgement depends on another's rows"]),
    ],
  };
}
