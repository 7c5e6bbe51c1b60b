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
export function sparseLogisticModels(tasks: ResidentTasks, unsolved: Unsolved): LocalModels {
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
    const { evidence, factor } = toMode(new Posterior(task, system, hypothesis), point);
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

const weightOf = (s: Float64Array | undefined, row: number) => s?.[row] ?? 1;

/** One hypothesis of the grid: what a point loses, and the Hessian there. */
class Posterior {
  /** Of the rows' losses at the margins where `curve` was asked last. */
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
  /** Precisions of the priors; that of an intercept which the model does not have is 0. */
  readonly p: number;
  readonly pb: number;

  constructor(
    readonly task: Task,
    readonly system: SparseSystem,
    hypothesis: Hypothesis,
  ) {
    const { n } = task.rows;
    this.p = 1 / hypothesis.slopes ** 2;
    this.pb = task.intercept ? 1 / hypothesis.intercept ** 2 : 0;
    [this.slopes, this.curvatures] = [new Float64Array(n), new Float64Array(n)];
  }

  /** The logarithm of the posterior density, times -1 and but for a constant. */
  value({ v, level, margins }: Point): number {
    const { y, s, shifts } = this.task;
    const losses = margins.reduce(
      (sum, z, row) => sum + weightOf(s, row) * marginError("logistic", z, y[row]!),
      0,
    );
    return losses + (this.p * dot(v, v) + this.pb * (level + dot(shifts, v)) ** 2) / 2;
  }

  /** The gradient in v and in the level, of slopes that `curve` left. */
  gradient({ v, level }: Point) {
    const { rows, shifts, intercept } = this.task;
    const offset = this.pb * (level + dot(shifts, v));
    const gradient = timesTransposed(rows, this.slopes);
    for (let c = 0; c < rows.k; c++) gradient[c]! += this.p * v[c]! + offset * shifts[c]!;
    const slope = intercept ? this.slopes.reduce((sum, own) => sum + own, 0) + offset : 0;
    return { gradient, slope };
  }

  /** @throws RangeError where the Hessian is no positive definite matrix in doubles. */
  curve({ margins }: Point) {
    const { task, system, slopes, curvatures, p, pb } = this;
    const { rows, y, s, shifts, intercept } = task;
    for (let row = 0; row < rows.n; row++) {
      const chance = 1 / (1 + exp(-y[row]! * margins[row]!));
      slopes[row] = -weightOf(s, row) * y[row]! * (1 - chance);
      curvatures[row] = Math.max(weightOf(s, row) * (chance * (1 - chance)), LEAST_CURVATURE);
    }
    if (!system.factor(curvatures, p)) {
      throw new RangeError(
        "X^T D X + p I: expected a positive definite matrix in double precision",
      );
    }
    return arrowOf(rows, system, { curvatures, shifts, p, pb, intercept });
  }

  /** Laplace's log evidence at a mode with that value, and what the mode is multiplied by. */
  atMode(point: Point, value: number) {
    const { task, p, pb, curvatures } = this;
    const arrow = this.curve(point);
    const volume = arrow.logDeterminant - task.rows.k * log(p) - (task.intercept ? log(pb) : 0);
    return {
      evidence: -value - volume / 2,
      factor: moderation(freeOf(task.rows, arrow, curvatures), curvatures),
    };
  }
}

/**
 * Moves the point to the posterior's mode by damped Newton steps, and returns Laplace's log evidence there and what the mode is
 * multiplied by.
 * @throws RangeError if that needs more than doubles have.
 */
function toMode(posterior: Posterior, point: Point) {
  let value = posterior.value(point);
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const arrow = posterior.curve(point);
    const { gradient, slope } = posterior.gradient(point);
    const step = arrow.solve(
      gradient.map((own) => -own),
      -slope,
    );
    const decrement = -(dot(gradient, step.v) + slope * step.level);
    // Near the mode a step is taken whole: what it gains drowns in rounding.
    const done = decrement / 2 <= TOLERANCE * (1 + value);
    const slack = ROUNDING * (1 + Math.abs(value));
    const most = (t: number) => (done ? Infinity : value - ARMIJO * t * decrement + slack);
    value = shorten(posterior, point, step, most);
    if (done) return posterior.atMode(point, value);
  }
  throw notSolved();
}

/**
 * Moves the point by the first of the step, its half, its quarter, … after which the value is low enough, and returns that value.
 * @param most the largest such value, of the step times t.
 * @throws RangeError if none is.
 */
function shorten(
  posterior: Posterior,
  point: Point,
  step: { readonly v: Float64Array; readonly level: number },
  most: (t: number) => number,
): number {
  const moved = times(posterior.task.rows, step.v, step.level);
  for (let t = 1, halvings = 0; halvings <= MOST_HALVINGS; halvings++, t /= 2) {
    const trial = {
      v: point.v.map((own, c) => own + t * step.v[c]!),
      level: point.level + t * step.level,
      margins: point.margins.map((z, row) => z + t * moved[row]!),
    };
    const value = posterior.value(trial);
    if (value <= most(t)) {
      Object.assign(point, trial);
      return value;
    }
  }
  throw notSolved();
}
