/**
 * From a table to tasks: which column is the task, the target, a feature, and how each becomes
 * numbers. Fitted on training data, kept with the model, applied again at predict.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { checkOldFormat, type FileFormat } from "../../core/file-format.js";
import { requireOneOfEach } from "../schema/per-task.js";
import {
  encodedColumns,
  encodesPerTask,
  fitColumn,
  provenanceOf,
} from "../columns/column-encoding.js";
import type { DataEncoding } from "../provenance/data-encoding.js";
import { encodeFeatures, namesOfFeatures, type EncodedFeatures } from "./encode-features.js";
import { groupRows } from "../table/groups.js";
import { keptRows } from "./kept-rows.js";
import { leaveGaps, refitMeans, type NumberEncoding } from "../columns/number-column.js";
import { rowsWithTargets } from "./rows-with-targets.js";
import { personsOfRows } from "../schema/persons.js";
import { numberedNames, type FeatureNumbers } from "../sparse/sparse-features.js";
import { requireTable } from "../table/require-table.js";
import type { Table } from "../table/table.js";
import { weightsOfRows } from "../schema/sample-weights.js";
import type { Range, Scale } from "../columns/scale.js";
import { codesOf, withoutCodes } from "../schema/missing-codes.js";
import { resolveRoles } from "../schema/table-roles.js";
import { checkTableSchema, type TableSchema } from "../schema/table-schema.js";
import type { ColumnUse } from "../table/table-stream.js";
import {
  encodeTargets,
  fitTarget,
  targetProvenance,
  targetScale,
} from "../schema/target-column.js";
import { TaskSet } from "../tasks/task-set.js";
import type { EncodedColumn, Provenance } from "../columns/encoded-column.js";
import type { TableEncodingState } from "../provenance/table-encoding-state.js";
import type { UnexpectedValues } from "./unexpected-values.js";

const FORMAT: FileFormat = { format: "mp-mtl-encoding", version: 1 };

/** A table as tasks. */
export interface EncodedTable {
  /** The tasks, in the order in which the table first names them. */
  readonly tasks: TaskSet;
  /** Uint32Array, shape [N]: the table's row behind each row of `tasks`. */
  readonly rows: Uint32Array;
  /** Number of rows left out because their target, or a value whose rows are to be left out, is missing. */
  readonly dropped: number;
  /** Values that were held near a declared range, or of no declared level, counted by task and column; empty where there were none. */
  readonly unexpected: readonly UnexpectedValues[];
}

/**
 * How the columns of a table become tasks: which is task, target or feature, in which units, with which levels, and what stands in gaps. Learned from training
 * rows by `fit`, put to use on any table of the same columns by `apply`, and kept as JSON (`toJSON`, `fromJSON`).
 *
 * @example const { tasks } = TableEncoding.fit(table, { task: "school", target: "score" }).apply(table);
 */
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
  static fit(given: Table, schema: TableSchema): TableEncoding {
    checkTableSchema(given, schema);
    const codes = codesOf(given, schema);
    const table = rowsWithTargets(withoutCodes(given, codes), schema);
    const roles = resolveRoles(table, schema);
    const { task, missing, target, person, weights, features, identifiers, decided } = roles;
    const { sparse = false } = schema;
    const start: TableEncodingState = {
      ...FORMAT,
      task,
      ...fitTarget(table, target),
      missing,
      ...(person === undefined ? {} : { person }),
      ...(weights === undefined ? {} : { weights }),
      columns: [],
    };
    const kept = keptRows(start, table, true);
    const groups = groupRows(table, task, kept.keep);
    const columns = features.map(({ name, kind }) => fitColumn(table, name, kind, missing, groups));
    for (const { column } of columns.filter(encodesPerTask))
      requireOneOfEach(table, column, groups);
    const used = [...columns.map(({ column }) => column), start.target];
    const coded = used.filter((name) => Object.hasOwn(codes, name));
    return new TableEncoding({
      ...start,
      columns,
      ...(coded.length > 0
        ? { missingCodes: Object.fromEntries(coded.map((name) => [name, codes[name]!])) }
        : {}),
      ...(identifiers.length > 0 ? { identifiers } : {}),
      ...(decided.length > 0 ? { decided } : {}),
      ...(sparse ? { sparse } : {}),
      ...(table.sparse ? { entries: entriesOf(table.sparse, schema.entries) } : {}),
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

  /** Declared range of a column, the target's among them; undefined where there is none. */
  rangeOf(name: string): Range | undefined {
    const { columns, target, targetRange } = this.#state;
    if (name === target) return targetRange;
    const own = columns.find(({ column }) => column === name);
    return own?.kind === "number" ? own.range : undefined;
  }

  /** What `apply` uses of a table's columns. */
  get use(): ColumnUse {
    const { columns, target, targetKind, task, person, weights } = this.#state;
    const numbers = columns.filter(({ kind }) => kind === "number").map(({ column }) => column);
    const texts = columns.filter(({ kind }) => kind !== "number").map(({ column }) => column);
    (targetKind === "number" ? numbers : texts).push(target);
    for (const name of [task, person, weights]) if (typeof name === "string") texts.push(name);
    return { numbers: new Set(numbers), texts: new Set(texts) };
  }

  /** Columns that name rows. */
  get identifiers(): readonly string[] {
    return this.#state.identifiers ?? [];
  }

  /** Names of the features. */
  get featureNames(): readonly string[] {
    return namesOfFeatures(this.#state);
  }

  /** The declared scale of every feature; null in raw units. */
  get featureScales(): readonly (Scale | null)[] {
    return this.#encodedColumns.map(({ scale }) => scale);
  }

  /** What was learned from whose rows, and what was declared. */
  get provenance(): readonly Provenance[] {
    const { columns, entries, decided = [] } = this.#state;
    return [
      ...decided.map((what) => ({ what, from: "pooled" }) as const),
      ...columns.flatMap(provenanceOf),
      ...(entries ? [numberOfEntries(entries.pooled)] : []),
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

  /** What the participant of one task may have: no means of other tasks; null: of a task that is not among them. */
  forTask(task: string | null): TableEncoding {
    const columns = this.#state.columns.map((encoding) => {
      if (encoding.kind !== "number" || !encoding.means) return encoding;
      const own = Object.entries(encoding.means).filter(([name]) => name === task);
      return { ...encoding, means: Object.fromEntries(own) };
    });
    return new TableEncoding({ ...this.#state, columns });
  }

  /** The same encoding with the tasks' means of these rows: kinds, levels and labels stay. */
  withMeansOf(table: Table): TableEncoding {
    const read = this.#read(table);
    const groups = groupRows(read, this.#state.task, keptRows(this.#state, read, true).keep);
    return this.#withNumbers((column) => refitMeans(column, read, groups));
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
  features(given: Table): EncodedFeatures {
    const table = this.#read(given);
    const { keep } = keptRows(this.#state, table, false);
    return encodeFeatures(this.#state, table, groupRows(table, this.#state.task, keep));
  }

  /** A table with targets, as tasks; undefined if no row takes part, for missing values. */
  applyToAny(given: Table): EncodedTable | undefined {
    const table = this.#read(given);
    const kept = keptRows(this.#state, table, true);
    return kept.dropped === table.rows ? undefined : this.#applyTo(table, kept);
  }

  /** A table with targets, as tasks. */
  apply(given: Table): EncodedTable {
    const table = this.#read(given);
    return this.#applyTo(table, keptRows(this.#state, table, true));
  }

  /** A table as it is read: codes for missing values taken out. */
  #read(table: Table): Table {
    requireTable(table);
    return withoutCodes(table, this.#state.missingCodes ?? {});
  }

  #applyTo(table: Table, { keep, dropped }: ReturnType<typeof keptRows>): EncodedTable {
    const groups = groupRows(table, this.#state.task, keep);
    const { person, weights } = this.#state;
    const features = encodeFeatures(this.#state, table, groups);
    const { sparse, featureNames, unexpected } = features;
    const rowsOf = sparse ? { sparse } : { x: features.x };
    const { names, offsets, rows } = groups;
    const { clipped, ...targets } = encodeTargets(this.#state, table, groups);
    const tasks = TaskSet.adopt({
      ...rowsOf,
      offsets,
      names,
      featureNames,
      targetName: this.#state.target,
      persons: person === undefined ? undefined : personsOfRows(table, person, rows),
      sampleWeights: weights === undefined ? undefined : weightsOfRows(table, weights, groups),
      ...targets,
      encoding: this.#dataEncoding(),
    });
    return { tasks, rows, dropped, unexpected: [...unexpected, ...clipped] };
  }

  get #encodedColumns(): EncodedColumn[] {
    const { columns, entries } = this.#state;
    const numbered = entries ? numberedNames(entries) : [];
    return [...columns.flatMap(encodedColumns), ...numbered.map((name) => ({ name, scale: null }))];
  }

  #dataEncoding(): DataEncoding {
    const { targetUnit, targetLevels, targetPooled } = this.#state;
    return {
      columns: this.#encodedColumns,
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
}

/** The features beside the columns: as many as are declared, else as there are. */
function entriesOf({ first, count }: FeatureNumbers, declared: FeatureNumbers | undefined) {
  return declared ? { ...declared, pooled: false } : { first, count, pooled: true };
}

const numberOfEntries = (pooled: boolean): Provenance =>
  pooled
    ? { what: "number of sparse features, the largest number in all tasks' rows", from: "pooled" }
    : { what: "number of sparse features", from: "declared" };

/**
 * A table as tasks. Unlike the command line, it refuses missing cells and takes columns of which nothing is said for numbers,
 * unless `schema` has `missing: "impute"` and `undeclared: "auto"`.
 *
 * @param table  one row a sample, as `readTable` or `tableFrom` gives it.
 * @param schema which columns are task, target and features, and what is publicly known of them.
 * @returns the tasks, and the encoding that brings rows to predict into the same form (`encoding.features(table)`).
 * @throws DataError for an unknown column (listing what there is), a column in two roles, and cells that do not fit (naming file,
 *   line and column); TypeError or OptionError for a schema with a member that is unknown or of another type.
 * @example const { tasks, encoding } = tasksFromTable(table, { task: "school", target: "score" });
 */
export function tasksFromTable(
  table: Table,
  schema: TableSchema,
): EncodedTable & { encoding: TableEncoding } {
  const encoding = TableEncoding.fit(table, schema);
  return { ...encoding.apply(table), encoding };
}
