import { expect, test } from "vitest";
import { holdsDayNumbers } from "../../../../src/data/inspect/signs/calendar-numbers.js";
import { readCsv } from "../../../../src/data/index.js";

const holds = async (cells: readonly (string | number)[]) =>
  holdsDayNumbers(await readCsv(["c,y", ...cells.map((cell) => `${cell},1`)].join("\n")), "c");

const days = Array.from({ length: 12 }, (_, at) => 20260001 + 100 * (at + 1) + at);

test("whole numbers that are all days of a calendar, ten or more different ones", async () => {
  expect(await holds(days)).toBe(true);
  expect(await holds([...days, ""])).toBe(true);
  expect(await holds(days.slice(0, 9))).toBe(false);
});

test("one number that is no day, and it is an amount", async () => {
  for (const amount of [20261301, 20260032, 20260100, 22260101, 17991231, 20260101.5, -20260101]) {
    expect(await holds([...days, amount])).toBe(false);
  }
});
