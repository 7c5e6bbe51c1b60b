/**
 * The papers' real data sets, which lie beside the project; `--data-folder` says where.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { taskArrays, tasksFromTable } from "../../dist/index.js";
import { readTable } from "../../dist/node/index.js";
import { readDigits } from "../accuracy/pmtl/digits.js";

/** A data set that is not there: the experiment is skipped, and says so. */
export class MissingData extends Error {}

function located(folder, file) {
  const path = join(folder, file);
  if (!existsSync(path)) throw new MissingData(`${file} is not in the data folder`);
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

/** FEMNIST digits: one task per writer, 196 features, ten classes. */
export function digits(folder) {
  return taskArrays(readDigits(located(folder, "femnist206.csv.gz")));
}
