/**
 * The privacy-accuracy curve: the chosen method fitted anew at several eps, on several splits of the data, beside
 * what it is compared with on the same splits.
 * @module
 */
import { signal } from "@preact/signals";
import { metricOf } from "../text/metrics.js";
import { perform } from "../work/pool.js";
import { announce } from "./announce.js";
import { dataSet } from "./data.js";
import { onForget } from "./forget.js";
import { references } from "./references.js";
import { requestOf, settings, type Settings } from "./settings.js";

/** The fits at one eps, one for each split. */
export interface CurvePoint {
  readonly epsilon: number;
  readonly values: readonly number[];
}

/** A curve, complete or on its way. */
export interface Curve {
  readonly settings: Settings;
  readonly points: readonly CurvePoint[];
  /** What it is compared with, on the splits so far. */
  readonly alone: readonly number[];
  readonly together: readonly number[];
  readonly done: number;
  readonly total: number;
  readonly working: boolean;
  readonly problem: string | null;
}

const EPSILONS = [0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 25];
/** Each is a split of its own, with noise of its own. */
export const SPLITS = 3;

export const curve = signal<Curve | null>(null);

let controller: AbortController | undefined;

/** Computes the curve of the settings as they stand. */
export async function computeCurve(): Promise<void> {
  const asked = settings.value;
  const looked = dataSet.value;
  const request = requestOf(asked);
  if (!request || !looked) return;
  stopCurve();
  const mine = (controller = new AbortController());
  const { signal } = mine;
  const metric = metricOf(looked.data.loss);
  const compared = comparedWith();
  const total = SPLITS * EPSILONS.length;
  const fresh = { points: [], alone: [], together: [], done: 0, problem: null };
  curve.value = { settings: asked, ...fresh, total, working: true };
  const change = (next: (found: Curve) => Partial<Curve>) => {
    if (controller !== mine || !curve.value) return;
    curve.value = { ...curve.value, ...next(curve.value) };
  };
  const onSplit = async (split: number) => {
    const data = split === 0 ? looked.data : await looked.again(split, signal);
    const scored = EPSILONS.map(async (epsilon) => {
      const options = { ...request.options, epsilon, ...another(request.options, split) };
      const scores = await perform(
        "background",
        "score",
        { ...request, data, options },
        { signal },
      );
      change(({ points, done }) => ({
        points: withValue(points, epsilon, metric.of(scores)),
        done: done + 1,
      }));
    });
    const references = compared.map(async ({ part, found }) => {
      const { method, chosen } = found;
      const again = () => perform("background", "reference", { data, method, chosen }, { signal });
      const { scores } = split === 0 ? found : await again();
      change((drawn) => ({ [part]: [...drawn[part], metric.of(scores)] }));
    });
    await Promise.all([...scored, ...references]);
  };
  try {
    await Promise.all(Array.from({ length: SPLITS }, (_, split) => onSplit(split)));
    change(() => ({ working: false }));
    if (controller === mine) announce(`The curve is complete: ${total} fits.`);
  } catch (error) {
    if (controller !== mine) return;
    mine.abort();
    curve.value = { ...curve.value!, working: false, problem: (error as Error).message };
    announce(`The curve could not be computed. ${(error as Error).message}`);
  }
}

/** The references that are there, to be fitted on the other splits too. */
function comparedWith() {
  const { alone, together } = references.value;
  const parts = { alone, together };
  return (["alone", "together"] as const).flatMap((part) => {
    const found = parts[part];
    return found ? [{ part, found }] : [];
  });
}

/** The points in order of eps, with one more value. */
function withValue(points: readonly CurvePoint[], epsilon: number, value: number): CurvePoint[] {
  const old = points.find((point) => point.epsilon === epsilon)?.values ?? [];
  const rest = points.filter((point) => point.epsilon !== epsilon);
  return [...rest, { epsilon, values: [...old, value] }].toSorted((a, b) => a.epsilon - b.epsilon);
}

/** A seed of its own for each split, where the user asked for seeded noise. */
function another(options: Readonly<Record<string, unknown>>, split: number) {
  const random = options["random"] as { seed: string } | undefined;
  return random ? { random: { mode: "seeded", seed: `${random.seed}/${split}` } } : {};
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
