/**
 * What `fit` found, as the document that `--json` prints and from which the text is made.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import { CLIP } from "../../learning/votes/clip-plan.js";
import { remarksOn } from "../fitted/remarks.js";
import { scoreTable } from "../fitted/score-table.js";
import { POOLED_FIGURES } from "../../learning/fitted/uncharged-figures.js";

/** Why rows could not be scored. */
interface Failures {
  train?: string;
  test?: string;
}

/** What scoring gave; where it threw, undefined, and why among `failures`. */
function tried<T>(rows: keyof Failures, failures: Failures, score: () => T): T | undefined {
  try {
    return score();
  } catch (error) {
    failures[rows] = (error as Error).message;
    return undefined;
  }
}

const remarkOn = (rows: string, why: string | undefined) =>
  why === undefined ? [] : [`the ${rows} rows could not be scored: ${why}`];

/** K, and whether votes were paid for it; nothing where it is an option. */
function learnedClip({ history, ledger }: FittedModel) {
  const clip = history[0]?.["clip"];
  if (clip === undefined) return {};
  return {
    clip: { value: clip, voted: ledger?.entries.some(({ label }) => label === CLIP) === true },
  };
}

/** Members that are computed of all tasks' rows or models, and that no budget paid for. */
const UNCHARGED: readonly string[] = [
  ...POOLED_FIGURES,
  "newTasks",
  "intervals",
  "droppedRows",
  "testRowsNotScored",
  "notScored",
  "notes",
  // By how much work there is, which of sparse rows depends on how many entries they have.
  "threads",
  "seconds",
];

/** The document of a private fit with the names of what in it is for the curator only, as the text says it of its own parts. */
export function sayingWhoseItIs<D extends Pick<FittedModel, "guarantee">>(
  document: D,
): D & { readonly curatorOnly?: readonly string[] } {
  if (document.guarantee.kind === "none") return document;
  return { ...document, curatorOnly: UNCHARGED.filter((name) => name in document) };
}

/**
 * The document that `--json` prints. The fit is paid for, so rows that cannot be scored are a remark.
 * @param seconds null where the time would tell how many runs a private selection made.
 */
export function fitDocument(
  model: FittedModel,
  train: TaskSet,
  test: TaskSet | undefined,
  seconds: number | null,
  droppedRows = 0,
) {
  const failures: Failures = {};
  // Rows that were read once are not there to be scored.
  const own = train.standFor ? undefined : tried("train", failures, () => model.score(train));
  const held = test && tried("test", failures, () => scoreTable(model, test, "the test rows"));
  const summary = model.summary();
  return {
    method: model.method,
    ...(model.choice ? { choice: model.choice } : {}),
    loss: model.loss,
    tasks: model.m,
    features: model.d,
    samples: train.taskSizes.reduce((sum, n) => sum + n, 0),
    droppedRows, // for want of a target
    rounds: model.rounds,
    ...model.figures,
    ...learnedClip(model),
    train: own ?? null,
    ...(held?.test ? { test: held.test } : {}),
    ...(held?.newTasks ? { newTasks: held.newTasks } : {}),
    ...(held?.intervals ? { intervals: held.intervals } : {}),
    ...(held && held.rowsNotScored > 0 ? { testRowsNotScored: held.rowsNotScored } : {}),
    // Means over tasks are for `summary`.
    ...(summary.fixedEffects ? { coefficients: summary } : {}),
    remarks: [
      ...remarksOn(model, train),
      ...remarkOn("training", failures.train),
      ...remarkOn("test", failures.test),
    ],
    // By which whoever shows it tells rows that failed from those that were not there.
    ...((failures.train ?? failures.test) ? { notScored: failures } : {}),
    certificate: model.certificate,
    guarantee: model.guarantee,
    ...(model.protection.length > 0 ? { protection: model.protection } : {}),
    ...(model.recordGuarantee ? { recordGuarantee: model.recordGuarantee } : {}),
    ...(model.threads ? { threads: model.threads } : {}),
    ...(seconds === null ? {} : { seconds }),
  };
}
