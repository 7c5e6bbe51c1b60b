/**
 * The privacy-accuracy curve: the chosen method fitted anew at several eps.
 * @module
 */
import { signal } from "@preact/signals";
import { metricOf } from "../text/metrics.js";
import { perform } from "../work/pool.js";
import { announce } from "./announce.js";
import { dataSet } from "./data.js";
import { onForget } from "./forget.js";
import { requestOf, settings, type Settings } from "./settings.js";

/** The fits at one eps. */
export interface CurvePoint {
  readonly epsilon: number;
  readonly values: readonly number[];
}

/** A curve, complete or on its way. */
export interface Curve {
  readonly settings: Settings;
  readonly points: readonly CurvePoint[];
  readonly done: number;
  readonly total: number;
  readonly working: boolean;
  readonly problem: string | null;
}

const EPSILONS = [0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 25];
const REPLICATES = 3;

export const curve = signal<Curve | null>(null);

let controller: AbortController | undefined;

/** Computes the curve of the settings as they stand. */
export async function computeCurve(): Promise<void> {
  const asked = settings.value;
  const request = requestOf(asked);
  if (!request) return;
  stopCurve();
  const mine = (controller = new AbortController());
  const metric = metricOf(dataSet.value!.data.loss);
  const total = EPSILONS.length * REPLICATES;
  const empty = { settings: asked, points: [], done: 0, total, working: true, problem: null };
  curve.value = empty;
  const add = (epsilon: number, value: number) => {
    if (controller !== mine || !curve.value) return;
    const { points, done } = curve.value;
    const old = points.find((point) => point.epsilon === epsilon)?.values ?? [];
    const rest = points.filter((point) => point.epsilon !== epsilon);
    const point = { epsilon, values: [...old, value] };
    const sorted = [...rest, point].toSorted((a, b) => a.epsilon - b.epsilon);
    curve.value = { ...curve.value, points: sorted, done: done + 1 };
  };
  const jobs = Array.from({ length: REPLICATES }, (_, replicate) =>
    EPSILONS.map(async (epsilon) => {
      const options = { ...request.options, epsilon, ...another(request.options, replicate) };
      const job = { ...request, options };
      add(epsilon, metric.of(await perform("background", "score", job, { signal: mine.signal })));
    }),
  );
  try {
    await Promise.all(jobs.flat());
    if (controller !== mine) return;
    curve.value = { ...curve.value, working: false };
    announce(`The curve is complete: ${total} fits.`);
  } catch (error) {
    if (controller !== mine) return;
    mine.abort();
    curve.value = { ...curve.value, working: false, problem: (error as Error).message };
    announce(`The curve could not be computed. ${(error as Error).message}`);
  }
}

/** A seed of its own for each replicate, where the user asked for seeded noise. */
function another(options: Readonly<Record<string, unknown>>, replicate: number) {
  const random = options["random"] as { seed: string } | undefined;
  return random ? { random: { mode: "seeded", seed: `${random.seed}/${replicate}` } } : {};
}

/** Stops the computation; what is there stays. */
export function stopCurve(): void {
  const old = controller;
  controller = undefined;
  old?.abort(new Error("stopped"));
  if (curve.value?.working) curve.value = { ...curve.value, working: false };
}

onForget(() => {
  stopCurve();
  curve.value = null;
});
