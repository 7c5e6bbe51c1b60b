/** Raw columns of a table as tasks, with ranges or without: what a stranger hands over. */
import { join } from "node:path";
import { Table, TableEncoding, tasksFromTable } from "../../../build/modules/index.js";
import { mean } from "../means.js";
import { describedIn, readRows, trainingRows, whole } from "./data.js";
import { withProducts } from "./products.js";

/** What is declared of columns of numbers: by kind, the range of a column whose typical one is given. */
const DECLARED = {
  none: () => undefined,
  typical: (range) => range,
  /** Least and largest value, so that nothing is clipped. */
  extents: (_, values) => [Math.min(...values), Math.max(...values)],
};

/** What may be declared. */
export const DECLARATIONS = Object.keys(DECLARED);

/** Tables of labels, known as [name, { target, ranges }], and those of numbers, with a target that is cut into so many classes. */
export function labelledIn(folder, known, classes = 2) {
  const numbers = Object.entries(describedIn(folder)).map(([name, [target, , ranges]]) => [
    name,
    { target, ranges, cut: classes },
  ]);
  return Object.fromEntries([...known, ...numbers]);
}

/** The same parts of a table of `labelledIn`, of at most so many tasks; undefined where it has not so many classes. */
export function labelledParts(folder, name, { target, ranges, cut }, features, most, classes = 2) {
  const given = readRows(join(folder, "splits", `${name}.csv.gz`));
  const all = readRows(join(folder, `${name}.csv.gz`));
  const [task, ...columns] = Object.keys(all[0]);
  const kept = someOf([...new Set(all.map((row) => row[task]))], most);
  const rows = all
    .map((row, at) => ({ task: row[task], row, split: given[at] }))
    .filter(({ task: own, row }) => kept.has(own) && (!cut || whole(row)));
  const cells = rows.map(({ row }) => row);
  const values = cut
    ? cutInto(
        cut,
        cells.map((row) => Number(row[target])),
      )
    : undefined;
  const labelled = values ? cells.map((row, k) => ({ ...row, [target]: values[k] })) : cells;
  const levels = [...new Set(labelled.map((row) => row[target]))].sort();
  if (levels.length !== classes) return undefined;
  const numbers = Object.fromEntries(
    Object.entries(ranges).filter(([column]) => column !== target),
  );
  const schema = {
    target: { name: target, column: target, kind: "category", levels },
    columns: {},
  };
  const said = { target, columns, ranges: numbers, schema };
  const { tasks, rows: places } = labelledTasks(labelled, task, said, features);
  return partsBySplit(rows, tasks, places);
}

/** split => { train, test }, test of tasks that train only. @param places row of the table for each row of the tasks. */
const partsBySplit = (rows, tasks, places) => (split) => {
  const trains = trainingRows(rows, split);
  const { train, test } = tasks.splitBy((row, i) => trains[places[tasks.offsets[i] + row]]);
  return { train, test: test.select(test.names.filter((one) => train.has(one))) };
};

/** So many of the names, evenly. */
function someOf(names, most) {
  const turn = (k) => Math.floor((k * most) / names.length);
  return new Set(names.filter((_, k) => names.length <= most || turn(k) !== turn(k - 1)));
}

/** By the quantiles into classes of about one size; two of them by the median. */
function cutInto(classes, values) {
  if (classes === 2) return cutAtMedian(values);
  const sorted = [...values].sort((a, b) => a - b);
  const cuts = Array.from(
    { length: classes - 1 },
    (_, k) => sorted[Math.floor(((k + 1) * values.length) / classes)],
  );
  return values.map((value) => `part ${cuts.filter((cut) => value >= cut).length}`);
}

/** "high" from the median on, or, where that is the least value, above it. */
function cutAtMedian(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const cut = median > sorted[0] ? median : sorted.find((value) => value > median);
  return values.map((value) => (value >= cut ? "high" : "low"));
}

function labelledTasks(rows, task, { target, columns, ranges, schema }, declared) {
  const table = tableOf(rows, [task, ...columns], ranges);
  const features = columns.filter((column) => column !== target);
  const kinds = kindsOf(rows, features, ranges, declared);
  return tasksFromTable(table, { task, target, features, kinds, schema });
}

/**
 * The parts of a table by its splits: split => { train, test }, test of tasks that train only.
 * @param features what is declared of them, one of DECLARATIONS; @param target of the target, where anything is declared; @param columns with
 * products until there are so many of numbers, of which nothing can be declared: undefined for a table of few; @param outside what is done with
 * values outside declared ranges, by default the product's default.
 */
export function rawParts(folder, name, features, { target = features, columns, outside } = {}) {
  const splits = readRows(join(folder, "splits", `${name}.csv.gz`));
  const all = readRows(join(folder, `${name}.csv.gz`));
  const task = Object.keys(all[0])[0];
  const rows = all
    .map((row, at) => ({ task: row[task], row, split: splits[at] }))
    .filter(({ row }) => whole(row));
  const cells = rows.map(({ row }) => row);
  const described = describedIn(folder)[name];
  const given = columns ? withProducts(cells, described, columns) : { rows: cells, described };
  if (!given) return undefined;
  const { tasks, rows: places } = tasksOf(given.rows, given.described, {
    features,
    target,
    outside,
  });
  return partsBySplit(rows, tasks, places);
}

/**
 * The same of a table with missing cells, of all rows that have a target, with typical ranges: split => { imputed, filled }, each { train, test }.
 * Imputed: a gap takes what `--missing impute` gives it, the mean of its task's training rows. Filled: by hand, with the mean of its column over
 * all tasks' training rows, and nothing else said of it. undefined where no number is missing.
 */
export function partsWithGaps(folder, name) {
  const described = describedIn(folder)[name];
  const [target, , ranges] = described;
  const columns = Object.keys(ranges).filter((column) => column !== target);
  const splits = readRows(join(folder, "splits", `${name}.csv.gz`));
  const all = readRows(join(folder, `${name}.csv.gz`));
  const task = Object.keys(all[0])[0];
  const rows = all
    .map((row, at) => ({ task: row[task], row, split: splits[at] }))
    .filter(({ row }) => !isGap(row[target]));
  // An empty cell would be read as 0.
  for (const { row } of rows) {
    for (const column of columns) if (isGap(row[column])) row[column] = "NA";
  }
  if (!rows.some(({ row }) => columns.some((column) => isGap(row[column])))) return undefined;
  return (split) => {
    const trains = trainingRows(rows, split);
    const cells = rows.map(({ row }) => row);
    const learnt = cells.filter((_, at) => trains[at]);
    const means = columns.map((column) => {
      const values = learnt.map((row) => row[column]).filter((cell) => !isGap(cell));
      return [column, mean(values.map(Number))];
    });
    const filled = cells.map((row) => {
      const gaps = means.filter(([column]) => isGap(row[column]));
      return { ...row, ...Object.fromEntries(gaps.map(([column, value]) => [column, `${value}`])) };
    });
    return {
      imputed: imputedParts(cells, trains, described),
      filled: imputedParts(filled, trains, described),
    };
  };
}

/** { train, test } of raw rows with typical ranges; a missing number is the mean of its task's training rows. */
function imputedParts(rows, trains, described) {
  const declared = { features: "typical", target: "typical" };
  const schema = { ...rawSchema(rows, described, declared), missing: "impute" };
  const tableWhere = (isOf) => rawTable(rows.filter(isOf), described[2]);
  const [all, own, others] = [() => true, (_, at) => trains[at], (_, at) => !trains[at]].map(
    tableWhere,
  );
  const encoding = TableEncoding.fit(all, schema).withMeansOf(own);
  const [train, test] = [own, others].map((table) => encoding.apply(table).tasks);
  return { train, test: test.select(test.names.filter((one) => train.has(one))) };
}

const isGap = (cell) => cell === "" || cell === "NA";

/** Tasks of raw rows. */
const tasksOf = (rows, described, declared) =>
  tasksFromTable(rawTable(rows, described[2]), rawSchema(rows, described, declared));

const rawTable = (rows, ranges) => tableOf(rows, Object.keys(rows[0]), ranges);

/** What is said of raw rows. */
function rawSchema(rows, [target, , ranges], declared) {
  const [task, ...columns] = Object.keys(rows[0]);
  const numbers = (column) => Float64Array.from(rows, (row) => Number(row[column]));
  const features = columns.filter((column) => column !== target);
  const range = DECLARED[declared.target](ranges[target], numbers(target));
  const own = declared.outside ? { range, outside: declared.outside } : { range };
  const known = { target: { name: target, column: target, kind: "number", ...own }, columns: {} };
  return {
    task,
    target,
    features,
    kinds: kindsOf(rows, features, ranges, declared.features, declared.outside),
    ...(range ? { schema: known } : {}),
  };
}

/** Columns of numbers where there are ranges, else of text; the first names the task. */
function tableOf(rows, [task, ...columns], ranges) {
  const texts = (name) => rows.map((row) => row[name]);
  const values = (name) => (name in ranges ? Float64Array.from(texts(name), Number) : texts(name));
  return new Table([
    { name: task, values: texts(task) },
    ...columns.map((name) => ({ name, values: values(name) })),
  ]);
}

/** What is said of every feature, of one with a range what is declared of it. */
function kindsOf(rows, features, ranges, declared, outside) {
  const kindOf = (column) => {
    if (column in ranges) {
      const values = rows.map((row) => Number(row[column]));
      const range = DECLARED[declared](ranges[column], values);
      return { kind: "number", ...(range ? { range, ...(outside ? { outside } : {}) } : {}) };
    }
    const levels = new Set(rows.map((row) => row[column]));
    return levels.size === 2 ? { kind: "binary" } : { kind: "category", missing: "level" };
  };
  return Object.fromEntries(features.map((column) => [column, kindOf(column)]));
}
