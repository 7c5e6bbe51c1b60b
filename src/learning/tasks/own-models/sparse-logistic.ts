/**
 * The own model of one task with sparse rows and labels: `logisticModels` of the same rows dense, up to rounding, at the
 * cost of its entries where its columns share few rows.
 * @module
 */
import { exp, log, log1p } from "../../../core/elementary.js";
import { marginError } from "../margin-losses.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { hypothesesOf, type Hypothesis } from "./logistic-grid.js";
import { LOGISTIC } from "./settings.js";
import { bySparseTasks, onOwnScale } from "./sparse-scale.js";
import type { LocalModels } from "../local-models.js";
import { times, timesTransposed, type CompactRows } from "./compact-rows.js";
import { SparseSystem } from "./sparse-system.js";
import { dot } from "../../../linalg/dot.js";

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
  const { intercept, known } = tasks;
  const asked = { centered: intercept && !known.features, declared: known.features };
  return bySparseTasks(tasks, (rows, { y, s }) => {
    const { scaled, factors, shifts } = onOwnScale(rows, s, asked);
    const { v, level } = averageOf({ rows: scaled, y, s, shifts, intercept });
    return { weights: v.map((value, c) => value * factors[c]!), intercept: intercept ? level : 0 };
  });
}

/** The modes of all points of the grid, each moderated, and weighted by its evidence. */
function averageOf(task: Task): { readonly v: Float64Array; readonly level: number } {
  const system = new SparseSystem(task.rows);
  const { n, k } = task.rows;
  const point: Point = { v: new Float64Array(k), level: 0, margins: new Float64Array(n) };
  const modes = hypothesesOf(task.intercept).map((hypothesis) => {
    const { evidence, factor } = toMode(task, system, hypothesis, point);
    return { v: point.v, level: point.level, evidence: hypothesis.prior + evidence, factor };
  });
  const most = Math.max(...modes.map(({ evidence }) => evidence));
  const parts = modes.map(({ evidence }) => exp(evidence - most));
  const total = parts.reduce((a, b) => a + b, 0);
  const average = { v: new Float64Array(k), level: 0 };
  modes.forEach(({ v, level, factor }, h) => {
    const part = (factor * parts[h]!) / total;
    for (let c = 0; c < k; c++) average.v[c]! += part * v[c]!;
    average.level += part * level;
  });
  return average;
}

/**
 * Moves the point to the posterior's mode by damped Newton steps, and returns Laplace's log evidence there and what the mode is
 * multiplied by.
 * @throws RangeError if that needs more than doubles have.
 */
function toMode(
  { rows, y, s, shifts, intercept }: Task,
  system: SparseSystem,
  hypothesis: Hypothesis,
  point: Point,
): { readonly evidence: number; readonly factor: number } {
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
      const arrow = curve();
      const volume = arrow.logDeterminant - k * log(p) - (intercept ? log(pb) : 0);
      return { evidence: -value - volume / 2, factor: moderationOf(rows, arrow, curvatures) };
    }
  }
  throw notSolved();
}

/** As the kernel of dense rows has it, from what is determined of each row: its variance times its curvature. */
function moderationOf(rows: CompactRows, { solve }: Arrow, curvatures: Float64Array): number {
  const { starts, columns, values, n, k } = rows;
  let free = 0;
  const dense = new Float64Array(k);
  for (let row = 0; row < n; row++) {
    const entries = columns.subarray(starts[row], starts[row + 1]);
    entries.forEach((column, at) => (dense[column] = values[starts[row]! + at]!));
    const own = solve(dense, 1);
    free += curvatures[row]! * (dot(dense, own.v) + own.level);
    entries.forEach((column) => (dense[column] = 0));
  }
  const curvature = curvatures.reduce((sum, own) => sum + own, 0);
  const variance = ((free / (n - free)) * n) / curvature;
  if (!(variance > 0) || variance === Infinity) return 1;
  return exp(-0.5 * LOGISTIC.moderation * log1p((Math.PI / 8) * variance));
}

const notSolved = () =>
  new RangeError("a task's own model: its logistic regression has no minimum in double precision");

type Arrow = ReturnType<typeof arrowOf>;

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
