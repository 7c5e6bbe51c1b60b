/**
 * Rows are held to the bound that was declared of them.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";

/**
 * Holds every row to the public bound B on its norm, which step sizes and accounting rely on.
 * @param placed the same tasks in a core; there a kernel looks at dense rows in Float64, to the same answer.
 * @throws DataError naming the first task and row beyond it.
 */
export function checkFeatureBound(
  tasks: TaskSet,
  featureBound: number,
  placed?: ResidentTasks,
): void {
  // In units of B: its square may be no number, and then every row would be within it.
  const unit = 1 / featureBound;
  const row =
    placed?.isDense && placed.rowPrecision === "float64"
      ? placed.core.kernels.firstLongRow(placed.x, placed.rows, placed.d, unit, LIMIT)
      : firstLongRow(tasks, unit);
  if (row < tasks.size) throw tooLong(tasks, row, featureBound);
}

function tooLong({ offsets, names }: TaskSet, row: number, featureBound: number): DataError {
  let task = 0;
  while (offsets[task + 1]! <= row) task++;
  return new DataError(
    `task ${JSON.stringify(names[task])}, row ${row - offsets[task]!}: its l2 norm is above the declared ` +
      `featureBound ${featureBound}. Scale rows to unit norm (the "unit-rows" transform, ` +
      `--normalize rows), or declare a larger featureBound.`,
  );
}

/** Position of the first row beyond the bound, N if there is none: as the kernel of that name, but of rows that may be sparse. */
function firstLongRow(tasks: TaskSet, unit: number): number {
  const { d, sparse, size } = tasks;
  const values = sparse?.values ?? tasks.x;
  for (let row = 0; row < size; row++) {
    const from = sparse ? sparse.starts[row]! : row * d;
    const to = sparse ? sparse.starts[row + 1]! : from + d;
    if (!(squaresOf(values, from, to, unit) <= LIMIT)) return row;
  }
  return size;
}

/** The largest (||x|| / B)^2 that counts as within the bound: rounding of unit rows must not refuse them. */
const LIMIT = 1 + 1e-9;

const square = (x: number): number => x * x;

/**
 * Sum of the squares of entries `from` up to `to`, each times `unit`: in four sums, of which none waits for another. They are declared one by one, since a
 * pattern of four makes an array for every row.
 */
function squaresOf(values: Float64Array, from: number, to: number, unit: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let j = from;
  for (; j + 3 < to; j += 4) {
    a += square(unit * values[j]!);
    b += square(unit * values[j + 1]!);
    c += square(unit * values[j + 2]!);
    d += square(unit * values[j + 3]!);
  }
  for (; j < to; j++) a += square(unit * values[j]!);
  return a + b + (c + d);
}
