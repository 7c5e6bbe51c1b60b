/**
 * Predictions of the rows of a file by a model that was fitted here, for tasks that it knows and, of mixed models, for others.
 * @module
 */
import { csvText } from "../../../src/data/table/csv-text.js";
import { loadModel } from "../../../src/model/index.js";
import { predictTable } from "../../../src/model/predict-table.js";
import { predictionCells, predictionHeader } from "../../../src/model/prediction-cells.js";
import type { Predicted, PredictRequest } from "./messages.js";
import { readAsWritten } from "./read-as-written.js";

/** @throws DataError if the rows do not fit the model, or a task is new to one that predicts for no others. */
export async function predictFile({ model: bytes, file }: PredictRequest): Promise<Predicted> {
  const model = loadModel(bytes);
  const table = await readAsWritten(file.bytes, file.name);
  const { predictions, newTasks, unexpected } = predictTable(model, table);
  return {
    csv: [...csvText(predictionHeader(model.classes), predictions.map(predictionCells))].join(""),
    rows: predictions.length,
    newTasks: newTasks.length,
    leftOut: table.rows - predictions.length,
    unexpected: unexpected.reduce((sum, { clipped, unseen }) => sum + clipped + unseen, 0),
  };
}
