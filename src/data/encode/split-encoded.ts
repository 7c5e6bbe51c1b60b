/**
 * A table split within tasks as an experiment splits it: columns, levels and labels of the whole table, gaps filled by
 * the training rows alone.
 * @module
 */
import type { TaskSource } from "../table/groups.js";
import { splitTable, trainShare } from "../split/split-table.js";
import type { Seed } from "../split/shuffle.js";
import type { Table } from "../table/table.js";
import type { EncodedTable, TableEncoding } from "./table-encoding.js";
import type { TaskSet, TrainTest } from "../tasks/task-set.js";

/** How a table is split. */
export interface EncodedSplitOptions {
  /** Column with each row's task; or the one task of all rows. */
  readonly task: TaskSource;
  /** Share of each task's rows to test on, in (0, 1). */
  readonly testFraction: number;
  readonly seed: Seed;
}

/**
 * Two task sets with the same features, and how rows to predict are prepared like the training rows; `tasks` are those
 * of the whole table, with NaN in its gaps.
 */
export interface EncodedSplit extends TrainTest, Omit<EncodedTable, "rows"> {
  readonly encoding: TableEncoding;
}

/**
 * Splits a table as `evaluate` does for the same seed and share: rows that take part in no fit are left out before.
 * @param encoding fitted on the whole table.
 */
export function splitEncoded(
  encoding: TableEncoding,
  table: Table,
  { task, testFraction, seed }: EncodedSplitOptions,
): EncodedSplit {
  const trainFraction = trainShare(testFraction);
  const { tasks, rows, dropped, unexpected } = encoding.leavingGaps().apply(table);
  const kept = table.select(rows.slice().sort());
  const trained = splitTable(kept, { task, testFraction, by: "rows", seed }).train;
  const own = encoding.withMeansOf(trained);
  const prepared = tasks.withFeatures(tasks.sparse ?? tasks.x, tasks.featureNames, {
    ...tasks.encoding,
    table: own.toJSON(),
  });
  const parts = fillGaps(prepared.split({ trainFraction, seed }));
  return { ...parts, tasks, encoding: own, dropped, unexpected };
}

/**
 * Fills features that are missing (NaN), in both sets, by the mean of their column over the training rows of the same task, or by 0, the
 * middle of a declared range, where that task has no value.
 * @returns the given sets where nothing is missing, else new ones.
 */
export function fillGaps({ train, test }: TrainTest): TrainTest {
  if (train.sparse && test.sparse) return fillSparseGaps(train, test);
  if (!train.x.some(Number.isNaN) && !test.x.some(Number.isNaN)) return { train, test };
  const means = new Map([...train].map(({ name, x, n }) => [name, columnMeans(x, n)]));
  const filled = (set: TaskSet) => {
    const x = set.x.slice();
    for (let i = 0; i < set.m; i++) {
      const own = means.get(set.names[i]!);
      for (let at = set.offsets[i]! * set.d; at < set.offsets[i + 1]! * set.d; at++) {
        if (Number.isNaN(x[at])) x[at] = own?.[at % set.d] ?? 0;
      }
    }
    return set.withFeatures(x, set.featureNames, set.encoding);
  };
  return { train: filled(train), test: filled(test) };
}

/** Means of the columns of x, shape [n, d], over the rows that have a value. */
function columnMeans(x: Float64Array, n: number): Float64Array {
  const d = x.length / n;
  return Float64Array.from({ length: d }, (_, column) => {
    let sum = 0;
    let count = 0;
    for (let at = column; at < x.length; at += d) {
      if (Number.isNaN(x[at])) continue;
      sum += x[at]!;
      count++;
    }
    return count > 0 ? sum / count : 0;
  });
}

/** The same of sparse rows, where entries that are not there count as 0. */
function fillSparseGaps(train: TaskSet, test: TaskSet): TrainTest {
  if (![train, test].some(({ sparse }) => sparse!.values.some(Number.isNaN))) {
    return { train, test };
  }
  const means = new Map(train.names.map((name, i) => [name, sparseMeans(train, i)]));
  const filled = (set: TaskSet) => {
    const { starts, columns } = set.sparse!;
    const values = set.sparse!.values.slice();
    set.names.forEach((name, i) => {
      const own = means.get(name);
      for (let k = starts[set.offsets[i]!]!; k < starts[set.offsets[i + 1]!]!; k++) {
        if (Number.isNaN(values[k])) values[k] = own?.get(columns[k]!) ?? 0;
      }
    });
    return set.withFeatures({ starts, columns, values }, set.featureNames, set.encoding);
  };
  return { train: filled(train), test: filled(test) };
}

/** Means of one task's columns over the rows that have a value; of columns without entries nothing. */
function sparseMeans({ sparse, offsets }: TaskSet, task: number): ReadonlyMap<number, number> {
  const { starts, columns, values } = sparse!;
  const [from, to] = [offsets[task]!, offsets[task + 1]!];
  const found = new Map<number, { sum: number; gaps: number }>();
  for (let k = starts[from]!; k < starts[to]!; k++) {
    const own = found.get(columns[k]!) ?? { sum: 0, gaps: 0 };
    if (Number.isNaN(values[k])) own.gaps++;
    else own.sum += values[k]!;
    found.set(columns[k]!, own);
  }
  return new Map(
    [...found].map(([column, { sum, gaps }]) => [column, sum / Math.max(to - from - gaps, 1)]),
  );
}
