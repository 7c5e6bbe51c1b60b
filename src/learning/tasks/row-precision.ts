/**
 * How rows of features lie in the kernels' memory: in Float64, or rounded once to Float32.
 *
 * Float32 halves what a round has to read. Each entry is rounded to nearest when it is placed, and widened again where it is read;
 * all products and sums are in Float64. So a fit gives, to the bit, what it gives for rows of the rounded values in Float64:
 * x (1 + e) with |e| <= 2^-24 where |x| >= 2^-126, and x + a with |a| <= 2^-150 below. Targets, weights of rows and models stay
 * in Float64.
 *
 * A guarantee does not change. What it bounds are clipped uploads, votes and noise, whatever rows these come from: rounding takes
 * each row to a row, by itself, so data that differ in one task or one row still do. Clipping comes after it.
 * @module
 */
import { DataError, type Arena, type Core, type Pointer } from "../../core/index.js";
import { TaskSet } from "../../data/index.js";

export const ROW_PRECISIONS = ["float64", "float32"] as const;
/** Numbers that rows of features are kept in. */
export type RowPrecision = (typeof ROW_PRECISIONS)[number];

/** In which form rows are placed. */
export interface RowForm {
  /** Default "float64". */
  readonly rowPrecision?: RowPrecision;
  /** Whether dense rows get a last column of ones, on their way into the core. */
  readonly constantColumn?: boolean;
}

/** Bytes of an entry. */
export const entryBytes = (precision: RowPrecision): number => (precision === "float32" ? 4 : 8);

/** Rows that kernels which go through a task by a few at a time widen at once. */
export const ROWS_AT_ONCE = 4;

/**
 * The dense rows in the core, rounded or with a further column, written there once.
 * @param ones whether a last column of ones is added.
 * @throws DataError naming task, row and column of a value beyond Float32's range, where they are kept in that.
 */
export function placeDense(
  { arena }: Core,
  tasks: TaskSet,
  precision: RowPrecision,
  ones: boolean,
): Pointer {
  const { x, d, size } = tasks;
  const width = ones ? d + 1 : d;
  const single = precision === "float32";
  const at = arena.bytes(entryBytes(precision) * size * width, "the feature matrix");
  const placed = single ? arena.singles(at, size * width) : arena.view(at, size * width);
  if (ones) {
    for (let row = 0; row < size; row++) {
      placed.set(x.subarray(row * d, (row + 1) * d), row * width);
      placed[row * width + d] = 1;
    }
  } else placed.set(x);
  for (let k = 0; single && k < placed.length; k++) {
    const row = Math.floor(k / width);
    if (!Number.isFinite(placed[k])) throw beyondRange(tasks, row, k - row * width);
  }
  return at;
}

/** n entries from `first` on of those that lie in Float32, in Float64, in memory that the caller releases. */
export function widened(arena: Arena, rows: Pointer, first: number, n: number): Pointer {
  const at = arena.f64(n, "rows in Float64");
  arena.view(at, n).set(arena.singles(rows + 4 * first, n));
  return at;
}

/** The largest number of Float32. */
const LARGEST_SINGLE = (2 - 2 ** -23) * 2 ** 127;

/**
 * The tasks as a private fit places them: features that Float32 cannot hold, where rows are kept in that, are taken for the largest that it
 * can, since an end would tell of one task's rows. The same set where there are none.
 */
export function heldInPrecision(tasks: TaskSet, precision: RowPrecision): TaskSet {
  if (precision === "float64" || tasks.sparse) return tasks;
  if (tasks.x.every((value) => Number.isFinite(Math.fround(value)))) return tasks;
  const held = tasks.x.map((value) => Math.max(-LARGEST_SINGLE, Math.min(value, LARGEST_SINGLE)));
  return TaskSet.adopt({ ...tasks.arrays(), x: held });
}

/** @throws DataError as {@link placeDense}, before anything is placed. */
export function requirePrecision(tasks: TaskSet, precision: RowPrecision): void {
  if (precision === "float64") return;
  const { x, d } = tasks;
  const at = x.findIndex((value) => !Number.isFinite(Math.fround(value)));
  if (at >= 0) throw beyondRange(tasks, Math.floor(at / d), at % d);
}

function beyondRange(
  { offsets, names, featureNames }: TaskSet,
  row: number,
  column: number,
): DataError {
  let task = 0;
  while (offsets[task + 1]! <= row) task++;
  return new DataError(
    `task ${JSON.stringify(names[task])}, row ${row - offsets[task]!}, column ${JSON.stringify(featureNames[column])}: ` +
      'expected a number within the range of Float32 (3.4e38) with rowPrecision "float32"; scale the column, or set ' +
      'rowPrecision "float64".',
  );
}
