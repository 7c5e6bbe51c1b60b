/**
 * What happened round by round: models, noise against signal, budget.
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Figure } from "../../charts/figure.js";
import { extentOf } from "../../../../src/charts/index.js";
import { HeatMap } from "../../charts/heat-map.js";
import { dataSet } from "../../state/data.js";
import { frameIndex, run, runState } from "../../state/run.js";
import { count } from "../../text/numbers.js";
import type { FitOutcome } from "../../work/messages.js";
import { Released } from "./released.js";
import { BudgetFigure, NoiseFigure } from "./round-figures.js";

export function Rounds() {
  const state = runState.value;
  const progress = state.status === "running" ? state.progress : null;
  const { outcome } = run.value!;
  const index = frameIndex.value;
  const round = progress
    ? progress.round
    : index === null
      ? undefined
      : outcome.frames[index]?.round;
  return (
    <section aria-labelledby="rounds-title">
      <h2 id="rounds-title">Round by round</h2>
      <Models outcome={outcome} />
      <Released outcome={outcome} />
      <div class="pair">
        <NoiseFigure releases={progress?.releases ?? outcome.releases} round={round} />
        <BudgetFigure outcome={outcome} round={round} />
      </div>
    </section>
  );
}

function Models({ outcome }: { outcome: FitOutcome }) {
  const state = runState.value;
  const { frames, taskNames, featureNames } = outcome;
  const live = state.status === "running" ? state.progress?.frame : undefined;
  const index = frameIndex.value;
  const frame = live ?? (index === null ? undefined : frames[index]);
  const values = frame?.values ?? outcome.weights;
  const m = live ? dataSet.value!.data.train.names.length : taskNames.length;
  const what = frame ? `What the tasks share in round ${frame.round}` : "The finished models";
  return (
    <Figure
      title={what}
      caption={
        <>
          Each column is one task, each row one feature
          {frame && frame.round > 1 && " (or one direction found in earlier rounds)"}; blue is a
          positive weight, orange a negative one. Like columns are like models. Only the curator may
          look at this.
        </>
      }
      numbers={{
        columns: ["task", ...featureNames.slice(0, 12)],
        rows: taskNames
          .slice(0, 20)
          .map((name, i) => [
            name,
            ...values.subarray(
              i * (values.length / m),
              i * (values.length / m) + Math.min(12, featureNames.length),
            ),
          ]),
        note:
          taskNames.length > 20 || featureNames.length > 12
            ? "The first 20 tasks and 12 features; all of them are in the model file."
            : "All tasks and features.",
      }}
    >
      <HeatMap
        alt={`Heat map: ${what.toLowerCase()}, ${count(m)} tasks and ${count(values.length / m)} weights each.`}
        values={values}
        m={m}
        extent={extentOf(values)}
        taskNames={taskNames}
        featureNames={featureNames}
      />
      {frames.length > 0 && <Scrubber count={frames.length} />}
    </Figure>
  );
}

/** Milliseconds a picture stays while playing. */
const PACE = 120;

function Scrubber({ count: frames }: { count: number }) {
  const [playing, setPlaying] = useState(false);
  const index = frameIndex.value ?? frames;
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const next = (frameIndex.value ?? frames) + 1;
      frameIndex.value = next >= frames ? null : next;
      if (next >= frames) setPlaying(false);
    }, PACE);
    return () => clearInterval(timer);
  }, [playing, frames]);
  return (
    <div class="scrubber">
      <label for="frame">Rounds</label>
      <input
        id="frame"
        type="range"
        min={0}
        max={frames}
        step={1}
        value={index}
        aria-valuetext={
          index >= frames ? "the finished models" : `picture ${index + 1} of ${frames}`
        }
        onInput={({ currentTarget }) => {
          setPlaying(false);
          const chosen = Number(currentTarget.value);
          frameIndex.value = chosen >= frames ? null : chosen;
        }}
      />
      {frames > 1 && (
        <button
          type="button"
          aria-pressed={playing}
          onClick={() => {
            if (!playing && frameIndex.value === null) frameIndex.value = 0;
            setPlaying(!playing);
          }}
        >
          {playing ? "Pause" : "Play"}
        </button>
      )}
      <span class="small" aria-hidden="true">
        {index >= frames ? "finished" : `${index + 1} of ${frames}`}
      </span>
    </div>
  );
}
