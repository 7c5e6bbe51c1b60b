import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../../src/cli/run.js";
import { sumTasks } from "../../../../src/cli/tables/words/sum-tasks.js";
import { TaskSet } from "../../../../src/data/index.js";
import { temporaryFolder } from "../../../temporary.js";
import { testIo } from "../../io.js";

const named = (sizes: Record<string, number>) =>
  TaskSet.from(
    Object.entries(sizes).map(([name, rows]) => ({
      name,
      x: Array.from({ length: rows }, (_, i) => [i]),
      y: Array.from({ length: rows }, (_, i) => 2 * i),
    })),
  );

test("one row under a name of sums or means is asked about", () => {
  expect(sumTasks(named({ north: 4, Total: 1 }))).toEqual([
    expect.stringMatching(/^the task "Total" has one row .* delete it: it is made of all owners'/),
  ]);
  expect(sumTasks(named({ north: 4, "Grand total": 1, "mean:": 1 }))).toEqual([
    expect.stringMatching(/^the tasks "Grand total", "mean:" have one row each /),
  ]);
});

test.each([
  "Summe",
  "Gesamt:",
  "Gesamtsumme",
  "Total général",
  "Sous-total",
  "Totale",
  "Média",
  "All",
])("so it is under %s, as spreadsheets of other languages write it", (name) => {
  expect(sumTasks(named({ nord: 4, [name]: 1 }))).toHaveLength(1);
});

test.each([
  ["an owner of several rows", { north: 4, Total: 2 }],
  ["owners who have no more rows either", { north: 1, Total: 1 }],
  ["a longer name", { north: 4, TotalEnergies: 1, "Mean Street": 1, Gesamtschule: 1, Allen: 1 }],
])("%s is not", (_what, sizes) => {
  expect(sumTasks(named(sizes))).toEqual([]);
});

test("inspect and fit say so, and fit all the same", async () => {
  const path = join(temporaryFolder(), "t.csv");
  const rows = Array.from({ length: 30 }, (_, i) => `h${i % 3},${(i * 7) % 11},${i / 3}`);
  writeFileSync(path, ["hospital,age,stay", ...rows, "Total,150,145.5"].join("\n"));
  for (const command of [["inspect"], ["fit", "--method", "single-task"]]) {
    const io = testIo();
    const flags = ["--data", path, "--target", "stay", "--task", "hospital"];
    expect(await main([...command, ...flags], io), io.err()).toBe(0);
    expect(io.out()).toContain('the task "Total" has one row');
  }
});

test("inspect asks of a table that a fit would refuse for one of its columns, too", async () => {
  const path = join(temporaryFolder(), "both.csv");
  const rows = Array.from(
    { length: 40 },
    (_, i) => `s${i % 4},${(i * 7) % 23},${i === 5 ? "4o" : i / 7},${i / 3},${8000 + 3 * i}`,
  );
  writeFileSync(path, ["school,score,age,size,patient_id", ...rows, "Total,400,9,9,9"].join("\n"));
  const io = testIo();
  expect(await main(["inspect", "--data", path, "--task", "school", "--target", "score"], io)).toBe(
    0,
  );
  expect(io.out()).toMatch(/a fit would refuse: both\.csv, line 7, column "age"/);
  expect(io.out()).toMatch(/a fit would ask: the task "Total" has one row/);
  expect(io.out()).toMatch(/patient_id .*if it names rows/);
  expect(io.out()).not.toContain("next, to see what a budget");
});
