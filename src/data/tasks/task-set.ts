/**
 * `TaskSet`: the data of all tasks in one concatenated layout.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { counted } from "../../core/messages/counted.js";
import { buildTasks } from "./build.js";
import { checkArrays } from "./check-arrays.js";
import { rawEncoding, withoutColumns, type DataEncoding } from "../provenance/data-encoding.js";
import { markedRows, marksBy, rowsOfTasks } from "./rows-of-tasks.js";
import type { Seed } from "../split/shuffle.js";
import type { SparseRows } from "../sparse/sparse-rows.js";
import { foldRules, trainingRule, type RowRule, type SplitOptions } from "../split/split.js";
import { taskOf, type Task } from "./task-view.js";
import { unknownTask } from "./unknown-task.js";
import type { Label } from "../columns/label.js";
import type { BuildOptions, TaskArrays, TaskInput } from "./task-arrays.js";

/** Two sets with the same features. */
export interface TrainTest {
  /** What to train on. */
  readonly train: TaskSet;
  /** What to test on. */
  readonly test: TaskSet;
}

/**
 * m tasks with d common features and at least one row each. Built once, never changed: the
 * caller's arrays are copied in, every method returns a new set. The typed arrays it shows are its
 * own, shared without copying with whoever computes on them; writing into them is a bug.
 *
 * @example
 * const tasks = TaskSet.from([
 *   { name: "school-1", x: [[1, 0], [0, 1]], y: [12, 30] },
 *   { name: "school-2", x: [[1, 1]], y: [20] },
 * ], { featureNames: ["girl", "boy"] });
 * const { train, test } = tasks.split({ trainFraction: 0.5, seed: "a" });
 */
export class TaskSet implements Iterable<Task> {
  readonly #x: Float64Array | undefined;
  /** The rows, in the place of x, where they are sparse. */
  readonly sparse: SparseRows | undefined;
  /** Float64Array, shape [N]: targets, or positions in `targetLevels` where there are any. */
  readonly y: Float64Array;
  /** Uint32Array, shape [m + 1]: task i has the rows from offsets[i] up to offsets[i + 1]. */
  readonly offsets: Uint32Array;
  /** Uint32Array, shape [N]: a number for each row's person; undefined where nothing is said of persons. */
  readonly persons: Uint32Array | undefined;
  /**
   * Float64Array, shape [N]: how much each row counts beside the others of its task, as given; undefined where nobody said.
   */
  readonly sampleWeights: Float64Array | undefined;
  /**
   * Float64Array, shape [m]: how many rows those of each task stand for, where they only have the mean and scatter of others
   * (`TaskMoments`); undefined where the rows are the data.
   */
  readonly standFor: Float64Array | undefined;
  /** m unique task names. */
  readonly names: readonly string[];
  /** d unique feature names; `x1`, `x2`, … unless given. */
  readonly featureNames: readonly string[];
  /** What the target is called; `y` unless given. */
  readonly targetName: string;
  /** The labels, ascending or as declared, where targets were given as strings or booleans, or declared. */
  readonly targetLevels: readonly Label[] | undefined;
  /**
   * How features and target came about: which have a public scale, what was learned from whose rows,
   * how rows to predict are prepared alike.
   */
  readonly encoding: DataEncoding;
  readonly #index: Map<string, number>;

  private constructor(arrays: TaskArrays) {
    // Its type says so, which a program in JavaScript does not see.
    if (!arrays?.names) {
      throw new TypeError("TaskSet: made by TaskSet.from([{ name, x, y }, …]), not by new");
    }
    this.#x = arrays.x;
    this.sparse = arrays.sparse;
    this.y = arrays.y;
    this.offsets = arrays.offsets;
    this.persons = arrays.persons;
    this.sampleWeights = arrays.sampleWeights;
    this.standFor = arrays.standFor;
    this.names = Object.freeze([...arrays.names]);
    // Sets made of a set share its names.
    const { featureNames } = arrays;
    this.featureNames = Object.isFrozen(featureNames)
      ? featureNames
      : Object.freeze([...featureNames]);
    this.targetName = arrays.targetName;
    this.targetLevels = arrays.targetLevels && Object.freeze([...arrays.targetLevels]);
    this.encoding = arrays.encoding ?? rawEncoding(this.featureNames);
    this.#index = new Map();
    for (let i = 0; i < this.names.length; i++) this.#index.set(this.names[i]!, i);
    // What Node's console prints. As a member of the class it would keep bundlers from dropping the class.
    const inspect = Symbol.for("nodejs.util.inspect.custom");
    Object.defineProperty(this, inspect, { value: () => this.toString() });
  }

  /**
   * @param tasks    at least one task; all with the same number of columns.
   * @param options.featureNames  d unique names; default `x1`, `x2`, …
   * @param options.targetName    default `y`.
   * @param options.labels        public labels of the target, in order; by default those that occur,
   *        which is learned from all tasks and listed by private fits.
   * @param options.targetRange   public [min, max] of a target of numbers, brought to [-1, 1]: y more than its whole width outside is
   *        held there; models predict in the units of the range.
   * @param options.targetLimits  public [least, most] of such a target by its meaning, null for none, as [0, null] of a count: a y beyond them is an
   *        error, and predictions are held there.
   * @param options.perTask       names of features that are the same in all rows of a task, as the size of a hospital; by
   *        default none. `mp-mixed` then expects no more of them than tasks can tell.
   * @throws DataError for ragged rows, values that are not finite, an empty task, no task, a name
   *         given twice; TypeError for a wrong type. Both name task, row and column (from 0).
   */
  static from(tasks: readonly TaskInput[], options: BuildOptions = {}): TaskSet {
    return new TaskSet(buildTasks(tasks, options));
  }

  /**
   * Takes over arrays that are already in the layout, without copying: whoever calls this gives them away. Lengths and offsets are
   * checked, values are not. Fits on several threads read those in a SharedArrayBuffer there, and send no copies.
   * @throws RangeError if the lengths do not fit together.
   */
  static adopt(arrays: TaskArrays): TaskSet {
    checkArrays(arrays);
    return new TaskSet(arrays);
  }

  /**
   * Float64Array, shape [N, d], row-major: the rows of task 0, then of task 1, …
   * @throws DataError where the rows are sparse.
   */
  get x(): Float64Array {
    if (this.#x) return this.#x;
    throw new DataError(
      "the rows are sparse, and this needs dense ones: give x as arrays of rows, if they fit into memory.",
    );
  }

  /** Number of tasks. */
  get m(): number {
    return this.names.length;
  }

  /** Number of features. */
  get d(): number {
    return this.featureNames.length;
  }

  /** Number of rows of all tasks, N. */
  get size(): number {
    return this.y.length;
  }

  /** Uint32Array, shape [m]: each task's number of rows; where they stand for others, of those. */
  get taskSizes(): Uint32Array {
    if (this.standFor) return Uint32Array.from(this.standFor);
    const sizes = new Uint32Array(this.m);
    for (let i = 0; i < sizes.length; i++) sizes[i] = this.offsets[i + 1]! - this.offsets[i]!;
    return sizes;
  }

  /** `TaskSet(139 tasks, 28 features, 15362 rows)`: sizes only, so that a log never holds data. */
  toString(): string {
    return `TaskSet(${counted(this.m, "task")}, ${counted(this.d, "feature")}, ${counted(this.size, "row")})`;
  }

  /** Whether there is a task of this name. */
  has(name: string): boolean {
    return this.#index.has(name);
  }

  /**
   * A task's position.
   * @throws DataError for an unknown name, with the nearest names there are.
   */
  indexOf(name: string): number {
    const index = this.#index.get(name);
    if (index === undefined) throw unknownTask(name, this.names);
    return index;
  }

  /** One task, by name; throws as `indexOf` does. */
  task(name: string): Task {
    return taskOf(this, this.indexOf(name));
  }

  /** The tasks in order. */
  *[Symbol.iterator](): Iterator<Task> {
    for (let i = 0; i < this.m; i++) yield taskOf(this, i);
  }

  /** The named tasks, in the order named. Throws as `indexOf` does. */
  select(names: readonly string[]): TaskSet {
    if (!Array.isArray(names)) {
      throw new TypeError(`select: expected an array of task names, got ${typeof names}`);
    }
    if (names.length === 0) throw new DataError("select: expected at least one task name.");
    const chosen = names.map((name) => this.indexOf(name));
    if (new Set(chosen).size !== chosen.length) {
      throw new DataError("select: expected every task to be named once.");
    }
    return new TaskSet({
      ...this.arrays(),
      ...rowsOfTasks({ ...this.arrays(), d: this.d }, chosen),
      standFor: this.standFor && Float64Array.from(chosen, (i) => this.standFor![i]!),
      names: [...names],
    });
  }

  /**
   * That the rows are the data.
   * @param what needs them, for the message.
   * @throws DataError if they stand for others.
   */
  requireRows(what: string): void {
    if (!this.standFor) return;
    throw new DataError(
      `${what}: these tasks are moments of their rows (TaskMoments), which are no rows: read the rows themselves, without --stream.`,
    );
  }

  /**
   * Splits every task at random into training and test rows, each in their old order. A task with
   * two rows or more has at least one on each side; one with a single row is in `train` only.
   * Independent of the order of tasks and of the other tasks.
   * @throws RangeError if trainFraction is not in (0, 1); DataError if no task has two rows.
   */
  split(options: SplitOptions): TrainTest {
    this.requireRows("split");
    return this.splitBy(trainingRule(this, options));
  }

  /**
   * Splits by a rule: rows for which it says true are training rows. A task without rows on one
   * side is absent from that side (sets are matched by task name).
   *
   * @param isTraining called with the row within its task (from 0), the task's position and the
   *                   task's number of rows.
   * @throws DataError if one side has no row at all.
   * @example tasks.splitBy((j) => (j * 7919) % 100 < 30) // the reference split
   */
  splitBy(isTraining: RowRule): TrainTest {
    const train = marksBy(this, isTraining);
    return { train: this.#where(train, 1, "training"), test: this.#where(train, 0, "test") };
  }

  /**
   * The rows for which a rule says true; tasks without any are left out.
   * @param keep as `splitBy` calls its rule.
   * @throws DataError if it says so of no row.
   */
  where(keep: RowRule): TaskSet {
    return this.#where(marksBy(this, keep), 1, "kept");
  }

  /**
   * k-fold cross-validation within every task: every row is held out in exactly one fold, but the
   * only row of a task never is. A task with fewer rows than folds is absent from the `test` of
   * some folds. Independent of the order of tasks and of the other tasks.
   * @throws RangeError or TypeError naming the argument, if k is not an integer >= 2; DataError if a fold would hold nothing out.
   */
  folds(k: number, options: { seed: Seed }): TrainTest[] {
    this.requireRows("folds");
    return foldRules(this, k, options).map((rule) => this.splitBy(rule));
  }

  /** The rows marked with `keep`, tasks without any left out. */
  #where(marks: Uint8Array, keep: 0 | 1, side: string): TaskSet {
    this.requireRows("splitting rows");
    const rows = markedRows({ ...this.arrays(), d: this.d }, marks, keep);
    if (rows.names.length > 0) return new TaskSet({ ...this.arrays(), ...rows });
    throw new DataError(
      `the split leaves no ${side} rows in any of the ${this.m} tasks (${this.size} rows).` +
        (side === "test"
          ? " A task's only row is to train on: take tasks of two rows or more (in a table another --task column)."
          : ""),
    );
  }

  /**
   * The same tasks and targets with other features; takes `x` over without copying.
   * @param x Float64Array, shape [N, featureNames.length], row-major, or sparse rows.
   * @param encoding what is known of them; by default raw units, and how rows to predict are prepared is
   *   the caller's to know.
   */
  withFeatures(
    x: Float64Array | SparseRows,
    featureNames: readonly string[],
    encoding: DataEncoding = withoutColumns(this.encoding, featureNames),
  ): TaskSet {
    const dense = x instanceof Float64Array;
    const features = dense ? { x, sparse: undefined } : { x: undefined, sparse: x };
    return TaskSet.adopt({ ...this.arrays(), ...features, featureNames, encoding });
  }

  /** The arrays that the set shows, to be sent elsewhere or taken over by another set; nothing is copied. */
  arrays(): TaskArrays {
    return {
      x: this.#x,
      sparse: this.sparse,
      y: this.y,
      offsets: this.offsets,
      persons: this.persons,
      sampleWeights: this.sampleWeights,
      standFor: this.standFor,
      names: this.names,
      featureNames: this.featureNames,
      targetName: this.targetName,
      targetLevels: this.targetLevels,
      encoding: this.encoding,
    };
  }
}
