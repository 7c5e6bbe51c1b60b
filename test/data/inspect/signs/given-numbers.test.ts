import { expect, test } from "vitest";
import { holdsGivenNumbers } from "../../../../src/data/inspect/signs/given-numbers.js";
import { readCsv } from "../../../../src/data/index.js";

const holds = async (cells: readonly (string | number)[], name: string) =>
  holdsGivenNumbers(
    await readCsv([`${name},y`, ...cells.map((cell) => `${cell},1`)].join("\n")),
    name,
  );

const counted = Array.from({ length: 30 }, (_, at) => at);

test("numbers with leading zeros are given out, whatever the header; days and months are not", async () => {
  expect(await holds(["007", "012", "007", "118"], "c")).toBe(true);
  expect(await holds(["01067", "", "80331"], "postcode")).toBe(true);
  expect(await holds(["01", "02", "12"], "month")).toBe(false);
  expect(await holds(["0", "0.25", "100"], "c")).toBe(false);
  expect(await holds(["007", "a"], "c")).toBe(false);
});

test("whole numbers that the header calls so are, though rows share some", async () => {
  expect(await holds([...counted, ...counted], "patient_id")).toBe(true);
  expect(await holds([...counted, ""], "Pat.-Nr.")).toBe(true);
  expect(await holds([...counted, ...counted], "age")).toBe(false);
  expect(await holds([...counted, 0.5], "patient_id")).toBe(false);
  expect(await holds(counted.slice(0, 12), "floor no")).toBe(false);
});
