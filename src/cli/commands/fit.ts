/**
 * `fit`: learn all tasks' models from a table, write the model, print how good it is and what it
 * guarantees.
 * @module
 */
import { JOURNAL_DIGEST } from "../../learning/fitted/uncharged-figures.js";
import { methodNamed } from "../../learning/methods.js";
import { defineCommand, type Context } from "../options/command.js";
import { EXIT } from "../terminal/exit-code.js";
import { fitDocument, sayingWhoseItIs } from "../fit/document.js";
import { fitAsGiven, journalOf, threadNotes } from "../fit/given.js";
import { sayHowToGoOn, sayWhatIsLost } from "../fit/going-on.js";
import { fitOptions, methodsFlags, type FitValues } from "../fit/options.js";
import { holdOutOf, prepareFit } from "../fit/prepare.js";
import { fitSelected, refuseTraces } from "../fit/selected.js";
import { describeFit } from "../fit/text.js";
import { holdsPrivateModel } from "../fitted/model-directory.js";
import { holdingPlace, type ModelPlace } from "../fitted/model-place.js";
import { warningsBefore } from "../fitted/remarks.js";

/** A warning where a model, and the ledger of what was spent on it, will be replaced. */
async function replacedModel({ out, journal }: FitValues): Promise<string[]> {
  // With a journal it may be this very fit's.
  if (out === undefined || journal !== undefined || !(await holdsPrivateModel(out))) return [];
  return [
    `${out} holds a private model, which this one will replace, and the ledger of what was spent on it; name another ` +
      "--out to keep them",
  ];
}

async function run(values: FitValues, context: Context, place: ModelPlace | undefined) {
  const { method, tune, journal, sharedPrior } = values;
  const tell = (warning: string) => context.io.stderr(`${warning}\n`);
  if (sharedPrior !== undefined) {
    const { fitLater, refuseOthers } = await import("../fit/later.js");
    refuseOthers(values, context.given, { ...methodsFlags.dependent.all, ...fitOptions });
    return fitLater({ ...values, sharedPrior }, holdOutOf(values), (model) =>
      place?.write(model, tell),
    );
  }
  const { given, train, test, ...prepared } = await prepareFit(values, context);
  const estimator = methodNamed(method).make(given);
  const said = [...warningsBefore(estimator, train), ...(await replacedModel(values))];
  for (const warning of said) context.io.stderr(`before anything is spent: ${warning}\n`);
  const selects = tune === "private";
  if (selects) refuseTraces(values);
  const journalled = journal === undefined ? [] : [JOURNAL_DIGEST];
  const hooks = {
    signal: context.signal,
    notCharged: [...prepared.notCharged, ...journalled],
  };
  const opened = selects ? undefined : journalOf(values, given, train);
  try {
    const started = performance.now();
    const { model, chosen } = selects
      ? await fitSelected(method, given, values, train, hooks)
      : await fitAsGiven(estimator, train, {
          ...hooks,
          progress: context.progress,
          threads: values.threads,
          journal: opened,
        });
    // The number of runs of a private selection is for nobody's eyes, and time would tell it.
    const seconds = selects ? null : (performance.now() - started) / 1000;
    // Before anything is asked of it: it is paid for.
    const out = await place?.write(model, tell).catch((error: unknown) => {
      sayWhatIsLost(opened, context.io);
      throw error;
    });
    const document = sayingWhoseItIs({
      ...fitDocument(model, train, test, seconds, prepared.dropped),
      notes: [...prepared.notes, ...threadNotes(values.threads, model)],
      ...(chosen ? { chosen } : {}),
    });
    const converged = model.certificate?.met ?? true;
    return {
      document,
      text: describeFit(document, {
        ...values,
        out,
        said,
        defaultBudget: context.given["epsilon"] === undefined,
      }),
      exitCode: converged ? EXIT.done : EXIT.notConverged,
    };
  } catch (error) {
    sayHowToGoOn(opened, context.io);
    throw error;
  } finally {
    opened?.close();
  }
}

export const fitCommand = defineCommand({
  options: fitOptions,
  dependent: methodsFlags.dependent,
  examples: [
    "fit --data train.csv --task school --target score --ranges schema.json --test-fraction 0.3 --out model",
    "fit --data train.csv --task school --target score --method mp-low-rank --normalize rows " +
      "--epsilon 1 --clip 90 --lambda 3 --out model",
    "fit --shared-prior prior.json --data later.csv --out later",
  ],
  run: (values, context) => holdingPlace(values.out, (place) => run(values, context, place)),
});
