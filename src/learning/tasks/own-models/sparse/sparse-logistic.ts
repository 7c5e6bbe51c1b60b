/**
 * The own model of one task with sparse rows and labels: `logisticModels` of the same rows dense, up to rounding, at the
 * cost of its entries where its columns share few rows.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";
import { marginError } from "../../margin-losses.js";
import type { ResidentTasks } from "../../resident-tasks.js";
import { hypothesesOf, type Hypothesis } from "../logistic-grid.js";
import { plainPart } from "../own-scale.js";
import { bySparseTasks, onOwnScale } from "./sparse-scale.js";
import type { LocalModels } from "../../local-models.js";
import { times, timesTransposed, type CompactRows } from "./compact-rows.js";
import { arrowOf, freeOf, notSolved } from "./sparse-arrow.js";
import { SparseSystem } from "./sparse-system.js";
import { moderation } from "../moderation.js";
import type { Unsolved } from "../own-ridge.js";
import type { Targets } from "../squared.js";
import { dot } from "../../../../linalg/dot.js";

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
export function sparseLogisticModels(tasks: ResidentTasks, unsolved?: Unsolved): LocalModels {
  const { intercept, known } = tasks;
  const asked = { centered: intercept && !known.features, declared: known.features };
  const solve = (rows: CompactRows, { y, s }: Targets) => {
    const onScale = (place: boolean) => {
      const { scaled, factors, shifts, apart } = onOwnScale(rows, s, { ...asked, place });
      const { v, level, evidence } = averageOf({ rows: scaled, y, s, shifts, intercept });
      return { weights: v.map((value, c) => value * factors[c]!), level, evidence, apart };
    };
    const { weights, level, evidence, apart } = onScale(true);
    if (!apart) return { weights, intercept: intercept ? level : 0 };
    const plain = onScale(false);
    const part = plainPart(rows.n, plain.evidence - evidence);
    return {
      weights: weights.map((value, c) => value + part * (plain.weights[c]! - value)),
      intercept: level + part * (plain.level - level),
    };
  };
  return bySparseTasks(tasks, solve, unsolved);
}

/** The modes of all points of the grid, each moderated, and weighted by its evidence, whose logarithm is that of all together. */
function averageOf(task: Task) {
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
  return { ...average, evidence: most + log(total) };
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
    if (!system.factor(curvatures, p)) {
      throw new RangeError(
        "X^T D X + p I: expected a positive definite matrix in double precision",
      );
    }
    return arrowOf(rows, system, { curvatures, shifts, p, pb, intercept });
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
      return {
        evidence: -value - volume / 2,
        factor: moderation(freeOf(rows, arrow, curvatures), curvatures),
      };
    }
  }
  throw notSolved();
}
