/**
 * FEMNIST digits of the shared data: one task per writer, ten classes, rows of unit norm.
 * @module
 */
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { Pipeline, TaskSet } from "../../../build/modules/index.js";

/** Writers with fewer digits than this are left out: they could not be split. */
const LEAST_ROWS = 6;

/** @param {string} path femnist206.csv.gz: task, y, 196 hexadecimal pixels. */
export function readDigits(path) {
  const [, ...lines] = gunzipSync(readFileSync(path)).toString("utf8").trim().split("\n");
  const writers = new Map();
  for (const line of lines) {
    const [task, label, pixels] = line.split(",");
    if (Number(label) > 9) continue;
    if (!writers.has(task)) writers.set(task, { name: `writer-${task}`, x: [], y: [] });
    const writer = writers.get(task);
    writer.x.push(Array.from(pixels, (digit) => parseInt(digit, 16) / 15));
    writer.y.push(Number(label));
  }
  const tasks = TaskSet.from([...writers.values()].filter(({ y }) => y.length >= LEAST_ROWS));
  return Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
}

/** 70 % of every writer's digits for training. */
export function splitDigits(tasks, seed) {
  return tasks.split({ trainFraction: 0.7, seed });
}
