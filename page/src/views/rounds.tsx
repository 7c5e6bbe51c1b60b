/**
 * What happened round by round: models, noise against signal, budget.
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Figure } from "../charts/figure.js";
import { extentOf, HeatMap } from "../charts/heat-map.js";
import { LineChart } from "../charts/line-chart.js";
import { dataSet } from "../state/data.js";
import { frameIndex, run, runState } from "../state/run.js";
import { count, short } from "../text/numbers.js";
import type { FitOutcome, NoiseAndSignal } from "../work/messages.js";

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
      <div class="pair">
        <NoiseChart releases={progress?.releases ?? outcome.releases} round={round} />
        <BudgetChart outcome={outcome} round={round} />
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
          Each column is one task, each row one feature; blue is a positive weight, orange a
          negative one. Like columns are like models. Only the curator may look at this.
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
    </div>
  );
}

function NoiseChart({
  releases,
  round,
}: {
  releases: readonly NoiseAndSignal[];
  round: number | undefined;
}) {
  const last = releases.at(-1);
  const points = (key: "noise" | "signal") =>
    releases.map((release) => [release.round, release[key]] as const);
  const range: [number, number] = [0.5, Math.max(1, releases.length) + 0.5];
  return (
    <Figure
      title="Noise against signal"
      caption="The size of what the tasks share in a round, and of the noise added to it."
      numbers={{
        columns: ["round", "released", "noise", "signal"],
        rows: releases.map(({ round: r, statistic, noise, signal }) => [
          r,
          statistic,
          noise,
          signal,
        ]),
        note: "The signal is computed without noise: for the curator's eyes only.",
      }}
    >
      <LineChart
        alt={
          last
            ? `Line chart over ${releases.length} rounds. In the last, noise ${short(last.noise)}, signal ${short(last.signal)}.`
            : "No noise was added."
        }
        x={{ title: "round", scale: "linear", range }}
        y={{ title: "size", scale: "log" }}
        series={[
          { name: "signal", look: "ours", points: points("signal") },
          { name: "noise", look: "noise", points: points("noise") },
        ]}
        mark={round === undefined ? undefined : { x: round, label: `round ${round}` }}
        height={220}
      />
    </Figure>
  );
}

function BudgetChart({ outcome, round }: { outcome: FitOutcome; round: number | undefined }) {
  const { spent, budget } = outcome;
  const points = spent.map((value, k) => [k + 1, value] as const);
  const last = spent.at(-1);
  return (
    <Figure
      title="Budget spent"
      caption="Epsilon, as the ledger charges it before each release."
      numbers={{
        columns: ["release", "epsilon spent"],
        rows: points.map(([k, value]) => [k, value]),
      }}
    >
      <LineChart
        alt={
          last === undefined
            ? "Nothing was spent."
            : `Line chart of epsilon spent over ${spent.length} releases, up to ${short(last)}.`
        }
        x={{ title: "release", scale: "linear", range: [0.5, Math.max(1, spent.length) + 0.5] }}
        y={{ title: "epsilon", scale: "linear", range: [0, 1.1 * (budget?.epsilon ?? 1)] }}
        series={[{ name: "spent", look: "ours", points }]}
        references={budget ? [{ name: "budget", look: "alone", y: budget.epsilon }] : []}
        mark={round === undefined ? undefined : { x: round, label: `round ${round}` }}
        height={220}
      />
    </Figure>
  );
}
