/** A fit on sparse rows takes memory for their entries and the models: dense, these rows would be 0.4 or 0.8 GB. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { builtEntry, isBuilt } from "../../node/built.js";
import { LEFT_OUT, thorough } from "../../thorough.js";

const TASKS = 30;
const ROWS = 106;
const FEATURES = 30_000;

/** Runs in a process of its own, whose peak is this fit's alone. */
const program = (entry: string) => `
  const { Pmtl, TaskSet } = await import(${JSON.stringify(entry)});
  let state = 1;
  const below = (n) => (state = (state * 48271) % 2147483647) % n;
  const tasks = Array.from({ length: ${TASKS} }, (_, i) => {
    const indices = Array.from({ length: ${ROWS} }, () => below(${FEATURES}));
    const x = {
      indptr: Array.from({ length: ${ROWS} + 1 }, (_, j) => j),
      indices,
      values: indices.map(() => 1),
      shape: [${ROWS}, ${FEATURES}],
    };
    return { name: String(i), x, y: indices.map((item) => Math.sin(item) + i) };
  });
  const random = { mode: "seeded", seed: 1 };
  const model = await new Pmtl({ rounds: 2, epsilon: 5, random }).fit(TaskSet.from(tasks));
  if (!model.weights.every(Number.isFinite)) throw new Error("not finite");
  // Of this program alone: maxRSS has what the process that began it took.
  const { readFileSync } = await import("node:fs");
  console.log(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
`;

test.skipIf(!thorough || !isBuilt || process.platform !== "linux")(
  `of ${TASKS} tasks of ${ROWS} rows with ${FEATURES} features ${LEFT_OUT}`,
  () => {
    const args = [
      "--input-type=module",
      "--eval",
      program(builtEntry.replace(/node\/index\.js$/, "index.js")),
    ];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stderr).toBe("");
    const peak = Number(stdout) / 1024;
    expect(peak).toBeGreaterThan(20);
    expect(peak).toBeLessThan((8 * TASKS * ROWS * FEATURES) / 2 ** 20 / 2);
  },
  120_000,
);
