/**
 * `evaluate --model`: how good a fitted model is on rows with a target.
 * @module
 */
import { counted } from "../../../core/messages/counted.js";
import { DataError, OptionError } from "../../../core/index.js";
import { Pipeline, TableEncoding } from "../../../data/index.js";
import type { Result } from "../../options/command.js";
import { openTable, type TableFormatValues } from "../../tables/read-data.js";
import { unseenAsZeros } from "../../../model/predict-table.js";
import { flagName } from "../../../core/messages/flag-name.js";
import { scaleOf, scoreTexts } from "../../fitted/score-text.js";
import { readModelDirectory } from "../../fitted/model-directory.js";
import { scoreTable } from "../../fitted/score-table.js";
import { unexpectedInTest } from "../../tables/words/unexpected-text.js";

/** What the model says itself, or what belongs to a comparison of methods. */
const APART = [
  "simulate",
  "tasks",
  "task",
  "target",
  "ranges",
  "features",
  "categorical",
  "hexPixels",
  "methods",
  "sweep",
  "trials",
  "settings",
  "workers",
  "out",
];

/** Said of the scores of a model that protects its tasks. */
const NOT_CHARGED =
  "scores are statistics of all tasks' rows and own models, without noise: for whoever may see these";

/** Said where rows of the fit's tasks are scored, which may be those of the fit. */
const SEEN = "rows that the model was fitted on look better than new ones will";

/** The values of `evaluate` that count here. */
export interface ScoreValues extends TableFormatValues {
  readonly model: string;
  readonly data: string | undefined;
  readonly unseen?: "as-fitted" | "zeros" | undefined;
}

/**
 * Scores a model.
 * @throws OptionError for options that a model leaves nothing to say; DataError as the reader, and where no row can
 *         be scored.
 */
export async function scoreModel(values: ScoreValues): Promise<Result> {
  const given = APART.filter((name) => (values as unknown as Record<string, unknown>)[name]);
  if (given.length > 0) {
    throw new OptionError(
      `${given.map((name) => `--${flagName(name)}`).join(", ")} does not go with --model: the model says how its ` +
        "table is read, and is the only one that is scored.",
    );
  }
  if (values.data === undefined) throw new OptionError("--data is needed with --model.");
  const model = await readModelDirectory(values.model);
  const { encoding, pipeline } = model.preprocessing ?? {};
  if (!encoding) {
    throw new DataError("the model's tasks were not made from a table; score it with the library.");
  }
  const table = await openTable(values.data, values);
  const { tasks, dropped, unexpected } = TableEncoding.fromJSON(
    values.unseen === "zeros" ? unseenAsZeros(encoding) : encoding,
  ).apply(table);
  const held = pipeline ? Pipeline.fromJSON(pipeline).apply(tasks) : tasks;
  const scores = scoreTable(model, held, values.data);
  const notes = unexpectedInTest(unexpected);
  const document = {
    method: model.method,
    tasks: held.m,
    rows: held.size,
    rowsWithoutTarget: dropped,
    ...scores,
    ...(notes.length > 0 ? { notes } : {}),
    ...(model.guarantee.kind === "none" ? {} : { notCharged: NOT_CHARGED }),
    ...(scores.test ? { seen: SEEN } : {}),
  };
  const text = [
    `${model.method} on ${table.name}: ${counted(held.m, "task")}, ${counted(held.size, "row")}` +
      (dropped > 0 ? `, ${dropped} more without a target` : ""),
    ...scoreTexts(scores),
    scaleOf(scores.test ?? scores.newTasks!),
    ...notes.map((note) => `note: ${note}`),
    ...(scores.test ? [`note: ${SEEN}`] : []),
    ...(document.notCharged ? [`not charged: ${document.notCharged}`] : []),
  ].join("\n");
  return { document, text };
}
