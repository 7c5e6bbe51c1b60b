/** Raw columns of a table as tasks, with ranges or without: what a stranger hands over. */
import { join } from "node:path";
import { Table, tasksFromTable } from "../../../build/modules/index.js";
import { describedIn, readRows, trainingRows, whole } from "./data.js";

/** What is declared of columns of numbers: by kind, the range of a column whose typical one is given. */
const DECLARED = {
  none: () => undefined,
  typical: (range) => range,
  /** Least and largest value, so that nothing is clipped. */
  extents: (_, values) => [Math.min(...values), Math.max(...values)],
};

/** What may be declared. */
export const DECLARATIONS = Object.keys(DECLARED);

/**
 * The parts of a table by its splits: split => { train, test }, test of tasks that train only.
 * @param features what is declared of them, one of DECLARATIONS; @param target of the target, where anything is declared.
 */
export function rawParts(folder, name, features, target = features) {
  const given = readRows(join(folder, "splits", `${name}.csv.gz`));
  const all = readRows(join(folder, `${name}.csv.gz`));
  const task = Object.keys(all[0])[0];
  const rows = all
    .map((row, at) => ({ task: row[task], row, split: given[at] }))
    .filter(({ row }) => whole(row));
  const cells = rows.map(({ row }) => row);
  const { tasks, rows: places } = tasksOf(cells, describedIn(folder)[name], { features, target });
  return (split) => {
    const trains = trainingRows(rows, split);
    const { train, test } = tasks.splitBy((row, i) => trains[places[tasks.offsets[i] + row]]);
    return { train, test: test.select(test.names.filter((one) => train.has(one))) };
  };
}

/** Tasks of raw rows. */
function tasksOf(rows, [target, , ranges], declared) {
  const [task, ...columns] = Object.keys(rows[0]);
  const numbers = (column) => Float64Array.from(rows, (row) => Number(row[column]));
  const table = new Table(
    [task, ...columns].map((name) => ({
      name,
      values: name !== task && name in ranges ? numbers(name) : rows.map((row) => row[name]),
    })),
  );
  const rangeOf = (column, kind) => DECLARED[kind](ranges[column], numbers(column));
  const kindOf = (column) => {
    if (column in ranges) {
      const range = rangeOf(column, declared.features);
      return { kind: "number", ...(range ? { range } : {}) };
    }
    const levels = new Set(rows.map((row) => row[column]));
    return levels.size === 2 ? { kind: "binary" } : { kind: "category", missing: "level" };
  };
  const features = columns.filter((column) => column !== target);
  const range = rangeOf(target, declared.target);
  const known = { target: { name: target, column: target, kind: "number", range }, columns: {} };
  return tasksFromTable(table, {
    ...{ task, target, features },
    kinds: Object.fromEntries(features.map((column) => [column, kindOf(column)])),
    ...(range ? { schema: known } : {}),
  });
}
