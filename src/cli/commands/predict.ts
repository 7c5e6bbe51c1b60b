/**
 * `predict`: a fitted model's predictions for the rows of a table.
 * @module
 */
import { DataError } from "../../core/index.js";
import { Pipeline, TableEncoding, type Label } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import { readTable, writeFileAtomically } from "../../node/index.js";
import { defineCommand, type Values } from "../command.js";
import { csvText } from "../../data/csv-text.js";
import { readModelDirectory } from "../model-directory.js";
import { text } from "../values.js";

const options = {
  model: {
    value: "DIR",
    help: "The directory that fit --out wrote.",
    schema: text("a directory name"),
    required: true,
  },
  data: {
    value: "FILE",
    help: "Table with the task and feature columns of the training data; a target is not needed.",
    schema: text("a file name"),
    required: true,
  },
  out: {
    value: "FILE",
    help: "CSV to write; without it the rows are printed.",
    schema: text("a file name"),
  },
} as const;

/** One row's prediction, in the order of the file. */
interface Prediction {
  readonly task: string;
  /** Value, probability of the larger of two labels, or of the likeliest of several. */
  readonly prediction: number;
  readonly label?: Label;
}

/** Predictions in the order of the table's rows, with the training data's preparation redone. */
async function predictFile(model: FittedModel, path: string): Promise<Prediction[]> {
  const { encoding, pipeline } = model.preprocessing ?? {};
  if (!encoding || !pipeline) {
    throw new DataError(
      "the model does not say how its table was encoded (it was not written by `mp-mtl fit`); " +
        "predict with the library instead.",
    );
  }
  const { x, names, offsets, rows } = TableEncoding.fromJSON(encoding).features(
    await readTable(path),
  );
  const prepare = Pipeline.fromJSON(pipeline);
  const predictions = new Array<Prediction>(rows.length);
  const d = x.length / rows.length;
  names.forEach((task, i) => {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const prepared = prepare.applyRows(task, x.subarray(from * d, to * d));
    const own = model.forTask(task);
    const values = onePerRow(own.predict(prepared), own.outputsPerRow);
    const labels = model.classes ? own.predictLabels(prepared) : undefined;
    for (let row = from; row < to; row++) {
      const label = labels?.[row - from];
      predictions[rows[row]!] = {
        task,
        prediction: values[row - from]!,
        ...(label === undefined ? {} : { label }),
      };
    }
  });
  return predictions;
}

/** The largest of the k numbers of every row. */
function onePerRow(values: Float64Array, k: number): Float64Array {
  if (k === 1) return values;
  return Float64Array.from({ length: values.length / k }, (_, row) =>
    values.subarray(row * k, (row + 1) * k).reduce((a, b) => Math.max(a, b)),
  );
}

async function run(values: Values<typeof options>) {
  const model = await readModelDirectory(values.model);
  const predictions = await predictFile(model, values.data);
  const labelled = model.classes !== null;
  const csv = [
    ...csvText(
      labelled ? ["task", "probability", "label"] : ["task", "prediction"],
      predictions.map(({ task, prediction, label }) =>
        label === undefined ? [task, prediction] : [task, prediction, String(label)],
      ),
    ),
  ].join("");
  if (values.out !== undefined) await writeFileAtomically(values.out, csv);
  return {
    document: { method: model.method, rows: predictions.length, predictions },
    text:
      values.out === undefined
        ? csv.trimEnd()
        : `${predictions.length} predictions written to ${values.out}`,
  };
}

export const predictCommand = defineCommand({
  options,
  examples: ["predict --model model --data new.csv --out predictions.csv"],
  run,
});
