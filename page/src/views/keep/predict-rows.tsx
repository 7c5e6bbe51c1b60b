/**
 * Predictions for a table of new rows, of known tasks and of tasks never seen.
 * @module
 */
import { useState } from "preact/hooks";
import { run } from "../../state/run.js";
import { plural } from "../../text/numbers.js";
import type { Predicted } from "../../work/messages.js";
import { perform } from "../../work/pool.js";
import { FileButton } from "../parts/file-button.js";
import { Problem } from "../parts/problem.js";
import { saveFile } from "../parts/save-file.js";

export function PredictRows() {
  const [told, setTold] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const predict = async (file: File) => {
    setTold("Predicting…");
    setProblem(null);
    try {
      const asked = { name: file.name, bytes: await file.arrayBuffer() };
      const model = run.value!.outcome.file;
      const predicted = await perform("background", "predict", { model, file: asked });
      saveFile("predictions.csv", "text/csv", predicted.csv);
      setTold(predictedWords(predicted));
    } catch (error) {
      setTold(null);
      setProblem((error as Error).message);
    }
  };
  return (
    <>
      <div class="buttons">
        <FileButton
          words="Predict a table…"
          label="Table to predict"
          onFile={(file) => void predict(file)}
        />
      </div>
      <p class="small" aria-live="polite">
        {told ??
          "Rows with the columns of this table, the target left out or not; the file stays in this browser."}
      </p>
      <Problem text={problem} />
    </>
  );
}

/** What the predictions are, in a sentence or a few. */
function predictedWords({ rows, newTasks, leftOut, unexpected }: Predicted): string {
  return [
    `${plural(rows, "prediction")} saved as predictions.csv.`,
    newTasks > 0 &&
      `${plural(newTasks, "task")} new to the model: predicted by what all have in common.`,
    leftOut > 0 && `${plural(leftOut, "row")} without a value that is needed: no prediction.`,
    unexpected > 0 &&
      `${plural(unexpected, "value")} that training did not have or beyond the range: counted as no level, or held to it.`,
  ]
    .filter(Boolean)
    .join(" ");
}
