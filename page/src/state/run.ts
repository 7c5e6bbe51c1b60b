/**
 * The fit that is shown: running, finished, stopped or failed.
 * @module
 */
import { signal } from "@preact/signals";
import { plural, short, shortPromise } from "../text/numbers.js";
import { metricOf } from "../text/metrics.js";
import type { FitOutcome, FitProgress } from "../work/messages.js";
import { perform } from "../work/pool.js";
import { announce } from "./announce.js";
import { dataSet } from "./data.js";
import { onForget } from "./forget.js";
import { requestOf, settings, type Settings } from "./settings.js";

/** A finished fit. */
export interface Run {
  readonly settings: Settings;
  readonly outcome: FitOutcome;
}

/** What is going on. */
export type RunState =
  | { readonly status: "idle" }
  | { readonly status: "running"; readonly progress: FitProgress | null }
  | { readonly status: "stopped" }
  | { readonly status: "failed"; readonly problem: string };

export const runState = signal<RunState>({ status: "idle" });
/** The last one that finished. */
export const run = signal<Run | null>(null);
/** All that finished on this data, in order. */
export const runs = signal<readonly Run[]>([]);
/** The picture that is looked at, among those of the fit; null: the finished models. */
export const frameIndex = signal<number | null>(null);

let controller: AbortController | undefined;

/** Starts a fit with the settings as they stand; one that runs is stopped first. */
export async function startRun(): Promise<void> {
  const asked = settings.value;
  const request = requestOf(asked);
  if (!request) return;
  controller?.abort();
  const mine = (controller = new AbortController());
  runState.value = { status: "running", progress: null };
  try {
    const outcome = await perform("foreground", "fit", request, {
      signal: mine.signal,
      onProgress: (progress) => {
        if (controller === mine) runState.value = { status: "running", progress };
      },
    });
    if (controller !== mine) return;
    frameIndex.value = null;
    run.value = { settings: asked, outcome };
    runs.value = [...runs.value, run.value];
    runState.value = { status: "idle" };
    announce(summaryOf(run.value));
  } catch (error) {
    if (controller !== mine) return;
    const stopped = mine.signal.aborted;
    runState.value = stopped
      ? { status: "stopped" }
      : { status: "failed", problem: (error as Error).message };
    announce(stopped ? "Stopped." : `That did not work. ${(error as Error).message}`);
  }
}

/** Stops a fit that runs. */
export function stopRun(): void {
  controller?.abort(new Error("stopped"));
}

function summaryOf({ settings: { method, epsilon }, outcome }: Run): string {
  const metric = metricOf(dataSet.value!.data.loss);
  return (
    `Finished: ${method.title}, epsilon ${shortPromise(epsilon)}, ${plural(outcome.rounds, "round")}, ` +
    `test ${metric.short} ${short(metric.of(outcome.scores))}.`
  );
}

onForget(() => {
  const old = controller;
  controller = undefined;
  old?.abort(new Error("other data was chosen"));
  runState.value = { status: "idle" };
  run.value = null;
  runs.value = [];
  frameIndex.value = null;
});
