/**
 * The School data as the reference's variant "s28" prepares them: 30 % of every task's rows, 27 features
 * standardised over the training rows, a constant, unit rows. Read from `../shared`, never copied.
 */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { TaskSet } from "../../build/modules/index.js";

const file = new URL("../../../shared/data/school.csv.gz", import.meta.url);
const FEATURES = 27;

/** X[N, 28], y[N] and the task set; undefined where the file is absent. */
export function schoolTasks() {
  if (!existsSync(file)) return undefined;
  const lines = gunzipSync(readFileSync(file)).toString().trim().split("\n").slice(1);
  const seen = new Map();
  const train = lines
    .map((line) => line.split(",").map(Number))
    .filter(([task]) => {
      const j = seen.get(task) ?? 0;
      seen.set(task, j + 1);
      return (j * 7919) % 100 < 30;
    });
  const scales = Array.from({ length: FEATURES }, (_, k) => {
    const values = train.map((row) => row[2 + k]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
  const tasks = new Map();
  for (const [task, target, ...features] of train) {
    const row = scales.map(({ mean, deviation }, k) => (features[k] - mean) / deviation);
    row.push(1);
    const length = Math.hypot(...row);
    const { x, y } = tasks.get(task) ?? { x: [], y: [] };
    tasks.set(task, { x, y });
    x.push(row.map((value) => value / length));
    y.push(target);
  }
  const set = TaskSet.from([...tasks].map(([name, { x, y }]) => ({ name: String(name), x, y })));
  return { x: set.x, y: set.y, tasks: set };
}
