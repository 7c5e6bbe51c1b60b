/**
 * Tasks whose own rows deny what was voted for: such a task learns alone, from its rows as they were given.
 *
 * Where a vote failed a column may lie far from the place that was taken. Then all rows are held at its edge, and what a task learns alone
 * among its hypotheses is spoilt with the rest. The votes tell nobody, but a task of a few rows sees it: rows are held, or close together, and what is shared
 * fits them worse than learning alone predicts them while they are left out. Since no model predicts other rows better than those that it was
 * fitted to, learning alone is then better, but for chance. All this is post-processing of the task's own rows: nothing is released.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { relativeWeights, type TaskSet } from "../../../../data/index.js";
import { triangle } from "../../../../linalg/packed-symmetric.js";
import { withinLimits, type FeatureLimits } from "../../../fitted/feature-limits.js";
import { knownScale } from "../../../tasks/own-models/known-scale.js";
import { squaredModel, type Asked, type OwnModel } from "../../../tasks/own-models/squared.js";
import type { MixedModels } from "../exchange.js";
import { limitsArray, type Units } from "../units/units.js";

/** With fewer rows what is left of them without some tells too little: on tables of two to four rows a task errors were up to a sixth larger. */
const LEAST_ROWS = 5;

/**
 * The logarithm of the odds, by the rows' mean squares, from which on votes are denied: at 2 one of 60 fits of raw tables that did well would be 2 %
 * worse, at 4 a half of what is rescued is lost.
 */
const ODDS = 3;

/**
 * Mean squares about their mean, in voted sizes, of values that lie close: as well as a place that is missed, a size may be taken that is far too large.
 * Below the second they are the same but for rounding.
 */
const CLOSE = 1e-2;
const SAME = 1e-20;

/** Parts of a task's rows that are left out in turn. */
const FOLDS = 5;

/** A task's rows: features without a constant. */
interface OwnRows {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly s: Float64Array | undefined;
}

/** Learning alone where votes are denied. */
interface Alone {
  /** Of the features, and last the intercept. */
  readonly model: Float64Array;
  /** Of the model, by a jackknife over the parts, lower triangle. */
  readonly covariance: Float64Array;
  /** Of a row. */
  readonly noise: number;
}

/**
 * The models, but of tasks that deny the votes on features; which these are is in `denied`. Moments of rows cannot deny them, nor can rows that enter by their
 * differences, whose learning alone no vote spoils.
 */
export function deniedVotes(models: MixedModels, units: Units, data: TaskSet): MixedModels {
  if (!units.voted?.length || units.untold || data.standFor || data.sparse) return models;
  const { m, d, offsets } = data;
  const weights = relativeWeights(data);
  const asked = { intercept: true, known: knownScale(data.encoding, true) };
  const edges = limitsArray(units);
  const limits = { lower: edges.subarray(0, d), upper: edges.subarray(d) };
  let out: MixedModels | undefined;
  const denied = new Uint8Array(m);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    if (to - from < LEAST_ROWS) continue;
    const rows = {
      x: data.x.subarray(from * d, to * d),
      y: data.y.subarray(from, to),
      s: weights?.subarray(from, to),
    };
    const shared = models.models.subarray(i * (d + 1), (i + 1) * (d + 1));
    const held = heldTo(limits, rows);
    const alone = mayBeSpoilt(rows, held, units) && aloneIfDenied(rows, held, shared, asked);
    if (!alone) continue;
    denied[i] = 1;
    write((out ??= copied(models)), i, alone);
  }
  return { ...(out ?? models), denied };
}

const heldTo = (limits: FeatureLimits, rows: OwnRows): OwnRows => ({
  ...rows,
  x: withinLimits(limits, rows.x),
});

/**
 * Whether some rows are held, or lie close in a column, but for one that is the same in all of them. Other tasks would deny by chance, or since
 * they are unlike the others; and most tasks need no model to see that.
 */
function mayBeSpoilt({ x, y }: OwnRows, held: OwnRows, { voted, sizes }: Units): boolean {
  if (held.x.some((value, at) => value !== x[at])) return true;
  const [n, d] = [y.length, x.length / y.length];
  return voted!.some((c) => {
    const values = Float64Array.from({ length: n }, (_, row) => x[row * d + c]! / sizes[c]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n;
    return square > SAME && square < CLOSE;
  });
}

/** What a task learns alone where it denies the votes. @param held its rows as the shared model takes them. */
function aloneIfDenied(
  rows: OwnRows,
  held: OwnRows,
  shared: Float64Array,
  asked: Asked,
): Alone | undefined {
  const n = rows.y.length;
  const together = squares(held, shared) / n;
  const isDenied = (alone: number) => (n / 2) * log(together / Math.max(alone, 1e-300)) > ODDS;
  const model = modelOf(rows, asked);
  if (!model) return undefined;
  // Rows that are left out are mostly told worse than these.
  const own = squares(rows, model) / n;
  if (!(together > 0) || !isDenied(own)) return undefined;
  const parts: Float64Array[] = [];
  let left = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const part = modelOf(
      someOf(rows, (row) => row % FOLDS !== fold),
      asked,
    );
    if (!part) return undefined;
    parts.push(part);
    left += squares(
      someOf(rows, (row) => row % FOLDS === fold),
      part,
    );
    // Other parts only add to it.
    if (!isDenied(left / n)) return undefined;
  }
  const covariance = jackknife(parts, model);
  return { model, covariance, noise: Math.max(own, left / n - meanWidth(rows, covariance)) };
}

/** The model of learning alone, the intercept last; undefined where numbers are too large to be squared: after releases nobody may be told. */
function modelOf({ x, y, s }: OwnRows, asked: Asked): Float64Array | undefined {
  let found: OwnModel;
  try {
    found = squaredModel({ x, y, s, n: y.length, d: x.length / y.length }, asked);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const model = Float64Array.of(...found.weights, found.intercept);
  return model.every(Number.isFinite) ? model : undefined;
}

/** Rows by their positions. */
function someOf({ x, y, s }: OwnRows, taken: (row: number) => boolean): OwnRows {
  const d = x.length / y.length;
  const isIn = (_: number, row: number) => taken(row);
  return {
    x: x.filter((_, at) => taken(Math.floor(at / d))),
    y: y.filter(isIn),
    s: s?.filter(isIn),
  };
}

/** Sum of the rows' squared errors, by their weights. */
function squares({ x, y, s }: OwnRows, model: Float64Array): number {
  const d = model.length - 1;
  let sum = 0;
  for (let row = 0; row < y.length; row++) {
    let error = y[row]! - model[d]!;
    for (let c = 0; c < d; c++) error -= model[c]! * x[row * d + c]!;
    sum += (s ? s[row]! : 1) * error * error;
  }
  return sum;
}

/** Of the models without a part each, around that of all rows. */
function jackknife(parts: readonly Float64Array[], model: Float64Array): Float64Array {
  const out = new Float64Array(triangle(model.length));
  const factor = (parts.length - 1) / parts.length;
  for (const part of parts) {
    for (let c = 0, at = 0; c < model.length; c++) {
      for (let e = 0; e <= c; e++, at++) {
        out[at]! += factor * (part[c]! - model[c]!) * (part[e]! - model[e]!);
      }
    }
  }
  return out;
}

/** Mean over the rows of x^T P x. */
function meanWidth({ x, y }: OwnRows, covariance: Float64Array): number {
  const d = x.length / y.length;
  let sum = 0;
  for (let row = 0; row < y.length; row++) {
    const value = (c: number) => (c < d ? x[row * d + c]! : 1);
    for (let c = 0, at = 0; c <= d; c++) {
      for (let e = 0; e <= c; e++, at++) {
        sum += (e < c ? 2 : 1) * covariance[at]! * value(c) * value(e);
      }
    }
  }
  return sum / y.length;
}

function copied(models: MixedModels): MixedModels {
  const { noises } = models;
  return {
    ...models,
    models: models.models.slice(),
    covariances: models.covariances.slice(),
    noise: models.noise.slice(),
    alone: models.alone.slice(),
    ...(noises && {
      noises: { ...noises, weights: noises.weights.slice(), parts: noises.parts.slice() },
    }),
  };
}

function write(into: MixedModels, i: number, { model, covariance, noise }: Alone): void {
  into.models.set(model, i * model.length);
  into.covariances.set(covariance, i * covariance.length);
  into.noise[i] = noise;
  into.alone[i] = 1;
  if (!into.noises) return;
  const { levels, weights, parts } = into.noises;
  const from = i * levels.length;
  weights.fill(0, from, from + levels.length);
  parts.fill(1, from, from + levels.length);
  const [below, above] = neighbours(levels, noise);
  const [low, high] = [levels[below]!, levels[above]!];
  const part = high > low ? Math.min(Math.max((noise - low) / (high - low), 0), 1) : 0;
  weights[from + below] = 1 - part;
  weights[from + above]! += part;
}

/** Positions of the largest level at most `noise` and of the least above it; the end, twice, where there is none on a side. */
function neighbours(levels: Float64Array, noise: number): readonly [number, number] {
  let below = -1;
  let above = -1;
  levels.forEach((level, k) => {
    if (level <= noise && (below < 0 || level > levels[below]!)) below = k;
    if (level > noise && (above < 0 || level < levels[above]!)) above = k;
  });
  return [below < 0 ? above : below, above < 0 ? below : above];
}
