/** Raw tables as tasks: typical ranges that are publicly known, texts as dummies, and the splits given beside them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { TaskSet } from "../../../build/modules/index.js";

/** Target, the column whose slope lme4 lets vary, and typical ranges; other columns are categories. */
const TABLES = {
  scotland: ["attain", "verbal", { attain: [1, 10], verbal: [-25, 25], social: [0, 30] }],
  gcse: ["course", "written", { course: [30, 100], written: [10, 80] }],
  wages: [
    "lwage",
    "exp",
    { lwage: [5.5, 8], exp: [0, 45], wks: [30, 52], ind: [0, 1], ed: [5, 18] },
  ],
  rice: [
    "goutput",
    "size",
    {
      goutput: [0, 5000],
      size: [0, 2],
      seed: [0, 60],
      urea: [0, 400],
      totlabor: [0, 1500],
      wage: [30, 160],
      price: [50, 160],
    },
  ],
  cigarettes: [
    "sales",
    "price",
    {
      sales: [60, 200],
      year: [63, 92],
      price: [20, 180],
      pop: [0, 20000],
      cpi: [30, 140],
      ndi: [1000, 20000],
      pimin: [20, 160],
    },
  ],
};

/**
 * What a folder says itself of its tables (`r/write.js`), those with a target of numbers or those with labels: [name, { target, slope,
 * ranges }]; undefined where it says nothing.
 */
export function saidOfTables(folder, { numbers }) {
  const file = join(folder, "tables.json");
  if (!existsSync(file)) return undefined;
  const all = Object.entries(JSON.parse(readFileSync(file, "utf8")));
  return all.filter(([, { target, ranges }]) => target in ranges === numbers);
}

/** Tables of numbers: those that a folder says it has, else those above. */
export function describedIn(folder) {
  const said = saidOfTables(folder, { numbers: true });
  return said
    ? Object.fromEntries(
        said.map(([name, { target, slope, ranges }]) => [name, [target, slope, ranges]]),
      )
    : TABLES;
}

/** Features farther from the middle of their range than this many quarters of it are taken there. */
const FARTHEST = 8;

export const TABLE_NAMES = Object.keys(TABLES);

/** Rows of a packed CSV file, cells as texts. */
export const readRows = (file) =>
  parse(gunzipSync(readFileSync(file)).toString("utf8"), { columns: true });

/** Whether no cell of a row is missing. */
export const whole = (row) => Object.values(row).every((cell) => cell !== "" && cell !== "NA");

/** Rows { task, x, y, split }, and the position of the slope's column; undefined where the table is not there. */
export function encodedTable(folder, name) {
  const file = join(folder, `${name}.csv.gz`);
  if (!existsSync(file)) return undefined;
  const [target, slope, ranges] = describedIn(folder)[name];
  const rows = readRows(file);
  const splits = readRows(join(folder, "splits", `${name}.csv.gz`));
  const [task, ...columns] = Object.keys(rows[0]);
  const scaled = (column, value) => {
    const [low, high] = ranges[column];
    return (Number(value) - (low + high) / 2) / ((high - low) / 4);
  };
  const kept = rows.map((row, at) => ({ row, split: splits[at] })).filter(({ row }) => whole(row));
  const features = columns.flatMap((column) => {
    if (column === target) return [];
    if (column in ranges) {
      const value = (row) => Math.max(-FARTHEST, Math.min(FARTHEST, scaled(column, row[column])));
      return [{ column, value }];
    }
    const levels = [...new Set(kept.map(({ row }) => row[column]))].sort();
    return (levels.length === 2 ? levels.slice(1) : levels).map((level) => ({
      column,
      value: (row) => Number(row[column] === level),
    }));
  });
  return {
    slope: features.findIndex(({ column }) => column === slope),
    rows: kept.map(({ row, split }) => ({
      task: row[task],
      x: features.map(({ value }) => value(row)),
      y: scaled(target, row[target]),
      split,
    })),
  };
}

/** Whether each row trains in a split; a task none of whose rows would keeps its first. */
export function trainingRows(rows, split) {
  const seen = new Set(rows.filter((row) => row.split[split] === "1").map(({ task }) => task));
  return rows.map(({ task, split: own }) => {
    if (own[split] === "1") return true;
    if (seen.has(task)) return false;
    seen.add(task);
    return true;
  });
}

/** Rows as a task set. */
export function taskSetOf(rows) {
  const tasks = new Map();
  for (const { task, x, y } of rows) {
    if (!tasks.has(task)) tasks.set(task, { name: task, x: [], y: [] });
    tasks.get(task).x.push(x);
    tasks.get(task).y.push(y);
  }
  return TaskSet.from([...tasks.values()]);
}

/** { train, test } of encoded rows by one of their splits, as task sets. */
export function splitRows(rows, split) {
  const trains = trainingRows(rows, split);
  const own = (kind) => taskSetOf(rows.filter((_, at) => trains[at] === kind));
  return { train: own(true), test: own(false) };
}
