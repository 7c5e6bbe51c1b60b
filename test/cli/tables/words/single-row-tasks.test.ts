import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../../src/cli/run.js";
import { singleRowTasks } from "../../../../src/cli/tables/words/single-row-tasks.js";
import { makeTasks } from "../../../learning/tasks.js";
import { temporaryFolder } from "../../../temporary.js";
import { testIo } from "../../io.js";

test("tasks of one row each are asked about, one task and tasks of several rows are not", () => {
  const of = (m: number, rows: number) => makeTasks({ m, d: 2, rows: () => rows });
  expect(singleRowTasks(of(5, 1), "case")).toEqual([expect.stringContaining('is "case" the')]);
  expect(singleRowTasks(of(1, 1), "case")).toEqual([]);
  expect(singleRowTasks(of(5, 2), "case")).toEqual([]);
});

test("inspect asks when the column named as the task numbers the rows", async () => {
  const path = join(temporaryFolder(), "t.csv");
  const rows = Array.from({ length: 30 }, (_, i) => `${i},h${i % 3},${(i * 7) % 11},${i / 3}`);
  writeFileSync(path, ["case,hospital,age,stay", ...rows].join("\n"));
  const asked = async (task: string) => {
    const io = testIo();
    const flags = ["--data", path, "--target", "stay", "--task", task];
    expect(await main(["inspect", ...flags], io), io.err()).toBe(0);
    return io.out();
  };
  expect(await asked("case")).toContain("a fit would ask: every task has one row");
  expect(await asked("hospital")).not.toContain("every task has one row");
});
