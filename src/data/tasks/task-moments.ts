/**
 * Tasks of any number of rows in memory that does not grow with them: what the squared loss needs of a task are its number
 * of rows, their mean and their scatter, and a few rows that have the same.
 *
 * For z = (x, y) of n rows with mean z0 and scatter S = sum (z - z0)(z - z0)^T = L L^T, L of d + 1 columns l_j, the
 * 2 (d + 1) rows z0 +- sqrt((d + 1) / n) l_j, each standing for n / (2 (d + 1)) rows, have the same number, mean and scatter.
 * So every mean of squares of linear functions of (1, x, y) is that of the rows, up to rounding, and
 * nothing else is. A task of no more than 2 (d + 1) rows keeps them as they are.
 * @module
 */
import { array, object } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { areSquarable, tooLargeWords } from "../../core/squarable.js";
import { join, momentsOf, rowsOf, type Moments } from "./moments.js";
import { TaskSet } from "./task-set.js";

/** What is kept of one task: moments of its first rows, and the rows after them. */
interface Kept extends Moments {
  /** Room for some rows, [.., d + 1], and how many there are: fewer than `joinedAt`. */
  rows: Float64Array;
  count: number;
}

/** Rows that are joined to the moments at once, of p coordinates: not fewer, or what is for all of them takes longer than they do. */
const joinedAt = (p: number) => Math.max(2 * p + 1, 64);

/**
 * Goes through chunks of rows once. Tasks come in the order in which they are first met, whatever chunks their rows are in, and the
 * moments of each follow to the bit from its own rows in their order: where a chunk ends depends on how long other tasks' rows are.
 */
export class TaskMoments {
  readonly #kept = new Map<string, Kept>();
  #like: TaskSet | undefined;

  /** Rows so far. */
  get rows(): number {
    let sum = 0;
    for (const { n, count } of this.#kept.values()) sum += n + count;
    return sum;
  }

  /**
   * Adds the rows of a chunk; nothing of it is held afterwards. Of one that is refused none is added.
   * @throws DataError for other features than before, labels as targets, sparse rows, weights or persons, or numbers larger than fits can
   *   compute with, 1e60.
   */
  add(chunk: TaskSet): void {
    array("chunk.featureNames", object("chunk", chunk).featureNames);
    const like = this.#like ?? chunk;
    const same = chunk.featureNames.join("\0") === like.featureNames.join("\0");
    if (!same || chunk.targetName !== like.targetName) {
      throw new DataError(
        "moments: expected every chunk to have the features of the first, in order.",
      );
    }
    if (
      chunk.targetLevels ||
      chunk.sparse ||
      chunk.sampleWeights ||
      chunk.persons ||
      chunk.standFor
    ) {
      throw new DataError(
        "moments: expected dense rows with numbers as targets, without weights or persons: moments are all that the " +
          "squared loss needs of such rows, and of no others.",
      );
    }
    for (const { name, x, y } of chunk) {
      if (!areSquarable(x) || !areSquarable(y)) throw tooLarge(name);
    }
    this.#like ??= chunk.select([chunk.names[0]!]);
    for (const { name, x, y, n } of chunk) this.#addTask(name, x, y, n);
  }

  /**
   * The tasks, a few rows each: for methods that say that they take them.
   * @throws DataError if no row was added.
   */
  tasks(): TaskSet {
    const like = this.#like;
    if (!like) throw new DataError("moments: no rows were added.");
    const p = like.d + 1;
    const all = [...this.#kept.values()];
    const counts = all.map(({ n, count }) => n + count);
    const rows = all.map((kept, i) =>
      counts[i]! <= 2 * p ? rowsLeft(kept) : rowsOf(whole(kept), p),
    );
    const names = [...this.#kept.keys()];
    const offsets = new Uint32Array(all.length + 1);
    rows.forEach((own, i) => (offsets[i + 1] = offsets[i]! + own.length / p));
    const x = new Float64Array(offsets[all.length]! * (p - 1));
    const y = new Float64Array(offsets[all.length]!);
    rows.forEach((own, i) => {
      for (let row = 0; row * p < own.length; row++) {
        const at = offsets[i]! + row;
        for (let c = 0; c < p - 1; c++) x[at * (p - 1) + c] = own[row * p + c]!;
        y[at] = own[row * p + p - 1]!;
      }
    });
    return TaskSet.adopt({
      ...like.arrays(),
      x,
      y,
      offsets,
      names,
      standFor: Float64Array.from(counts),
    });
  }

  #addTask(name: string, x: Float64Array, y: Float64Array, n: number): void {
    const d = x.length / n;
    const p = d + 1;
    const kept = this.#kept.get(name) ?? this.#begin(name, p);
    const most = joinedAt(p);
    for (let row = 0; row < n; row++) {
      if (p * kept.count === kept.rows.length) grow(kept);
      const at = p * kept.count++;
      for (let c = 0; c < d; c++) kept.rows[at + c] = x[row * d + c]!;
      kept.rows[at + d] = y[row]!;
      if (kept.count < most) continue;
      join(kept, momentsOf(rowsLeft(kept), p));
      kept.count = 0;
    }
  }

  #begin(name: string, p: number): Kept {
    const [mean, scatter] = [new Float64Array(p), new Float64Array(p * p)];
    const kept: Kept = { n: 0, mean, scatter, rows: new Float64Array(2 * p), count: 0 };
    this.#kept.set(name, kept);
    return kept;
  }
}

/** The rows that are not among the moments. */
const rowsLeft = ({ rows, count, mean }: Kept) => rows.subarray(0, count * mean.length);

/** Twice the room. */
function grow(kept: Kept): void {
  const { rows } = kept;
  kept.rows = new Float64Array(2 * rows.length);
  kept.rows.set(rows);
}

/** Moments of all rows of a task, which stays as it is. */
function whole(kept: Kept): Moments {
  const { n, mean, scatter, count } = kept;
  const all = { n, mean: mean.slice(), scatter: scatter.slice() };
  if (count > 0) join(all, momentsOf(rowsLeft(kept), mean.length));
  return all;
}

const tooLarge = (name: string) =>
  new DataError(`task ${JSON.stringify(name)}, a feature or target: ${tooLargeWords}.`);
