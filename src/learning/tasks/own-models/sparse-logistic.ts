/**
 * The own model of one task with sparse rows and labels: `logisticModels` of the same rows dense, up to rounding, at the
 * cost of its entries where its columns share few rows.
 * @module
 */
import { exp, log } from "../../../core/elementary.js";
import { sparseRows } from "../compact-task.js";
import { marginError } from "../margin-losses.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { LocalModels } from "../ridge.js";
import { hypothesesOf, type Hypothesis } from "./logistic-grid.js";
import { LOGISTIC } from "./settings.js";
import { SparseSystem, type CompactRows } from "./sparse-system.js";

/** As the kernel of Newton's method has it. */
const TOLERANCE = 1e-14;
const MOST_ITERATIONS = 100;
const MOST_HALVINGS = 60;
const ARMIJO = 1e-4;
const ROUNDING = 1e-14;
const LEAST_CURVATURE = 1e-13;

/** A task's rows on the scale of own models: slopes v of z = (x - center) f, and level of x f, are what is solved for. */
interface Task {
  /** X f. */
  readonly rows: CompactRows;
  readonly y: Float64Array;
  /** Weights of the rows, or undefined. */
  readonly s: Float64Array | undefined;
  /** f, [k]. */
  readonly factors: Float64Array;
  /** center f, [k]. */
  readonly shifts: Float64Array;
  readonly intercept: boolean;
}

/** margins = X f v + level; the intercept of the model is level + shifts . v. */
interface Point {
  v: Float64Array;
  level: number;
  margins: Float64Array;
}

/** Models of all tasks, from their own rows only. */
export function sparseLogisticModels(tasks: ResidentTasks): LocalModels {
  const { core, m, d, intercept, known, rows: count } = tasks;
  const { arena } = core;
  const all = sparseRows(tasks);
  const ends = arena.words(tasks.offsets, m + 1).slice();
  const targets = arena.view(tasks.y, count).slice();
  const weights = tasks.sampleWeights();
  const result = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  const size = Math.sqrt(tasks.features * LOGISTIC.meanSquare);
  for (let i = 0; i < m; i++) {
    const [from, to] = [ends[i]!, ends[i + 1]!];
    const used = Uint32Array.from(
      new Set(all.columns.subarray(all.starts[from], all.starts[to])),
    ).sort();
    const position = new Map(Array.from(used, (column, at) => [column, at]));
    const first = all.starts[from]!;
    const rows: CompactRows = {
      starts: all.starts.slice(from, to + 1).map((start) => start - first),
      columns: all.columns.slice(first, all.starts[to]).map((column) => position.get(column)!),
      values: all.values.slice(first, all.starts[to]),
      n: to - from,
      k: used.length,
    };
    const task = onOwnScale(
      rows,
      { y: targets.subarray(from, to), s: weights?.subarray(from, to), intercept },
      { centered: intercept && !known.features, declared: known.features, size },
    );
    const own = averageOf(task);
    used.forEach((column, c) => (result.weights[i * d + column] = own.v[c]! * task.factors[c]!));
    result.intercepts[i] = intercept ? own.level : 0;
  }
  return result;
}

/** `ownRows` of sparse rows. */
function onOwnScale(
  rows: CompactRows,
  { y, s, intercept }: Pick<Task, "y" | "s" | "intercept">,
  { centered, declared, size }: { centered: boolean; declared: boolean; size: number },
): Task {
  const { starts, columns, values, n, k } = rows;
  const [center, squares, mass] = [0, 0, 0].map(() => new Float64Array(k)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const rowOf = new Uint32Array(values.length);
  for (let row = 0; row < n; row++) rowOf.fill(row, starts[row], starts[row + 1]);
  const weightAt = (at: number) => s?.[rowOf[at]!] ?? 1;
  columns.forEach((column, at) => {
    const weight = weightAt(at);
    if (centered) center[column]! += (weight * values[at]!) / n;
    squares[column]! += (weight * values[at]! ** 2) / n;
    mass[column]! += weight;
  });
  let factors = new Float64Array(k).fill(1);
  if (!declared) {
    const total = s?.reduce((sum, weight) => sum + weight, 0) ?? n;
    // Rows without an entry in a column are as far from its centre as 0 is.
    const spread = center.map((value, column) => (total - mass[column]!) * value ** 2);
    columns.forEach((column, at) => {
      spread[column]! += weightAt(at) * (values[at]! - center[column]!) ** 2;
    });
    const freedom = Math.max(centered ? n - 1 : n, 1);
    factors = factors.map((_, column) => {
      const variance = (spread[column]! + squares[column]!) / freedom;
      return variance > 0 && variance < Infinity ? 1 / Math.sqrt(variance) : 0;
    });
  }
  const sum = declared
    ? squares.reduce((all, value) => all + value, 0)
    : factors.reduce((all, factor) => all + (factor > 0 ? 1 : 0), 0);
  const scale = sum > 0 && sum < Infinity ? size / Math.sqrt(sum) : 0;
  factors = factors.map((factor) => factor * scale);
  const scaled = values.map((value, at) => value * factors[columns[at]!]!);
  const shifts = center.map((value, column) => value * factors[column]!);
  return { rows: { ...rows, values: scaled }, y, s, factors, shifts, intercept };
}

/** The modes of all points of the grid, each weighted by its evidence. */
function averageOf(task: Task): { readonly v: Float64Array; readonly level: number } {
  const system = new SparseSystem(task.rows);
  const { n, k } = task.rows;
  const point: Point = { v: new Float64Array(k), level: 0, margins: new Float64Array(n) };
  const modes = hypothesesOf(task.intercept).map((hypothesis) => {
    const evidence = hypothesis.prior + toMode(task, system, hypothesis, point);
    return { v: point.v, level: point.level, evidence };
  });
  const most = Math.max(...modes.map(({ evidence }) => evidence));
  const parts = modes.map(({ evidence }) => exp(evidence - most));
  const total = parts.reduce((a, b) => a + b, 0);
  const average = { v: new Float64Array(k), level: 0 };
  modes.forEach(({ v, level }, h) => {
    const part = parts[h]! / total;
    for (let c = 0; c < k; c++) average.v[c]! += part * v[c]!;
    average.level += part * level;
  });
  return average;
}

/**
 * Moves the point to the posterior's mode by damped Newton steps, and returns Laplace's log evidence there.
 * @throws RangeError if that needs more than doubles have.
 */
function toMode(
  { rows, y, s, shifts, intercept }: Task,
  system: SparseSystem,
  hypothesis: Hypothesis,
  point: Point,
): number {
  const { n, k } = rows;
  const p = 1 / hypothesis.slopes ** 2;
  const pb = intercept ? 1 / hypothesis.intercept ** 2 : 0;
  const weight = (row: number) => s?.[row] ?? 1;
  const losses = (margins: Float64Array) =>
    margins.reduce((sum, z, row) => sum + weight(row) * marginError("logistic", z, y[row]!), 0);
  const penaltyOf = (v: Float64Array, level: number) =>
    (p * dot(v, v) + pb * (level + dot(shifts, v)) ** 2) / 2;
  const [slopes, curvatures] = [new Float64Array(n), new Float64Array(n)];
  const curve = () => {
    for (let row = 0; row < n; row++) {
      const chance = 1 / (1 + exp(-y[row]! * point.margins[row]!));
      slopes[row] = -weight(row) * y[row]! * (1 - chance);
      curvatures[row] = Math.max(weight(row) * (chance * (1 - chance)), LEAST_CURVATURE);
    }
    system.factor(curvatures, p);
    return arrowOf(rows, system, { curvatures, shifts, pb, intercept });
  };
  let value = losses(point.margins) + penaltyOf(point.v, point.level);
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const arrow = curve();
    const offset = pb * (point.level + dot(shifts, point.v));
    const gradient = timesTransposed(rows, slopes);
    for (let c = 0; c < k; c++) gradient[c]! += p * point.v[c]! + offset * shifts[c]!;
    const slope = intercept ? slopes.reduce((sum, own) => sum + own, 0) + offset : 0;
    const step = arrow.solve(
      gradient.map((own) => -own),
      -slope,
    );
    const decrement = -(dot(gradient, step.v) + slope * step.level);
    const moved = times(rows, step.v, step.level);
    const done = decrement / 2 <= TOLERANCE * (1 + value);
    let t = 1;
    for (let halvings = 0; ; halvings++) {
      const margins = point.margins.map((z, row) => z + t * moved[row]!);
      const v = point.v.map((own, c) => own + t * step.v[c]!);
      const level = point.level + t * step.level;
      const trial = losses(margins) + penaltyOf(v, level);
      const enough = trial <= value - ARMIJO * t * decrement + ROUNDING * (1 + Math.abs(value));
      if (done || enough) {
        Object.assign(point, { v, level, margins });
        value = trial;
        break;
      }
      if (halvings === MOST_HALVINGS) throw notSolved();
      t /= 2;
    }
    if (done) {
      const { logDeterminant } = curve();
      const volume = logDeterminant - k * log(p) - (intercept ? log(pb) : 0);
      return -value - volume / 2;
    }
  }
  throw notSolved();
}

const notSolved = () =>
  new RangeError("a task's own model: its logistic regression has no minimum in double precision");

/** The Hessian [[B, g], [g^T, h]] + pb a a^T with B the system's matrix and a = (shifts, 1). */
function arrowOf(
  rows: CompactRows,
  system: SparseSystem,
  given: { curvatures: Float64Array; shifts: Float64Array; pb: number; intercept: boolean },
) {
  const { curvatures, shifts, pb, intercept } = given;
  if (!intercept) {
    const { logDeterminant } = system;
    return { logDeterminant, solve: (v: Float64Array) => ({ v: system.solve(v), level: 0 }) };
  }
  const g = timesTransposed(rows, curvatures);
  const through = system.solve(g);
  const rest = curvatures.reduce((sum, own) => sum + own, 0) - dot(g, through);
  if (!(rest > 0)) throw notSolved();
  const plain = (v: Float64Array, level: number) => {
    const own = system.solve(v);
    const end = (level - dot(g, own)) / rest;
    return { v: own.map((value, c) => value - through[c]! * end), level: end };
  };
  const along = plain(shifts, 1);
  const lift = 1 + pb * (dot(shifts, along.v) + along.level);
  return {
    logDeterminant: system.logDeterminant + log(rest) + log(lift),
    solve: (v: Float64Array, level: number) => {
      const own = plain(v, level);
      const back = (pb * (dot(shifts, own.v) + own.level)) / lift;
      return {
        v: own.v.map((value, c) => value - back * along.v[c]!),
        level: own.level - back * along.level,
      };
    },
  };
}

/** X v + level, [n]. */
function times({ starts, columns, values, n }: CompactRows, v: Float64Array, level: number) {
  const out = new Float64Array(n).fill(level);
  for (let row = 0; row < n; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      out[row]! += values[at]! * v[columns[at]!]!;
    }
  }
  return out;
}

/** X^T r, [k]. */
function timesTransposed({ starts, columns, values, n, k }: CompactRows, r: Float64Array) {
  const out = new Float64Array(k);
  for (let row = 0; row < n; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      out[columns[at]!]! += values[at]! * r[row]!;
    }
  }
  return out;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c]! * b[c]!;
  return sum;
}
