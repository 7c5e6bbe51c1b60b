/**
 * The tasks of a fit: read from its table, rows held out, scaled as the method needs them.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { DataError, OptionError } from "../../core/index.js";
import { Pipeline, type EncodedTable } from "../../data/index.js";
import type { LossName } from "../../learning/index.js";
import { boundByOptions } from "../tables/bound-persons.js";
import type { Context } from "../options/command.js";
import { missingFor } from "../tables/data-options.js";
import { openTable } from "../tables/read-data.js";
import { normalizeFor } from "../tables/normalize.js";
import { prepareData, type HoldOut } from "../tables/prepare-data.js";
import type { FitValues } from "./options.js";
import { unexpectedInTest } from "../tables/words/unexpected-text.js";
import { streamData } from "./stream-data.js";

/** The tasks of the table, or their moments. */
function read(values: FitValues, asked: Context["given"], context: Context) {
  const { stream, missing, method, normalize } = values;
  const loss = asked["loss"] as LossName;
  if (!stream) {
    return prepareData({ ...values, missing: missingFor(missing, asked) }, loss, holdOutOf(values));
  }
  return streamData(
    { ...values, missing: missing ?? "refuse" },
    loss,
    {
      "--test-fraction": values.testFraction !== undefined,
      "--tune": values.tune === "private",
      "--normalize rows": normalizeFor(normalize, method, asked) === "rows",
    },
    context,
  );
}

/** The tasks to fit, and to score on, scaled as was asked; and the method's options with the loss that the data have. */
export async function prepareFit(values: FitValues, context: Context) {
  const { method, test: file } = values;
  const { given: asked } = context;
  const prepared = await read(values, asked, context);
  const { encoding, loss, questions } = prepared;
  const { tasks, notes } = boundByOptions(prepared.tasks, asked);
  if (prepared.isDoubtful) throw new DataError(questions.join("\n"));
  const apart = file === undefined ? undefined : encoding.apply(await openTable(file, values));
  const held = apart ? apart.tasks : prepared.held;
  const given = { ...asked, loss };
  const normalize = normalizeFor(values.normalize, method, given);
  const pipeline = Pipeline.fit(tasks, normalize === "rows" ? [{ kind: "unit-rows" }] : []);
  const scaled = values.normalize === normalize ? [] : normalizeNotes(normalize);
  return {
    train: pipeline.apply(tasks),
    test: held && pipeline.apply(held),
    given,
    dropped: prepared.dropped,
    notes: [...prepared.notes, ...testNotes(apart), ...notes, ...scaled, ...questions],
    notCharged: prepared.notCharged,
  };
}

/** What the file of test rows holds that training did not, and what of it is not scored. */
function testNotes(apart: EncodedTable | undefined): string[] {
  if (!apart) return [];
  const { dropped, unexpected } = apart;
  return [
    ...(dropped > 0 ? [`${counted(dropped, "row")} without a target left out`] : []),
    ...unexpectedInTest(unexpected),
  ].map((note) => `test rows: ${note}`);
}

/** What was done to rows without being asked for. */
const normalizeNotes = (normalize: "rows" | "none") =>
  normalize === "rows"
    ? [
        "every row scaled to unit length, as the method needs a bound on rows (--normalize, --feature-bound)",
      ]
    : [];

/** Which rows to hold out. */
export function holdOutOf({ test, testFraction, splitSeed }: FitValues): HoldOut | undefined {
  if (testFraction === undefined) {
    if (splitSeed !== undefined) throw new OptionError("--split-seed goes with --test-fraction.");
    return undefined;
  }
  if (test !== undefined) throw new OptionError("--test and --test-fraction exclude each other.");
  return { testFraction, seed: splitSeed ?? "0" };
}
