/**
 * The papers' real data sets, which lie beside the project; `--data-folder` says where.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Table, taskArrays, tasksFromTable } from "../../build/modules/index.js";
import { readTable } from "../../build/modules/node/index.js";
import { readDigits } from "../accuracy/pmtl/digits.js";

/** A data set that is not there: the experiment is skipped, and says so. */
export class MissingData extends Error {}

function located(folder, file) {
  const path = join(folder, file);
  if (!existsSync(path)) {
    throw new MissingData(
      `${file} is not in the data folder ${folder}; docs/REPRODUCTION.md says where it is from (The data)`,
    );
  }
  return path;
}

const columns = (count) => Array.from({ length: count }, (_, j) => `x${j + 1}`);

/** School: 139 tasks, 27 features; the constant column x28 is left out. */
export async function school(folder) {
  const table = await readTable(located(folder, "school.csv.gz"));
  const schema = { task: "task", target: "y", features: columns(27) };
  return taskArrays(tasksFromTable(table, schema).tasks);
}

/** Landmine: 29 tasks, 9 features, two classes. */
export async function landmine(folder) {
  const table = await readTable(located(folder, "landmine.csv.gz"));
  const schema = { task: "task", target: "y", features: columns(9) };
  return taskArrays(tasksFromTable(table, schema).tasks);
}

const TARGET = "target:";

/**
 * The ageing study (Second Longitudinal Study of Aging), for those who have it: `ageing.csv` or
 * `ageing.csv.gz`, one row a subject. Every column called `target:ACTIVITY` is a task, two values; all
 * others are features: numbers, or texts of up to 50 values. Or already one row a subject and activity,
 * with columns `task` and `y`. Gaps are filled in, subjects without a target are left out of that task.
 */
export async function ageing(folder) {
  const plain = join(folder, "ageing.csv");
  const table = await readTable(existsSync(plain) ? plain : located(folder, "ageing.csv.gz"));
  const tasks = table.columnNames.filter((name) => name.startsWith(TARGET));
  const long = tasks.length > 0 ? stacked(table, tasks) : table;
  const kinds = Object.fromEntries(
    long.columns
      .filter((column) => !["task", "y"].includes(column.name) && !long.isNumeric(column))
      .map(({ name }) => [name, "category"]),
  );
  const schema = { task: "task", target: "y", missing: "impute", kinds };
  return taskArrays(tasksFromTable(long, schema).tasks);
}

/** One row for each subject and task, from one row a subject. */
function stacked(table, targets) {
  const repeated = ({ name, values }) => {
    const all = Array.from({ length: targets.length }, () => Array.from(values)).flat();
    return { name, values: values instanceof Float64Array ? Float64Array.from(all) : all };
  };
  const features = table.columns.filter(({ name }) => !targets.includes(name));
  const task = targets.flatMap((name) =>
    new Array(table.rows).fill(name.slice(TARGET.length) || name),
  );
  return new Table(
    [
      { name: "task", values: task },
      { name: "y", values: targets.flatMap((name) => table.texts(name)) },
      ...features.map(repeated),
    ],
    { name: "ageing.csv" },
  );
}

/** FEMNIST digits: one task per writer, 196 features, ten classes. */
export function digits(folder) {
  return taskArrays(readDigits(located(folder, "femnist206.csv.gz")));
}
