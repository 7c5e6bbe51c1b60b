/**
 * From a table to tasks: which column is the task, the target, a feature, and how each becomes
 * numbers. Fitted on training data, kept with the model, applied again at predict.
 * @module
 */
import { oneOf } from "../core/checks.js";
import { DataError } from "../core/errors.js";
import { checkOldFormat, type FileFormat } from "../core/file-format.js";
import type { Label } from "./build.js";
import { canonicalLevel, observedLevels } from "./categorical.js";
import {
  encodeColumn,
  featureNamesOf,
  fitColumn,
  type ColumnEncoding,
  type FeatureKind,
} from "./column-encoding.js";
import { groupRows, type Groups, type TaskSource } from "./groups.js";
import type { Table } from "./table.js";
import { TaskSet } from "./task-set.js";

/** Options of {@link TableEncoding.fit}. */
export interface TableSchema {
  /** Column with the task's name; or `{ name }` where all rows belong to one task of that name. */
  task: TaskSource;
  /** Column with the target. */
  target: string;
  /** "number"; "label"; "auto" (default): labels if some value is not a number. */
  targetKind?: "auto" | "number" | "label";
  /** Feature columns; by default all but task and target, in the table's order. */
  features?: readonly string[];
  /** By column name; "number" where nothing is said. */
  kinds?: Readonly<Record<string, FeatureKind>>;
  /**
   * "refuse" (default); or "impute": a number becomes the mean of its task's values; a missing
   * category is a level of its own, as is a missing value in a column that has just two values;
   * rows without a target are left out and counted.
   */
  missing?: "refuse" | "impute";
}

const FORMAT: FileFormat = { format: "mp-mtl-encoding", version: 1 };

/** An encoding as a model file holds it. */
export interface TableEncodingState extends FileFormat {
  readonly task: TaskSource;
  readonly target: string;
  readonly targetKind: "number" | "label";
  readonly missing: "refuse" | "impute";
  readonly columns: readonly ColumnEncoding[];
}

/** The features of a table, task by task. */
export interface EncodedFeatures extends Groups {
  /** Float64Array, shape [N, d], row-major, in the order of `rows`. */
  readonly x: Float64Array;
  /** d names. */
  readonly featureNames: readonly string[];
}

/** A table as tasks. */
export interface EncodedTable {
  readonly tasks: TaskSet;
  /** Uint32Array, shape [N]: the table's row behind each row of `tasks`. */
  readonly rows: Uint32Array;
  /** Number of rows left out because their target is missing. */
  readonly dropped: number;
}

/** How the columns of a table become tasks. */
export class TableEncoding {
  readonly #state: TableEncodingState;

  private constructor(state: TableEncodingState) {
    this.#state = state;
  }

  /**
   * Learns from training data what the columns need.
   * @throws DataError for an unknown column (listing what there is), a column in two roles, and
   *         cells that do not fit (naming file, line and column).
   */
  static fit(table: Table, schema: TableSchema): TableEncoding {
    const { task, target, kinds = {}, missing = "refuse", targetKind = "auto" } = schema;
    oneOf("missing", missing, ["refuse", "impute"]);
    oneOf("targetKind", targetKind, ["auto", "number", "label"]);
    const features =
      schema.features ?? table.columnNames.filter((name) => name !== task && name !== target);
    checkRoles(table, task, target, features, Object.keys(kinds));
    const observedKind = table.isNumeric(table.column(target)) ? "number" : "label";
    const start = new TableEncoding({
      ...FORMAT,
      task,
      target,
      targetKind: targetKind === "auto" ? observedKind : targetKind,
      missing,
      columns: [],
    });
    const groups = groupRows(table, task, start.#rowsWithTarget(table).keep);
    const columns = features.map((name) =>
      fitColumn(table, name, Object.hasOwn(kinds, name) ? kinds[name]! : "number", missing, groups),
    );
    return new TableEncoding({ ...start.#state, columns });
  }

  /**
   * An encoding read back; see `toJSON`.
   * @throws DataError if it is damaged, or of a version that this release does not read.
   */
  static fromJSON(state: TableEncodingState): TableEncoding {
    if (typeof state?.target !== "string" || !Array.isArray(state.columns)) {
      throw new DataError("encoding: expected { task, target, columns }; the file is damaged.");
    }
    checkOldFormat("encoding", state, FORMAT);
    return new TableEncoding({ ...state, ...FORMAT });
  }

  /** Plain data for a model file. */
  toJSON(): TableEncodingState {
    return this.#state;
  }

  /** Columns of the table that the features are made of. */
  get columnNames(): readonly string[] {
    return this.#state.columns.map(({ column }) => column);
  }

  /** The column with the target. */
  get target(): string {
    return this.#state.target;
  }

  /** Names of the features. */
  get featureNames(): readonly string[] {
    return this.#state.columns.flatMap(featureNamesOf);
  }

  /**
   * What was learned from all tasks together, in words; empty if all is of one task or declared.
   * A private fit lists these under `guarantee.notCharged`.
   */
  get pooled(): readonly string[] {
    return this.#state.columns.flatMap((encoding) =>
      encoding.kind === "category" && encoding.pooled
        ? [`levels of the column ${JSON.stringify(encoding.column)} observed over all tasks`]
        : [],
    );
  }

  /** What the participant of one task may have: no means of other tasks. */
  forTask(task: string): TableEncoding {
    const columns = this.#state.columns.map((encoding) => {
      if (encoding.kind !== "number" || !encoding.means) return encoding;
      const own = Object.entries(encoding.means).filter(([name]) => name === task);
      return { ...encoding, means: Object.fromEntries(own) };
    });
    return new TableEncoding({ ...this.#state, columns });
  }

  /** The features of a table; it needs no target column. */
  features(table: Table): EncodedFeatures {
    return this.#encode(table, groupRows(table, this.#state.task));
  }

  /** A table with targets, as tasks. */
  apply(table: Table): EncodedTable {
    const { keep, dropped } = this.#rowsWithTarget(table);
    const groups = groupRows(table, this.#state.task, keep);
    const { x, featureNames } = this.#encode(table, groups);
    const { names, offsets, rows } = groups;
    const targetName = this.#state.target;
    const targets = this.#targets(table, rows);
    const tasks = TaskSet.adopt({ x, offsets, names, featureNames, targetName, ...targets });
    return { tasks, rows, dropped };
  }

  #encode(table: Table, groups: Groups): EncodedFeatures {
    const featureNames = this.featureNames;
    const d = featureNames.length;
    const x = new Float64Array(groups.rows.length * d);
    let at = 0;
    for (const encoding of this.#state.columns) {
      encodeColumn(encoding, table, groups, x, d, at);
      at += featureNamesOf(encoding).length;
    }
    return { ...groups, x, featureNames };
  }

  #rowsWithTarget(table: Table): { keep: Uint8Array; dropped: number } {
    const { target, missing } = this.#state;
    const column = table.column(target);
    const keep = new Uint8Array(table.rows).fill(1);
    let dropped = 0;
    for (let row = 0; row < table.rows; row++) {
      if (!table.missing(column, row)) continue;
      if (missing === "refuse") {
        throw new DataError(
          `${table.place(row, target)}: the target is missing; leave the row out, or ask for missing: "impute" (--missing impute).`,
        );
      }
      keep[row] = 0;
      dropped++;
    }
    return { keep, dropped };
  }

  #targets(
    table: Table,
    rows: Uint32Array,
  ): { y: Float64Array; targetLevels?: readonly Label[] | undefined } {
    const { target, targetKind } = this.#state;
    if (targetKind === "number") {
      const values = table.numbers(target);
      return { y: Float64Array.from(rows, (row) => values[row]!) };
    }
    const levels = observedLevels(table, target);
    const position = new Map(levels.map((level, at) => [level, at]));
    const texts = table.texts(target);
    return {
      y: Float64Array.from(rows, (row) => position.get(canonicalLevel(texts[row]!))!),
      targetLevels: levels,
    };
  }
}

function checkRoles(
  table: Table,
  task: TaskSource,
  target: string,
  features: readonly string[],
  declared: readonly string[],
): void {
  if (typeof task === "string") table.column(task);
  table.column(target);
  if (task === target) {
    throw new DataError(`column ${JSON.stringify(task)} cannot be both the task and the target.`);
  }
  if (features.length === 0) throw new DataError(`${table.name} has no feature columns.`);
  const seen = new Set<string>();
  for (const name of features) {
    table.column(name);
    const quoted = JSON.stringify(name);
    if (name === task || name === target) {
      throw new DataError(`column ${quoted} cannot be a feature: it is the task or the target.`);
    }
    if (seen.has(name)) throw new DataError(`column ${quoted} is listed twice as a feature.`);
    seen.add(name);
  }
  for (const name of declared) {
    table.column(name);
    if (seen.has(name)) continue;
    throw new DataError(`kinds: column ${JSON.stringify(name)} is not among the features.`);
  }
}

/**
 * A table as tasks, for those who need the encoding only once.
 * @example const { tasks, encoding } = tasksFromTable(table, { task: "school", target: "score" });
 */
export function tasksFromTable(
  table: Table,
  schema: TableSchema,
): EncodedTable & { encoding: TableEncoding } {
  const encoding = TableEncoding.fit(table, schema);
  return { ...encoding.apply(table), encoding };
}
