/**
 * From a table to tasks: which column is the task, the target, a feature, and how each becomes
 * numbers. Fitted on training data, kept with the model, applied again at predict.
 * @module
 */
import { DataError } from "../core/errors.js";
import { checkOldFormat, type FileFormat } from "../core/file-format.js";
import {
  dropsMissing,
  encodeColumn,
  encodedColumns,
  featureNamesOf,
  fitColumn,
  provenanceOf,
  type ColumnEncoding,
  type Missing,
} from "./column-encoding.js";
import type { DataEncoding, Provenance } from "./data-encoding.js";
import { groupRows, type Groups, type TaskSource } from "./groups.js";
import { leaveGaps, refitMeans, type NumberEncoding } from "./number-column.js";
import type { Table } from "./table.js";
import type { Scale } from "./scale.js";
import { resolveRoles, type TableSchema } from "./table-roles.js";
import {
  encodeTargets,
  fitTarget,
  targetProvenance,
  targetScale,
  type TargetEncoding,
} from "./target-column.js";
import { TaskSet } from "./task-set.js";

const FORMAT: FileFormat = { format: "mp-mtl-encoding", version: 1 };

/** An encoding as a model file holds it. */
export interface TableEncodingState extends FileFormat, TargetEncoding {
  readonly task: TaskSource;
  readonly missing: Missing;
  readonly columns: readonly ColumnEncoding[];
  /** Column with whose row each is. */
  readonly person?: string;
  /** Columns that name rows, which predict carries through. */
  readonly identifiers?: readonly string[];
  /** What was decided by looking at all tasks' rows, beside what the columns say. */
  readonly decided?: readonly string[];
}

/** Values that an encoding did not expect, of one task: for its owner, since no budget paid for them. */
export interface UnexpectedValues {
  readonly task: string;
  readonly column: string;
  /** Numbers outside the declared range, which were clipped. */
  readonly clipped: number;
  /** Categories that are none of the levels, which became zeros. */
  readonly unseen: number;
}

/** The features of a table, task by task. */
export interface EncodedFeatures extends Groups {
  /** Float64Array, shape [N, d], row-major, in the order of `rows`. */
  readonly x: Float64Array;
  /** d names. */
  readonly featureNames: readonly string[];
  /** By task and column; only where there were any. */
  readonly unexpected: readonly UnexpectedValues[];
}

/** A table as tasks. */
export interface EncodedTable {
  readonly tasks: TaskSet;
  /** Uint32Array, shape [N]: the table's row behind each row of `tasks`. */
  readonly rows: Uint32Array;
  /** Number of rows left out because their target, or a value whose rows are to be left out, is missing. */
  readonly dropped: number;
  /** By task and column; only where there were any. */
  readonly unexpected: readonly UnexpectedValues[];
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
    const roles = resolveRoles(table, schema);
    const { task, missing, target, person, features, identifiers, decided } = roles;
    const start = new TableEncoding({
      ...FORMAT,
      task,
      ...fitTarget(table, target),
      missing,
      ...(person === undefined ? {} : { person }),
      columns: [],
    });
    const kept = start.#keptRows(table, true);
    const groups = groupRows(table, task, kept.keep);
    const columns = features.map(({ name, kind }) => fitColumn(table, name, kind, missing, groups));
    return new TableEncoding({
      ...start.#state,
      columns,
      ...(identifiers.length > 0 ? { identifiers } : {}),
      ...(decided.length > 0 ? { decided } : {}),
    });
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

  /** Columns that name rows. */
  get identifiers(): readonly string[] {
    return this.#state.identifiers ?? [];
  }

  /** Names of the features. */
  get featureNames(): readonly string[] {
    return this.#state.columns.flatMap(featureNamesOf);
  }

  /** The declared scale of every feature; null in raw units. */
  get featureScales(): readonly (Scale | null)[] {
    return this.#state.columns.flatMap(encodedColumns).map(({ scale }) => scale);
  }

  /** What was learned from whose rows, and what was declared. */
  get provenance(): readonly Provenance[] {
    const { columns, decided = [] } = this.#state;
    return [
      ...decided.map((what) => ({ what, from: "pooled" }) as const),
      ...columns.flatMap(provenanceOf),
      ...targetProvenance(this.#state),
    ];
  }

  /**
   * What was learned from all tasks together, in words; empty if all is of one task or declared. A
   * private fit of the tasks lists these under `guarantee.notCharged` by itself.
   */
  get pooled(): readonly string[] {
    return this.provenance.flatMap(({ what, from }) => (from === "pooled" ? [what] : []));
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

  /** The same encoding with the tasks' means of these rows: kinds, levels and labels stay. */
  withMeansOf(table: Table): TableEncoding {
    const groups = groupRows(table, this.#state.task, this.#keptRows(table, true).keep);
    return this.#withNumbers((column) => refitMeans(column, table, groups));
  }

  /** The same encoding, which writes NaN where a task's mean would fill a gap, for whoever splits rows later. */
  leavingGaps(): TableEncoding {
    return this.#withNumbers(leaveGaps);
  }

  #withNumbers(change: (column: NumberEncoding) => NumberEncoding): TableEncoding {
    const columns = this.#state.columns.map((column) =>
      column.kind === "number" ? change(column) : column,
    );
    return new TableEncoding({ ...this.#state, columns });
  }

  /**
   * The features of a table; it needs no target column. Rows whose missing values leave them out are
   * not among `rows`.
   */
  features(table: Table): EncodedFeatures {
    return this.#encode(
      table,
      groupRows(table, this.#state.task, this.#keptRows(table, false).keep),
    );
  }

  /** A table with targets, as tasks. */
  apply(table: Table): EncodedTable {
    const { keep, dropped } = this.#keptRows(table, true);
    const groups = groupRows(table, this.#state.task, keep);
    const { x, featureNames, unexpected } = this.#encode(table, groups);
    const { names, offsets, rows } = groups;
    const { clipped, ...targets } = encodeTargets(this.#state, table, groups);
    const tasks = TaskSet.adopt({
      ...{ x, offsets, names, featureNames, targetName: this.#state.target },
      persons: this.#persons(table, rows),
      ...targets,
      encoding: this.#dataEncoding(),
    });
    return { tasks, rows, dropped, unexpected: [...unexpected, ...clipped] };
  }

  /** @throws DataError naming the first cell without a person. */
  #persons(table: Table, rows: Uint32Array): Uint32Array | undefined {
    const { person } = this.#state;
    if (person === undefined) return undefined;
    const column = table.column(person);
    const numbers = new Map<number | string, number>();
    return rows.map((row) => {
      if (table.missing(column, row)) {
        throw new DataError(
          `${table.place(row, person)}: the person is missing; every row needs one.`,
        );
      }
      const own = column.values[row]!;
      const number = numbers.get(own) ?? numbers.size;
      numbers.set(own, number);
      return number;
    });
  }

  #dataEncoding(): DataEncoding {
    const { targetUnit, targetLevels, targetPooled } = this.#state;
    return {
      columns: this.#state.columns.flatMap(encodedColumns),
      target: {
        scale: targetScale(this.#state),
        ...(targetUnit === undefined ? {} : { unit: targetUnit }),
        levelsDeclared: targetLevels !== undefined && targetPooled !== true,
      },
      provenance: this.provenance,
      table: this.#state,
      pipeline: null,
    };
  }

  #encode(table: Table, groups: Groups): EncodedFeatures {
    const featureNames = this.featureNames;
    const d = featureNames.length;
    const out = new Float64Array(groups.rows.length * d);
    const unexpected: UnexpectedValues[] = [];
    let at = 0;
    for (const encoding of this.#state.columns) {
      const counts = groups.names.map(() => ({ clipped: 0, unseen: 0 }));
      encodeColumn(
        encoding,
        table,
        groups,
        { out, d, at },
        {
          clipped: (task) => counts[task]!.clipped++,
          unseen: (task) => counts[task]!.unseen++,
        },
      );
      counts.forEach((count, i) => {
        if (count.clipped + count.unseen === 0) return;
        unexpected.push({ task: groups.names[i]!, column: encoding.column, ...count });
      });
      at += featureNamesOf(encoding).length;
    }
    return { ...groups, x: out, featureNames, unexpected };
  }

  /** Marks the rows that take part. */
  #keptRows(table: Table, withTarget: boolean): { keep: Uint8Array; dropped: number } {
    const { target, targetMissing, missing, columns } = this.#state;
    const keep = new Uint8Array(table.rows).fill(1);
    const leaveOut = (name: string, refused: boolean) => {
      const column = table.column(name);
      for (let row = 0; row < table.rows; row++) {
        if (!table.missing(column, row)) continue;
        if (refused) {
          throw new DataError(
            `${table.place(row, target)}: the target is missing; leave the row out, or ask for missing: "impute" (--missing impute).`,
          );
        }
        keep[row] = 0;
      }
    };
    if (withTarget) leaveOut(target, (targetMissing ?? missing) === "refuse");
    for (const encoding of columns) if (dropsMissing(encoding)) leaveOut(encoding.column, false);
    return { keep, dropped: table.rows - keep.reduce((sum, kept) => sum + kept, 0) };
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
