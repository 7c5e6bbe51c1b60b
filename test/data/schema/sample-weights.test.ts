import { expect, test } from "vitest";
import { readCsv, tasksFromTable } from "../../../src/data/index.js";

const SCHEMA = { task: "task", target: "y", weights: "w", features: ["x"] };

const weightsOf = async (cells: readonly string[], dialect: object = {}) => {
  const rows = cells.map((cell, k) => `${k < 2 ? "a" : "b"};${k + 1};${2 * k};${cell}`);
  const text = ["task;y;x;w", ...rows].join("\n");
  const table = await readCsv(text, { name: "t.csv", delimiter: ";", ...dialect });
  return [...tasksFromTable(table, SCHEMA).tasks.sampleWeights!];
};

test("a weight is read by itself, however the cells of others are written", async () => {
  const read = [2, 1, 3, 0.5];
  expect(await weightsOf(["2", "1", "3", "0.5"])).toEqual(read);
  expect(await weightsOf(["2.0", "+1", "3e0", ".50"])).toEqual(read);
  expect(await weightsOf(["2", "1", "3", "0.50"])).toEqual(read);
  expect(await weightsOf(["2,0", "1", "3", ",50"], { decimal: "," })).toEqual(read);
});

test("what is no number is named by its own row, and what may be a thousand times as much is no weight", async () => {
  for (const odd of ["many", "5 %", "-1.0", "NA", "1e999", "Infinity"]) {
    await expect(weightsOf(["2.0", "1", odd, "1"]), odd).rejects.toThrow(
      't.csv, line 4, column "w": expected a weight',
    );
  }
  await expect(weightsOf(["1.000", "1", "1", "1"], { decimal: "," })).rejects.toThrow("a weight");
});
