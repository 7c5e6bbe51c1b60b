/**
 * Owners that come after the fit: each one's model from its own rows and what was released, and what is predicted for it without any.
 * @module
 */
import { DataError } from "../../../src/core/index.js";
import {
  fromUnit,
  Pipeline,
  splitEncoded,
  Table,
  TableEncoding,
  type TaskSet,
} from "../../../src/data/index.js";
import { fitNewTask, type FittedModel, type ModelSummary } from "../../../src/learning/index.js";
import { loadModel } from "../../../src/model/index.js";
import { makeUp } from "../data/made-up.js";
import { SCHOOLS } from "../data/plans.js";
import type { LaterOutcome, LaterOwner, LaterRequest, LaterRow } from "./messages.js";
import { readAsWritten } from "./read-as-written.js";
import { TEST_FRACTION } from "./split-of.js";

/** In what part of all rows the target should lie within an interval. */
const LEVEL = 0.8;

/**
 * Whether a model of numbers or of two classes says anything of other owners: of those whose rows are those of a table, scaled by no
 * figures of their own.
 */
export function saysOfLater(
  { preprocessing, classes }: FittedModel,
  summary: ModelSummary,
): boolean {
  const { encoding = null, pipeline = null } = preprocessing ?? {};
  return (
    summary.fixedEffects &&
    encoding !== null &&
    !pipeline?.transforms.some((one) => one.kind === "standardize" && one.scope === "task") &&
    (classes?.length ?? 2) === 2
  );
}

/**
 * Fits each owner by itself to half of its rows, and predicts the others.
 * @throws DataError if the rows do not fit the model.
 */
export async function fitLater({ model: bytes, from }: LaterRequest): Promise<LaterOutcome> {
  const prior = loadModel(bytes);
  const { encoding, pipeline } = prior.preprocessing ?? {};
  if (!encoding) throw new DataError("the model does not say how its table was encoded.");
  const table =
    from === "made-up" ? oneMoreSchool() : await readAsWritten(from.file.bytes, from.file.name);
  const { person: _person, task: ofFit, ...rest } = encoding;
  if (typeof ofFit !== "string" || !table.has(ofFit)) {
    throw new DataError(
      `no column ${JSON.stringify(ofFit)}, which says whose rows these are: expected the columns of the table that was fitted.`,
    );
  }
  const own = TableEncoding.fromJSON({ ...rest, task: ofFit })
    .forTask(null)
    .withMeansOf(table);
  const asked = { task: ofFit, testFraction: TEST_FRACTION, seed: "page" };
  const { train, test, dropped } = splitEncoded(own, table, asked);
  const prepared = (tasks: TaskSet) =>
    pipeline ? Pipeline.fromJSON(pipeline).apply(tasks) : tasks;
  const [learned, held] = [prepared(train), prepared(test)];
  const fitted = fitNewTask(prior, learned);
  return {
    owners: learned.names.map((name) => ownerOf(name, { prior, fitted, learned, held })),
    level: prior.classes ? null : LEVEL,
    classes: prior.classes?.map(String) ?? null,
    known: learned.names.filter((name) => prior.taskNames.includes(name)),
    dropped,
  };
}

interface Fits {
  readonly prior: FittedModel;
  readonly fitted: FittedModel;
  readonly learned: TaskSet;
  readonly held: TaskSet;
}

function ownerOf(name: string, { prior, fitted, learned, held }: Fits): LaterOwner {
  const rows = held.has(name) ? held.task(name) : undefined;
  const { y } = rows ?? { y: new Float64Array(0) };
  const x = rows ? rows.x : new Float64Array(0);
  const scale = held.encoding.target.scale;
  const levels = held.targetLevels;
  const actual = Array.from(y, (value) => (levels || !scale ? value : fromUnit(scale, value)));
  const withRows = rowsOf(fitted.predict(name, x), intervalOf(fitted, name, x));
  const without = prior.predictNew ? rowsOf(prior.predictNew(x), intervalOf(prior, null, x)) : null;
  return { name, learned: learned.task(name).y.length, actual, withRows, without };
}

const intervalOf = (model: FittedModel, task: string | null, rows: Float64Array) =>
  model.classes ? undefined : model.predictInterval?.(task, rows, LEVEL);

const rowsOf = (
  predicted: Float64Array,
  ends: { readonly lower: Float64Array; readonly upper: Float64Array } | undefined,
): LaterRow[] =>
  Array.from(predicted, (prediction, row) => ({
    prediction,
    lower: ends?.lower[row] ?? null,
    upper: ends?.upper[row] ?? null,
  }));

/** The rows of a school that comes after the made-up ones, drawn as theirs were. */
function oneMoreSchool(): Table {
  const tasks = SCHOOLS.tasks + 1;
  const { header, rows } = makeUp({ ...SCHOOLS, tasks });
  const own = rows.filter(([task]) => task === `${SCHOOLS.task} ${tasks}`);
  const columns = header.map((column, j) => ({ name: column, values: own.map((row) => row[j]!) }));
  return new Table(columns, { name: "a made-up school" });
}
