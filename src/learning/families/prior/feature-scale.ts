/**
 * The scale in which a task works: its own features', from its own rows.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { TaskSet } from "../../../data/index.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { unitFactors } from "./unit-factors.js";

/** How far towards one energy features are taken, in logarithms. */
const POWER = 2 / 3;
/** Rows, of a row's mean energy in every feature, that are added to a task's own. */
const PSEUDO_ROWS = 0.5;
/** A feature's energy within a factor e of the mean is of the same scale ... */
const ALIKE = 1;
/** ... and so is what this many deviations of the log of a normal feature's energy make of it. */
const CHANCE = 3;

/**
 * Scales the features of every task in place, x_j <- g_ij x_j, so that ridge regression does not
 * drown those of another kind: a feature whose energy is far from the mean of all is taken two
 * thirds of the way to it, and the mean squared norm of a task's rows becomes 1, to which the default
 * strength of a prior refers. Features alike in scale stay as they are, up to that norm. Where they are in units so unlike that no
 * feature could be worth so much more than another, units are taken away first (`unit-factors.ts`).
 *
 * Task i's factors depend on its own rows only, and they stay with it: what it shares is a model in
 * its own scale, of a norm that does not depend on them.
 *
 * @returns g [m, d], > 0: a model v of the scaled features is the model g v of the given ones.
 */
export function scaleFeatures(tasks: ResidentTasks): Float64Array {
  const { m, d, rows, core } = tasks;
  const offsets = core.arena.words(tasks.offsets, m + 1);
  const x = core.arena.view(tasks.x, rows * d);
  const factors = new Float64Array(m * d);
  for (let i = 0; i < m; i++) {
    const own = x.subarray(offsets[i]! * d, offsets[i + 1]! * d);
    const g = ownFactors(own, d, tasks.intercept);
    factors.set(g, i * d);
    for (let k = 0; k < own.length; k++) own[k]! *= g[k % d]!;
  }
  return factors;
}

/**
 * Work on the features as they are given, in place of the scaled ones, which come back to the same bits.
 * @param factors g [m, d]; undefined where nothing is scaled.
 */
export function onGivenFeatures<Result>(
  { m, d, rows, offsets, core, x }: ResidentTasks,
  data: TaskSet,
  factors: Float64Array | undefined,
  work: () => Result,
): Result {
  if (!factors) return work();
  core.arena.view(x, rows * d).set(data.x);
  const result = work();
  const ends = core.arena.words(offsets, m + 1);
  const values = core.arena.view(x, rows * d);
  for (let i = 0; i < m; i++) {
    const g = factors.subarray(i * d, (i + 1) * d);
    for (let k = ends[i]! * d; k < ends[i + 1]! * d; k++) values[k]! *= g[k % d]!;
  }
  return result;
}

/** The factors of one task with rows x [n, d]; an intercept takes up the mean. */
function ownFactors(x: Float64Array, d: number, intercept: boolean): Float64Array {
  const n = x.length / d;
  const given = Float64Array.from({ length: d }, (_, j) => featureEnergy(x, d, j, intercept));
  const sum = given.reduce((total, value) => total + value, 0);
  if (!(sum > 0) || !Number.isFinite(sum)) return given.fill(1);
  // Without an intercept the energy is also that of offsets, which are no unit.
  const units = intercept ? unitFactors(given) : new Float64Array(d).fill(1);
  const energy = given.map((value, j) => value * units[j]! ** 2);
  const mean = energy.reduce((total, value) => total + value, 0) / d;
  const alike = ALIKE + CHANCE * Math.sqrt(2 / n);
  const factors = energy.map((value) => {
    const ratio = math.log(((n * value) / mean + PSEUDO_ROWS) / (n + PSEUDO_ROWS));
    const clear = Math.sign(ratio) * Math.max(0, Math.abs(ratio) - alike);
    return math.exp((-POWER / 2) * clear);
  });
  const total = energy.reduce((sum, value, j) => sum + value * factors[j]! ** 2, 0);
  const norm = Math.sqrt(n / total);
  // Of squares that nearly vanish the inverse is no number.
  if (!Number.isFinite(norm)) return energy.fill(1);
  return factors.map((value, j) => value * norm * units[j]!);
}

/** Sum of squares of feature j, around its mean if asked. */
function featureEnergy(x: Float64Array, d: number, j: number, centred: boolean): number {
  let mean = 0;
  if (centred) for (let k = j; k < x.length; k += d) mean += x[k]! / (x.length / d);
  let sum = 0;
  for (let k = j; k < x.length; k += d) sum += (x[k]! - mean) ** 2;
  // A constant feature's rows differ from their computed mean by its rounding, and have no energy.
  const n = x.length / d;
  const rounding = n * Number.EPSILON * Math.abs(mean);
  return sum > n * rounding ** 2 ? sum : 0;
}
