/**
 * Model, card and report as files.
 * @module
 */
import { useState } from "preact/hooks";
import { curve } from "../../state/curve.js";
import { dataSet } from "../../state/data.js";
import { references } from "../../state/references.js";
import { run, type Run } from "../../state/run.js";
import { allOptions } from "../../state/settings.js";
import { fitCode } from "../../text/code.js";
import { guaranteeWords, verdictOf } from "../../text/guarantee-words.js";
import { metricOf } from "../../text/metrics.js";
import type { ReportRequest } from "../../work/messages.js";
import { perform } from "../../work/pool.js";
import { accuracySentence } from "../results/accuracy.js";
import { PredictRows } from "./predict-rows.js";
import { Problem } from "../parts/problem.js";
import { saveFile } from "../parts/save-file.js";

export function TakeAway() {
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const shown = run.value!;
  const report = async () => {
    setWorking(true);
    setProblem(null);
    try {
      const html = await perform("background", "report", reportRequest(shown));
      saveFile("report.html", "text/html", html);
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setWorking(false);
    }
  };
  return (
    <section aria-labelledby="take-away-title">
      <h2 id="take-away-title">Take it with you</h2>
      <div class="buttons">
        <button
          type="button"
          onClick={() =>
            saveFile("model.safetensors", "application/octet-stream", shown.outcome.file)
          }
        >
          Model (.safetensors)
        </button>
        <button
          type="button"
          onClick={() => saveFile("model-card.json", "application/json", shown.outcome.card)}
        >
          Model card (.json)
        </button>
        <button
          type="button"
          aria-disabled={working}
          onClick={() => {
            if (!working) void report();
          }}
        >
          {working ? "Drawing the report…" : "Report (.html)"}
        </button>
      </div>
      <Problem text={problem} />
      <PredictRows />
      <details class="numbers">
        <summary>The same in code</summary>
        <pre tabIndex={0}>{codeOf(shown)}</pre>
        <p class="small">
          Prepare the rows alike: <code>Pipeline</code> and <code>TableEncoding</code>, whose states
          are in the model card.
        </p>
      </details>
      <p class="small">
        The three hold all tasks' models or figures about all of them: they are for the curator. In
        code, <code>loadModel(bytes).forTask(name)</code> is what one task may have.
      </p>
    </section>
  );
}

const codeOf = ({ settings }: Run) => fitCode(settings.method.method, allOptions(settings));

/** What the report is made of, as things stand. */
function reportRequest(shown: Run): ReportRequest {
  const { settings, outcome } = shown;
  const metric = metricOf(dataSet.value!.data.loss);
  const { headline, statements } = guaranteeWords(outcome.guarantee);
  const { alone, together } = references.value;
  const private_ = outcome.guarantee.kind !== "none";
  return {
    outcome,
    code: codeOf(shown),
    dataTitle: dataSet.value!.title,
    conclusion: [accuracySentence(shown)],
    words: [headline, ...statements],
    metric: metric.short,
    points: [
      ...(alone
        ? [{ series: "each task alone", epsilon: null, value: metric.of(alone.scores) }]
        : []),
      ...(together
        ? [
            {
              series: "together, without privacy",
              epsilon: null,
              value: metric.of(together.scores),
            },
          ]
        : []),
      {
        series: verdictOf(outcome.guarantee) === "holds" ? "this fit" : "this fit, not private",
        epsilon: private_ ? settings.epsilon : null,
        value: metric.of(outcome.scores),
      },
      ...(curve.value?.points ?? []).map(({ epsilon, values }) => ({
        series: `${curve.value!.settings.method.title}, curve`,
        epsilon,
        value: values.reduce((sum, value) => sum + value, 0) / values.length,
      })),
    ],
  };
}
