/** Columns from which nothing, or nothing right, can be learned: a fit says so. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const folder = temporaryFolder();
const rows = Array.from({ length: 60 }, (_, i) => i);

async function notesOf(
  column: (row: number) => string | number,
  ...flags: readonly string[]
): Promise<string> {
  const path = join(folder, "t.csv");
  const lines = rows.map((i) => [`s${i % 6}`, (i * 37) % 61, (i * 7) % 13, column(i)].join(","));
  writeFileSync(path, ["task,y,u,odd", ...lines].join("\n"));
  const io = testIo();
  const roles = ["--task", "task", "--target", "y"];
  expect(await main(["fit", "--data", path, ...roles, "--method", "mp-mixed", "--scale", "unit", ...flags], io)).toBe(0); // prettier-ignore
  return io.out();
}

test.each([
  ["no value in any row", () => "", /"odd" holds nothing, so that nothing can be learned from it/],
  ["one value in all", () => 7, /"odd" is the same in all rows, so that nothing can be learned/],
  ["one text in all", () => "x", /"odd" is the same in all rows/],
  [
    "numbers whose squares overflow",
    (i: number) => `${i}e300`,
    /"odd" holds numbers beyond 1e\+60/,
  ],
])("%s", async (_, column, note) => {
  expect(await notesOf(column)).toMatch(note);
});

test("of others nothing is said", async () => {
  const text = await notesOf((i) => (i === 0 ? "" : i));
  expect(text).not.toMatch(/nothing can be learned|1e\+60/);
  expect(await notesOf((i) => i % 2)).not.toMatch(/nothing can be learned|1e\+60/);
});

test("numbers with marks or units are asked about, where they would be left out or become categories; percentages are read", async () => {
  const asked =
    /"odd" holds numbers with units, .* are read as text and (.*?): are they to be learned from/;
  expect(asked.exec(await notesOf((i) => `$${i}.50`))?.[1]).toBe("left out");
  expect(asked.exec(await notesOf((i) => `${i % 4}.5 €`))?.[1]).toBe("made categories of");
  const percent = await notesOf((i) => `${i}.5 %`);
  expect(percent).not.toMatch(asked);
  expect(percent).toMatch(/percentages are read as numbers, 50 % as 50: "odd"/);
});

test("a declared category has a column for gaps that are not there, unless the schema says so: which is told", async () => {
  const path = join(folder, "schema.json");
  const notes = async (missing: object, cell = (i: number) => ["I", "II", "III"][i % 3]!) => {
    const odd = { kind: "category", levels: ["I", "II", "III"], ...missing };
    writeFileSync(path, JSON.stringify({ format: "mp-mtl-schema", version: 1, columns: { odd } }));
    return notesOf(cell, "--ranges", path);
  };
  const spare = /"odd=missing" is a column for missing values, of which there are none here/;
  expect(await notes({})).toMatch(spare);
  expect(await notes({ missing: "zeros" })).not.toMatch(/odd=missing/);
  expect(await notes({}, (i) => ["I", "", "III"][i % 3]!)).not.toMatch(spare);
});

test("days as one number each are pointed at", async () => {
  const day = (i: number) => 20260101 + 100 * (i % 12) + (i % 28);
  expect(await notesOf(day)).toContain('"odd" seems to hold days as 20260301');
  expect(await notesOf((i) => day(i) + 0.5)).not.toContain("hold days");
});

test("an evaluation of dates or amounts in words asks, as a fit does, unless the loss is given", async () => {
  const path = join(folder, "dates.csv");
  const lines = rows.map((i) => `s${i % 6},2026-0${1 + (i % 3)}-${10 + (i % 4)},${i},${i % 9} kg`);
  writeFileSync(path, ["task,y,u,weight", ...lines].join("\n"));
  const roles = ["--data", path, "--task", "task", "--target", "y"];
  for (const command of [
    ["fit", "--method", "single-task"],
    ["evaluate", "--methods", "single-task", "--out", join(folder, "e")],
  ]) {
    // prettier-ignore
    const asked = testIo();
    expect(await main([...command, ...roles], asked)).toBe(3);
    expect(asked.err()).toContain('the target "y" holds dates');
  }
  // What else there is to ask, here of the column of weights, is then no reason to refuse.
  const given = testIo();
  expect(await main(["fit", "--method", "single-task", ...roles, "--loss", "softmax"], given)).toBe(0); // prettier-ignore
  expect(given.out()).toContain('"weight" holds numbers with units');
});
